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

// All return false when the visitor ended the walk.

bool cltAsk_BaseTree( const cltQuestion* question );

/// The overview holds boxes, never rest boxes.
bool cltAsk_Overview( const cltQuestion* question, const cltBoxTree* overview );

bool cltAsk_Forest( const cltQuestion* question );

/// The base's outliers, and proxies that are in no tree of the forest.
bool cltAsk_Rest( const cltQuestion* question, bool withOutliers, bool withLoose );

#endif
