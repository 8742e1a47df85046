// SPDX-License-Identifier: Zlib
// Evaluates the scene statistics: a single block decides which leaves are outliers, and chooses the region and the cell
// size.

#include "gpu/cuda/device_leaves.cuh"
#include "gpu/cuda/launch.cuh"

#include <math.h>

/// The exchanges of a step of the sort along an axis. Each has a thread; fewer threads have a bin or a sample.
#define EXCHANGE_COUNT ( CLT_SAMPLE_SIZE / 2u )
#define DECIDE_THREADS ( 3u * EXCHANGE_COUNT )

/// Shared memory of the block.
typedef struct DecideScratch
{
    uint32_t sums[CLT_SIZE_BIN_COUNT]; ///< by bin, the number of leaves in it and in all bins below
    uint32_t longestBits;
    uint32_t reaches[6];
    float centers[3][CLT_SAMPLE_SIZE]; ///< infinite for unused entries
    uint32_t sampleCount;              ///< used entries of `centers`
    float lower[3];                    ///< of the region
    float upper[3];
} DecideScratch;

/// Replaces values by their inclusive prefix sums (Hillis and Steele, Data Parallel Algorithms, 1986).
static __device__ void ComputePrefixSums( uint32_t* values )
{
    const uint32_t bin = threadIdx.x;
    for ( uint32_t reach = 1; reach < CLT_SIZE_BIN_COUNT; reach *= 2 )
    {
        const bool hasOther = bin >= reach && bin < CLT_SIZE_BIN_COUNT;
        const uint32_t other = hasOther ? values[bin - reach] : 0u;
        __syncthreads();
        if ( hasOther )
        {
            values[bin] += other;
        }
        __syncthreads();
    }
}

/// Computes bounds and longest edge over all bins below `outlierBin`. One thread per bin.
static __device__ void ReduceBins( DecideScratch* decision, const cltBins* bins, uint32_t outlierBin )
{
    const uint32_t bin = threadIdx.x;
    const bool isOdd = bin == CLT_NO_SIZE_BIN;
    const bool counts = bin < outlierBin && bins->counts[bin] > 0;
    for ( int direction = 0; direction < 6 && counts && !isOdd; ++direction )
    {
        atomicMax( decision->reaches + direction, bins->reaches[direction][bin] );
    }
    if ( counts )
    {
        atomicMax( &decision->longestBits, isOdd ? CLT_NO_SIZE_BIN << 23 : bins->longest[bin] );
    }
    __syncthreads();
}

/// Samples the centres of leaves. One thread for each slot of the sample.
static __device__ void SampleCenters( DecideScratch* decision, const cltSlots* slots, uint32_t outlierBin )
{
    const uint32_t i = threadIdx.x;
    const uint64_t slot = (uint64_t)i * cltSample_Stride( slots->count );
    cltAabb box;
    const bool isEntry = i < CLT_SAMPLE_SIZE;
    const bool counts = isEntry && slot < slots->count && cltSample_Box( slots, (uint32_t)slot, outlierBin, &box );
    for ( int axis = 0; axis < 3 && isEntry; ++axis )
    {
        decision->centers[axis][i] = counts ? cltAabb_Center( &box, axis ) : INFINITY;
    }
    if ( counts )
    {
        atomicAdd( &decision->sampleCount, 1u );
    }
    __syncthreads();
}

/// Sorts the centres along each axis; unused entries come last (Batcher, Sorting Networks and Their Applications, 1968,
/// the bitonic sorter). One thread for each exchange.
static __device__ void SortCenters( DecideScratch* decision )
{
    const uint32_t exchange = threadIdx.x % EXCHANGE_COUNT;
    float* centers = decision->centers[threadIdx.x / EXCHANGE_COUNT];
    for ( uint32_t size = 2; size <= CLT_SAMPLE_SIZE; size *= 2u )
    {
        for ( uint32_t reach = size / 2u; reach > 0; reach /= 2u )
        {
            const uint32_t i = 2u * exchange - ( exchange & ( reach - 1u ) );
            const bool ascends = ( i & size ) == 0;
            const float first = centers[i];
            const float second = centers[i + reach];
            const bool isPlaced = ascends ? first <= second : first >= second;
            centers[i] = isPlaced ? first : second;
            centers[i + reach] = isPlaced ? second : first;
            __syncthreads();
        }
    }
}

/// Finds the bounds of the region along an axis, as FindRegion in gpu/host/scene_statistics.c.
static __device__ void FindRegion( DecideScratch* decision, uint32_t axis )
{
    const uint32_t sampleCount = decision->sampleCount;
    const float* centers = decision->centers[axis];
    float lower = -cltFloatOfOrder( decision->reaches[axis + 3u] );
    float upper = cltFloatOfOrder( decision->reaches[axis] );
    float low;
    float high;
    if ( sampleCount > 0 && cltRegion_Widen( centers[cltSample_LowRank( sampleCount )],
                                             centers[cltSample_HighRank( sampleCount )], &low, &high ) )
    {
        lower = fmaxf( lower, low );
        upper = fminf( upper, high );
    }
    decision->lower[axis] = lower;
    decision->upper[axis] = upper;
}

/// Clears the plan, so that counters of later kernels start at 0, and writes the counts of leaves, as SumUp in
/// gpu/host/scene_statistics.c.
static __device__ void WriteCounts( cltPlan* plan, const DecideScratch* decision, uint32_t outlierBin,
                                    uint32_t extraCount, uint32_t extraRoom )
{
    const bool fits = extraCount <= extraRoom;
    const uint32_t appearedCount = plan->appearedCount;
    *plan = cltPlan();
    plan->appearedCount = appearedCount;
    plan->outlierBin = outlierBin;
    plan->neededExtraCount = extraCount;
    plan->leafCount = fits ? decision->sums[CLT_SIZE_BIN_COUNT - 1u] : 0u;
    plan->searchableCount = fits ? decision->sums[outlierBin - 1u] : 0u;
}

/// Writes the curve over the region and, if leaves are sorted into cells, the grid.
static __device__ void WriteCells( cltPlan* plan, const DecideScratch* decision, uint32_t outlierBin, bool inCells )
{
    if ( threadIdx.x == 0 )
    {
        plan->curve = cltCurve_Make( decision->lower, decision->upper );
    }
    if ( inCells && threadIdx.x == EXCHANGE_COUNT ) // in another warp
    {
        plan->grid = cltGrid_Make( decision->lower, decision->upper, cltFloatOfBits( decision->longestBits ),
                                   decision->sums[outlierBin - 1u] );
    }
}

/// One block of DECIDE_THREADS threads.
static __global__ void DecideKernel( cltSlots slots, const cltBins* bins, cltPlan* plan, uint32_t extraRoom,
                                     bool inCells )
{
    __shared__ DecideScratch decision;
    if ( threadIdx.x < CLT_SIZE_BIN_COUNT )
    {
        decision.sums[threadIdx.x] = bins->counts[threadIdx.x];
    }
    if ( threadIdx.x < 6 )
    {
        decision.reaches[threadIdx.x] = cltOrderOfFloat( -CLT_LARGEST_FLOAT );
    }
    if ( threadIdx.x == 0 )
    {
        decision.sampleCount = 0;
        decision.longestBits = 0;
    }
    __syncthreads();
    ComputePrefixSums( decision.sums );
    const uint32_t binsAboveMedian = inCells ? CLT_GRID_BINS_ABOVE_MEDIAN : CLT_OUTLIER_BINS_ABOVE_MEDIAN;
    const uint32_t outlierBin = cltOutlierBin( decision.sums, binsAboveMedian );
    ReduceBins( &decision, bins, outlierBin );
    SampleCenters( &decision, &slots, outlierBin );
    SortCenters( &decision );
    if ( threadIdx.x % EXCHANGE_COUNT == 0 )
    {
        FindRegion( &decision, threadIdx.x / EXCHANGE_COUNT );
    }
    if ( threadIdx.x == 32u ) // the first of another warp
    {
        WriteCounts( plan, &decision, outlierBin, bins->extraCount, extraRoom );
    }
    __syncthreads();
    WriteCells( plan, &decision, outlierBin, inCells );
}

cltStatus cltDeviceLeaves_Decide( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                  bool inCells )
{
    return cltLaunchBlocks( device, "decide", 1, DECIDE_THREADS, DecideKernel, *slots,
                            (const cltBins*)leaves->bins.data, cltDeviceLeaves_Plan( leaves ),
                            leaves->room - slots->count, inCells );
}
