// SPDX-License-Identifier: Zlib
/// \file pair_cache.cpp
/// Adding, finding and removing pairs, one by one in CulletPairCache and in btHashedOverlappingPairCache, and in
/// batches, as the broadphase does.
#include "pair_cache/CulletPairCache.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace
{

using Pairs = std::vector<CulletProxyPair>;

/// Twice as many pairs as proxies, ascending; partners are near in creation order.
class Proxies
{
public:
    explicit Proxies( std::size_t pairCount ) : m_proxies( pairCount / 2 + reach )
    {
        for ( std::size_t k = 0; k < m_proxies.size(); ++k )
        {
            m_proxies[k].m_uniqueId = int( k + 1 );
            m_proxies[k].m_collisionFilterGroup = 1;
            m_proxies[k].m_collisionFilterMask = -1;
        }
        std::mt19937 random( 1 );
        for ( std::size_t k = 0; k < pairCount; k += 2 )
        {
            const std::size_t near = 1 + random() % ( reach / 2 - 1 );
            const std::size_t far = reach / 2 + random() % ( reach / 2 - 1 );
            m_pairs.push_back( { &m_proxies[k / 2], &m_proxies[k / 2 + near] } );
            m_pairs.push_back( { &m_proxies[k / 2], &m_proxies[k / 2 + far] } );
        }
    }

    const Pairs& pairs() const
    {
        return m_pairs;
    }

private:
    static constexpr std::size_t reach = 1000;

    std::vector<btBroadphaseProxy> m_proxies;
    Pairs m_pairs;
};

/// One call a pair.
template <typename Cache>
struct Singly
{
    Cache cache;

    void add( const Pairs& pairs )
    {
        for ( const CulletProxyPair& pair : pairs )
        {
            cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        }
    }

    void remove( const Pairs& pairs )
    {
        for ( const CulletProxyPair& pair : pairs )
        {
            cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
        }
    }

    void exchange( const Pairs& ended, const Pairs& began )
    {
        remove( ended );
        add( began );
    }
};

struct InBatches
{
    CulletPairCache cache;
    btAlignedObjectArray<CulletProxyPair> rejected;

    void add( const Pairs& pairs )
    {
        cache.addPairs( pairs.data(), int( pairs.size() ), rejected );
    }

    void remove( const Pairs& pairs )
    {
        cache.removePairs( pairs.data(), int( pairs.size() ), nullptr );
    }

    /// As the broadphase does it if no callback hears of single pairs.
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

/// A cache that is not full would be fast for the wrong reason.
void requireAll( benchmark::State& state, const Proxies& proxies, btOverlappingPairCache& cache )
{
    if ( std::size_t( cache.getNumOverlappingPairs() ) != proxies.pairs().size() )
    {
        state.SkipWithError( "the cache does not hold all pairs" );
    }
}

/// Into an empty cache that has to grow.
template <typename Access>
void addPairs( benchmark::State& state )
{
    const Proxies proxies( std::size_t( state.range( 0 ) ) );
    for ( auto iteration : state )
    {
        state.PauseTiming();
        auto access = std::make_unique<Access>();
        state.ResumeTiming();
        access->add( proxies.pairs() );
        state.PauseTiming();
        access.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

/// Every fifth pair, from the given one on.
Pairs fifthOf( const Proxies& proxies, std::size_t first )
{
    constexpr std::size_t stride = 5;
    Pairs fifth;
    for ( std::size_t k = first; k < proxies.pairs().size(); k += stride )
    {
        fifth.push_back( proxies.pairs()[k] );
    }
    return fifth;
}

/// A fifth of the pairs ends and another fifth begins, as in a step in which everything moves.
template <typename Access>
void exchangePairs( benchmark::State& state )
{
    const Proxies proxies( std::size_t( state.range( 0 ) ) );
    Pairs ended = fifthOf( proxies, 0 );
    Pairs began = fifthOf( proxies, 1 );
    Access access;
    access.add( proxies.pairs() );
    requireAll( state, proxies, access.cache );
    access.remove( began );
    for ( auto iteration : state )
    {
        access.exchange( ended, began );
        std::swap( ended, began );
    }
    access.add( began );
    requireAll( state, proxies, access.cache );
    state.SetItemsProcessed( state.iterations() * int64_t( ended.size() + began.size() ) );
}

template <typename Access>
void findPairs( benchmark::State& state )
{
    const Proxies proxies( std::size_t( state.range( 0 ) ) );
    Access access;
    access.add( proxies.pairs() );
    requireAll( state, proxies, access.cache );
    for ( auto iteration : state )
    {
        for ( const CulletProxyPair& pair : proxies.pairs() )
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

using Stock = Singly<btHashedOverlappingPairCache>;
using Own = Singly<CulletPairCache>;

} // namespace

BENCHMARK_TEMPLATE( addPairs, Stock )->Apply( sizes );
BENCHMARK_TEMPLATE( addPairs, Own )->Apply( sizes );
BENCHMARK_TEMPLATE( addPairs, InBatches )->Apply( sizes );
BENCHMARK_TEMPLATE( exchangePairs, Stock )->Apply( sizes );
BENCHMARK_TEMPLATE( exchangePairs, Own )->Apply( sizes );
BENCHMARK_TEMPLATE( exchangePairs, InBatches )->Apply( sizes );
BENCHMARK_TEMPLATE( findPairs, Stock )->Apply( sizes );
BENCHMARK_TEMPLATE( findPairs, Own )->Apply( sizes );
