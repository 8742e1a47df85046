// SPDX-License-Identifier: Zlib
// Counts boxes by size, in bins of powers of two. Each bin has the bounds of its boxes' centres.
//
// A few huge boxes (planes, floors) would make every node above them huge and stretch the curve over their extent. So
// boxes far above the median size are outliers. Outliers are known only after the pass over all boxes. With separate
// bounds for each bin, no second pass is needed.

#include "gpu/host/scene_statistics.h"

#include <math.h>
#include <stdlib.h>

#define MAX_SLOT_CHUNKS 32u
#define MIN_SLOT_CHUNK_SIZE 4096u

typedef struct CountPass
{
    const cltSlots* slots;
    cltSizeBin* bins; ///< CLT_SIZE_BIN_COUNT for each chunk
    uint64_t* leafCounts;
    uint32_t chunkSize;
} CountPass;

static void CountSlotChunks( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const CountPass* pass = context;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        cltSizeBin* bins = pass->bins + (size_t)chunk * CLT_SIZE_BIN_COUNT;
        for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
        {
            cltSizeBin_Clear( bins + b );
        }
        const uint32_t first = chunk * pass->chunkSize;
        const uint32_t rest = pass->slots->count - first;
        const uint32_t end = first + ( rest < pass->chunkSize ? rest : pass->chunkSize );
        for ( uint32_t slot = first; slot < end; ++slot )
        {
            cltLeafSeed seeds[2];
            const uint32_t count = cltSlots_Seed( pass->slots, slot, seeds );
            for ( uint32_t i = 0; i < count; ++i )
            {
                cltSizeBin_Add( bins + cltSizeBin_Of( &seeds[i].box ), &seeds[i].box );
            }
            if ( pass->leafCounts != NULL )
            {
                pass->leafCounts[slot] = count;
            }
        }
    }
}

/// Adds all chunks to the first one, bin by bin.
static void MergeChunks( cltSizeBin* bins, uint32_t chunkCount )
{
    for ( uint32_t i = CLT_SIZE_BIN_COUNT; i < chunkCount * CLT_SIZE_BIN_COUNT; ++i )
    {
        cltSizeBin_Merge( bins + i % CLT_SIZE_BIN_COUNT, bins + i );
    }
}

static void ChooseOutliers( cltSceneStatistics* statistics, const cltSizeBin bins[CLT_SIZE_BIN_COUNT],
                            uint32_t binsAboveMedian )
{
    uint32_t sums[CLT_SIZE_BIN_COUNT];
    uint32_t sum = 0;
    for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
    {
        sum += bins[b].count;
        sums[b] = sum;
    }
    statistics->outlierBin = cltOutlierBin( sums, binsAboveMedian );
    statistics->leafCount = sum;
    statistics->searchableCount = sums[statistics->outlierBin - 1u];
}

/// Computes the bounds of the centres and the longest edge of all boxes that are no outliers.
static void SumUp( cltSceneStatistics* statistics, const cltSizeBin bins[CLT_SIZE_BIN_COUNT] )
{
    cltSizeBin all;
    cltSizeBin_Clear( &all );
    for ( uint32_t b = 0; b < statistics->outlierBin && b != CLT_NO_SIZE_BIN; ++b )
    {
        cltSizeBin_Merge( &all, bins + b );
    }
    const bool hasOdd = statistics->outlierBin > CLT_NO_SIZE_BIN && bins[CLT_NO_SIZE_BIN].count > 0;
    statistics->longestEdge = cltFloatOfBits( hasOdd ? CLT_NO_SIZE_BIN << 23 : all.longestBits );
    for ( int axis = 0; axis < 3; ++axis )
    {
        statistics->lower[axis] = all.lower[axis];
        statistics->upper[axis] = all.upper[axis];
    }
}

void cltCenterSample_Add( cltCenterSample* sample, const cltAabb* box )
{
    bool finite = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float center = cltAabb_Center( box, axis );
        finite = finite && fabsf( center ) <= CLT_LARGEST_FLOAT;
        sample->centers[axis][sample->count] = center; // the next centre overwrites it if it is not finite
    }
    sample->count += finite;
}

static int CompareFloats( const void* a, const void* b )
{
    const float difference = *(const float*)a - *(const float*)b;
    return difference < 0.0f ? -1 : difference > 0.0f;
}

bool cltCenterSample_Region( cltCenterSample* sample, int axis, float* lower, float* upper )
{
    if ( sample->count == 0 )
    {
        return false;
    }
    float* centers = sample->centers[axis];
    qsort( centers, sample->count, sizeof( float ), CompareFloats );
    const float low = centers[cltSample_LowRank( sample->count )];
    const float high = centers[cltSample_HighRank( sample->count )];
    return cltRegion_Widen( low, high, lower, upper );
}

/// Shrinks the bounds to the region of nearly all bodies, by centres of leaves sampled evenly over the slots.
static void FindRegion( cltSceneStatistics* statistics, const cltSlots* slots )
{
    cltCenterSample sample = { .count = 0 };
    for ( uint64_t slot = 0; slot < slots->count; slot += cltSample_Stride( slots->count ) )
    {
        cltAabb box;
        if ( cltSample_Box( slots, (uint32_t)slot, statistics->outlierBin, &box ) )
        {
            cltCenterSample_Add( &sample, &box );
        }
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        float lower;
        float upper;
        if ( cltCenterSample_Region( &sample, axis, &lower, &upper ) )
        {
            statistics->lower[axis] = fmaxf( statistics->lower[axis], lower );
            statistics->upper[axis] = fminf( statistics->upper[axis], upper );
        }
    }
}

cltStatus cltSceneStatistics_Gather( cltSceneStatistics* statistics, const cltSlots* slots, uint32_t binsAboveMedian,
                                     uint64_t* leafCounts, cltWorkerPool* pool, cltMemory* memory )
{
    CountPass pass = { .slots = slots, .leafCounts = leafCounts, .chunkSize = slots->count / MAX_SLOT_CHUNKS + 1u };
    pass.chunkSize = pass.chunkSize > MIN_SLOT_CHUNK_SIZE ? pass.chunkSize : MIN_SLOT_CHUNK_SIZE;
    const uint32_t chunkCount = slots->count > pass.chunkSize ? ( slots->count - 1u ) / pass.chunkSize + 1u : 1u;
    cltSizeBin only[CLT_SIZE_BIN_COUNT]; // for a single chunk, so that small worlds need no allocation
    pass.bins = only;
    if ( chunkCount > 1u )
    {
        CLT_TRY( cltBuffer_Reserve( &statistics->chunks, memory, (size_t)chunkCount * CLT_SIZE_BIN_COUNT,
                                    sizeof( cltSizeBin ) ) );
        pass.bins = statistics->chunks.data;
    }
    cltWorkerPool_Run( pool, CountSlotChunks, chunkCount, 1u, &pass );
    MergeChunks( pass.bins, chunkCount );
    ChooseOutliers( statistics, pass.bins, binsAboveMedian );
    SumUp( statistics, pass.bins );
    FindRegion( statistics, slots );
    return clt_ok;
}

void cltSceneStatistics_Release( cltSceneStatistics* statistics, cltMemory* memory )
{
    cltBuffer_Release( &statistics->chunks, memory );
}
