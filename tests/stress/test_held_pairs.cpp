// SPDX-License-Identifier: Zlib
/// \file test_held_pairs.cpp
/// What must not be in a pair array, whatever the boxes. Bullet's sorted cache takes everything.
#include "demos/stress/fault.h"
#include "demos/stress/held_pairs.h"

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include <gtest/gtest.h>

namespace test
{

using namespace cullet::stress;

namespace
{

class HeldPairs : public testing::Test
{
protected:
    HeldPairs()
    {
        for ( int k = 0; k < 3; ++k )
        {
            const Box box = { { 0, 0, 0 }, { 1, 1, 1 } };
            proxies[k] = btBroadphaseProxy( lowerOf( box ), upperOf( box ), nullptr, 1, -1 );
            proxies[k].m_uniqueId = k + 1;
            population.add( { &proxies[k], k + 1, box, 1, -1, Client::none, false, 0, 0 } );
        }
    }

    /// Empty if there is nothing to say.
    std::string complaint()
    {
        try
        {
            readPairs( cache, population );
        }
        catch ( const Fault& fault )
        {
            return fault.detail;
        }
        return "";
    }

    btBroadphaseProxy proxies[3];
    Population population;
    btSortedOverlappingPairCache cache;
};

} // namespace

TEST_F( HeldPairs, AreReadInOrder )
{
    cache.addOverlappingPair( &proxies[2], &proxies[1] );
    cache.addOverlappingPair( &proxies[1], &proxies[0] );
    const std::vector<HeldPair> held = readPairs( cache, population );
    ASSERT_EQ( 2u, held.size() );
    EXPECT_EQ( cullet::pairKey( 1, 2 ), held[0].key );
    EXPECT_EQ( cullet::pairKey( 2, 3 ), held[1].key );
}

TEST_F( HeldPairs, HeldTwiceAreRefused )
{
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    cache.addOverlappingPair( &proxies[1], &proxies[0] );
    EXPECT_EQ( "twice (1, 2)", complaint() );
}

TEST_F( HeldPairs, InTheWrongOrderAreRefused )
{
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    std::swap( cache.getOverlappingPairArray()[0].m_pProxy0, cache.getOverlappingPairArray()[0].m_pProxy1 );
    EXPECT_EQ( "out of order (2, 1)", complaint() );
}

TEST_F( HeldPairs, OfDeadProxiesAreRefused )
{
    cache.addOverlappingPair( &proxies[0], &proxies[1] );
    population.remove( 1 );
    EXPECT_EQ( "a pair with a proxy that does not live, the other one is 1", complaint() );
}

} // namespace test
