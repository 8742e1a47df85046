// SPDX-License-Identifier: Zlib
/// \file pair_cache.cpp
/// Adding, finding and exchanging pairs: one by one in CulletPairCache and in btHashedOverlappingPairCache, and in
/// batches in CulletPairCache, as the broadphase does.
#include "pair_cache/CulletPairCache.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <vector>

namespace
{

using Pairs = std::vector<CulletProxyPair>;

/// Twice as many pairs as proxies, ascending. The two proxies of a pair were created shortly after each other.
struct Scene
{
    explicit Scene( const benchmark::State& state )
    {
        const std::size_t reach = 1000, count = std::size_t( state.range( 0 ) ) / 2;
        proxies.resize( count + reach );
        for ( std::size_t k = 0; k < proxies.size(); ++k )
        {
            proxies[k].m_uniqueId = int( k + 1 );
            proxies[k].m_collisionFilterGroup = 1;
            proxies[k].m_collisionFilterMask = -1;
        }
        std::mt19937 random( 1 );
        for ( std::size_t k = 0; k < count; ++k )
        {
            const std::size_t near = 1 + random() % ( reach / 2 - 1 );
            const std::size_t far = reach / 2 + random() % ( reach / 2 - 1 );
            pairs.push_back( { &proxies[k], &proxies[k + near] } );
            pairs.push_back( { &proxies[k], &proxies[k + far] } );
        }
    }

    /// Every fifth pair, from pair `first` on.
    Pairs fifth( std::size_t first ) const
    {
        Pairs result;
        for ( std::size_t k = first; k < pairs.size(); k += 5 )
        {
            result.push_back( pairs[k] );
        }
        return result;
    }

    std::vector<btBroadphaseProxy> proxies;
    Pairs pairs;
};

/// Changes a cache by one call per pair.
template <typename Cache>
struct SingleCallAccess
{
    Cache cache;

    void add( const Pairs& pairs )
    {
        for ( const CulletProxyPair& pair : pairs )
        {
            cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        }
    }

    void exchange( const Pairs& ended, const Pairs& began )
    {
        for ( const CulletProxyPair& pair : ended )
        {
            cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
        }
        add( began );
    }
};

struct BatchAccess
{
    CulletPairCache cache;
    btAlignedObjectArray<CulletProxyPair> rejected;

    void add( const Pairs& pairs )
    {
        cache.addPairs( pairs.data(), int( pairs.size() ), rejected );
    }

    /// Hands all changes over in a batch, as the broadphase does if no callback observes single pairs.
    void exchange( const Pairs& ended, const Pairs& began )
    {
        cache.getPairs().expectChanges( ended.size() + began.size() );
        cache.getExchange()->start();
        cache.getExchange()->noteEnded( ended.data(), int( ended.size() ), nullptr );
        cache.getExchange()->open( began.size() );
        cache.getExchange()->putBegan( began.data(), int( began.size() ) );
        cache.getExchange()->finish();
    }
};

/// Adds all pairs to an empty cache, which has to grow.
template <typename Access>
void addPairs( benchmark::State& state )
{
    const Scene scene( state );
    for ( auto iteration : state )
    {
        state.PauseTiming();
        auto access = std::make_unique<Access>();
        state.ResumeTiming();
        access->add( scene.pairs );
        state.PauseTiming();
        access.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

/// A fifth of the pairs ends and another fifth begins, as in a step in which everything moves.
template <typename Access>
void exchangePairs( benchmark::State& state )
{
    const Scene scene( state );
    Pairs ended = scene.fifth( 0 ), began = scene.fifth( 1 );
    Access access;
    access.add( scene.pairs );
    access.exchange( began, {} );
    for ( auto iteration : state )
    {
        access.exchange( ended, began );
        std::swap( ended, began );
    }
    access.add( began );
    if ( std::size_t( access.cache.getNumOverlappingPairs() ) != scene.pairs.size() )
    {
        state.SkipWithError( "the cache does not hold all pairs" ); // its time would be too short
    }
    state.SetItemsProcessed( state.iterations() * int64_t( ended.size() + began.size() ) );
}

template <typename Access>
void findPairs( benchmark::State& state )
{
    const Scene scene( state );
    Access access;
    access.add( scene.pairs );
    for ( auto iteration : state )
    {
        for ( const CulletProxyPair& pair : scene.pairs )
        {
            benchmark::DoNotOptimize( access.cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) );
        }
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

void sizes( benchmark::internal::Benchmark* benchmark )
{
    benchmark->ArgName( "pairs" )->Arg( 10'000 )->Arg( 200'000 )->Arg( 2'000'000 )->Unit( benchmark::kMicrosecond );
}

using Stock = SingleCallAccess<btHashedOverlappingPairCache>;
using Own = SingleCallAccess<CulletPairCache>;

} // namespace

BENCHMARK_TEMPLATE( addPairs, Stock )->Apply( sizes );
BENCHMARK_TEMPLATE( addPairs, Own )->Apply( sizes );
BENCHMARK_TEMPLATE( addPairs, BatchAccess )->Apply( sizes );
BENCHMARK_TEMPLATE( exchangePairs, Stock )->Apply( sizes );
BENCHMARK_TEMPLATE( exchangePairs, Own )->Apply( sizes );
BENCHMARK_TEMPLATE( exchangePairs, BatchAccess )->Apply( sizes );
BENCHMARK_TEMPLATE( findPairs, Stock )->Apply( sizes );
BENCHMARK_TEMPLATE( findPairs, Own )->Apply( sizes );
