// SPDX-License-Identifier: Zlib
/// \file updates.cpp
/// Building a tree and searching it for the first time; fitting it to what moved and searching again; listing all pairs.
#include "tests/benchmarks/world.h"

#include <benchmark/benchmark.h>

#include <memory>

namespace
{

using benchmarks::World;

constexpr int warmupSteps = 3; // until buffers have their sizes

/// Arguments: bodies, threads.
void firstUpdate( benchmark::State& state, cltAlgorithm algorithm )
{
    for ( auto iteration : state )
    {
        state.PauseTiming();
        auto world = std::make_unique<World>( algorithm, int( state.range( 1 ) ), uint32_t( state.range( 0 ) ), 100 );
        state.ResumeTiming();
        benchmark::DoNotOptimize( world->update() );
        state.PauseTiming();
        world.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

void warmUp( World& world )
{
    world.update();
    for ( int step = 0; step < warmupSteps; ++step )
    {
        world.step();
        world.move();
        world.update();
    }
}

/// Arguments: bodies, percent that move, threads.
void laterUpdate( benchmark::State& state, cltAlgorithm algorithm )
{
    World world( algorithm, int( state.range( 2 ) ), uint32_t( state.range( 0 ) ), double( state.range( 1 ) ) );
    warmUp( world );
    for ( auto iteration : state )
    {
        state.PauseTiming();
        world.step();
        state.ResumeTiming();
        world.move();
        benchmark::DoNotOptimize( world.update() );
    }
    state.SetItemsProcessed( state.iterations() * state.range( 0 ) );
}

/// Arguments: bodies, threads. After each update: a list that nothing has changed is not made again.
void listPairs( benchmark::State& state, cltAlgorithm algorithm )
{
    World world( algorithm, int( state.range( 1 ) ), uint32_t( state.range( 0 ) ), 100 );
    warmUp( world );
    std::size_t pairs = 0;
    for ( auto iteration : state )
    {
        state.PauseTiming();
        world.step();
        world.move();
        world.update();
        state.ResumeTiming();
        pairs += world.listPairs();
    }
    state.SetItemsProcessed( int64_t( pairs ) );
}

void sizes( benchmark::internal::Benchmark* benchmark )
{
    benchmark->ArgNames( { "bodies", "threads" } )
        ->ArgsProduct( { { 1'000, 10'000, 100'000 }, { 1, 2 } } )
        ->UseRealTime()
        ->Unit( benchmark::kMicrosecond );
}

void sizesAndShares( benchmark::internal::Benchmark* benchmark )
{
    benchmark->ArgNames( { "bodies", "moving", "threads" } )
        ->ArgsProduct( { { 1'000, 10'000, 100'000 }, { 100, 10, 1, 0 }, { 1, 2 } } )
        ->UseRealTime()
        ->Unit( benchmark::kMicrosecond );
}

} // namespace

BENCHMARK_CAPTURE( firstUpdate, lbvh, clt_algorithmLbvh )->Apply( sizes );
BENCHMARK_CAPTURE( firstUpdate, grid, clt_algorithmGrid )->Apply( sizes );
BENCHMARK_CAPTURE( firstUpdate, best, clt_algorithmAuto )->Apply( sizes );
BENCHMARK_CAPTURE( laterUpdate, lbvh, clt_algorithmLbvh )->Apply( sizesAndShares );
BENCHMARK_CAPTURE( laterUpdate, best, clt_algorithmAuto )->Apply( sizesAndShares );
BENCHMARK_CAPTURE( listPairs, best, clt_algorithmAuto )->Apply( sizes );
