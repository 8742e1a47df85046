// SPDX-License-Identifier: Zlib
// Begins an update of a front: measures displacements, and decides whether the marks still hold.

#include "gpu/host/front.h"

#include <string.h>

#define LEAF_GRAIN 4096u

typedef struct WayMeasurement
{
    const cltLeaves* leaves;
    uint64_t furthest; ///< bits of a double; their order is that of non-negative doubles
} WayMeasurement;

static void MeasureLeaves( uint32_t first, uint32_t last, void* context )
{
    WayMeasurement* measurement = context;
    double furthest = 0.0;
    for ( uint32_t i = first; i < last; ++i )
    {
        const double way = cltLeaves_Way( measurement->leaves, i );
        furthest = way > furthest ? way : furthest;
    }
    uint64_t bits;
    memcpy( &bits, &furthest, sizeof bits );
    uint64_t known = __atomic_load_n( &measurement->furthest, __ATOMIC_RELAXED );
    while ( bits > known && !__atomic_compare_exchange_n( &measurement->furthest, &known, bits, true, __ATOMIC_RELAXED,
                                                          __ATOMIC_RELAXED ) )
    {
    }
}

static double WayOfUpdate( const cltFrontScene* scene, cltWorkerPool* pool )
{
    WayMeasurement measurement = { scene->leaves, 0 };
    cltWorkerPool_Run( pool, MeasureLeaves, scene->searchableCount, LEAF_GRAIN, &measurement );
    double furthest;
    memcpy( &furthest, &measurement.furthest, sizeof furthest );
    return furthest;
}

/// Whether nodes have the same filters as in the previous update. While filters change, nodes have the union of
/// previous and current ones. Afterwards parents of entries may no longer meet, so entries must be raised, all at once
/// (cltFront_MoveStep). Filters exist for the first time when some change, or when bodies appear in a new order.
static bool AreFiltersAsBefore( cltFront* front, const cltPairFilters* filters )
{
    const bool wereMixed = front->filtersWereMixed;
    front->filtersWereMixed = filters->now != filters->before;
    return !wereMixed && !front->filtersWereMixed;
}

void cltFront_BeginUpdate( cltFront* front, const cltFrontScene* scene, bool isSameOrder, cltWorkerPool* pool )
{
    const double way = WayOfUpdate( scene, pool );
    const cltLevelNode nothing = cltLevelNode_Empty();
    const cltLevels* levels = &scene->tree->levels;
    const bool isTree = cltLevels_LeafCount( levels ) > 0;
    const cltLevelNode* root = isTree ? scene->tree->nodes + levels->starts[levels->top] : &nothing;
    const bool isAsBefore = AreFiltersAsBefore( front, &scene->leaves->filters ) && isSameOrder;
    const bool isKnown = front->isSearched || front->way.looksAtMarks;
    const cltFrontWay last = front->way;
    front->isNewOrder = !isSameOrder;
    front->isSearched = false;
    front->way = cltFrontWay_After( &last, isKnown && isAsBefore, way, &root->box );
}
