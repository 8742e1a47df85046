// SPDX-License-Identifier: Zlib
// From lanes that met to pairs: the part that runs once for each pair found, not once for each test.

#include "gpu/host/wide/kernels.h"

#define LANE_MASK ( ( 1u << CLT_FOUND_SHIFT ) - 1u )

/// Hits are looked at in batches: all slots first, so that what lies at them is on its way when it is needed.
#define BATCH 64u

typedef struct HitBatch
{
    uint32_t a[BATCH];
    uint32_t b[BATCH];
    bool asks[BATCH]; ///< the filters of the two decide, too
} HitBatch;

/// Mostly the blocks say it for all in them, and what lies by slot need not be fetched.
static bool FiltersDecide( const cltWideSearch* search, uint32_t laneA, uint32_t laneB )
{
    return search->input->filters.now != NULL &&
           !cltFilter_Allows( &search->blockFilters[laneA / CLT_LANE_COUNT].every,
                              &search->blockFilters[laneB / CLT_LANE_COUNT].every );
}

static void HitBatch_Fill( HitBatch* batch, const cltWideSearch* search, const uint32_t* of, const uint32_t* found,
                           uint32_t count )
{
    const cltFilter* filters = search->input->filters.now;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t lane = found[i] & LANE_MASK;
        batch->a[i] = cltLeafRef_Slot( search->refs[of[i]] );
        batch->b[i] = cltLeafRef_Slot( search->refs[lane] );
        batch->asks[i] = FiltersDecide( search, of[i], lane );
        if ( batch->asks[i] )
        {
            cltPrefetch( filters + batch->a[i] );
            cltPrefetch( filters + batch->b[i] );
        }
    }
}

/// What the true boxes say, which lanes only hold floats around.
static uint32_t ExactChange( const cltSlots* slots, uint32_t a, uint32_t b )
{
    const cltAabbD* beforeA = cltSlots_BoxesBefore( slots, a );
    const cltAabbD* beforeB = cltSlots_BoxesBefore( slots, b );
    const cltAabbD* now = slots->now;
    return cltPairChange( cltAabbD_Overlaps( beforeA + a, beforeB + b ), cltAabbD_Overlaps( now + a, now + b ) );
}

/// \param boxesDecide  each lane that was found is a change, unless filters, the same before and now, forbid it; else
///                     filters or exact boxes decide whether lanes that met now or before were a pair
static inline void ReportBatch( const cltWideSearch* search, const HitBatch* batch, const uint32_t* found,
                                uint32_t count, cltPairBlock* keys, bool boxesDecide )
{
    const cltSlots* slots = &search->input->slots;
    const cltFilter* filtersNow = search->input->filters.now;
    const cltPairFilters filters = { filtersNow, boxesDecide ? filtersNow : search->input->filters.before };
    const cltFind find = search->find == clt_widePairs && !boxesDecide ? clt_findPairs : clt_findChanges;
    const uint32_t slotBits = search->slotBits;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t a = batch->a[i];
        const uint32_t b = batch->b[i];
        uint32_t change = found[i] >> CLT_FOUND_SHIFT;
        if ( !boxesDecide && slots->isDouble )
        {
            change &= ExactChange( slots, a, b );
        }
        if ( batch->asks[i] )
        {
            change = cltPairChange_Filter( change, &filters, a, b );
        }
        cltPairBlock_Add( keys, cltPairChange_Key( change, find, a, b, slotBits ) );
    }
}

void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     cltPairBlock* keys )
{
    const bool boxesDecide =
        search->find == clt_wideChanges || ( search->find == clt_widePairs && search->boxesDecide );
    for ( uint32_t first = 0; first < count; first += BATCH )
    {
        HitBatch batch;
        const uint32_t size = count - first < BATCH ? count - first : BATCH;
        const uint32_t* hits = found + first;
        HitBatch_Fill( &batch, search, of + first, hits, size );
        if ( boxesDecide )
        {
            ReportBatch( search, &batch, hits, size, keys, true );
        }
        else
        {
            ReportBatch( search, &batch, hits, size, keys, false );
        }
    }
}
