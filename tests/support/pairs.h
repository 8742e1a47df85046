// SPDX-License-Identifier: Zlib
/// \file pairs.h
/// What a broadphase reports, as the oracle's sets of pairs.
#ifndef CLT_TESTS_PAIRS_H
#define CLT_TESTS_PAIRS_H

#include "cullet.h"
#include "demos/oracle/oracle.h"

#include <gtest/gtest.h>

namespace test
{

using cullet::PairSet;

/// As they are, the larger id first if it is: then no expected pair is the same.
inline PairSet copyPairs( const cltPair* pairs, size_t count )
{
    PairSet copy;
    copy.reserve( count );
    for ( size_t i = 0; i < count; ++i )
    {
        copy.push_back( cullet::PairKey( pairs[i].proxyA ) << 32 | pairs[i].proxyB );
    }
    return copy;
}

/// Same pairs in the same order, each once.
inline testing::AssertionResult samePairs( const PairSet& expected, const PairSet& actual )
{
    const std::string wrong = cullet::firstWrongPair( actual, expected, true );
    return wrong.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << wrong;
}

} // namespace test

#endif
