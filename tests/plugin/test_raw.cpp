// SPDX-License-Identifier: Zlib
// The interface without a world, as CDTestFramework and MoveIt use it: CT-52. NULL dispatchers are everywhere in the
// other tests; here it is clients, callbacks that walk the pairs, and def and core.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

class Raw : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, Raw, testing::ValuesIn( culletRigs() ), rigName );

TEST_P( Raw, CT52_NullAndForeignClients )
{
    const Rig rig = makeRig( GetParam() );
    btBroadphaseInterface& broadphase = *rig.broadphase;
    void* const foreign = reinterpret_cast<void*>( uintptr_t( 1 ) ); // a number in pointer's clothes
    std::vector<btBroadphaseProxy*> proxies;
    for ( int i = 0; i < 10; ++i )
    {
        const Box box = cube( btScalar( i ) * btScalar( 0.9 ), 0, 0, 1 );
        void* client = i % 2 ? foreign : nullptr;
        proxies.push_back(
            broadphase.createProxy( box.lower, box.upper, BOX_SHAPE_PROXYTYPE, client, 1, -1, nullptr ) );
        ASSERT_EQ( client, proxies.back()->m_clientObject );
    }
    broadphase.calculateOverlappingPairs( nullptr );
    EXPECT_EQ( 9, rig.cache().getNumOverlappingPairs() );

    CollectBox hits;
    broadphase.aabbTest( btVector3( 0, 0, 0 ), btVector3( 99, 1, 1 ), hits );
    EXPECT_EQ( 10u, hits.proxies.size() );
    rig.cache().cleanProxyFromPairs( nullptr, nullptr );
    EXPECT_EQ( 9, rig.cache().getNumOverlappingPairs() );
    for ( btBroadphaseProxy* proxy : proxies )
    {
        broadphase.destroyProxy( proxy, nullptr );
    }
    EXPECT_EQ( 0, rig.cache().getNumOverlappingPairs() );
    broadphase.printStats();
}

/// Removes every pair of body 1, as a narrowphase of the application's might.
class RemoveFirst : public btOverlapCallback
{
public:
    bool processOverlap( btBroadphasePair& pair ) override
    {
        ++visited;
        return idsOf( pair ).first == 1;
    }

    int visited = 0;
};

TEST_P( Raw, CT52_WalkingThePairs )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 52, 2 );
    for ( int i = 0; i < 30; ++i )
    {
        bodies.create( bodies.randomBox() );
    }
    bodies.update();
    const std::vector<IdPair> all = bodies.expectedPairs();
    RemoveFirst callback;
    rig.cache().processAllOverlappingPairs( &callback, nullptr );
    EXPECT_EQ( int( all.size() ), callback.visited );
    std::vector<IdPair> left;
    for ( const IdPair& pair : all )
    {
        if ( pair.first != 1 )
        {
            left.push_back( pair );
        }
    }
    ASSERT_LT( left.size(), all.size() );
    EXPECT_TRUE( samePairs( left, pairsOf( rig.cache() ) ) );
}

TEST( RawMembers, CalledByNameInDbvtPrograms )
{
    CulletBroadphase broadphase;
    Bodies bodies( broadphase, 53, 2 );
    Body& body = bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( 5, 0, 0, 1 ) );
    broadphase.setVelocityPrediction( btScalar( 0.25 ) );
    EXPECT_EQ( btScalar( 0.25 ), broadphase.getVelocityPrediction() );
    broadphase.optimize();
    broadphase.setAabbForceUpdate( body.proxies[0], btVector3( 5, 0, 0 ), btVector3( 6, 1, 1 ), nullptr );
    broadphase.collide( nullptr );
    EXPECT_EQ( 1, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
}
