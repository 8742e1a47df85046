// SPDX-License-Identifier: Zlib
/// \file overview.h
/// One tree over all that changed, or over all there is.
#ifndef CLT_HOST_QUERIES_OVERVIEW_H
#define CLT_HOST_QUERIES_OVERVIEW_H

#include "gpu/host/queries/query_forest.h"

/// Over every proxy, where there is a base. Its order will do if not many are new, and if few jumped: then nothing is
/// sorted.
cltStatus cltOverview_BuildWhole( cltBoxTree* overview, const cltQueryView* view, cltBoundFcn* bound,
                                  cltBoxTreeScratch* scratch, cltMemory* memory );

/// Over every proxy that the base does not hold.
cltStatus cltOverview_BuildLoose( cltBoxTree* overview, const cltQueryView* view, cltBoundFcn* bound,
                                  cltBoxTreeScratch* scratch, cltMemory* memory );

#endif
