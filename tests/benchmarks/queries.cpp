// SPDX-License-Identifier: Zlib
/// \file queries.cpp
/// Queries of a brownian scene that does not move: rays to the nearest box, rays to all boxes, and boxes.
#include "cullet_queries.h"
#include "demos/scenes/scenes.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

namespace
{

/// Unless the status is clt_ok, ends the program with its message: the time of a failed call means nothing.
void require( cltStatus status )
{
    if ( status != clt_ok )
    {
        std::cerr << "cullet_benchmarks: " << cltStatusMessage( status ) << '\n';
        std::exit( 1 );
    }
}

struct Segment
{
    double from[3];
    double to[3];
};

/// A scene after its first update, and segments between random points in it.
struct World
{
    explicit World( const benchmark::State& state )
    {
        const cltSceneDef sceneDef = { clt_sceneBrownian, uint32_t( state.range( 0 ) ), 100, 1.0f, CLT_SCENE_SEED, 0 };
        cltScene* scene = cltCreateScene( &sceneDef );
        require( scene ? clt_ok : clt_hostMemory );
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.device = clt_deviceCpu;
        def.threadCount = 1;
        require( cltCreateBroadphase( &def, &broadphase ) );
        require( cltBroadphase_CreateProxies( broadphase, scene->boxCount, scene->boxes, scene->filters, nullptr,
                                              nullptr ) );
        require( cltBroadphase_Update( broadphase, nullptr ) );
        std::mt19937 random( 1 );
        std::uniform_real_distribution<double> part( 0, 1 );
        for ( Segment& segment : segments )
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                segment.from[axis] = double( scene->extent[axis] ) * part( random );
                segment.to[axis] = double( scene->extent[axis] ) * part( random );
            }
        }
        cltDestroyScene( scene );
    }

    ~World()
    {
        cltDestroyBroadphase( broadphase );
    }

    cltBroadphase* broadphase = nullptr;
    std::vector<Segment> segments{ 1024 };
};

/// Runs the query for each segment. The query may add the number of its hits to its last argument.
template <typename Query>
void measure( benchmark::State& state, Query query )
{
    const World world( state );
    int64_t hits = 0;
    for ( auto iteration : state )
    {
        for ( const Segment& segment : world.segments )
        {
            require( query( world.broadphase, segment, &hits ) );
        }
    }
    const int64_t count = int64_t( state.iterations() ) * int64_t( world.segments.size() );
    state.SetItemsProcessed( count );
    state.counters["hits"] = double( hits ) / double( count );
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
    measure( state, [onHit]( const cltBroadphase* world, const Segment& segment, int64_t* hits )
             { return cltBroadphase_CastRay( world, segment.from, segment.to, onHit, hits ); } );
}

/// Casts the same segments as rays, in one call.
void castBatch( benchmark::State& state )
{
    const World world( state );
    std::vector<cltRay> rays;
    for ( const Segment& segment : world.segments )
    {
        rays.push_back( cltRayBetween( segment.from, segment.to ) );
    }
    const auto keepEnter = []( std::size_t, cltProxyId, uint64_t, double enter, double, void* ) { return enter; };
    for ( auto iteration : state )
    {
        require( cltBroadphase_CastRays( world.broadphase, rays.size(), rays.data(), keepEnter, nullptr ) );
    }
    state.SetItemsProcessed( int64_t( state.iterations() ) * int64_t( rays.size() ) );
}

/// Queries boxes twice as wide as a body.
void queryBoxes( benchmark::State& state )
{
    const auto query = []( const cltBroadphase* world, const Segment& segment, int64_t* hits )
    {
        cltAabb box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = float( segment.from[axis] ) - 1;
            box.upper[axis] = float( segment.from[axis] ) + 1;
        }
        return cltBroadphase_QueryBox( world, &box, countBox, hits );
    };
    measure( state, query );
}

void sizes( benchmark::internal::Benchmark* benchmark )
{
    benchmark->ArgName( "bodies" )->Arg( 1'000 )->Arg( 10'000 )->Arg( 100'000 )->Unit( benchmark::kMicrosecond );
}

} // namespace

BENCHMARK_CAPTURE( castRays, nearest, keepNearest )->Apply( sizes );
BENCHMARK_CAPTURE( castRays, all, countHit )->Apply( sizes );
BENCHMARK( castBatch )->Apply( sizes );
BENCHMARK( queryBoxes )->Apply( sizes );
