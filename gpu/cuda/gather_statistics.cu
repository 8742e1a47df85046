// SPDX-License-Identifier: Zlib
// Counting the sizes of leaves, in blocks that count in shared memory first.

#include "gpu/cuda/scene_statistics.cuh"

#include "gpu/cuda/launch.cuh"

/// Slots that a thread looks at where there are many: what a block adds to the device's bins in the end is then little
/// beside what it read. Few enough that a block's sums of edge halves stay below 2^32: 2 * 16 * 256 * 4095.
#define MAX_SLOTS_PER_THREAD 16u

/// A block's bins.
typedef struct BlockBins
{
    uint32_t counts[CLT_SIZE_BIN_COUNT];
    uint32_t lower[3][CLT_SIZE_BIN_COUNT];
    uint32_t upper[3][CLT_SIZE_BIN_COUNT];
    uint32_t edgeLows[CLT_SIZE_BIN_COUNT]; ///< sums of the lower 12 bits of edge units
    uint32_t edgeHighs[CLT_SIZE_BIN_COUNT];
} BlockBins;

/// Everything is as nothing was counted yet. A thread a bin.
static __global__ void ClearPlanKernel( cltBins* bins, cltPlan* plan )
{
    const uint32_t bin = threadIdx.x;
    bins->counts[bin] = 0;
    bins->edgeUnits[bin] = 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bins->lower[axis][bin] = cltOrderOfFloat( CLT_LARGEST_FLOAT );
        bins->upper[axis][bin] = cltOrderOfFloat( -CLT_LARGEST_FLOAT );
    }
    if ( bin == 0 )
    {
        plan->moverCount = 0;
        plan->cellOutlierCount = 0;
        plan->neededEntryCount = 0;
        plan->candidateCount = 0;
        plan->keyCount = 0;
    }
}

static __device__ void ClearBin( BlockBins* bins, uint32_t bin )
{
    bins->counts[bin] = 0;
    bins->edgeLows[bin] = 0;
    bins->edgeHighs[bin] = 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bins->lower[axis][bin] = cltOrderOfFloat( CLT_LARGEST_FLOAT );
        bins->upper[axis][bin] = cltOrderOfFloat( -CLT_LARGEST_FLOAT );
    }
}

/// Leaves of one size that a thread came upon one after the other. Most of a world's are of one size: if each went to
/// its bin by itself, all threads would wait for each other there.
typedef struct BinRun
{
    uint32_t bin;
    uint32_t count; ///< 0: nothing else is set
    uint32_t edgeLow;
    uint32_t edgeHigh;
    uint32_t lower[3];
    uint32_t upper[3];
} BinRun;

/// Many threads add to the same bin; only sums, minima and maxima are kept, which no order changes.
static __device__ void EndRun( BlockBins* bins, const BinRun* run )
{
    if ( run->count == 0 )
    {
        return;
    }
    atomicAdd( bins->counts + run->bin, run->count );
    atomicAdd( bins->edgeLows + run->bin, run->edgeLow );
    atomicAdd( bins->edgeHighs + run->bin, run->edgeHigh );
    for ( int axis = 0; axis < 3 && run->bin != CLT_ODD_SIZE_BIN; ++axis )
    {
        atomicMin( bins->lower[axis] + run->bin, run->lower[axis] );
        atomicMax( bins->upper[axis] + run->bin, run->upper[axis] );
    }
}

static __device__ void AddBox( BlockBins* bins, BinRun* run, const cltAabb* box )
{
    const uint32_t bin = cltSizeBin_Of( box );
    const uint32_t units = cltEdgeUnits( box );
    const bool isNew = run->count == 0 || bin != run->bin;
    if ( isNew )
    {
        EndRun( bins, run );
    }
    run->bin = bin;
    run->count = isNew ? 1u : run->count + 1u;
    run->edgeLow = ( isNew ? 0u : run->edgeLow ) + ( units & 0xfffu );
    run->edgeHigh = ( isNew ? 0u : run->edgeHigh ) + ( units >> 12 );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const uint32_t center = cltOrderOfFloat( cltAabb_Center( box, axis ) );
        run->lower[axis] = isNew || center < run->lower[axis] ? center : run->lower[axis];
        run->upper[axis] = isNew || center > run->upper[axis] ? center : run->upper[axis];
    }
}

/// Adds a block's bin to the device's.
static __device__ void MergeBin( cltBins* bins, const BlockBins* block, uint32_t bin )
{
    if ( block->counts[bin] == 0 )
    {
        return;
    }
    atomicAdd( bins->counts + bin, block->counts[bin] );
    atomicAdd( bins->edgeUnits + bin, ( (unsigned long long)block->edgeHighs[bin] << 12 ) + block->edgeLows[bin] );
    for ( int axis = 0; axis < 3; ++axis )
    {
        atomicMin( bins->lower[axis] + bin, block->lower[axis][bin] );
        atomicMax( bins->upper[axis] + bin, block->upper[axis][bin] );
    }
}

/// Blocks of CLT_BIN_THREADS threads. Each looks at the slots of a range, side by side.
static __global__ void StatisticsKernel( cltSlots slots, cltBins* bins, uint32_t* leafCounts, uint32_t slotsPerThread )
{
    __shared__ BlockBins block;
    ClearBin( &block, threadIdx.x );
    __syncthreads();

    BinRun run;
    run.count = 0;
    uint64_t slot = (uint64_t)blockIdx.x * slotsPerThread * blockDim.x + threadIdx.x;
    for ( uint32_t i = 0; i < slotsPerThread && slot < slots.count; ++i, slot += blockDim.x )
    {
        cltLeafSeed seeds[2];
        const uint32_t count = cltSlots_Seed( &slots, (uint32_t)slot, seeds );
        leafCounts[slot] = count;
        if ( count > 0u )
        {
            AddBox( &block, &run, &seeds[0].box );
        }
        if ( count > 1u )
        {
            AddBox( &block, &run, &seeds[1].box );
        }
    }
    EndRun( &block, &run );
    __syncthreads();
    MergeBin( bins, &block, threadIdx.x );
}

cltStatus cltDeviceStatistics_Gather( cltDeviceStatistics* statistics, cltCudaDevice* device, const cltSlots* slots,
                                      uint32_t leafRoom )
{
    CLT_TRY( cltCudaBuffer_Reserve( &statistics->bins, device, 1, sizeof( cltBins ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &statistics->plan, device, 1, sizeof( cltPlan ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &statistics->leafCounts, device, slots->count, sizeof( uint32_t ) ) );
    cltBins* bins = (cltBins*)statistics->bins.data;
    cltPlan* plan = (cltPlan*)statistics->plan.data;

    // Small worlds are spread over all processors, large ones read in long runs.
    const uint32_t threads = device->multiprocessorCount * CLT_BIN_THREADS;
    uint32_t slotsPerThread = slots->count / threads + 1u;
    slotsPerThread = slotsPerThread < MAX_SLOTS_PER_THREAD ? slotsPerThread : MAX_SLOTS_PER_THREAD;
    const uint32_t blockCount =
        ( slots->count + slotsPerThread * CLT_BIN_THREADS - 1u ) / ( slotsPerThread * CLT_BIN_THREADS );

    CLT_TRY( cltLaunchBlocks( device, "clear plan", 1, CLT_BIN_THREADS, ClearPlanKernel, bins, plan ) );
    CLT_TRY( cltLaunchBlocks( device, "statistics", blockCount, CLT_BIN_THREADS, StatisticsKernel, *slots, bins,
                              (uint32_t*)statistics->leafCounts.data, slotsPerThread ) );
    return cltDeviceStatistics_Decide( device, slots, bins, plan, leafRoom );
}

void cltDeviceStatistics_Release( cltDeviceStatistics* statistics, cltCudaDevice* device )
{
    cltCudaBuffer_Release( &statistics->bins, device );
    cltCudaBuffer_Release( &statistics->leafCounts, device );
    cltCudaBuffer_Release( &statistics->plan, device );
}
