// SPDX-License-Identifier: Zlib
/// \file stats.h
/// The figures of one update.
#ifndef CLT_BRIDGE_STATS_H
#define CLT_BRIDGE_STATS_H

#include "bridge/broadphase.h"

/// They start from nothing; which algorithm ran, and why, stays known.
void cltStats_Begin( cltBroadphase* broadphase );

/// What an update that succeeded did. \param startMs  cltNowMs() when it began
void cltStats_End( cltBroadphase* broadphase, const cltPairChanges* changes, double startMs );

#endif
