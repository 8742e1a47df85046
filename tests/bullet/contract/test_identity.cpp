// SPDX-License-Identifier: Zlib
// Uids and addresses of proxies: CT-45 and CT-48.
#include "contestants.h"
#include "tests/bullet/support/block_count.h"

#include <cstdint>
#include <map>

using namespace test;

TEST_P( Contract, CT45_UidsCountUpwardsWithoutReuse )
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
        for ( const auto& body : arena.bodies.all() )
        {
            ASSERT_EQ( body->id, body->proxies[0]->m_uniqueId );
        }
    }
}

TEST_P( Contract, CT45_ResetPoolChangesNothingWhileProxiesExist )
{
    Arena arena( GetParam(), 47, 2 );
    arena.bodies.createRandom( 50 );
    arena.bodies.update();
    const std::vector<char> previous = bytesOf( arena.cache );
    arena.broadphase.resetPool( nullptr );
    EXPECT_EQ( previous, bytesOf( arena.cache ) );
    arena.bodies.createRandom( 1 );
    std::set<int> uids;
    for ( const auto& body : arena.bodies.all() )
    {
        EXPECT_TRUE( uids.insert( body->proxies[0]->m_uniqueId ).second ) << "two live proxies have the same uid";
    }
    arena.bodies.update();
    EXPECT_TRUE( arena.hasExpectedPairs() );
}

TEST_P( Contract, CT45_ResetPoolRestartsUidsAtOneWhenEmpty )
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
    EXPECT_TRUE( arena.hasExpectedPairs() );
}

TEST_P( Contract, CT48_ProxyAddressesNeverChange )
{
    Arena arena( GetParam(), 49, 6 );
    std::map<int, const btBroadphaseProxy*> places;
    for ( int round = 0; round < 12; ++round )
    {
        arena.bodies.createRandom( 100 ); // more than fit into the first block of memory
        arena.bodies.runRandomOperations( 50 );
        arena.bodies.update();
        for ( const auto& body : arena.bodies.all() )
        {
            const btBroadphaseProxy* place = body->proxies[0];
            ASSERT_EQ( place, places.emplace( body->id, place ).first->second );
            ASSERT_EQ( body.get(), place->m_clientObject ) << "the proxy belongs to another body";
        }
    }
}

TEST_P( Contract, CT48_ProxiesAreAligned )
{
    Arena arena( GetParam(), 50, 6 );
    arena.bodies.createRandom( 300 );
    for ( const auto& body : arena.bodies.all() )
    {
        ASSERT_EQ( 0u, reinterpret_cast<uintptr_t>( body->proxies[0] ) % 16 );
    }
}

TEST_P( Contract, CT48_ProxiesUseTheApplicationsAllocator )
{
    const BlockCount blocks;
    {
        Arena arena( GetParam(), 51, 6 );
        // these two broadphases of Bullet allocate all proxies in the constructor
        const bool isReserved = GetParam().engine == Engine::simple || GetParam().engine == Engine::sap;
        const size_t ownBytes = isReserved ? 0 : blocks.bytes();
        arena.bodies.createRandom( 1000 );
        EXPECT_GE( blocks.bytes() - ownBytes, 1000 * sizeof( btBroadphaseProxy ) );
        arena.bodies.update();
    }
    EXPECT_EQ( 0, blocks.alive() ) << "not all were freed";
}
