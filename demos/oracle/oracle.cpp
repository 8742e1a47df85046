// SPDX-License-Identifier: Zlib
/// \file oracle.cpp
/// Sets of pairs, the description of the first difference, and conversions between the precisions.
#include "oracle.h"

#include <iterator>

namespace cullet
{

// toFloat and toDouble must not be inlined. If GCC 12 sees toDouble( toFloat( box ) ) as a whole, its vectorizer drops
// both conversions and leaves two of the three axes unrounded (seen with 12.2 at -O2).

cltAabb toFloat( const cltAabbD& box )
{
    cltAabb result;
    std::transform( box.lower, box.lower + 3, result.lower, []( double value ) { return float( value ); } );
    std::transform( box.upper, box.upper + 3, result.upper, []( double value ) { return float( value ); } );
    return result;
}

cltAabbD toDouble( const cltAabb& box )
{
    cltAabbD result;
    std::copy( box.lower, box.lower + 3, result.lower );
    std::copy( box.upper, box.upper + 3, result.upper );
    return result;
}

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

PairSet pairSet( const cltPair* pairs, std::size_t count )
{
    PairSet set( count );
    std::transform( pairs, pairs + count, set.begin(),
                    []( const cltPair& pair ) { return pairKey( pair.proxyA, pair.proxyB ); } );
    return set;
}

std::string ReportedPairs::add( const PairSet& began, const PairSet& ended )
{
    PairSet all;
    std::merge( m_pairs.begin(), m_pairs.end(), began.begin(), began.end(), std::back_inserter( all ) );
    m_pairs = difference( all, ended );
    const std::string wrong = firstWrongPair( all, {}, false ); // finds pairs that are out of order or listed twice
    if ( !wrong.empty() )
    {
        return "the previous and the begun pairs: " + wrong;
    }
    return m_pairs.size() + ended.size() == all.size() ? "" : "reports the end of what was no pair, or out of order";
}

} // namespace cullet
