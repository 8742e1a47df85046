// SPDX-License-Identifier: Zlib
/// \file pair_list.h
/// Pairs as the changes that CulletPairMerge and CulletPairExchange take.
#ifndef CULLET_TESTS_PAIR_LIST_H
#define CULLET_TESTS_PAIR_LIST_H

#include "pair_cache/CulletPairNote.h"

#include <vector>

namespace test
{

struct PairList
{
    const std::vector<CulletProxyPair>& pairs;

    size_t getCount() const
    {
        return pairs.size();
    }

    CulletProxyPair pairAt( size_t i ) const
    {
        return pairs[i];
    }

    uint64_t keyAt( size_t i ) const
    {
        return pairs[i].getUids();
    }

    void prefetch( size_t ) const
    {
    }
};

} // namespace test

#endif
