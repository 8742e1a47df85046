// SPDX-License-Identifier: Zlib
// Making leaves: survey the slots, write keys, sort them, bring the boxes into their order. Renewing them: the boxes alone.

#include "gpu/host/reference/leaf_table.h"

#define GATHER_GRAIN 2048u
#define PREFETCH_DISTANCE 16u

typedef struct Making
{
    cltLeafTable* table;
    const cltSlots* slots;
    cltCurve curve;
    bool misfit; ///< some slot is not exactly one leaf that is still or moved
} Making;

static void WriteKeys( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Making* making = context;
    const cltSurvey* survey = &making->table->survey;
    const cltChunkSurvey* chunks = survey->chunks.data;
    uint64_t* keys = making->table->keys.data;
    cltLeafRef* refs = making->table->refs.data;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        uint32_t nextKey = chunks[chunk].keyStart;
        uint32_t nextAside = chunks[chunk].asideStart;
        const uint32_t end = cltSurvey_ChunkEnd( survey, making->slots, chunk );
        for ( uint32_t slot = chunk * survey->chunkSize; slot < end; ++slot )
        {
            cltLeafSeed seeds[2];
            uint32_t count = cltSlots_Seed( making->slots, slot, seeds );
            for ( uint32_t i = 0; i < count; ++i )
            {
                const uint64_t key = cltLeafSeed_Key( seeds + i, slot, &making->curve, survey->asideBin );
                if ( ( key & CLT_LEAF_ASIDE ) != 0 )
                {
                    refs[nextAside++] = (cltLeafRef)key; // they are not sorted
                }
                else
                {
                    keys[nextKey++] = key;
                }
            }
        }
    }
}

static void PrefetchBoxes( const cltSlots* slots, uint32_t slot )
{
    const size_t offset = slot * ( slots->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb ) );
    __builtin_prefetch( (const char*)slots->now + offset );
    __builtin_prefetch( (const char*)slots->before + offset );
}

static void GatherLeaves( uint32_t first, uint32_t last, void* context )
{
    const Making* making = context;
    const cltLeafTable* table = making->table;
    const uint64_t* keys = table->keys.data;
    cltLeafRef* refs = table->refs.data;
    for ( uint32_t i = first; i < last; ++i )
    {
        if ( i + PREFETCH_DISTANCE < table->searchableCount )
        {
            PrefetchBoxes( making->slots, cltLeafRef_Slot( (cltLeafRef)keys[i + PREFETCH_DISTANCE] ) );
        }
        refs[i] = i < table->searchableCount ? (cltLeafRef)keys[i] : refs[i];
        cltSlots_CopyBoxes( making->slots, cltLeafRef_Slot( refs[i] ), table->now.data, table->before.data, i );
    }
}

/// Like GatherLeaves, but keeps the order, and takes note if some body no longer is exactly one leaf.
static void RenewLeaves( uint32_t first, uint32_t last, void* context )
{
    Making* making = context;
    const cltLeafTable* table = making->table;
    cltLeafRef* refs = table->refs.data;
    for ( uint32_t i = first; i < last; ++i )
    {
        if ( i + PREFETCH_DISTANCE < last ) // others are writing theirs
        {
            PrefetchBoxes( making->slots, cltLeafRef_Slot( refs[i + PREFETCH_DISTANCE] ) );
        }
        const uint32_t slot = cltLeafRef_Slot( refs[i] );
        cltLeafSeed seeds[2];
        const uint32_t count = cltSlots_Seed( making->slots, slot, seeds );
        if ( count != 1u || seeds[0].kind > CLT_LEAF_MOVED )
        {
            __atomic_store_n( &making->misfit, true, __ATOMIC_RELAXED );
            return;
        }
        refs[i] = cltLeafRef_Make( slot, seeds[0].kind ) | ( refs[i] & CLT_LEAF_ASIDE );
        cltSlots_CopyBoxes( making->slots, slot, table->now.data, table->before.data, i );
    }
}

static cltStatus ReserveLeaves( cltLeafTable* table, const cltSlots* slots, cltMemory* memory )
{
    const size_t count = table->leaves.count;
    const size_t boxSize = slots->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
    CLT_TRY( cltBuffer_Reserve( &table->keys, memory, table->searchableCount, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &table->refs, memory, count, sizeof( cltLeafRef ) ) );
    CLT_TRY( cltBuffer_Reserve( &table->now, memory, count, boxSize ) );
    CLT_TRY( cltBuffer_Reserve( &table->before, memory, count, boxSize ) );
    table->leaves.refs = table->refs.data;
    table->leaves.now = table->now.data;
    table->leaves.before = table->before.data;
    table->leaves.isDouble = slots->isDouble;
    return clt_ok;
}

cltStatus cltLeafTable_Make( cltLeafTable* table, const cltSlots* slots, cltWorkerPool* pool, cltMemory* memory )
{
    table->onePerSlot = false;
    CLT_TRY( cltSurvey_Run( &table->survey, slots, pool, memory ) );
    table->searchableCount = table->survey.searchableCount;
    table->moverCount = table->survey.moverCount;
    table->leaves.count = table->survey.leafCount;
    CLT_TRY( ReserveLeaves( table, slots, memory ) );

    Making making = { .table = table, .slots = slots };
    making.curve = cltCurve_Make( table->survey.lower, table->survey.upper );
    cltWorkerPool_Run( pool, WriteKeys, table->survey.chunkCount, 1u, &making );
    CLT_TRY( cltRadixSort_Run( &table->sort, pool, memory, &table->keys, table->searchableCount, 32u,
                               32u + CLT_CURVE_BITS ) );
    cltWorkerPool_Run( pool, GatherLeaves, table->leaves.count, GATHER_GRAIN, &making );
    table->onePerSlot = table->survey.beforeCount == 0;
    return clt_ok;
}

bool cltLeafTable_Renew( cltLeafTable* table, const cltSlots* slots, uint32_t moverCount, cltWorkerPool* pool )
{
    if ( !table->onePerSlot )
    {
        return false;
    }
    Making making = { .table = table, .slots = slots };
    cltWorkerPool_Run( pool, RenewLeaves, table->leaves.count, GATHER_GRAIN, &making );
    table->moverCount = moverCount;
    table->onePerSlot = !making.misfit;
    return table->onePerSlot;
}

void cltLeafTable_Release( cltLeafTable* table, cltMemory* memory )
{
    cltBuffer_Release( &table->survey.chunks, memory );
    cltBuffer_Release( &table->keys, memory );
    cltBuffer_Release( &table->refs, memory );
    cltBuffer_Release( &table->now, memory );
    cltBuffer_Release( &table->before, memory );
    cltRadixSort_Release( &table->sort, memory );
}
