// SPDX-License-Identifier: Zlib
// Chooses the trees to merge, and keeps track of the tree that holds each proxy.

#include "gpu/host/queries/query_forest.h"

#include <string.h>

/// The capacity of the first tree in boxes. Each further tree holds four times as many. The last and largest tree holds
/// any number.
#define FIRST_CAPACITY CLT_SMALL_TREE_CAPACITY

/// If a tree has more boxes than this, its memory is freed when it is emptied, and the scratch memory of its build
/// right after the build, because a large world is loaded only once.
#define LARGEST_KEPT 16384u

/// The size of `trees`, with the spare one.
#define TREE_BYTES ( ( CLT_FOREST_SIZE + 1u ) * sizeof( cltBoxTree ) )

static uint8_t* TreeNumbers( const cltQueryForest* forest )
{
    return forest->treeOf.data;
}

cltLooseSlots cltQueryForest_Loose( const cltQueryForest* forest, const cltQueryView* view )
{
    cltLooseSlots loose = cltQueryView_Loose( view );
    if ( loose.lists[0] != NULL )
    {
        loose = ( cltLooseSlots ){ { loose.lists[0] + forest->indexedCount, forest->unindexed.data },
                                   { loose.counts[0] - forest->indexedCount, forest->unindexedCount } };
    }
    return loose;
}

/// Lists the slots of the boxes in tree `number`. Returns their number.
static uint32_t ListTree( const cltQueryForest* forest, uint32_t number, uint32_t* list )
{
    const cltBoxTree* tree = forest->trees + number - 1u;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < tree->counts[0]; ++i )
    {
        const uint32_t slot = cltLeafRef_Slot( tree->refs[i] );
        list[count] = slot; // overwritten if the tree does not hold the slot; lists have space for one entry more
        count += TreeNumbers( forest )[slot] == number;
    }
    return count;
}

static cltBoxTree* SpareTree( const cltQueryForest* forest )
{
    return forest->trees + CLT_FOREST_SIZE;
}

static cltBoxTree* LastTree( cltQueryForest* forest )
{
    return forest->trees + CLT_FOREST_SIZE - 1u;
}

/// Replaces a proxy's box in its entry of the largest tree. Returns false if the proxy has no entry or jumped, or
/// if more boxes were replaced than the tree has.
static bool PutBack( cltQueryForest* forest, const cltQueryView* view, uint32_t slot )
{
    cltBoxTree* tree = LastTree( forest );
    const uint32_t entry = slot < forest->entryCount ? ( (const uint32_t*)forest->entryOf.data )[slot] : UINT32_MAX;
    if ( entry >= tree->counts[0] || cltLeafRef_Slot( tree->refs[entry] ) != slot ||
         forest->putBackCount > tree->counts[0] )
    {
        return false;
    }
    const cltAabb before = cltLane_Get( tree->levels[0], entry );
    const cltAabb box = cltCoverBox( view->boxes, view->isDouble, slot );
    const cltAabb both = cltAabb_Union( &before, &box );
    if ( cltAabb_HasNan( &box ) || cltIsLargeDisplacement( &before, &box, &both ) )
    {
        return false;
    }
    cltBoxTree_SetBox( tree, entry, &box );
    TreeNumbers( forest )[slot] = CLT_FOREST_SIZE;
    ++forest->putBackCount;
    return true;
}

/// Puts loose proxies (gpu/queries.h) back into the largest tree. Lists those that cannot be put back.
/// \return the length of the list
static uint32_t ListLoose( cltQueryForest* forest, const cltQueryView* view, const cltLooseSlots* loose,
                           uint32_t* list )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < cltLooseSlots_Count( loose ); ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( loose, i );
        list[count] = slot;
        count += cltQueryForest_IsLoose( forest, view, slot ) && !PutBack( forest, view, slot );
    }
    return count;
}

/// The number of the smallest tree that can hold its own boxes, those of all smaller trees, and `looseCount` more.
/// \param[out] total  the number of all these boxes
static uint32_t ChooseTree( const cltQueryForest* forest, uint32_t looseCount, uint64_t* total )
{
    *total = looseCount;
    uint64_t capacity = FIRST_CAPACITY;
    for ( uint32_t number = 1;; ++number, capacity *= 4u )
    {
        *total += number <= forest->treeCount ? forest->trees[number - 1u].counts[0] : 0u;
        if ( *total <= capacity || number == CLT_FOREST_SIZE )
        {
            return number;
        }
    }
}

/// Puts the spare tree, which was built of `list`, in the place of tree `number`, and empties all smaller trees.
static void ReplaceTree( cltQueryForest* forest, uint32_t number, const cltBoxList* list )
{
    for ( uint32_t merged = 1; merged < number; ++merged )
    {
        forest->trees[merged - 1u].counts[0] = 0;
    }
    const cltBoxTree built = *SpareTree( forest );
    *SpareTree( forest ) = forest->trees[number - 1u];
    forest->trees[number - 1u] = built;

    for ( uint32_t i = 0; i < list->count; ++i )
    {
        TreeNumbers( forest )[list->slots[i]] = 0;
    }
    for ( uint32_t i = 0; i < built.counts[0]; ++i )
    {
        TreeNumbers( forest )[cltLeafRef_Slot( built.refs[i] )] = (uint8_t)number;
    }
}

static cltStatus EnsureTrees( cltQueryForest* forest, cltMemory* memory )
{
    if ( forest->treeCount == 0 )
    {
        forest->trees = cltMemory_Allocate( memory, TREE_BYTES );
        if ( forest->trees == NULL )
        {
            return clt_hostMemory;
        }
        memset( forest->trees, 0, TREE_BYTES );
        forest->treeCount = CLT_FOREST_SIZE;
    }
    return clt_ok;
}

static cltStatus EnsureSlotCapacity( cltQueryForest* forest, uint32_t slotCount, cltMemory* memory )
{
    CLT_TRY( EnsureTrees( forest, memory ) );
    CLT_TRY( cltBuffer_Grow( &forest->unindexed, memory, slotCount + 1u, sizeof( uint32_t ) ) );
    if ( slotCount > forest->treeOfCount )
    {
        CLT_TRY( cltBuffer_Grow( &forest->treeOf, memory, slotCount, sizeof( uint8_t ) ) );
        memset( TreeNumbers( forest ) + forest->treeOfCount, 0, slotCount - forest->treeOfCount );
        forest->treeOfCount = slotCount;
    }
    return clt_ok;
}

/// Puts the changed slots of `list` that are in no tree, such as those with a NaN, into the list `forest->unindexed`.
static void ListUnindexed( cltQueryForest* forest, const cltQueryView* view, const cltBoxList* list )
{
    forest->unindexedCount = 0;
    for ( uint32_t i = 0; i < list->count; ++i )
    {
        const uint32_t slot = list->slots[i];
        ( (uint32_t*)forest->unindexed.data )[forest->unindexedCount] = slot;
        forest->unindexedCount += TreeNumbers( forest )[slot] == 0 && ( view->states[slot] & CLT_SLOT_CHANGED ) != 0;
    }
}

static void ReleaseScratch( cltQueryForest* forest, cltMemory* memory )
{
    if ( forest->treeCount > 0 )
    {
        cltBoxTree_Release( SpareTree( forest ), memory );
    }
    cltBoxTreeScratch_Release( &forest->scratch, memory );
}

/// Merges the listed slots and the trees up to `number` into one tree.
static cltStatus MergeTrees( cltQueryForest* forest, cltBoxList* list, uint32_t* slots, uint32_t number,
                             cltMemory* memory )
{
    for ( uint32_t merged = 1; merged <= number; ++merged )
    {
        list->count += ListTree( forest, merged, slots + list->count );
    }
    CLT_TRY( cltBoxTree_Build( SpareTree( forest ), list, forest->bound, &forest->scratch, memory ) );
    ReplaceTree( forest, number, list );
    return clt_ok;
}

/// Removes the invalid entries of the first tree. If a slot were appended again, its old entry would be valid again.
static void RemoveInvalidEntries( cltQueryForest* forest )
{
    cltBoxTree* first = forest->trees;
    for ( uint32_t i = 0; i < first->counts[0]; )
    {
        if ( TreeNumbers( forest )[cltLeafRef_Slot( first->refs[i] )] == 1u )
        {
            ++i;
        }
        else
        {
            cltBoxTree_RemoveEntry( first, i );
        }
    }
}

/// Appends the listed slots to the first tree, unsorted: its few blocks are tested in no time.
static cltStatus AppendToFirst( cltQueryForest* forest, const cltQueryView* view, const cltBoxList* list,
                                cltMemory* memory )
{
    cltBoxTree* first = forest->trees;
    if ( first->counts[0] == 0 )
    {
        CLT_TRY( cltBoxTree_BeginSmall( first, memory ) );
    }
    for ( uint32_t i = 0; i < list->count; ++i )
    {
        const cltAabb box = cltCoverBox( view->boxes, view->isDouble, list->slots[i] );
        if ( !cltAabb_HasNan( &box ) )
        {
            cltBoxTree_Append( first, list->slots[i], &box );
            TreeNumbers( forest )[list->slots[i]] = 1u;
        }
    }
    return clt_ok;
}

bool cltQueryForest_WouldAppend( const cltQueryForest* forest, uint32_t looseCount )
{
    uint64_t total;
    return ChooseTree( forest, looseCount, &total ) == 1u;
}

cltStatus cltQueryForest_Index( cltQueryForest* forest, const cltQueryView* view, cltMemory* memory )
{
    CLT_TRY( EnsureSlotCapacity( forest, view->slotCount, memory ) );
    RemoveInvalidEntries( forest );
    const cltLooseSlots loose = cltQueryForest_Loose( forest, view );
    uint64_t total;
    const uint32_t number = ChooseTree( forest, cltLooseSlots_Count( &loose ), &total );
    CLT_TRY( cltBuffer_Reserve( &forest->scratch.slots, memory, total + 1u, sizeof( uint32_t ) ) );
    uint32_t* slots = forest->scratch.slots.data;
    cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = slots };
    list.count = ListLoose( forest, view, &loose, slots );
    forest->indexedCount = view->changedCount;
    ListUnindexed( forest, view, &list );
    if ( list.count > 0 )
    {
        CLT_TRY( number == 1u ? AppendToFirst( forest, view, &list, memory )
                              : MergeTrees( forest, &list, slots, number, memory ) );
        ListUnindexed( forest, view, &list );
    }
    if ( list.count > LARGEST_KEPT )
    {
        ReleaseScratch( forest, memory );
    }
    return clt_ok;
}

void cltQueryForest_SwapLast( cltQueryForest* forest, cltBoxTree* tree )
{
    const cltBoxTree last = *LastTree( forest );
    *LastTree( forest ) = *tree;
    *tree = last;
    memset( TreeNumbers( forest ), 0, forest->treeOfCount );
}

cltStatus cltQueryForest_Adopt( cltQueryForest* forest, cltBoxTree* tree, const cltQueryView* view, cltMemory* memory )
{
    CLT_TRY( EnsureSlotCapacity( forest, view->slotCount, memory ) );
    forest->entryCount = 0; // Reserve may free the entries and then fail
    CLT_TRY( cltBuffer_Reserve( &forest->entryOf, memory, view->slotCount, sizeof( uint32_t ) ) );
    for ( uint32_t number = 1; number <= CLT_FOREST_SIZE; ++number )
    {
        forest->trees[number - 1u].counts[0] = 0;
    }
    cltQueryForest_SwapLast( forest, tree );
    memset( forest->entryOf.data, 0xff, view->slotCount * sizeof( uint32_t ) );
    forest->entryCount = view->slotCount;
    forest->putBackCount = 0;
    for ( uint32_t i = 0; i < LastTree( forest )->counts[0]; ++i )
    {
        const uint32_t slot = cltLeafRef_Slot( LastTree( forest )->refs[i] );
        ( (uint32_t*)forest->entryOf.data )[slot] = i;
        TreeNumbers( forest )[slot] = CLT_FOREST_SIZE;
    }
    forest->indexedCount = view->changedCount;
    const cltBoxList changed = { .slots = view->changed, .count = view->changedCount };
    ListUnindexed( forest, view, &changed );
    return clt_ok;
}

void cltQueryForest_Unindex( cltQueryForest* forest, uint32_t slot, bool listed )
{
    if ( cltQueryForest_TreeOf( forest, slot ) != 0 )
    {
        TreeNumbers( forest )[slot] = 0;
        ( (uint32_t*)forest->unindexed.data )[forest->unindexedCount] = slot;
        forest->unindexedCount += listed; // if it was not listed, the list of changed slots contains it from now on
    }
}

void cltQueryForest_Clear( cltQueryForest* forest, cltMemory* memory )
{
    for ( uint32_t i = 0; i < forest->treeCount; ++i )
    {
        cltBoxTree* tree = forest->trees + i;
        for ( uint32_t entry = 0; entry < tree->counts[0]; ++entry )
        {
            const uint32_t slot = cltLeafRef_Slot( tree->refs[entry] );
            if ( slot < forest->treeOfCount ) // an overview that was swapped in may have newer slots
            {
                TreeNumbers( forest )[slot] = 0;
            }
        }
        if ( tree->counts[0] > LARGEST_KEPT )
        {
            cltBoxTree_Release( tree, memory );
        }
        tree->counts[0] = 0;
    }
    forest->indexedCount = 0;
    forest->unindexedCount = 0;
    forest->entryCount = 0;
}

void cltQueryForest_Release( cltQueryForest* forest, cltMemory* memory )
{
    for ( uint32_t i = 0; i < forest->treeCount; ++i )
    {
        cltBoxTree_Release( forest->trees + i, memory );
    }
    ReleaseScratch( forest, memory );
    cltMemory_Release( memory, forest->trees, TREE_BYTES );
    cltBuffer_Release( &forest->treeOf, memory );
    cltBuffer_Release( &forest->unindexed, memory );
    cltBuffer_Release( &forest->entryOf, memory );
    *forest = ( cltQueryForest ){ .bound = forest->bound };
}
