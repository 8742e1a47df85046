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
} cltQuestion;

// All functions below return false if the visitor ended the walk.

bool cltAsk_BaseTree( const cltQuestion* question );

/// Walks the overview, which holds proxies' boxes, never rest boxes.
bool cltAsk_Overview( const cltQuestion* question, const cltBoxTree* overview );

bool cltAsk_Forest( const cltQuestion* question );

/// Tests the base's outliers, and proxies that are neither in the base nor in the forest.
bool cltAsk_OutsideTrees( const cltQuestion* question, bool withOutliers, bool withLoose );

#endif
