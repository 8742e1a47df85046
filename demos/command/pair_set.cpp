// SPDX-License-Identifier: Zlib
/// \file pair_set.cpp
/// Differences of ascending arrays, and what to say about the first one.
#include "pair_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cullet::compare
{

std::string pairName( PairKey key )
{
    return fmt::format( "({}, {})", key >> 32, key & UINT32_MAX );
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
        return fmt::format( "reports pair {} twice", pairName( *twice ) );
    }
    const PairSet missing = difference( expected, reported );
    if ( !missing.empty() )
    {
        return fmt::format( "misses {} of {} pairs, first {}", missing.size(), expected.size(),
                            pairName( missing.front() ) );
    }
    const PairSet extra = exact ? difference( reported, expected ) : PairSet();
    if ( !extra.empty() )
    {
        return fmt::format( "reports {} pairs too many, first {}", extra.size(), pairName( extra.front() ) );
    }
    return {};
}

} // namespace cullet::compare
