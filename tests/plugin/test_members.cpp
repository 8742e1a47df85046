// SPDX-License-Identifier: Zlib
// Members of btDbvtBroadphase that programs call by name are there, and do no harm.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

TEST( Members, CalledByNameInDbvtPrograms )
{
    CulletBroadphase broadphase;
    Bodies bodies( broadphase, 53, 2 );
    Body& body = bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 5, 0, 0, 1 ) );
    broadphase.setVelocityPrediction( btScalar( 0.25 ) );
    EXPECT_EQ( btScalar( 0.25 ), broadphase.getVelocityPrediction() );
    broadphase.optimize();
    broadphase.printStats();
    broadphase.setAabbForceUpdate( body.proxies[0], btVector3( 5, 0, 0 ), btVector3( 6, 1, 1 ), nullptr );
    broadphase.collide( nullptr );
    EXPECT_EQ( 1, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
}
