// SPDX-License-Identifier: Zlib
// Who a proxy is, and where: CT-45 and CT-48.
#include "contestants.h"

#include "LinearMath/btAlignedAllocator.h"

#include <cstdint>
#include <cstdlib>
#include <map>

using namespace test;

TEST_P( Contract, CT45_UidsCountUpwardsAndAreNotUsedAgain )
{
    Arena arena( GetParam(), 45, 3 );
    arena.bodies.createRandom( 10 );
    for ( int i = 0; i < 300; ++i )
    {
        arena.bodies.randomOperation();
        if ( i % 7 == 0 )
        {
            arena.bodies.update();
        }
        for ( size_t k = 0; k < arena.bodies.size(); ++k )
        {
            ASSERT_EQ( arena.bodies.at( k ).id, arena.bodies.at( k ).proxies[0]->m_uniqueId );
        }
    }
}

TEST_P( Contract, CT45_UidsAreUniqueAmongTheLiving )
{
    Arena arena( GetParam(), 46, 3 );
    arena.bodies.createRandom( 50 );
    for ( int i = 0; i < 300; ++i )
    {
        arena.bodies.randomOperation();
        std::set<int> uids;
        for ( size_t k = 0; k < arena.bodies.size(); ++k )
        {
            ASSERT_TRUE( uids.insert( arena.bodies.at( k ).proxies[0]->m_uniqueId ).second );
        }
    }
}

TEST_P( Contract, CT45_ResetPoolDoesNothingWhileProxiesLive )
{
    Arena arena( GetParam(), 47, 2 );
    arena.bodies.createRandom( 50 );
    arena.bodies.update();
    const std::vector<char> before = bytesOf( arena.cache() );
    const int uid = arena.bodies.at( 49 ).proxies[0]->m_uniqueId;
    arena.broadphase.resetPool( nullptr );
    EXPECT_EQ( before, bytesOf( arena.cache() ) );
    arena.bodies.createRandom( 1 );
    EXPECT_NE( uid, arena.bodies.at( 50 ).proxies[0]->m_uniqueId );
    arena.bodies.update();
    const std::vector<IdPair> all = arena.bodies.expectedPairs(), found = arena.pairs();
    EXPECT_TRUE( std::includes( found.begin(), found.end(), all.begin(), all.end() ) );
}

TEST_P( Contract, CT45_ResetPoolRestartsAtOneWhenEmpty )
{
    Arena arena( GetParam(), 48, 2 );
    arena.bodies.createRandom( 50 );
    arena.bodies.update();
    arena.bodies.destroyAll();
    arena.broadphase.resetPool( nullptr );
    arena.bodies.createRandom( 5 );
    EXPECT_EQ( 1, arena.bodies.at( 0 ).proxies[0]->m_uniqueId );
    EXPECT_EQ( 5, arena.bodies.at( 4 ).proxies[0]->m_uniqueId );
    arena.bodies.update();
    const std::vector<IdPair> all = arena.bodies.expectedPairs(), found = arena.pairs();
    EXPECT_TRUE( std::includes( found.begin(), found.end(), all.begin(), all.end() ) );
}

TEST_P( Contract, CT48_ProxiesStayWhereTheyAre )
{
    Arena arena( GetParam(), 49, 6 );
    std::map<int, const btBroadphaseProxy*> places;
    for ( int round = 0; round < 30; ++round )
    {
        arena.bodies.createRandom( 100 ); // far more than any first block holds
        for ( int i = 0; i < 50; ++i )
        {
            arena.bodies.randomOperation();
        }
        arena.bodies.update();
        for ( size_t i = 0; i < arena.bodies.size(); ++i )
        {
            Body& body = arena.bodies.at( i );
            const btBroadphaseProxy* place = body.proxies[0];
            ASSERT_EQ( place, places.emplace( body.id, place ).first->second );
            ASSERT_EQ( &body, place->m_clientObject ) << "still its own";
        }
    }
}

TEST_P( Contract, CT48_ProxiesAreAligned )
{
    Arena arena( GetParam(), 50, 6 );
    arena.bodies.createRandom( 300 );
    for ( size_t i = 0; i < arena.bodies.size(); ++i )
    {
        ASSERT_EQ( 0u, reinterpret_cast<uintptr_t>( arena.bodies.at( i ).proxies[0] ) % 16 );
    }
}

// Bullet's hooks are plain functions without a context, so what they count is global.
static size_t allocated = 0;
static long blocksAlive = 0;

static void* countingAllocate( size_t size )
{
    allocated += size;
    ++blocksAlive;
    return std::malloc( size );
}

static void countingFree( void* block )
{
    --blocksAlive;
    std::free( block ); // Bullet's default does the same, so blocks from before are in good hands
}

TEST_P( Contract, CT48_ProxiesComeFromTheApplicationsAllocator )
{
    allocated = 0;
    blocksAlive = 0;
    btAlignedAllocSetCustom( countingAllocate, countingFree );
    {
        Arena arena( GetParam(), 51, 6 );
        const size_t before = allocated;
        arena.bodies.createRandom( 1000 );
        if ( GetParam().engine != Engine::simple && GetParam().engine != Engine::sap ) // which take all in advance
        {
            EXPECT_GE( allocated - before, 1000 * sizeof( btBroadphaseProxy ) );
        }
        EXPECT_GE( allocated, 1000 * sizeof( btBroadphaseProxy ) );
        arena.bodies.update();
    }
    btAlignedAllocSetCustom( nullptr, nullptr );
    EXPECT_EQ( 0, blocksAlive ) << "and go back there";
}
