// SPDX-License-Identifier: Zlib
// Comparison of pair lists with a message that a person can act upon.
#include "tests/support/pairs.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace test
{

/// The first few pairs of `a` that are not in `b`.
static std::string listOnlyIn( Pairs a, Pairs b )
{
    std::sort( a.begin(), a.end() );
    std::sort( b.begin(), b.end() );
    Pairs only;
    std::set_difference( a.begin(), a.end(), b.begin(), b.end(), std::back_inserter( only ) );

    std::string text = std::to_string( only.size() ) + ":";
    for ( size_t i = 0; i < only.size() && i < 8; ++i )
    {
        text += " (" + std::to_string( only[i].proxyA ) + ", " + std::to_string( only[i].proxyB ) + ")";
    }
    return text;
}

testing::AssertionResult samePairs( const Pairs& expected, const Pairs& actual )
{
    if ( expected == actual )
    {
        return testing::AssertionSuccess();
    }
    testing::AssertionResult failure = testing::AssertionFailure();
    failure << expected.size() << " pairs expected, " << actual.size() << " found; missing "
            << listOnlyIn( expected, actual ) << "; too many " << listOnlyIn( actual, expected );
    if ( !std::is_sorted( actual.begin(), actual.end() ) )
    {
        failure << "; not in ascending order";
    }
    return failure;
}

} // namespace test
