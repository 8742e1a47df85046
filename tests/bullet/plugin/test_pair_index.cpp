// SPDX-License-Identifier: Zlib
// CulletPairIndex: hashes spread, and pairs with equal hashes are distinguished.
#include "pair_cache/CulletPairCache.h"
#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

/// Searches for different pairs with the same hash, which are rare.
TEST( PairIndex, DistinguishesPairsOfEqualHash )
{
    std::vector<btBroadphaseProxy> world( 100000 );
    test::Random random( 1 );
    std::set<size_t> chosen; // scattered: hashes of equidistant proxies collide more or less often than random ones
    while ( chosen.size() < 1000 )
    {
        chosen.insert( random.below( 100000 ) );
    }
    std::vector<btBroadphaseProxy*> proxies;
    std::vector<std::pair<uint32_t, CulletProxyPair>> hashed;
    for ( size_t i : chosen )
    {
        btBroadphaseProxy* proxy = &world[i];
        proxy->m_uniqueId = int( i + 1 );
        for ( btBroadphaseProxy* other : proxies )
        {
            hashed.push_back( { CulletPairIndex::hash( other, proxy ), { other, proxy } } );
        }
        proxies.push_back( proxy );
    }
    std::sort( hashed.begin(), hashed.end(), []( const auto& a, const auto& b ) { return a.first < b.first; } );

    int collisionCount = 0;
    for ( size_t i = 1; i < hashed.size(); ++i )
    {
        if ( hashed[i].first != hashed[i - 1].first )
        {
            continue;
        }
        ++collisionCount;
        CulletPairCache cache;
        const CulletProxyPair a = hashed[i - 1].second, b = hashed[i].second;
        cache.addAccepted( a );
        EXPECT_EQ( nullptr, cache.findPair( b.m_pProxy0, b.m_pProxy1 ) );
        cache.addAccepted( b );
        EXPECT_EQ( 2, cache.getNumOverlappingPairs() );
        cache.removeOverlappingPair( a.m_pProxy0, a.m_pProxy1, nullptr );
        EXPECT_EQ( nullptr, cache.findPair( a.m_pProxy0, a.m_pProxy1 ) );
        EXPECT_EQ( cache.getOverlappingPairArrayPtr(), cache.findPair( b.m_pProxy0, b.m_pProxy1 ) );
    }
    EXPECT_GT( collisionCount, 5 ) << "about 29 are to be expected among half a million pairs";
}

/// Worlds are created in raster order, and proxies are stored in it: neighbours are one proxy, a row or a layer apart.
/// Random hashes would fill 1 - 1/e of as many buckets as there are pairs.
TEST( PairIndex, SpreadsRasterOrderLikeRandom )
{
    for ( uintptr_t size : { 56u, 64u, 80u, 112u } )
    {
        for ( uintptr_t distance : { 1u, 256u, 65536u } )
        {
            std::set<uint32_t> buckets;
            for ( uintptr_t i = 1; i <= 65536; ++i )
            {
                const uintptr_t proxy = 0x20000 + i * size;
                buckets.insert( CulletPairIndex::hash( reinterpret_cast<const void*>( proxy ),
                                                       reinterpret_cast<const void*>( proxy + distance * size ) ) &
                                65535 );
            }
            EXPECT_NEAR( 0.632, double( buckets.size() ) / 65536, 0.01 ) << size << " " << distance;
        }
    }
}
