// SPDX-License-Identifier: Zlib
// The interface without a world, as CDTestFramework, MoveIt and Tesseract use it: CT-52. The clients are NULL or no
// pointers at all, callbacks visit pairs, and bodies move continuously. Other tests cover NULL dispatchers.
#include "contestants.h"

#include <cmath>

using namespace test;

static void* const foreign = reinterpret_cast<void*>( uintptr_t( 1 ) ); // a number that is no valid address

TEST_P( Contract, CT52_NullAndForeignClientsArePassedThrough )
{
    const Rig rig = makeRig( GetParam() );
    btBroadphaseInterface& broadphase = *rig.broadphase;
    std::vector<btBroadphaseProxy*> proxies;
    for ( int i = 0; i < 10; ++i )
    {
        const Box box = cube( btScalar( i ) * btScalar( 0.9 ), 0, 0, 1 );
        void* client = i % 2 ? foreign : nullptr;
        proxies.push_back( broadphase.createProxy( box.lower, box.upper, 0, client, 1, -1, nullptr ) );
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
}

/// With a ghost callback of the application, and more moves than a broadphase searches for at once after an update.
TEST_P( Contract, CT52_GhostCallbackCountsPairsOfForeignClients )
{
    int count = 0;
    GhostFunctions callback( [&]( const btBroadphaseProxy&, const btBroadphaseProxy& ) { ++count; },
                             [&]( const btBroadphaseProxy&, const btBroadphaseProxy& ) { --count; } );
    const Rig rig = makeRig( GetParam() );
    rig.cache().setInternalGhostPairCallback( &callback );
    std::vector<btBroadphaseProxy*> proxies;
    for ( int i = 0; i < 100; ++i )
    {
        const Box box = cube( btScalar( 2 * i ), 0, 0, 1 );
        proxies.push_back( rig.broadphase->createProxy( box.lower, box.upper, 0, foreign, 1, -1, nullptr ) );
    }
    rig.broadphase->calculateOverlappingPairs( nullptr );
    for ( size_t i = 0; i < proxies.size(); ++i )
    {
        const Box box = cube( btScalar( i ), 0, 0, 1 );
        rig.broadphase->setAabb( proxies[i], box.lower, box.upper, nullptr );
    }
    rig.broadphase->calculateOverlappingPairs( nullptr );
    EXPECT_EQ( 99, count );
    for ( btBroadphaseProxy* proxy : proxies )
    {
        rig.broadphase->destroyProxy( proxy, nullptr );
    }
    EXPECT_EQ( 0, count );
}

/// The callback removes every pair of body 1.
TEST_P( Contract, CT52_PairCallbackVisitsAndRemovesPairs )
{
    Arena arena( GetParam(), 52, 2 );
    arena.bodies.createBoxes( 30 );
    arena.bodies.update();
    std::vector<IdPair> pairs = arena.bodies.expectedPairs();
    const size_t count = pairs.size();
    size_t visited = 0;
    walkPairs( arena.cache, [&]( btBroadphasePair& pair ) { return ++visited, idsOf( pair ).first == 1; } );
    EXPECT_EQ( count, visited );
    pairs.erase( pairs.begin(), std::lower_bound( pairs.begin(), pairs.end(), IdPair( 2, 0 ) ) );
    ASSERT_LT( pairs.size(), count );
    EXPECT_TRUE( samePairs( pairs, arena.pairs() ) );
}

/// The scene of CDTestFramework: boxes of edges 2 to 4 on closed curves. A third of them moves in each frame.
TEST_P( Contract, CT52_BoxesOnClosedCurvesFormTheExpectedPairs )
{
    Arena arena( GetParam(), 53, 1 );
    std::vector<btVector3> frequencies;
    const auto boxAt = [&]( size_t i, int frame )
    {
        const btVector3 angle = frequencies[i] * btScalar( frame );
        const btVector3 centre = btVector3( std::cos( angle.x() ), std::sin( angle.y() ), std::cos( angle.z() ) ) * 12;
        const btVector3 half = btVector3( 1, 1, 1 ) * ( 1 + btScalar( i % 10 ) / 10 );
        return Box{ centre - half, centre + half };
    };
    for ( size_t i = 0; i < 300; ++i )
    {
        frequencies.push_back( randomPoint( arena.bodies.random(), 0.1 ) );
        arena.bodies.create( boxAt( i, 40 ) );
    }
    for ( int frame = 41; frame < 100; ++frame )
    {
        for ( size_t i = size_t( frame % 3 ); i < 300; i += 3 )
        {
            arena.bodies.move( arena.bodies.at( i ), boxAt( i, frame ) );
        }
        arena.bodies.update();
        ASSERT_TRUE( arena.hasExpectedPairs() ) << "frame " << frame;
        ASSERT_GT( arena.pairCount(), 100 );
    }
}
