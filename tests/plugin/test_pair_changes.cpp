// SPDX-License-Identifier: Zlib
// What setting boxes costs the core: nothing where the box is the old one.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

TEST( PairChanges, UnchangedBoxesNeverReachTheCore )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 8, spreadFor( 200 ) );
    bodies.createRandom( 200 );
    bodies.update();
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        Box same = bodies.at( i ).box;
        same.lower[3] = btScalar( i ); // the fourth lane of a btVector3 means nothing
        bodies.move( bodies.at( i ), same );
    }
    bodies.update();
    cltStats stats;
    ASSERT_EQ( clt_ok, cltBroadphase_GetStats( rig.cullet->getCore(), &stats ) );
    EXPECT_EQ( 0u, stats.changedCount );
}
