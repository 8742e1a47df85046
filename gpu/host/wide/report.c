// SPDX-License-Identifier: Zlib
// From lanes that met to pairs: the part that runs once for each pair found, not once for each test.

#include "gpu/backend.h"
#include "gpu/host/wide/kernels.h"

#include <string.h>

#define LANE_MASK ( CLT_WIDE_WAS - 1u )

/// Narrows down by the filters what the boxes allow.
static void ApplyFilters( const cltWideSearch* search, uint32_t a, uint32_t b, bool* is, bool* was )
{
    *is = *is && cltFilter_Allows( search->filters + a, search->filters + b );
    *was = *was && cltFilter_Allows( search->filtersBefore + a, search->filtersBefore + b );
}

/// Hits are looked at in batches: all slots first, so that what lies at them is on its way when it is needed.
#define BATCH 64u

typedef struct Batch
{
    uint32_t a[BATCH];
    uint32_t b[BATCH];
} Batch;

static void Batch_Fill( Batch* batch, const cltWideSearch* search, const uint32_t* of, const uint32_t* found,
                        uint32_t count )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        batch->a[i] = cltLeafRef_Slot( search->refs[of[i]] );
        batch->b[i] = cltLeafRef_Slot( search->refs[found[i] & LANE_MASK] );
        if ( search->filters != NULL )
        {
            __builtin_prefetch( search->filters + batch->a[i] );
            __builtin_prefetch( search->filters + batch->b[i] );
        }
    }
}

/// Changes whose boxes say all: each is a pair, unless the filters forbid it. Without a branch that depends on them.
static void ReportChanges( const cltWideSearch* search, const Batch* batch, const uint32_t* found, uint32_t count,
                           cltPairBlock* keys )
{
    const uint64_t beganBit = cltPairKey_BeganBit( search->slotBits );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t a = batch->a[i];
        const uint32_t b = batch->b[i];
        const bool allowed = search->filters == NULL || cltFilter_Allows( search->filters + a, search->filters + b );
        const uint64_t began = ( found[i] & CLT_WIDE_IS ) != 0 ? beganBit : 0u;
        keys->keys[keys->count] = cltPairKey( a, b, search->slotBits ) | began;
        keys->count += allowed;
        if ( keys->count == CLT_PAIR_BLOCK_SIZE )
        {
            cltPairBlock_Flush( keys );
        }
    }
}

static const cltAabbD* ExactBefore( const cltWideSearch* search, uint32_t slot )
{
    const bool changed = ( search->states[slot] & CLT_SLOT_CHANGED ) != 0;
    return ( changed ? search->exactBefore : search->exactNow ) + slot;
}

/// As of the last update, where that is the question.
static const cltAabbD* ExactNow( const cltWideSearch* search, uint32_t slot )
{
    return search->find == clt_widePairs ? ExactBefore( search, slot ) : search->exactNow + slot;
}

/// Lanes that met now or before: filters or exact boxes decide whether either was a pair.
static void ReportTouching( const cltWideSearch* search, const Batch* batch, const uint32_t* found, uint32_t count,
                            cltPairBlock* keys )
{
    const uint64_t beganBit = cltPairKey_BeganBit( search->slotBits );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t a = batch->a[i];
        const uint32_t b = batch->b[i];
        bool is = ( found[i] & CLT_WIDE_IS ) != 0;
        bool was = ( found[i] & CLT_WIDE_WAS ) != 0;
        if ( search->exactNow != NULL ) // the lanes hold float boxes around the true ones
        {
            is = is && cltAabbD_Overlaps( ExactNow( search, a ), ExactNow( search, b ) );
            was = was && cltAabbD_Overlaps( ExactBefore( search, a ), ExactBefore( search, b ) );
        }
        if ( search->filters != NULL )
        {
            ApplyFilters( search, a, b, &is, &was );
        }
        if ( is != was )
        {
            const uint64_t key = cltPairKey( a, b, search->slotBits );
            cltPairBlock_Add( keys, is ? key | beganBit : key );
        }
    }
}

void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     cltPairBlock* keys )
{
    const bool boxesDecide = search->exactNow == NULL && search->find != clt_wideTouching;
    for ( uint32_t first = 0; first < count; first += BATCH )
    {
        Batch batch;
        const uint32_t size = count - first < BATCH ? count - first : BATCH;
        Batch_Fill( &batch, search, of + first, found + first, size );
        if ( boxesDecide )
        {
            ReportChanges( search, &batch, found + first, size, keys );
        }
        else
        {
            ReportTouching( search, &batch, found + first, size, keys );
        }
    }
}

size_t cltWide_CancelOut( uint64_t* keys, size_t count, uint32_t slotBits )
{
    const uint64_t beganBit = cltPairKey_BeganBit( slotBits );
    size_t firstBegan = 0;
    while ( firstBegan < count && keys[firstBegan] < beganBit )
    {
        ++firstBegan;
    }
    size_t endedKept = 0;
    size_t beganKept = 0;
    size_t ended = 0;
    for ( size_t began = firstBegan; began < count; ++began )
    {
        const uint64_t pair = keys[began] & ~beganBit;
        while ( ended < firstBegan && keys[ended] < pair )
        {
            keys[endedKept++] = keys[ended++];
        }
        if ( ended < firstBegan && keys[ended] == pair )
        {
            ++ended;
        }
        else
        {
            keys[firstBegan + beganKept++] = keys[began];
        }
    }
    while ( ended < firstBegan )
    {
        keys[endedKept++] = keys[ended++];
    }
    memmove( keys + endedKept, keys + firstBegan, beganKept * sizeof *keys );
    return endedKept + beganKept;
}
