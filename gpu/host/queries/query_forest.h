// SPDX-License-Identifier: Zlib
/// \file query_forest.h
/// Trees over proxies that changed since the last update, for who creates or moves one proxy after the other and asks in
/// between. The logarithmic method (Bentley and Saxe, Decomposable searching problems I, 1980): a tree that is full is
/// merged into the next larger one, so that a proxy is indexed again only as often as the trees grow fourfold.
///
/// Which tree holds a proxy's present box is said in three bits of its state; an entry of any other tree is out of date.
#ifndef CLT_HOST_QUERY_FOREST_H
#define CLT_HOST_QUERY_FOREST_H

#include "gpu/host/queries/box_tree.h"
#include "gpu/queries.h"

/// Numbered from 1, as many as CLT_SLOT_TREE can tell apart.
#define CLT_FOREST_SIZE 7u

typedef struct cltQueryForest
{
    cltBoxTree trees[CLT_FOREST_SIZE];
    cltBoxTree spare;
    cltBoxTreeScratch scratch;
    cltBuffer list; ///< uint32_t, slots to be indexed
} cltQueryForest;

/// The number of the tree that holds a proxy's present box, 0: none.
static inline uint32_t cltQueryForest_TreeOf( uint8_t state )
{
    return (uint32_t)( state & CLT_SLOT_TREE ) >> 4;
}

/// True if all proxies have to be looked at: some have not changed, and no base holds them.
static inline bool cltQueryView_NeedsAll( const cltQueryView* view, bool hasBase )
{
    return !hasBase && view->settledCount > 0;
}

/// Slots among which are all proxies that are neither in the base nor in a tree, each once.
typedef struct cltLooseSlots
{
    const uint32_t* lists[2]; ///< lists[0] == NULL: every slot there is
    uint32_t counts[2];
} cltLooseSlots;

cltLooseSlots cltQueryView_Loose( const cltQueryView* view, bool hasBase );

static inline uint32_t cltLooseSlots_Count( const cltLooseSlots* loose )
{
    return loose->counts[0] + loose->counts[1];
}

static inline uint32_t cltLooseSlots_Get( const cltLooseSlots* loose, uint32_t i )
{
    if ( i >= loose->counts[0] )
    {
        return loose->lists[1][i - loose->counts[0]];
    }
    return loose->lists[0] != NULL ? loose->lists[0][i] : i;
}

/// True if the slot has a proxy and no tree holds its box.
static inline bool cltQueryView_IsLoose( const cltQueryView* view, uint32_t slot )
{
    return ( view->states[slot] & ( CLT_SLOT_LIVE | CLT_SLOT_TREE ) ) == CLT_SLOT_LIVE;
}

/// Takes all loose proxies into a tree, but for those with a NaN. Without memory nothing changes.
cltStatus cltQueryForest_Index( cltQueryForest* forest, const cltQueryView* view, bool hasBase, cltMemory* memory );

/// Empties the forest and the notes, and gives large trees back.
void cltQueryForest_Clear( cltQueryForest* forest, const cltQueryView* view, cltMemory* memory );

void cltQueryForest_Release( cltQueryForest* forest, cltMemory* memory );

#endif
