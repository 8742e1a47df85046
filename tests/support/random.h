// SPDX-License-Identifier: Zlib
/// \file random.h
/// The random numbers of the tests, which are those of the oracle, and the number of random inputs to test.
#ifndef CLT_TESTS_RANDOM_H
#define CLT_TESTS_RANDOM_H

#include "demos/oracle/random.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace test
{

using cullet::Random;

/// The number of random inputs to test: $CULLET_SOAK, or `few` if it is not set.
inline std::uint64_t soakCount( std::uint64_t few )
{
    const char* const wanted = std::getenv( "CULLET_SOAK" );
    const std::uint64_t count = wanted == nullptr ? few : std::strtoull( wanted, nullptr, 10 );
    EXPECT_LT( 0u, count ) << "CULLET_SOAK is no number of inputs: " << wanted;
    return count;
}

} // namespace test

#endif
