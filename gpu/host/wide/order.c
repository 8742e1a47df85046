// SPDX-License-Identifier: Zlib
// Computes a new order: scene statistics give the curve and the outliers, every lane with a box gets a key, and the
// keys are sorted.

#include "gpu/host/wide/order.h"

#include <math.h>
#include <string.h>

#define KEY_GRAIN 4096u

/// If more than one in this many lanes is unsorted, sorting all lanes costs less than one more update with these lanes.
#define UNSORTED_RATIO 32u

/// Free lanes make searches slower, so lanes are sorted again if more than one in this many is free.
#define FREE_RATIO 4u

/// Filter classes are out of date after more than one edit of a filter for every EDITED_RATIO lanes.
#define EDITED_RATIO 8u

/// The cost of sorting one lane, about 60 ns, in visits of a block, about 4 ns each.
#define SORT_COST 16u

/// A run of at most this many equal codes is not sorted further: a few blocks that all overlap cost little.
#define SMALL_RUN 64u

/// So few bodies are not sorted.
#define FEW_PLACES 64u

/// The largest number of curves nested within cells. The cells of a curve are at most a thirtieth as long as the cell
/// that it orders; boxes that share a cell of the innermost curve are mostly very close.
#define MAX_CURVE_DEPTH 3u

// --------------------------------------------------------------------------------------------- when a new order pays

bool cltOrder_HasManyUnsorted( const cltLanes* lanes, uint32_t end )
{
    const uint32_t orderedLanes = lanes->orderedEnd * CLT_LANE_COUNT;
    return end - orderedLanes > orderedLanes / UNSORTED_RATIO + CLT_LANE_COUNT;
}

bool cltOrder_Pays( const cltOrder* order, const cltLanes* lanes )
{
    const uint32_t orderedLanes = lanes->orderedEnd * CLT_LANE_COUNT;
    return cltOrder_HasManyUnsorted( lanes, lanes->end ) || order->unsortedCost > (uint64_t)SORT_COST * lanes->end ||
           lanes->freeCount > orderedLanes / FREE_RATIO + CLT_LANE_COUNT ||
           ( cltBlockFilters_MayReject( &lanes->filters ) && lanes->filters.editCount > lanes->end / EDITED_RATIO );
}

// ------------------------------------------------------------------------------------------------ what is ordered

/// The boxes to order, by place. A place is a lane or a slot.
typedef struct Places
{
    const void* boxes; ///< cltAabb or cltAabbD, by place; a box with a NaN gets no lane
    bool isDouble;
    const cltLeafRef* refs; ///< by place; NULL: places are slots
    uint32_t count;
} Places;

static cltAabb PlacedBox( const Places* places, uint32_t place )
{
    return cltCoverBox( places->boxes, places->isDouble, place );
}

static uint32_t SlotAt( const Places* places, uint32_t place )
{
    return places->refs != NULL ? cltLeafRef_Slot( places->refs[place] ) : place;
}

typedef struct Sorter
{
    cltOrder* order;
    Places places;
    cltWorkerPool* pool;
    cltMemory* memory;
} Sorter;

// --------------------------------------------------------------------------------------- places that share a code

// If groups of bodies lie very far apart, a whole group may lie in one of the curve's cells. The bodies of the group
// then have one code and no order, and all their blocks overlap. So the bodies of a dense cell are ordered along a
// curve over this cell alone, and so are the bodies of dense cells within it.

static cltCurve CurveOverPlaces( const Places* places, const uint64_t* keys, uint32_t count )
{
    cltSizeBin all; // used for the bounds of the centres alone
    cltSizeBin_Clear( &all );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = PlacedBox( places, cltPlaceKey_Place( keys[i] ) );
        cltSizeBin_Add( &all, &box );
    }
    return cltCurve_Make( all.lower, all.upper );
}

/// Gives the keys of a dense cell new codes and sorts them.
static cltStatus OrderDenseCell( const Sorter* sorter, uint64_t* keys, uint32_t count )
{
    cltBuffer* scratch = &sorter->order->cellKeys;
    const cltCurve curve = CurveOverPlaces( &sorter->places, keys, count );
    CLT_TRY( cltBuffer_Reserve( scratch, sorter->memory, count, sizeof( uint64_t ) ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t place = cltPlaceKey_Place( keys[i] );
        const cltAabb box = PlacedBox( &sorter->places, place );
        ( (uint64_t*)scratch->data )[i] = (uint64_t)cltCurve_Key( &curve, &box ) << CLT_PLACE_BITS | place;
    }
    CLT_TRY( cltRadixSort_Run( &sorter->order->sort, sorter->pool, sorter->memory, scratch, count, CLT_PLACE_BITS,
                               CLT_PLACE_BITS + CLT_CURVE_BITS ) );
    memcpy( keys, scratch->data, count * sizeof *keys );
    return clt_ok;
}

/// Orders each run of sorted keys that share a code. Afterwards keys have codes of different curves.
static cltStatus OrderWithin( const Sorter* sorter, uint64_t* keys, uint32_t count, uint32_t depth )
{
    for ( uint32_t first = 0, end; first < count; first = end )
    {
        const uint64_t code = keys[first] >> CLT_PLACE_BITS;
        for ( end = first + 1u; end < count && keys[end] >> CLT_PLACE_BITS == code; )
        {
            ++end;
        }
        if ( end - first > SMALL_RUN )
        {
            CLT_TRY( OrderDenseCell( sorter, keys + first, end - first ) );
            if ( depth + 1u < MAX_CURVE_DEPTH )
            {
                CLT_TRY( OrderWithin( sorter, keys + first, end - first, depth + 1u ) );
            }
        }
    }
    return clt_ok;
}

// --------------------------------------------------------------------------------------------------------- sorting

typedef struct KeyPass
{
    Places places;
    const cltCurve* curve;
    const cltFilterClasses* classes;
    uint64_t* keys;
    uint32_t outlierBin;
    uint64_t excludedCount;
    cltLanePlan* plan;
} KeyPass;

/// The code of places without a box and of outliers. It sorts after all other codes.
static uint64_t ExcludedCode( const KeyPass* pass )
{
    return (uint64_t)pass->classes->count << CLT_CURVE_BITS;
}

/// The code of a place: its filter class in the high bits, its key along the curve in the low bits.
static uint64_t CodeOf( KeyPass* pass, uint32_t place )
{
    const cltAabb box = PlacedBox( &pass->places, place );
    if ( cltAabb_HasNan( &box ) )
    {
        return ExcludedCode( pass );
    }
    if ( cltSizeBin_Of( &box ) >= pass->outlierBin )
    {
        // there is space: the statistics allow at most CLT_OUTLIER_LIMIT outliers
        pass->plan->outliers[cltClaim( &pass->plan->outlierCount, 1u )] = place;
        return ExcludedCode( pass );
    }
    const uint32_t which = cltFilterClasses_Of( pass->classes, SlotAt( &pass->places, place ) );
    return (uint64_t)which << CLT_CURVE_BITS | cltCurve_Key( pass->curve, &box );
}

static void WriteKeys( uint32_t first, uint32_t last, void* context )
{
    KeyPass* pass = context;
    uint64_t excludedCount = 0;
    for ( uint32_t place = first; place < last; ++place )
    {
        const uint64_t code = CodeOf( pass, place );
        excludedCount += code == ExcludedCode( pass );
        pass->keys[place] = code << CLT_PLACE_BITS | place;
    }
    cltClaim( &pass->excludedCount, excludedCount );
}

/// Plans the order of a small world: that of the places. It has too few blocks for a tree to skip any.
static void ListPlaces( cltOrder* order, const Places* places, cltLanePlan* plan )
{
    uint64_t* keys = order->keys.data;
    plan->keys = keys;
    plan->orderedCount = 0;
    plan->outlierCount = 0;
    plan->largestEdge = INFINITY;
    order->freeLanes.blockCount = 0;
    for ( uint32_t place = 0; place < places->count; ++place )
    {
        const cltAabb box = PlacedBox( places, place );
        keys[plan->orderedCount] = place; // each has the same code
        plan->orderedCount += !cltAabb_HasNan( &box );
    }
}

/// \param filters  by slot, NULL if all filters accept all pairs
static cltStatus SortPlaces( const Sorter* sorter, const cltFilter* filters, uint32_t slotCount, cltLanePlan* plan )
{
    cltOrder* order = sorter->order;
    const Places* places = &sorter->places;
    const cltSlots boxes = { .now = places->boxes, .isDouble = places->isDouble, .count = places->count };
    CLT_TRY( cltBuffer_Reserve( &order->keys, sorter->memory, places->count, sizeof( uint64_t ) ) );
    order->unsortedCost = 0;
    order->growthCost = 0;
    order->isSpaced = plan->gapShift != CLT_NO_GAPS;
    if ( places->count <= FEW_PLACES )
    {
        ListPlaces( order, places, plan );
        return clt_ok;
    }
    CLT_TRY( cltSceneStatistics_Gather( &order->statistics, &boxes, CLT_OUTLIER_BINS_ABOVE_MEDIAN, NULL, sorter->pool,
                                        sorter->memory ) );
    const cltCurve curve = cltCurve_Make( order->statistics.lower, order->statistics.upper );
    const cltFilterClasses classes = cltFilterClasses_Make( filters, slotCount );
    KeyPass pass = { .places = *places,
                     .curve = &curve,
                     .classes = &classes,
                     .keys = order->keys.data,
                     .outlierBin = order->statistics.outlierBin,
                     .plan = plan };
    plan->outlierCount = 0;
    cltWorkerPool_Run( sorter->pool, WriteKeys, places->count, KEY_GRAIN, &pass );
    CLT_TRY( cltRadixSort_Run( &order->sort, sorter->pool, sorter->memory, &order->keys, places->count, CLT_PLACE_BITS,
                               CLT_PLACE_BITS + CLT_CURVE_BITS + cltIndexBits( classes.count + 1u ) ) );
    plan->keys = order->keys.data;
    plan->orderedCount = places->count - (uint32_t)pass.excludedCount;
    plan->largestEdge = INFINITY;
    if ( pass.outlierBin < CLT_SIZE_BIN_COUNT ) // bodies as large as the smallest outlier become outliers, too
    {
        plan->largestEdge = cltNextBelow( cltFloatOfBits( pass.outlierBin << 23 ) );
    }
    CLT_TRY( cltFreeLanes_NoteOrder( &order->freeLanes, &curve, &classes, plan, sorter->memory ) );
    return OrderWithin( sorter, order->keys.data, plan->orderedCount, 0 );
}

cltStatus cltOrder_SortLanes( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool,
                              cltMemory* memory, cltLanePlan* plan )
{
    // orders lanes, not slots: after bodies were destroyed, there may be many more slots than lanes
    const Places places = {
        .boxes = cltLanes_ListBoxes( lanes, pool ), .refs = cltLanes_Refs( lanes ), .count = lanes->end };
    const Sorter sorter = { order, places, pool, memory };
    return SortPlaces( &sorter, cltBlockFilters_MayReject( &lanes->filters ) ? upload->filters : NULL,
                       upload->slotCount, plan );
}

cltStatus cltOrder_SortSlots( cltOrder* order, const cltUpload* upload, bool isDouble, cltWorkerPool* pool,
                              cltMemory* memory, cltLanePlan* plan )
{
    const Places places = { .boxes = upload->boxes, .isDouble = isDouble, .count = upload->slotCount };
    const Sorter sorter = { order, places, pool, memory };
    return SortPlaces( &sorter, upload->allFiltersAccept ? NULL : upload->filters, upload->slotCount, plan );
}

cltStatus cltOrder_SortUnplaced( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool,
                                 cltMemory* memory )
{
    const uint32_t count = (uint32_t)lanes->unplacedCount;
    CLT_TRY( cltBuffer_Reserve( &order->keys, memory, count, sizeof( uint64_t ) ) );
    uint64_t* keys = order->keys.data;
    uint32_t* slots = lanes->unplaced.data;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = cltCoverBox( upload->boxes, lanes->isDouble, slots[i] );
        keys[i] = (uint64_t)cltCurve_Key( &order->freeLanes.curve, &box ) << 32 | slots[i];
    }
    CLT_TRY( cltRadixSort_Run( &order->sort, pool, memory, &order->keys, count, 0, 32u + CLT_CURVE_BITS ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        slots[i] = (uint32_t)keys[i];
    }
    return clt_ok;
}

void cltOrder_Release( cltOrder* order, cltMemory* memory )
{
    cltBuffer_Release( &order->keys, memory );
    cltFreeLanes_Release( &order->freeLanes, memory );
    cltSceneStatistics_Release( &order->statistics, memory );
    cltBuffer_Release( &order->cellKeys, memory );
    cltRadixSort_Release( &order->sort, memory );
}
