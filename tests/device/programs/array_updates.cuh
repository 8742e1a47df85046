// SPDX-License-Identifier: Zlib
/// \file array_updates.cuh The time of an update from boxes on the device (bridge/cullet_arrays.h), by the host's clock
/// from the call to its return. All bodies move, and nothing of cullet's crosses the bus but the number of pairs.
#ifndef CLT_TESTS_ARRAY_UPDATES_CUH
#define CLT_TESTS_ARRAY_UPDATES_CUH

#include "cullet_arrays.h"
#include "demos/scenes/scenes.h"
#include "tests/device/programs/costs.cuh"

#include <memory>

namespace test
{

/// Prints a row of medians.
inline void printArrayUpdates( uint32_t bodyCount )
{
    constexpr int warmups = 4;
    constexpr int repeats = 15;
    const cltSceneDef sceneDef = { clt_sceneBrownian, bodyCount, 100.0, 1.0f, CLT_SCENE_SEED, 0.0 };
    const std::unique_ptr<cltScene, void ( * )( cltScene* )> scene( cltCreateScene( &sceneDef ), cltDestroyScene );
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = clt_deviceCuda;
    cltArrays* arrays;
    if ( scene == nullptr || cltCreateArrays( &def, &arrays ) != clt_ok )
    {
        fail( "no device, or no memory" );
    }
    cudaStream_t stream;
    void* boxes;
    const size_t bytes = scene->boxCount * sizeof( cltAabb );
    require( cudaStreamCreateWithFlags( &stream, cudaStreamNonBlocking ), "a stream" );
    require( cudaMalloc( &boxes, bytes ), "memory for boxes" );
    std::vector<double> times;
    std::vector<double> kernelTimes;
    cltPairChanges changes = {};
    for ( int i = 0; i < warmups + repeats; ++i )
    {
        cltScene_Step( scene.get() );
        require( cudaMemcpyAsync( boxes, scene->boxes, bytes, cudaMemcpyDefault, stream ), "a copy" );
        require( cudaStreamSynchronize( stream ), "a copy" );
        const auto begin = std::chrono::steady_clock::now();
        const cltStatus status =
            cltArrays_Update( arrays, scene->boxCount, static_cast<const cltAabb*>( boxes ), nullptr, &changes );
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
        cltStats stats;
        if ( status != clt_ok || cltArrays_GetStats( arrays, &stats ) != clt_ok )
        {
            fail( "an update" );
        }
        times.push_back( time.count() );
        kernelTimes.push_back( 1000.0 * stats.totalMs );
    }
    times.erase( times.begin(), times.begin() + warmups );
    kernelTimes.erase( kernelTimes.begin(), kernelTimes.begin() + warmups );
    std::printf( "| %u | %.3g | %.3g | %zu | %zu |\n", bodyCount, medianOf( times ), medianOf( kernelTimes ),
                 changes.beganCount, changes.endedCount );
    std::fflush( stdout );
    cltDestroyArrays( arrays );
    require( cudaFree( boxes ), "memory for boxes" );
    require( cudaStreamDestroy( stream ), "a stream" );
}

} // namespace test

#endif
