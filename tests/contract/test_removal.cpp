// SPDX-License-Identifier: Zlib
// Removal is complete when destroyProxy returns, and leaves nothing that a later proxy could meet: CT-14 to CT-16.
#include "contestants.h"

#include <set>

using namespace test;

static std::set<int> aliveIds( Bodies& bodies )
{
    std::set<int> ids;
    for ( size_t i = 0; i < bodies.size(); ++i )
    {
        ids.insert( bodies.at( i ).id );
    }
    return ids;
}

static bool mentionsOnly( const std::set<IdPair>& pairs, const std::set<int>& alive )
{
    for ( const IdPair& pair : pairs )
    {
        if ( alive.count( pair.first ) == 0 || alive.count( pair.second ) == 0 )
        {
            return false;
        }
    }
    return true;
}

/// The client object is deleted as soon as destroyProxy returns: any later touch is an error under AddressSanitizer.
TEST_P( Contract, CT14_DestroyedProxyIsGoneAtOnce )
{
    GhostWitness ghost;
    Arena arena( GetParam(), 14, 3 );
    arena.cache().setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    arena.bodies.update();
    while ( arena.bodies.size() > 0 )
    {
        arena.bodies.destroy( arena.bodies.random().below( uint32_t( arena.bodies.size() ) ) );
        const std::set<int> alive = aliveIds( arena.bodies );
        const std::vector<IdPair> pairs = arena.pairs();
        ASSERT_TRUE( arena.holdsExpectedPairs() );
        ASSERT_TRUE( mentionsOnly( std::set<IdPair>( pairs.begin(), pairs.end() ), alive ) );
        ASSERT_TRUE( mentionsOnly( ghost.pairs, alive ) );
        CollectBox hits;
        arena.broadphase.aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
        ASSERT_EQ( std::vector<int>( alive.begin(), alive.end() ), hits.ids() );
        CollectRay rayHits;
        aim( rayHits, btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ) );
        arena.broadphase.rayTest( btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ), rayHits );
        for ( int id : rayHits.ids() )
        {
            ASSERT_EQ( 1u, alive.count( id ) );
        }
        if ( arena.bodies.size() % 16 == 0 )
        {
            arena.bodies.update();
        }
    }
}

TEST_P( Contract, CT15_ReusedSlotIsANewPair )
{
    DispatcherWitness dispatcher;
    GhostWitness ghost;
    Arena arena( GetParam(), 15, 1, &dispatcher );
    arena.cache().setInternalGhostPairCallback( &ghost );
    const Box there = cube( btScalar( 0.5 ), 0, 0, 1 );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    arena.bodies.create( there );
    arena.bodies.update();
    for ( int round = 0; round < 5; ++round )
    {
        ASSERT_EQ( 1, arena.cache().getNumOverlappingPairs() );
        dispatcher.giveAlgorithm( arena.cache().getOverlappingPairArrayPtr()[0] );
        const int added = ghost.addCount, removed = ghost.removeCount;
        arena.bodies.destroy( 1 );
        EXPECT_EQ( removed + 1, ghost.removeCount );
        EXPECT_EQ( round + 1, dispatcher.freed );
        arena.bodies.create( there );
        arena.bodies.update();
        EXPECT_EQ( added + 1, ghost.addCount );
        ASSERT_TRUE( arena.holdsExpectedPairs() );
        EXPECT_EQ( nullptr, arena.cache().getOverlappingPairArrayPtr()[0].m_algorithm );
    }
}

TEST_P( Contract, CT16_CreateAndDestroyBetweenUpdatesLeavesNothing )
{
    GhostWitness ghost;
    Arena arena( GetParam(), 16, 3 );
    arena.cache().setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 100 );
    arena.bodies.update();
    const int alive = ghost.addCount - ghost.removeCount;
    const std::vector<char> bytes = bytesOf( arena.cache() );
    ASSERT_FALSE( bytes.empty() );
    for ( int i = 0; i < 50; ++i )
    {
        arena.bodies.create( { btVector3( -3, -3, -3 ), btVector3( 3, 3, 3 ) } );
        arena.bodies.destroy( arena.bodies.size() - 1 );
    }
    EXPECT_EQ( bytes, bytesOf( arena.cache() ) );
    arena.bodies.update();
    EXPECT_EQ( bytes, bytesOf( arena.cache() ) );
    EXPECT_EQ( alive, ghost.addCount - ghost.removeCount );
}
