// SPDX-License-Identifier: Zlib
/// \file held_pairs.h
/// What a pair cache holds, as the applications read it.
#ifndef CLT_STRESS_HELD_PAIRS_H
#define CLT_STRESS_HELD_PAIRS_H

#include "population.h"

class btOverlappingPairCache;

namespace cullet::stress
{

struct HeldPair
{
    PairKey key;
    const btBroadphasePair* pair;
};

/// Ascending by key. Throws a Fault for a pair with a proxy that does not live, with its proxies in the wrong order, or
/// held twice.
std::vector<HeldPair> readPairs( btOverlappingPairCache& cache, const Population& population );

} // namespace cullet::stress

#endif
