// SPDX-License-Identifier: Zlib
/// \file query_forest.h
/// Trees over proxies that changed since the last update, for callers that create or move proxies one by one with
/// queries in between. The logarithmic method (Bentley and Saxe, Decomposable searching problems I, 1980): a full tree
/// is merged into the next tree, which holds four times as many boxes. So a proxy is put into each tree at most once.
/// The first tree is so small that boxes are appended to it unsorted.
#ifndef CLT_HOST_QUERY_FOREST_H
#define CLT_HOST_QUERY_FOREST_H

#include "gpu/host/box_tree.h"
#include "gpu/queries.h"

/// Trees are numbered from 1.
#define CLT_FOREST_SIZE 7u

typedef struct cltQueryForest
{
    cltBoxTree* trees;     ///< treeCount trees, then a spare one for the next build
    uint32_t treeCount;    ///< CLT_FOREST_SIZE, or 0 before the first box is indexed: small worlds need no trees
    cltBuffer treeOf;      ///< uint8_t by slot: the tree holding its box, or 0; its entries in other trees are invalid
    uint32_t treeOfCount;  ///< entries of treeOf
    uint32_t indexedCount; ///< this many first entries of the list of changed slots were indexed
    cltBuffer unindexed;   ///< uint32_t: slots that were indexed, but are in no tree
    uint32_t unindexedCount;
    cltBuffer entryOf;     ///< uint32_t by slot: its entry in the largest tree; valid only if that entry names the slot
    uint32_t entryCount;   ///< entries of entryOf
    uint32_t putBackCount; ///< boxes that were changed in place in the largest tree

    cltBoxTreeScratch scratch; ///< used to build the overview, too
    cltBoundFcn* bound;
} cltQueryForest;

/// The number of the tree that holds a proxy's box; 0 if there is none.
static inline uint32_t cltQueryForest_TreeOf( const cltQueryForest* forest, uint32_t slot )
{
    return slot < forest->treeOfCount ? ( (const uint8_t*)forest->treeOf.data )[slot] : 0u;
}

typedef struct cltLooseSlots
{
    const uint32_t* lists[2]; ///< NULL in lists[0] stands for all slots
    uint32_t counts[2];
} cltLooseSlots;

/// Lists slots without duplicates: all proxies that are not in the base, and possibly other slots.
static inline cltLooseSlots cltQueryView_Loose( const cltQueryView* view )
{
    const bool needsAll = view->base == NULL && view->settledCount > 0;
    return ( cltLooseSlots ){ { needsAll ? NULL : view->changed },
                              { needsAll ? view->slotCount : view->changedCount } };
}

/// Lists slots without duplicates: all proxies neither in the base nor in the forest, and possibly other slots.
cltLooseSlots cltQueryForest_Loose( const cltQueryForest* forest, const cltQueryView* view );

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

/// True if the slot has a proxy and no tree of the forest holds its box.
static inline bool cltQueryForest_IsLoose( const cltQueryForest* forest, const cltQueryView* view, uint32_t slot )
{
    return ( view->states[slot] & CLT_SLOT_LIVE ) != 0 && cltQueryForest_TreeOf( forest, slot ) == 0;
}

/// True if cltQueryForest_Index would append `looseCount` loose proxies to the first tree, instead of sorting them.
bool cltQueryForest_WouldAppend( const cltQueryForest* forest, uint32_t looseCount );

/// Puts all loose proxies into a tree, except those with a NaN. A proxy that is in the last tree stays there if its box
/// has moved little. If there is no memory, all trees stay valid.
cltStatus cltQueryForest_Index( cltQueryForest* forest, const cltQueryView* view, cltMemory* memory );

/// Empties all trees, then swaps the last one with `tree`, which is over all proxies.
cltStatus cltQueryForest_Adopt( cltQueryForest* forest, cltBoxTree* tree, const cltQueryView* view, cltMemory* memory );

/// Swaps the last tree with `tree`. Afterwards the forest counts as empty: no tree holds a valid box.
void cltQueryForest_SwapLast( cltQueryForest* forest, cltBoxTree* tree );

/// Empties the forest, and frees the memory of large trees.
void cltQueryForest_Clear( cltQueryForest* forest, cltMemory* memory );

/// Frees all memory. The forest is empty and valid afterwards.
void cltQueryForest_Release( cltQueryForest* forest, cltMemory* memory );

#endif
