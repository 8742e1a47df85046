// SPDX-License-Identifier: Zlib
/// \file pair_set.cpp
/// Differences of ascending arrays, and what to say about the first one.
#include "pair_set.h"

#include <algorithm>
#include <iterator>

namespace cullet
{

std::string pairName( PairKey key )
{
    return "(" + std::to_string( smallerOf( key ) ) + ", " + std::to_string( largerOf( key ) ) + ")";
}

PairSet difference( const PairSet& a, const PairSet& b )
{
    PairSet result;
    std::set_difference( a.begin(), a.end(), b.begin(), b.end(), std::back_inserter( result ) );
    return result;
}

std::string firstWrongPair( const PairSet& reported, const PairSet& expected, bool exact )
{
    if ( !std::is_sorted( reported.begin(), reported.end() ) )
    {
        return "reports its pairs out of order";
    }
    const auto twice = std::adjacent_find( reported.begin(), reported.end() );
    if ( twice != reported.end() )
    {
        return "reports pair " + pairName( *twice ) + " twice";
    }
    const PairSet missing = difference( expected, reported );
    if ( !missing.empty() )
    {
        return "misses " + std::to_string( missing.size() ) + " of " + std::to_string( expected.size() ) +
               " pairs, first " + pairName( missing.front() );
    }
    const PairSet extra = exact ? difference( reported, expected ) : PairSet();
    if ( !extra.empty() )
    {
        return "reports " + std::to_string( extra.size() ) + " pairs too many, first " + pairName( extra.front() );
    }
    return {};
}

} // namespace cullet
