// SPDX-License-Identifier: Zlib
// Surveying the slots, in blocks that count in shared memory first; then a single block decides for all.

#include "gpu/cuda/survey.cuh"

#include "gpu/cuda/launch.cuh"

#include <math.h>

/// A thread a bin, and a thread a sample.
#define BIN_THREADS CLT_SIZE_BIN_COUNT

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
        plan->cellAsideCount = 0;
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

/// Leaves of one size that a thread came upon one after the other. Most of a world's are of one size: if each went to its
/// bin by itself, all threads would wait for each other there.
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

/// Blocks of BIN_THREADS threads. Each looks at the slots of a range, side by side.
static __global__ void SurveyKernel( cltSlots slots, cltBins* bins, uint32_t* leafCounts, uint32_t slotsPerThread )
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

/// What the deciding block shares.
typedef struct Decision
{
    uint32_t sums[CLT_SIZE_BIN_COUNT]; ///< leaves in each bin and below
    double edgeSums[CLT_SIZE_BIN_COUNT];
    uint32_t lower[3];
    uint32_t upper[3];
    float centers[3][CLT_SAMPLE_SIZE]; ///< infinite where there is none
    uint32_t sampleCount;              ///< centres that there are
} Decision;

/// Turns counts into sums of all counts up to each (Hillis and Steele, Data Parallel Algorithms, 1986).
static __device__ void SumUpTo( uint32_t* values )
{
    for ( uint32_t reach = 1; reach < BIN_THREADS; reach *= 2 )
    {
        const uint32_t other = threadIdx.x >= reach ? values[threadIdx.x - reach] : 0u;
        __syncthreads();
        values[threadIdx.x] += other;
        __syncthreads();
    }
}

/// Bounds and edges of the bins that are not aside and have a centre. A thread a bin.
static __device__ void SumBins( Decision* decision, const cltBins* bins, uint32_t asideBin )
{
    const uint32_t bin = threadIdx.x;
    const bool counts = bin < asideBin && bin != CLT_ODD_SIZE_BIN;
    decision->edgeSums[bin] = counts ? cltSizeBin_EdgeSum( bin, bins->edgeUnits[bin] ) : 0.0;
    for ( int axis = 0; axis < 3 && counts && bins->counts[bin] > 0; ++axis )
    {
        atomicMin( decision->lower + axis, bins->lower[axis][bin] );
        atomicMax( decision->upper + axis, bins->upper[axis][bin] );
    }
    __syncthreads();
    for ( uint32_t halfCount = CLT_SIZE_BIN_COUNT / 2u; halfCount > 0; halfCount /= 2u )
    {
        if ( bin < halfCount )
        {
            cltSumStep( decision->edgeSums, bin, halfCount );
        }
        __syncthreads();
    }
}

/// A thread a slot of the sample.
static __device__ void SampleCenters( Decision* decision, const cltSlots* slots, uint32_t asideBin )
{
    const uint32_t i = threadIdx.x;
    const uint64_t slot = (uint64_t)i * cltSample_Stride( slots->count );
    cltAabb box;
    const bool counts = slot < slots->count && cltSample_Box( slots, (uint32_t)slot, asideBin, &box );
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

/// Sorts the centres along each axis; those that are not there come last (Batcher, Sorting Networks and Their
/// Applications, 1968, the bitonic sorter). Of two that change places, the thread of the first does it.
static __device__ void SortCenters( Decision* decision )
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

/// What a single thread makes of it all: as SumUp and FindRegion in gpu/host/leaf_survey.c.
static __device__ void WritePlan( cltPlan* plan, const Decision* decision, uint32_t asideBin, uint32_t leafRoom )
{
    const uint32_t centeredCount = decision->sums[asideBin < CLT_ODD_SIZE_BIN ? asideBin - 1u : CLT_ODD_SIZE_BIN - 1u];
    const float meanEdge = centeredCount > 0 ? (float)( decision->edgeSums[0] / centeredCount ) : 0.0f;
    float lower[3];
    float upper[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        lower[axis] = cltFloatOfOrder( decision->lower[axis] );
        upper[axis] = cltFloatOfOrder( decision->upper[axis] );
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
    const uint32_t needed = decision->sums[CLT_SIZE_BIN_COUNT - 1u];
    const uint32_t searchable = decision->sums[asideBin - 1u];
    const bool fits = needed <= leafRoom;
    plan->asideBin = asideBin;
    plan->neededLeafCount = needed;
    plan->leafCount = fits ? needed : 0u;
    plan->searchableCount = fits ? searchable : 0u;
    plan->curve = cltCurve_Make( lower, upper );
    plan->grid = cltGrid_Make( lower, upper, cltGrid_Edge( lower, upper, meanEdge, searchable ) );
}

/// One block of BIN_THREADS threads.
static __global__ void DecideKernel( cltSlots slots, const cltBins* bins, cltPlan* plan, uint32_t leafRoom )
{
    __shared__ Decision decision;
    decision.sums[threadIdx.x] = bins->counts[threadIdx.x];
    if ( threadIdx.x < 3 )
    {
        decision.lower[threadIdx.x] = cltOrderOfFloat( CLT_LARGEST_FLOAT );
        decision.upper[threadIdx.x] = cltOrderOfFloat( -CLT_LARGEST_FLOAT );
        decision.sampleCount = 0; // all three write the same
    }
    __syncthreads();
    SumUpTo( decision.sums );
    const uint32_t asideBin = cltAsideBin( decision.sums );
    SumBins( &decision, bins, asideBin );
    SampleCenters( &decision, &slots, asideBin );
    SortCenters( &decision );
    if ( threadIdx.x == 0 )
    {
        WritePlan( plan, &decision, asideBin, leafRoom );
    }
}

cltStatus cltDeviceSurvey_Run( cltDeviceSurvey* survey, cltCudaDevice* device, const cltSlots* slots,
                               uint32_t leafRoom )
{
    CLT_TRY( cltCudaBuffer_Reserve( &survey->bins, device, 1, sizeof( cltBins ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &survey->plan, device, 1, sizeof( cltPlan ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &survey->leafCounts, device, slots->count, sizeof( uint32_t ) ) );
    cltBins* bins = (cltBins*)survey->bins.data;
    cltPlan* plan = (cltPlan*)survey->plan.data;

    // Small worlds are spread over all processors, large ones read in long runs.
    const uint32_t threads = device->multiprocessorCount * BIN_THREADS;
    uint32_t slotsPerThread = slots->count / threads + 1u;
    slotsPerThread = slotsPerThread < MAX_SLOTS_PER_THREAD ? slotsPerThread : MAX_SLOTS_PER_THREAD;
    const uint32_t blockCount = ( slots->count + slotsPerThread * BIN_THREADS - 1u ) / ( slotsPerThread * BIN_THREADS );

    CLT_TRY( cltLaunchBlocks( device, "clear plan", 1, BIN_THREADS, ClearPlanKernel, bins, plan ) );
    CLT_TRY( cltLaunchBlocks( device, "survey", blockCount, BIN_THREADS, SurveyKernel, *slots, bins,
                              (uint32_t*)survey->leafCounts.data, slotsPerThread ) );
    return cltLaunchBlocks( device, "decide", 1, BIN_THREADS, DecideKernel, *slots, bins, plan, leafRoom );
}

void cltDeviceSurvey_Release( cltDeviceSurvey* survey, cltCudaDevice* device )
{
    cltCudaBuffer_Release( &survey->bins, device );
    cltCudaBuffer_Release( &survey->leafCounts, device );
    cltCudaBuffer_Release( &survey->plan, device );
}
