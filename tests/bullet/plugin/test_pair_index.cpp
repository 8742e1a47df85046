// SPDX-License-Identifier: Zlib
// What CulletPairIndex rests on: hashes that spread, and pairs that are told apart when hashes do not.
#include "pair_cache/CulletPairCache.h"
#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

/// Different pairs whose hashes are equal to the last bit: rare, so they are looked for.
TEST( PairIndex, PairsOfEqualHashAreKeptApart )
{
    std::vector<btBroadphaseProxy> world( 100000 );
    test::Random random( 1 );
    std::set<size_t> chosen; // some here, some there: hashes of proxies at equal distances have more or fewer in common
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

/// Worlds are created in raster order, and proxies lie in that order: neighbours are one, a row or a layer apart.
/// Random hashes would fill 1 - 1/e of as many buckets as there are pairs.
TEST( PairIndex, RasterOrderSpreadsLikeRandom )
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
