// SPDX-License-Identifier: Zlib
/// \file oracle.h
/// What `--check` holds the engines to.
#ifndef CLT_COMMAND_ORACLE_H
#define CLT_COMMAND_ORACLE_H

#include "demos/oracle/sweep.h"
#include "demos/scenes/scenes.h"

namespace cullet::compare
{

/// Every pair of boxes that may pair and overlap.
PairSet oraclePairs( const BoxSet<cltAabb>& set );
PairSet oraclePairs( const cltScene& scene );

} // namespace cullet::compare

#endif
