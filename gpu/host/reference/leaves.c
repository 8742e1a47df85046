// SPDX-License-Identifier: Zlib
// Makes leaves, in this order: statistics of the slots, each slot's first index, keys, a sort of keys, and the boxes in
// the order of the keys.

#include "gpu/host/reference/reference.h"

#define SLOT_GRAIN 2048u

typedef struct LeafMaking
{
    const cltLeafTable* table;
    const cltSlots* slots;
    cltCurve curve;
    const cltGrid* grid; ///< the grid that orders leaves by its cells; NULL to use the curve
    bool someChanged;    ///< some leaves could not be kept
} LeafMaking;

uint64_t cltSumCounts( uint64_t* counts, uint32_t count )
{
    uint64_t sum = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint64_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
    return sum;
}

static void WriteLeafKeys( uint32_t first, uint32_t last, void* context )
{
    const LeafMaking* making = context;
    const cltLeafTable* table = making->table;
    const uint64_t* starts = table->starts.data;
    for ( uint32_t slot = first; slot < last; ++slot )
    {
        cltSlots_WriteKeysStep( making->slots, slot, &making->curve, making->grid, table->statistics.outlierBin,
                                table->keys.data, (uint32_t)starts[slot], table->leaves.count );
    }
}

static void GatherLeaves( uint32_t first, uint32_t last, void* context )
{
    const LeafMaking* making = context;
    const cltLeafTable* table = making->table;
    for ( uint32_t i = first; i < last; ++i )
    {
        cltLeaves_GatherStep( &table->leaves, i, table->keys.data, making->slots );
    }
}

/// Updates the boxes of leaf i, which keeps its body. \return false if the body's leaves must be made again
static bool UpdateLeaf( const cltLeaves* leaves, const cltSlots* slots, uint32_t i )
{
    const cltLeafRef ref = cltLeaves_Ref( leaves, i );
    const uint32_t slot = cltLeafRef_Slot( ref );
    const bool wasElsewhere = cltLeafRef_Kind( ref ) == CLT_LEAF_PREVIOUS;
    cltLeafSeed seeds[2];
    if ( wasElsewhere || slot >= slots->count || cltSlots_Seed( slots, slot, seeds ) != 1u ||
         ( seeds[0].kind & CLT_LEAF_CURRENT ) != 0 ) // has only a current, or only a previous box
    {
        return false;
    }
    cltLeaves_Set( leaves, i, cltLeafRef_Make( slot, seeds[0].kind ) | ( ref & CLT_LEAF_OUTLIER ), slots );
    return true;
}

static void UpdateLeaves( uint32_t first, uint32_t last, void* context )
{
    LeafMaking* making = context;
    bool areKept = true;
    for ( uint32_t i = first; i < last && areKept; ++i )
    {
        areKept = UpdateLeaf( &making->table->leaves, making->slots, i );
    }
    if ( !areKept )
    {
        __atomic_store_n( &making->someChanged, true, __ATOMIC_RELAXED );
    }
}

bool cltReference_UpdateLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount )
{
    LeafMaking making = { .table = &reference->table, .slots = slots };
    if ( appearedCount == 0 )
    {
        cltWorkerPool_Run( reference->resources.pool, UpdateLeaves, reference->table.leaves.count, SLOT_GRAIN,
                           &making );
    }
    return appearedCount == 0 && !making.someChanged;
}

static cltStatus ReserveLeaves( cltLeafTable* table, const cltSlots* slots, cltMemory* memory )
{
    const size_t count = table->leaves.count;
    CLT_TRY( cltBuffer_Reserve( &table->keys, memory, count, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &table->records, memory, count, cltLeaf_Size( slots->isDouble ) ) );
    table->leaves.records = table->records.data;
    table->leaves.isDouble = slots->isDouble;
    return clt_ok;
}

cltStatus cltReference_MakeLeaves( cltReference* reference, const cltSlots* slots, bool inCells )
{
    cltLeafTable* table = &reference->table;
    cltSceneStatistics* statistics = &table->statistics;
    cltMemory* memory = reference->resources.memory;
    cltWorkerPool* pool = reference->resources.pool;
    CLT_TRY( cltBuffer_Reserve( &table->starts, memory, slots->count, sizeof( uint64_t ) ) );
    const uint32_t binsAboveMedian = inCells ? CLT_GRID_BINS_ABOVE_MEDIAN : CLT_OUTLIER_BINS_ABOVE_MEDIAN;
    CLT_TRY( cltSceneStatistics_Gather( statistics, slots, binsAboveMedian, table->starts.data, pool, memory ) );
    table->searchableCount = statistics->searchableCount;
    table->leaves.count = (uint32_t)cltSumCounts( table->starts.data, slots->count );
    CLT_TRY( ReserveLeaves( table, slots, memory ) );

    cltGrid* grid = &reference->cells.view.grid;
    *grid = cltGrid_Make( statistics->lower, statistics->upper, statistics->longestEdge, table->searchableCount );
    LeafMaking making = { .table = table,
                          .slots = slots,
                          .curve = cltCurve_Make( statistics->lower, statistics->upper ),
                          .grid = inCells ? grid : NULL };
    cltWorkerPool_Run( pool, WriteLeafKeys, slots->count, SLOT_GRAIN, &making );
    CLT_TRY( cltRadixSort_Run( &reference->sort, pool, memory, &table->keys, table->leaves.count, 32u,
                               32u + CLT_CURVE_BITS + 1u ) );
    cltWorkerPool_Run( pool, GatherLeaves, table->leaves.count, SLOT_GRAIN, &making );
    return clt_ok;
}
