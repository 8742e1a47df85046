// SPDX-License-Identifier: Zlib
// Which trees to merge, and the bits that say where a proxy is.

#include "gpu/host/queries/query_forest.h"

/// Boxes that the first tree may hold; each further one holds four times as many, the last one any number.
#define FIRST_CAPACITY 256u

/// Trees that hold more are given back when they have served, and what it took to build them at once: a world is loaded
/// once.
#define LARGEST_KEPT 16384u

cltLooseSlots cltQueryView_Loose( const cltQueryView* view, bool hasBase )
{
    const cltQueryNotes* notes = view->notes;
    if ( cltQueryView_NeedsAll( view, hasBase ) )
    {
        return ( cltLooseSlots ){ .lists = { NULL, NULL }, .counts = { view->slotCount, 0 } };
    }
    return ( cltLooseSlots ){ .lists = { view->changed + notes->indexedCount, notes->reopened.data },
                              .counts = { view->changedCount - notes->indexedCount, notes->reopenedCount } };
}

/// Slots of tree `number` whose present box it holds.
static uint32_t ListTree( const cltQueryForest* forest, const cltQueryView* view, uint32_t number, uint32_t* list )
{
    const cltBoxTree* tree = forest->trees + number - 1u;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < tree->counts[0]; ++i )
    {
        const uint32_t slot = cltLeafRef_Slot( tree->refs[i] );
        list[count] = slot; // or is overwritten: lists have room for one entry more
        count += cltQueryForest_TreeOf( view->states[slot] ) == number;
    }
    return count;
}

static uint32_t ListLoose( const cltQueryView* view, const cltLooseSlots* loose, uint32_t* list )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < cltLooseSlots_Count( loose ); ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( loose, i );
        list[count] = slot;
        count += cltQueryView_IsLoose( view, slot );
    }
    return count;
}

/// The smallest tree that can take everything in it, in the smaller ones, and `looseCount` more.
static uint32_t ChooseTree( const cltQueryForest* forest, uint32_t looseCount, uint64_t* total )
{
    *total = looseCount;
    uint64_t capacity = FIRST_CAPACITY;
    for ( uint32_t number = 1;; ++number, capacity *= 4u )
    {
        *total += forest->trees[number - 1u].counts[0];
        if ( *total <= capacity || number == CLT_FOREST_SIZE )
        {
            return number;
        }
    }
}

/// Puts the tree that was built of `list` in the place of all it was merged from.
static void Plant( cltQueryForest* forest, const cltQueryView* view, uint32_t number, const cltBoxList* list )
{
    for ( uint32_t merged = 1; merged < number; ++merged )
    {
        forest->trees[merged - 1u].counts[0] = 0;
    }
    const cltBoxTree built = forest->spare;
    forest->spare = forest->trees[number - 1u];
    forest->trees[number - 1u] = built;

    for ( uint32_t i = 0; i < list->count; ++i )
    {
        view->states[list->slots[i]] &= (uint8_t)~CLT_SLOT_TREE;
    }
    for ( uint32_t i = 0; i < built.counts[0]; ++i )
    {
        view->states[cltLeafRef_Slot( built.refs[i] )] |= (uint8_t)( number << 4 );
    }
}

static void ReleaseTools( cltQueryForest* forest, cltMemory* memory )
{
    cltBoxTree_Release( &forest->spare, memory );
    cltBoxTreeScratch_Release( &forest->scratch, memory );
    cltBuffer_Release( &forest->list, memory );
}

cltStatus cltQueryForest_Index( cltQueryForest* forest, const cltQueryView* view, bool hasBase, cltMemory* memory )
{
    cltQueryNotes* notes = view->notes;
    CLT_TRY( cltBuffer_Grow( &notes->reopened, memory, view->slotCount + 1u, sizeof( uint32_t ) ) );
    const cltLooseSlots loose = cltQueryView_Loose( view, hasBase );
    uint64_t total;
    const uint32_t number = ChooseTree( forest, cltLooseSlots_Count( &loose ), &total );
    CLT_TRY( cltBuffer_Reserve( &forest->list, memory, total + 1u, sizeof( uint32_t ) ) );
    uint32_t* slots = forest->list.data;
    uint32_t count = ListLoose( view, &loose, slots );
    for ( uint32_t merged = 1; merged <= number; ++merged )
    {
        count += ListTree( forest, view, merged, slots + count );
    }
    const cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = slots, .count = count };
    CLT_TRY( cltBoxTree_Build( &forest->spare, &list, &forest->scratch, memory ) );
    Plant( forest, view, number, &list );

    notes->indexedCount = view->changedCount;
    notes->reopenedCount = 0;
    for ( uint32_t i = 0; i < count; ++i ) // a NaN was left out, and must be found when it goes
    {
        ( (uint32_t*)notes->reopened.data )[notes->reopenedCount] = slots[i];
        notes->reopenedCount +=
            cltQueryView_IsLoose( view, slots[i] ) && ( view->states[slots[i]] & CLT_SLOT_CHANGED ) != 0;
    }
    if ( count > LARGEST_KEPT )
    {
        ReleaseTools( forest, memory );
    }
    return clt_ok;
}

void cltQueryForest_Clear( cltQueryForest* forest, const cltQueryView* view, cltMemory* memory )
{
    for ( uint32_t number = 1; number <= CLT_FOREST_SIZE; ++number )
    {
        cltBoxTree* tree = forest->trees + number - 1u;
        for ( uint32_t i = 0; i < tree->counts[0]; ++i )
        {
            view->states[cltLeafRef_Slot( tree->refs[i] )] &= (uint8_t)~CLT_SLOT_TREE;
        }
        if ( tree->counts[0] > LARGEST_KEPT )
        {
            cltBoxTree_Release( tree, memory );
        }
        tree->counts[0] = 0;
    }
    view->notes->indexedCount = 0;
    view->notes->reopenedCount = 0;
}

void cltQueryForest_Release( cltQueryForest* forest, cltMemory* memory )
{
    for ( uint32_t i = 0; i < CLT_FOREST_SIZE; ++i )
    {
        cltBoxTree_Release( forest->trees + i, memory );
    }
    ReleaseTools( forest, memory );
}
