// SPDX-License-Identifier: Zlib
/// \file queries.cpp
/// Rays to the first box they meet and to all of them, and boxes, through a world at rest.
#include "tests/benchmarks/world.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

namespace
{

using benchmarks::World;

constexpr std::size_t queryCount = 1024;

struct Segment
{
    double from[3];
    double to[3];
};

/// Between places anywhere in the scene.
std::vector<Segment> randomSegments( const cltScene& scene )
{
    std::mt19937 random( 1 );
    std::uniform_real_distribution<double> part( 0, 1 );
    std::vector<Segment> segments( queryCount );
    for ( Segment& segment : segments )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            segment.from[axis] = double( scene.extent[axis] ) * part( random );
            segment.to[axis] = double( scene.extent[axis] ) * part( random );
        }
    }
    return segments;
}

double keepNearest( cltProxyId, uint64_t, double fraction, double, void* )
{
    return fraction;
}

double countHit( cltProxyId, uint64_t, double, double maxFraction, void* hits )
{
    ++*static_cast<int64_t*>( hits );
    return maxFraction;
}

bool countBox( cltProxyId, uint64_t, void* hits )
{
    ++*static_cast<int64_t*>( hits );
    return true;
}

void castRays( benchmark::State& state, cltCastFcn* onHit )
{
    World world( clt_algorithmAuto, 1, uint32_t( state.range( 0 ) ), 100 );
    world.update();
    const std::vector<Segment> segments = randomSegments( world.scene() );
    int64_t hits = 0;
    for ( auto iteration : state )
    {
        for ( const Segment& segment : segments )
        {
            benchmarks::require( cltBroadphase_CastRay( world.broadphase(), segment.from, segment.to, onHit, &hits ) );
        }
    }
    benchmark::DoNotOptimize( hits );
    state.SetItemsProcessed( state.iterations() * int64_t( queryCount ) );
}

/// Boxes twice as wide as a body.
void queryBoxes( benchmark::State& state )
{
    World world( clt_algorithmAuto, 1, uint32_t( state.range( 0 ) ), 100 );
    world.update();
    const std::vector<Segment> segments = randomSegments( world.scene() );
    int64_t hits = 0;
    for ( auto iteration : state )
    {
        for ( const Segment& segment : segments )
        {
            cltAabb box;
            for ( int axis = 0; axis < 3; ++axis )
            {
                box.lower[axis] = float( segment.from[axis] ) - 1;
                box.upper[axis] = float( segment.from[axis] ) + 1;
            }
            benchmarks::require( cltBroadphase_QueryBox( world.broadphase(), &box, countBox, &hits ) );
        }
    }
    state.SetItemsProcessed( state.iterations() * int64_t( queryCount ) );
    state.counters["hits"] = double( hits ) / double( state.iterations() * int64_t( queryCount ) );
}

void sizes( benchmark::internal::Benchmark* benchmark )
{
    benchmark->ArgName( "bodies" )->Arg( 1'000 )->Arg( 10'000 )->Arg( 100'000 )->Unit( benchmark::kMicrosecond );
}

} // namespace

BENCHMARK_CAPTURE( castRays, nearest, keepNearest )->Apply( sizes );
BENCHMARK_CAPTURE( castRays, all, countHit )->Apply( sizes );
BENCHMARK( queryBoxes )->Apply( sizes );
