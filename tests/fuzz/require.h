// SPDX-License-Identifier: Zlib
/// \file require.h
/// What a fuzz target expects of its subject.
#ifndef CLT_TESTS_REQUIRE_H
#define CLT_TESTS_REQUIRE_H

#include <cstdlib>

namespace test
{

/// Aborts if the expectation does not hold; libFuzzer then keeps the input.
inline void require( bool holds )
{
    if ( !holds )
    {
        std::abort();
    }
}

} // namespace test

#endif
