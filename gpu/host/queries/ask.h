// SPDX-License-Identifier: Zlib
/// \file ask.h
/// The parts of one query: walks over trees, and tests of proxies that are in no tree.
#ifndef CLT_HOST_QUERIES_ASK_H
#define CLT_HOST_QUERIES_ASK_H

#include "gpu/host/queries/query_forest.h"

typedef struct cltQuestion
{
    const cltQueryForest* forest;
    const cltQueryView* view;
    cltQueryShape shape;
    cltVisitFcn* visit;
    void* context;
    uint64_t skipped; ///< slots below CLT_FEW_SLOTS that need no visit, as bits
} cltQuestion;

/// Numbers for two of the trees in gpu/queries.h. The forest's trees have the numbers 1 to CLT_FOREST_SIZE.
#define CLT_BASE_TREE UINT32_MAX
#define CLT_OVERVIEW_TREE 0u

/// True if an entry of tree `number` holds its proxy's current box. An entry of the base does not if the proxy has
/// changed since the last update, or if the proxy jumped in that update and the entry holds the box before the jump.
static inline bool cltQuestion_IsCurrent( const cltQuestion* question, cltLeafRef ref, uint32_t number )
{
    if ( number == CLT_BASE_TREE )
    {
        return cltLeafRef_Kind( ref ) != CLT_LEAF_PREVIOUS &&
               ( question->view->states[cltLeafRef_Slot( ref )] & CLT_SLOT_CHANGED ) == 0;
    }
    return number == CLT_OVERVIEW_TREE || cltQueryForest_TreeOf( question->forest, cltLeafRef_Slot( ref ) ) == number;
}

/// The shape with which to walk the base's tree. If the tree holds rest boxes, they are inflated before the test.
cltQueryShape cltQuestion_BaseShape( const cltQuestion* question );

// All functions below return false if the visitor ended the walk.

bool cltAsk_BaseTree( const cltQuestion* question );

/// Walks the overview, which holds proxies' boxes, never rest boxes.
bool cltAsk_Overview( const cltQuestion* question, const cltBoxTree* overview );

bool cltAsk_Forest( const cltQuestion* question );

/// Tests the base's outliers, and proxies that are neither in the base nor in the forest. Few slots: tests all.
bool cltAsk_OutsideTrees( const cltQuestion* question, bool withOutliers, bool withLoose );

#endif
