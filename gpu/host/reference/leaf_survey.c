// SPDX-License-Identifier: Zlib
// Counting sizes by powers of two, with bounds for each power.
//
// A few huge boxes (planes, floors) would make every node above them huge and stretch the curve over their extent, so the
// tail far above the median size is set aside. Bounds for each size let one pass do: who is aside is known only after it.

#include "gpu/host/reference/leaf_survey.h"

#include "gpu/host/region.h"

#include <math.h>

#define MAX_CHUNKS 32u
#define MIN_CHUNK_SIZE 4096u

typedef struct Pass
{
    const cltSurvey* survey;
    const cltSlots* slots;
} Pass;

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
            cltSizeBin_Clear( here->bins + b );
        }
        const uint32_t end = cltSurvey_ChunkEnd( pass->survey, pass->slots, chunk );
        for ( uint32_t slot = chunk * pass->survey->chunkSize; slot < end; ++slot )
        {
            cltLeafSeed seeds[2];
            uint32_t count = cltSlots_Seed( pass->slots, slot, seeds );
            for ( uint32_t i = 0; i < count; ++i )
            {
                cltSizeBin_Add( here->bins + cltSizeBin_Of( &seeds[i].box ), &seeds[i].box );
                here->moverCount += seeds[i].kind != CLT_LEAF_STILL;
                here->beforeCount += seeds[i].kind == CLT_LEAF_BEFORE;
            }
        }
    }
}

/// Adds the chunks' leaves up, bin by bin.
static void MergeBins( const cltSurvey* survey, cltSizeBin bins[CLT_SIZE_BIN_COUNT] )
{
    const cltChunkSurvey* chunks = survey->chunks.data;
    for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
    {
        cltSizeBin_Clear( bins + b );
        for ( uint32_t chunk = 0; chunk < survey->chunkCount; ++chunk )
        {
            cltSizeBin_Merge( bins + b, chunks[chunk].bins + b );
        }
    }
}

static uint32_t ChooseAsideBin( const cltSizeBin bins[CLT_SIZE_BIN_COUNT] )
{
    uint32_t sums[CLT_SIZE_BIN_COUNT];
    uint32_t sum = 0;
    for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
    {
        sum += bins[b].count;
        sums[b] = sum;
    }
    return cltAsideBin( sums );
}

/// Bounds and mean edge of what is not aside and has a centre.
static void SumUp( cltSurvey* survey, const cltSizeBin bins[CLT_SIZE_BIN_COUNT] )
{
    double edgeSums[CLT_SIZE_BIN_COUNT] = { 0.0 };
    cltSizeBin all;
    cltSizeBin_Clear( &all );
    for ( uint32_t b = 0; b < survey->asideBin && b != CLT_ODD_SIZE_BIN; ++b )
    {
        cltSizeBin_Merge( &all, bins + b );
        edgeSums[b] = cltSizeBin_EdgeSum( b, bins[b].edgeUnits );
    }
    for ( uint32_t halfCount = CLT_SIZE_BIN_COUNT / 2u; halfCount > 0; halfCount /= 2u )
    {
        for ( uint32_t i = 0; i < halfCount; ++i )
        {
            cltSumStep( edgeSums, i, halfCount );
        }
    }
    survey->meanEdge = all.count > 0 ? (float)( edgeSums[0] / all.count ) : 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        survey->lower[axis] = all.lower[axis];
        survey->upper[axis] = all.upper[axis];
    }
}

/// Finds each chunk's places among the leaves.
static void PlaceChunks( cltSurvey* survey )
{
    cltChunkSurvey* chunks = survey->chunks.data;
    uint32_t searchable = 0;
    uint32_t aside = 0;
    survey->moverCount = 0;
    survey->beforeCount = 0;
    for ( uint32_t chunk = 0; chunk < survey->chunkCount; ++chunk )
    {
        chunks[chunk].keyStart = searchable;
        chunks[chunk].asideStart = aside;
        survey->moverCount += chunks[chunk].moverCount;
        survey->beforeCount += chunks[chunk].beforeCount;
        for ( uint32_t b = 0; b < CLT_SIZE_BIN_COUNT; ++b )
        {
            searchable += b < survey->asideBin ? chunks[chunk].bins[b].count : 0u;
            aside += b < survey->asideBin ? 0u : chunks[chunk].bins[b].count;
        }
    }
    survey->searchableCount = searchable;
    survey->leafCount = searchable + aside;
    for ( uint32_t chunk = 0; chunk < survey->chunkCount; ++chunk )
    {
        chunks[chunk].asideStart += searchable;
    }
}

/// Centres of searchable leaves, evenly spread over the slots.
static void SampleCenters( const cltSurvey* survey, const cltSlots* slots, cltCenterSample* sample )
{
    const uint32_t stride = cltSample_Stride( slots->count );
    sample->count = 0;
    for ( uint64_t slot = 0; slot < slots->count; slot += stride )
    {
        cltAabb box;
        if ( cltSample_Box( slots, (uint32_t)slot, survey->asideBin, &box ) )
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                sample->centers[axis][sample->count] = cltAabb_Center( &box, axis );
            }
            ++sample->count;
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
    cltSizeBin bins[CLT_SIZE_BIN_COUNT];
    MergeBins( survey, bins );
    survey->asideBin = ChooseAsideBin( bins );
    SumUp( survey, bins );
    PlaceChunks( survey );
    FindRegion( survey, slots );
    return clt_ok;
}
