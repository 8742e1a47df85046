// SPDX-License-Identifier: Zlib
// What CulletPairIndex rests on: hashes that spread, and pairs that are told apart when hashes do not.
#include "CulletPairCache.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

/// Different pairs whose hashes are equal to the last bit: rare, so they are looked for.
TEST( PairIndex, PairsOfEqualHashAreKeptApart )
{
    std::vector<btBroadphaseProxy> proxies( 1000 );
    std::vector<std::pair<uint32_t, CulletProxyPair>> hashed;
    for ( int i = 0; i < 1000; ++i )
    {
        btBroadphaseProxy& proxy = proxies[size_t( i )];
        proxy.m_uniqueId = i + 1;
        proxy.m_collisionFilterGroup = 1;
        proxy.m_collisionFilterMask = 1;
        for ( int j = 0; j < i; ++j )
        {
            hashed.push_back( { CulletPairIndex::hash( j + 1, i + 1 ), { &proxies[size_t( j )], &proxy } } );
        }
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
        cache.addOverlappingPair( a.m_pProxy0, a.m_pProxy1 );
        EXPECT_EQ( nullptr, cache.findPair( b.m_pProxy0, b.m_pProxy1 ) );
        cache.addOverlappingPair( b.m_pProxy0, b.m_pProxy1 );
        EXPECT_EQ( 2, cache.getNumOverlappingPairs() );
        cache.removeOverlappingPair( a.m_pProxy0, a.m_pProxy1, nullptr );
        EXPECT_EQ( nullptr, cache.findPair( a.m_pProxy0, a.m_pProxy1 ) );
        EXPECT_EQ( cache.getOverlappingPairArrayPtr(), cache.findPair( b.m_pProxy0, b.m_pProxy1 ) );
    }
    EXPECT_GT( collisionCount, 5 ) << "about 29 are to be expected among half a million pairs";
}

/// Worlds are created in raster order: neighbours differ by one, by a row or by a layer. Random hashes would fill
/// 1 - 1/e of as many buckets as there are pairs.
TEST( PairIndex, RasterOrderSpreadsLikeRandom )
{
    for ( int distance : { 1, 256, 65536 } )
    {
        std::set<uint32_t> buckets;
        for ( int uid = 1; uid <= 65536; ++uid )
        {
            buckets.insert( CulletPairIndex::hash( uid, uid + distance ) & 65535 );
        }
        EXPECT_NEAR( 0.632, double( buckets.size() ) / 65536, 0.01 ) << distance;
    }
}
