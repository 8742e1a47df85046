// SPDX-License-Identifier: Zlib
/// \file ask.h
/// One question under way: the walks over trees, and over what is in none.
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

/// A tree that holds boxes as they are.
bool cltAsk_Overview( const cltQuestion* question, const cltBoxTree* overview );

bool cltAsk_Forest( const cltQuestion* question );

/// The base's outliers, and proxies that are in no tree of the forest.
bool cltAsk_Rest( const cltQuestion* question, bool withOutliers, bool withLoose );

#endif
