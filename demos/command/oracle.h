// SPDX-License-Identifier: Zlib
/// \file oracle.h
/// The pairs as the definition says, found without any of cullet's or Bullet's code: what `--check` holds the engines
/// to.
#ifndef CLT_COMMAND_ORACLE_H
#define CLT_COMMAND_ORACLE_H

#include "pair_set.h"

#include "demos/scenes/scenes.h"

namespace cullet::compare
{

struct BoxSet
{
    const cltAabb* boxes; ///< without a NaN
    const cltFilter* filters;
    std::uint32_t count;
    int longestAxis; ///< along which the boxes are spread out most; a guess costs time, not pairs
};

/// Every pair of boxes that may pair and whose closed intervals meet on all three axes.
PairSet oraclePairs( const BoxSet& set );
PairSet oraclePairs( const cltScene& scene );

} // namespace cullet::compare

#endif
