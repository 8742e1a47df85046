// SPDX-License-Identifier: Zlib
/// \file oracle.h
/// Every overlap there is, found without any of cullet's or Bullet's code.
#ifndef CLT_STRESS_ORACLE_H
#define CLT_STRESS_ORACLE_H

#include "population.h"

namespace cullet::stress
{

/// Two bodies whose boxes overlap, whatever filters say.
struct Overlap
{
    PairKey key;
    const Body* a; ///< the smaller uid
    const Body* b;
};

/// Ascending by key.
std::vector<Overlap> findOverlaps( const Population& population );

} // namespace cullet::stress

#endif
