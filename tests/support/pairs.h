// SPDX-License-Identifier: Zlib
/// \file pairs.h
/// Lists of pairs: their order, and a comparison that says which pairs are missing or too many.
#ifndef CLT_TESTS_PAIRS_H
#define CLT_TESTS_PAIRS_H

#include "cullet.h"

#include <gtest/gtest.h>
#include <tuple>
#include <vector>

inline bool operator<( const cltPair& a, const cltPair& b )
{
    return std::tie( a.proxyA, a.proxyB ) < std::tie( b.proxyA, b.proxyB );
}

inline bool operator==( const cltPair& a, const cltPair& b )
{
    return a.proxyA == b.proxyA && a.proxyB == b.proxyB;
}

namespace test
{

using Pairs = std::vector<cltPair>;

inline Pairs copyPairs( const cltPair* pairs, size_t count )
{
    return count == 0 ? Pairs() : Pairs( pairs, pairs + count );
}

/// Same pairs in the same order, each once.
testing::AssertionResult samePairs( const Pairs& expected, const Pairs& actual );

} // namespace test

#endif
