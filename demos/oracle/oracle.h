// SPDX-License-Identifier: Zlib
/// \file oracle.h
/// The expected pairs, computed without any of cullet's or Bullet's code. Coordinates are only compared, never computed
/// with, so nothing is rounded. `Box` is cltAabb or cltAabbD.
#ifndef CLT_ORACLE_ORACLE_H
#define CLT_ORACLE_ORACLE_H

#include "cullet.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cullet
{

// --------------------------------------------------------------------------------------------------------------- boxes

/// Closed intervals: touching counts. A box with a NaN overlaps nothing: each of the twelve coordinates is compared,
/// and comparisons with a NaN fail.
template <typename Box>
bool overlap( const Box& a, const Box& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( !( a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis] ) )
        {
            return false;
        }
    }
    return true;
}

template <typename Box>
bool hasNan( const Box& box )
{
    const auto isNan = []( auto coordinate ) { return std::isnan( coordinate ); };
    return std::any_of( box.lower, box.lower + 3, isNan ) || std::any_of( box.upper, box.upper + 3, isNan );
}

/// Bullet's default rule: the group of each filter shares a bit with the mask of the other.
inline bool mayPair( const cltFilter& a, const cltFilter& b )
{
    return ( a.group & b.mask ) != 0 && ( b.group & a.mask ) != 0;
}

/// Two proxies with this filter may pair.
constexpr cltFilter openFilter = { -1, -1 };

cltAabb toFloat( const cltAabbD& box );
cltAabbD toDouble( const cltAabb& box );

// ------------------------------------------------------------------------------------------------------- sets of pairs

/// The numbers of two bodies: the smaller one in the upper 32 bits, the larger one in the lower.
using PairKey = std::uint64_t;

/// Keys, ascending. A pair that was reported twice is listed twice, so that firstWrongPair can name it.
using PairSet = std::vector<PairKey>;

constexpr PairKey pairKey( std::uint32_t a, std::uint32_t b )
{
    return a < b ? PairKey( a ) << 32 | b : PairKey( b ) << 32 | a;
}

constexpr std::uint32_t smallerOf( PairKey key )
{
    return std::uint32_t( key >> 32 );
}

constexpr std::uint32_t largerOf( PairKey key )
{
    return std::uint32_t( key );
}

constexpr bool isPairOf( PairKey key, std::uint32_t number )
{
    return smallerOf( key ) == number || largerOf( key ) == number;
}

/// The two numbers as text: "(12, 845)".
std::string pairName( PairKey key );

/// The pairs of `a` that are not in `b`.
PairSet difference( const PairSet& a, const PairSet& b );

/// Describes the first difference between `reported` and `expected`; empty if there is none.
/// \param exact  false: pairs beyond `expected` are allowed, missing ones are not
std::string firstWrongPair( const PairSet& reported, const PairSet& expected, bool exact );

/// Keys of pairs of proxies, in the order of `pairs`.
PairSet pairSet( const cltPair* pairs, std::size_t count );

/// The pair set that results from reported changes. Comparing this set with the oracle tests the changes of every
/// update; GetPairs would not, because it may search again. Only for worlds without destroyed proxies and edited
/// filters, which end pairs without a report.
class ReportedPairs
{
public:
    /// Adds the changes of the next update, each in ascending order.
    /// \return empty, or the contradiction in words: a pair that begins twice, a pair that ends without having begun,
    ///         or a wrong order
    std::string add( const PairSet& began, const PairSet& ended );

    const PairSet& pairs() const
    {
        return m_pairs;
    }

private:
    PairSet m_pairs;
};

// ----------------------------------------------------------------------------------------------------------- the sweep

template <typename Box>
struct Candidate
{
    Box box;
    cltFilter filter;
    std::uint32_t number; ///< the body's number in pair keys
};

/// Every pair of candidates that overlap and may pair. Of two overlapping boxes, the later lower bound lies at or
/// before the other box's upper bound; this is one of the comparisons in overlap, so it holds for inverted and infinite
/// boxes too. Boxes with a NaN would break the sorting and are left out.
/// \param axis  of the sweep, best the one along which the boxes are spread farthest
template <typename Box>
PairSet sweptPairs( std::vector<Candidate<Box>> candidates, int axis = 0 )
{
    const auto isOut = []( const Candidate<Box>& candidate ) { return hasNan( candidate.box ); };
    const auto beginsEarlier = [axis]( const Candidate<Box>& a, const Candidate<Box>& b )
    { return a.box.lower[axis] < b.box.lower[axis]; };
    candidates.erase( std::remove_if( candidates.begin(), candidates.end(), isOut ), candidates.end() );
    std::sort( candidates.begin(), candidates.end(), beginsEarlier );
    PairSet pairs;
    for ( auto a = candidates.begin(); a != candidates.end(); ++a )
    {
        for ( auto b = a + 1; b != candidates.end() && b->box.lower[axis] <= a->box.upper[axis]; ++b )
        {
            if ( overlap( a->box, b->box ) && mayPair( a->filter, b->filter ) )
            {
                pairs.push_back( pairKey( a->number, b->number ) );
            }
        }
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

} // namespace cullet

#endif
