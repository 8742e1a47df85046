// SPDX-License-Identifier: Zlib
// Counting sizes by powers of two, with bounds for each power.
//
// A few huge boxes (planes, floors) would make every node above them huge and stretch the curve over their extent, so the
// tail far above the median size is set aside. Bounds for each size let one pass do: who is aside is known only after it.

#include "gpu/host/leaf_survey.h"

#include "gpu/host/region.h"

#include <float.h>
#include <math.h>

/// Set aside from 2^5 times the median size on; nearer to it, the tree deals with a box faster than a linear pass.
#define ASIDE_BINS_ABOVE_MEDIAN 5u

#define MAX_CHUNKS 32u
#define MIN_CHUNK_SIZE 4096u

typedef struct Pass
{
    const cltSurvey* survey;
    const cltSlots* slots;
} Pass;

uint32_t cltSizeBin_Of( const cltAabb* box )
{
    bool sized = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        // false for inverted, for infinite, and for the NaN of a box that lies wholly at infinity
        const float edge = box->upper[axis] - box->lower[axis];
        sized = sized && edge >= 0.0f && edge <= FLT_MAX;
    }
    const float longest = cltAabb_LongestEdge( box ) + 0.0f; // of -0, the edge from 0 to -0, this makes 0
    return sized ? cltBitsOfFloat( longest ) >> 23 : CLT_ODD_SIZE_BIN;
}

static void SizeBin_Clear( cltSizeBin* bin )
{
    bin->count = 0;
    bin->edgeSum = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bin->lower[axis] = FLT_MAX;
        bin->upper[axis] = -FLT_MAX;
    }
}

static void SizeBin_Merge( cltSizeBin* bin, const cltSizeBin* other )
{
    bin->count += other->count;
    bin->edgeSum += other->edgeSum;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bin->lower[axis] = other->lower[axis] < bin->lower[axis] ? other->lower[axis] : bin->lower[axis];
        bin->upper[axis] = other->upper[axis] > bin->upper[axis] ? other->upper[axis] : bin->upper[axis];
    }
}

static void SizeBin_Add( cltSizeBin* bin, const cltAabb* box )
{
    ++bin->count;
    bin->edgeSum += (double)cltAabb_LongestEdge( box );
    for ( int axis = 0; axis < 3; ++axis )
    {
        float center = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
        bin->lower[axis] = center < bin->lower[axis] ? center : bin->lower[axis];
        bin->upper[axis] = center > bin->upper[axis] ? center : bin->upper[axis];
    }
}

uint32_t cltSurvey_ChunkEnd( const cltSurvey* survey, const cltSlots* slots, uint32_t chunk )
{
    uint32_t first = chunk * survey->chunkSize;
    return slots->count - first > survey->chunkSize ? first + survey->chunkSize : slots->count;
}

static void SurveyChunks( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Pass* pass = context;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        cltChunkSurvey* here = (cltChunkSurvey*)pass->survey->chunks.data + chunk;
        here->moverCount = 0;
        here->beforeCount = 0;
        for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
        {
            SizeBin_Clear( here->bins + b );
        }
        const uint32_t end = cltSurvey_ChunkEnd( pass->survey, pass->slots, chunk );
        for ( uint32_t slot = chunk * pass->survey->chunkSize; slot < end; ++slot )
        {
            cltLeafSeed seeds[2];
            uint32_t count = cltSlots_Seed( pass->slots, slot, seeds );
            for ( uint32_t i = 0; i < count; ++i )
            {
                SizeBin_Add( here->bins + cltSizeBin_Of( &seeds[i].box ), &seeds[i].box );
                here->moverCount += seeds[i].kind != CLT_LEAF_STILL;
                here->beforeCount += seeds[i].kind == CLT_LEAF_BEFORE;
            }
        }
    }
}

/// The lowest bin to set aside: far above the median size, and with few enough bodies in it and above.
static uint32_t ChooseAsideBin( const cltSurvey* survey )
{
    const cltChunkSurvey* chunks = survey->chunks.data;
    uint32_t counts[CLT_SIZE_BIN_COUNT] = { 0 };
    uint64_t total = 0;
    for ( uint32_t chunk = 0; chunk < survey->chunkCount; ++chunk )
    {
        for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
        {
            counts[b] += chunks[chunk].bins[b].count;
            total += chunks[chunk].bins[b].count;
        }
    }
    uint32_t median = 0;
    for ( uint64_t below = counts[0]; median < CLT_ODD_SIZE_BIN && 2u * below < total - counts[CLT_ODD_SIZE_BIN]; )
    {
        below += counts[++median];
    }
    uint32_t lowest = median + ASIDE_BINS_ABOVE_MEDIAN;
    lowest = lowest < CLT_ODD_SIZE_BIN ? lowest : CLT_ODD_SIZE_BIN;

    uint32_t bin = CLT_SIZE_BIN_COUNT;
    uint32_t tail = 0;
    while ( bin > lowest && tail + counts[bin - 1u] <= CLT_ASIDE_LIMIT )
    {
        tail += counts[--bin];
    }
    return bin;
}

/// Adds the chunks up, and finds each one's places among the leaves.
static void PlaceChunks( cltSurvey* survey )
{
    cltChunkSurvey* chunks = survey->chunks.data;
    cltSizeBin all;
    SizeBin_Clear( &all );
    uint32_t odd = 0; // not aside, for there are too many; but they have no centre
    uint32_t aside = 0;
    survey->moverCount = 0;
    survey->beforeCount = 0;
    for ( uint32_t chunk = 0; chunk < survey->chunkCount; ++chunk )
    {
        chunks[chunk].keyStart = all.count + odd;
        chunks[chunk].asideStart = aside;
        survey->moverCount += chunks[chunk].moverCount;
        survey->beforeCount += chunks[chunk].beforeCount;
        for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
        {
            if ( b >= survey->asideBin )
            {
                aside += chunks[chunk].bins[b].count;
            }
            else if ( b == CLT_ODD_SIZE_BIN )
            {
                odd += chunks[chunk].bins[b].count;
            }
            else
            {
                SizeBin_Merge( &all, chunks[chunk].bins + b );
            }
        }
    }
    survey->searchableCount = all.count + odd;
    survey->leafCount = survey->searchableCount + aside;
    survey->meanEdge = all.count > 0 ? (float)( all.edgeSum / all.count ) : 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        survey->lower[axis] = all.lower[axis];
        survey->upper[axis] = all.upper[axis];
    }
    for ( uint32_t chunk = 0; chunk < survey->chunkCount; ++chunk )
    {
        chunks[chunk].asideStart += survey->searchableCount;
    }
}

/// Centres of searchable leaves, evenly spread over the slots.
static void SampleCenters( const cltSurvey* survey, const cltSlots* slots, cltCenterSample* sample )
{
    const uint32_t stride = slots->count / CLT_SAMPLE_SIZE + 1u;
    sample->count = 0;
    for ( uint64_t slot = 0; slot < slots->count; slot += stride )
    {
        cltLeafSeed seeds[2];
        if ( cltSlots_Seed( slots, (uint32_t)slot, seeds ) > 0 )
        {
            const uint32_t bin = cltSizeBin_Of( &seeds[0].box );
            if ( bin < survey->asideBin && bin != CLT_ODD_SIZE_BIN )
            {
                for ( int axis = 0; axis < 3; ++axis )
                {
                    sample->centers[axis][sample->count] =
                        0.5f * seeds[0].box.lower[axis] + 0.5f * seeds[0].box.upper[axis];
                }
                ++sample->count;
            }
        }
    }
}

/// Shrinks the bounds to where nearly all bodies are.
static void FindRegion( cltSurvey* survey, const cltSlots* slots )
{
    cltCenterSample sample;
    SampleCenters( survey, slots, &sample );
    for ( int axis = 0; axis < 3; ++axis )
    {
        float lower;
        float upper;
        if ( cltCenterSample_Region( &sample, axis, &lower, &upper ) )
        {
            survey->lower[axis] = fmaxf( survey->lower[axis], lower );
            survey->upper[axis] = fminf( survey->upper[axis], upper );
        }
    }
}

cltStatus cltSurvey_Run( cltSurvey* survey, const cltSlots* slots, cltWorkerPool* pool, cltMemory* memory )
{
    survey->chunkSize = slots->count / MAX_CHUNKS + 1u;
    survey->chunkSize = survey->chunkSize > MIN_CHUNK_SIZE ? survey->chunkSize : MIN_CHUNK_SIZE;
    survey->chunkCount = slots->count == 0 ? 0 : ( slots->count - 1u ) / survey->chunkSize + 1u;
    CLT_TRY( cltBuffer_Reserve( &survey->chunks, memory, survey->chunkCount, sizeof( cltChunkSurvey ) ) );

    Pass pass = { survey, slots };
    cltWorkerPool_Run( pool, SurveyChunks, survey->chunkCount, 1u, &pass );
    survey->asideBin = ChooseAsideBin( survey );
    PlaceChunks( survey );
    FindRegion( survey, slots );
    return clt_ok;
}
