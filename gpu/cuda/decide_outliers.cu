// SPDX-License-Identifier: Zlib
// Evaluates the scene statistics: a single block decides which leaves are outliers, and chooses the region and the cell
// size.

#include "gpu/cuda/device_leaves.cuh"
#include "gpu/cuda/launch.cuh"

#include <math.h>

/// Shared memory of the block.
typedef struct DecideScratch
{
    uint32_t sums[CLT_SIZE_BIN_COUNT]; ///< by bin, the number of leaves in it and in all bins below
    uint32_t longestBits;
    uint32_t reaches[6];
    float centers[3][CLT_SAMPLE_SIZE]; ///< infinite for unused entries
    uint32_t sampleCount;              ///< used entries of `centers`
} DecideScratch;

/// Replaces values by their inclusive prefix sums (Hillis and Steele, Data Parallel Algorithms, 1986).
static __device__ void ComputePrefixSums( uint32_t* values )
{
    for ( uint32_t reach = 1; reach < CLT_BIN_THREADS; reach *= 2 )
    {
        const uint32_t other = threadIdx.x >= reach ? values[threadIdx.x - reach] : 0u;
        __syncthreads();
        values[threadIdx.x] += other;
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

/// Samples the centres of leaves. One thread per slot of the sample.
static __device__ void SampleCenters( DecideScratch* decision, const cltSlots* slots, uint32_t outlierBin )
{
    const uint32_t i = threadIdx.x;
    const uint64_t slot = (uint64_t)i * cltSample_Stride( slots->count );
    cltAabb box;
    const bool counts = slot < slots->count && cltSample_Box( slots, (uint32_t)slot, outlierBin, &box );
    for ( int axis = 0; axis < 3; ++axis )
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
/// the bitonic sorter). The thread of the lower index performs the exchange.
static __device__ void SortCenters( DecideScratch* decision )
{
    const uint32_t i = threadIdx.x;
    for ( uint32_t size = 2; size <= CLT_SAMPLE_SIZE; size *= 2u )
    {
        for ( uint32_t reach = size / 2u; reach > 0; reach /= 2u )
        {
            const uint32_t other = i ^ reach;
            const bool ascends = ( i & size ) == 0;
            for ( int axis = 0; axis < 3 && other > i; ++axis )
            {
                float* centers = decision->centers[axis];
                const float first = centers[i];
                const float second = centers[other];
                const bool isPlaced = ascends ? first <= second : first >= second;
                centers[i] = isPlaced ? first : second;
                centers[other] = isPlaced ? second : first;
            }
            __syncthreads();
        }
    }
}

/// Computes the plan, as SumUp and FindRegion in gpu/host/scene_statistics.c. Runs in a single thread.
static __device__ void WritePlan( cltPlan* plan, const DecideScratch* decision, uint32_t outlierBin,
                                  uint32_t extraCount, uint32_t extraRoom )
{
    float lower[3];
    float upper[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        lower[axis] = -cltFloatOfOrder( decision->reaches[axis + 3] );
        upper[axis] = cltFloatOfOrder( decision->reaches[axis] );
        const float* centers = decision->centers[axis];
        const uint32_t sampleCount = decision->sampleCount;
        float low;
        float high;
        if ( sampleCount > 0 && cltRegion_Widen( centers[cltSample_LowRank( sampleCount )],
                                                 centers[cltSample_HighRank( sampleCount )], &low, &high ) )
        {
            lower[axis] = fmaxf( lower[axis], low );
            upper[axis] = fminf( upper[axis], high );
        }
    }
    const uint32_t leafCount = decision->sums[CLT_SIZE_BIN_COUNT - 1u];
    const uint32_t searchable = decision->sums[outlierBin - 1u];
    const bool fits = extraCount <= extraRoom;
    const uint32_t appearedCount = plan->appearedCount;
    *plan = cltPlan(); // counters of later kernels start at 0
    plan->appearedCount = appearedCount;
    plan->outlierBin = outlierBin;
    plan->neededExtraCount = extraCount;
    plan->leafCount = fits ? leafCount : 0u;
    plan->searchableCount = fits ? searchable : 0u;
    plan->curve = cltCurve_Make( lower, upper );
    plan->grid = cltGrid_Make( lower, upper, cltFloatOfBits( decision->longestBits ), searchable );
}

/// One block of CLT_BIN_THREADS threads.
static __global__ void DecideKernel( cltSlots slots, const cltBins* bins, cltPlan* plan, uint32_t extraRoom,
                                     uint32_t binsAboveMedian )
{
    __shared__ DecideScratch decision;
    decision.sums[threadIdx.x] = bins->counts[threadIdx.x];
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
    const uint32_t outlierBin = cltOutlierBin( decision.sums, binsAboveMedian );
    ReduceBins( &decision, bins, outlierBin );
    SampleCenters( &decision, &slots, outlierBin );
    SortCenters( &decision );
    if ( threadIdx.x == 0 )
    {
        WritePlan( plan, &decision, outlierBin, bins->extraCount, extraRoom );
    }
}

cltStatus cltDeviceLeaves_Decide( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                  bool inCells )
{
    const uint32_t binsAboveMedian = inCells ? CLT_GRID_BINS_ABOVE_MEDIAN : CLT_OUTLIER_BINS_ABOVE_MEDIAN;
    return cltLaunchBlocks( device, "decide", 1, CLT_BIN_THREADS, DecideKernel, *slots,
                            (const cltBins*)leaves->bins.data, cltDeviceLeaves_Plan( leaves ),
                            leaves->room - slots->count, binsAboveMedian );
}
