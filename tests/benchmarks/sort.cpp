// SPDX-License-Identifier: Zlib
/// \file sort.cpp
/// The radix sort of keys with their leaves, on one thread and on two, beside std::sort.
extern "C" {
#include "gpu/host/radix_sort.h"
}

#include "tests/benchmarks/world.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

namespace
{

constexpr uint32_t firstKeyBit = 32; // the leaf is below, the code above
constexpr uint32_t endKeyBit = 62;   // of a Hilbert code of 30 bits

std::vector<uint64_t> randomKeys( std::size_t count )
{
    std::mt19937_64 random( 1 );
    std::vector<uint64_t> keys( count );
    for ( uint64_t& key : keys )
    {
        key = random() >> ( 64 - endKeyBit );
    }
    return keys;
}

/// The sort with what it needs of a backend.
class Sorter
{
public:
    explicit Sorter( int threads )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = threads;
        cltMemory_Init( &m_memory, &def );
        benchmarks::require( cltCreateWorkerPool( &def, &m_memory, &m_pool ) );
    }

    ~Sorter()
    {
        cltRadixSort_Release( &m_sort, &m_memory );
        cltBuffer_Release( &m_keys, &m_memory );
        cltDestroyWorkerPool( m_pool, &m_memory );
    }

    Sorter( const Sorter& ) = delete;
    Sorter& operator=( const Sorter& ) = delete;

    void fill( const std::vector<uint64_t>& keys )
    {
        benchmarks::require( cltBuffer_Reserve( &m_keys, &m_memory, keys.size(), sizeof( uint64_t ) ) );
        std::copy( keys.begin(), keys.end(), static_cast<uint64_t*>( m_keys.data ) );
    }

    void sort( std::size_t count )
    {
        benchmarks::require( cltRadixSort_Run( &m_sort, m_pool, &m_memory, &m_keys, count, firstKeyBit, endKeyBit ) );
    }

private:
    cltMemory m_memory{};
    cltWorkerPool* m_pool = nullptr;
    cltBuffer m_keys{};
    cltRadixSort m_sort{};
};

/// Arguments: keys, threads.
void radixSort( benchmark::State& state )
{
    const std::vector<uint64_t> keys = randomKeys( std::size_t( state.range( 0 ) ) );
    Sorter sorter( int( state.range( 1 ) ) );
    for ( auto iteration : state )
    {
        state.PauseTiming();
        sorter.fill( keys );
        state.ResumeTiming();
        sorter.sort( keys.size() );
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

void standardSort( benchmark::State& state )
{
    const std::vector<uint64_t> keys = randomKeys( std::size_t( state.range( 0 ) ) );
    std::vector<uint64_t> sorted;
    for ( auto iteration : state )
    {
        state.PauseTiming();
        sorted = keys;
        state.ResumeTiming();
        std::sort( sorted.begin(), sorted.end() );
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

} // namespace

BENCHMARK( radixSort )
    ->ArgNames( { "keys", "threads" } )
    ->ArgsProduct( { { 10'000, 100'000, 1'000'000 }, { 1, 2 } } )
    ->UseRealTime()
    ->Unit( benchmark::kMicrosecond );
BENCHMARK( standardSort )->ArgName( "keys" )->Arg( 10'000 )->Arg( 100'000 )->Unit( benchmark::kMicrosecond );
