// SPDX-License-Identifier: Zlib
/// \file sweep.h
/// Two ways to the same set of pairs: every box with every other, than which nothing can be trusted more, and a sweep
/// for worlds where that takes too long.
#ifndef CLT_ORACLE_SWEEP_H
#define CLT_ORACLE_SWEEP_H

#include "box.h"
#include "pair_set.h"

#include <algorithm>
#include <vector>

namespace cullet
{

template <typename Box>
struct BoxSet
{
    const Box* boxes;
    const cltFilter* filters; ///< NULL: all may pair
    std::uint32_t count;
    int axis = 0; ///< along which the sweep goes, best the one where the boxes lie farthest apart
};

/// Every pair of boxes that overlap and may pair, by index.
template <typename Box>
PairSet bruteForcePairs( const BoxSet<Box>& set )
{
    PairSet pairs;
    for ( std::uint32_t a = 0; a < set.count; ++a )
    {
        const Box box = set.boxes[a];
        for ( std::uint32_t b = a + 1; b < set.count; ++b )
        {
            if ( overlap( box, set.boxes[b] ) && ( !set.filters || mayPair( set.filters[a], set.filters[b] ) ) )
            {
                pairs.push_back( pairKey( a, b ) );
            }
        }
    }
    return pairs;
}

/// The same. Of two boxes that overlap, the one that begins later begins before the other one ends: one of the
/// comparisons of an overlap says so, of inverted and infinite boxes too. What has a NaN, which would upset the
/// sorting, is left out.
template <typename Box>
PairSet sweptPairs( const BoxSet<Box>& set )
{
    struct Interval
    {
        Box box; // beside the index, because the sweep reads hundreds of neighbours in a row
        std::uint32_t index;
    };
    const int axis = set.axis;
    std::vector<Interval> intervals;
    intervals.reserve( set.count );
    for ( std::uint32_t index = 0; index < set.count; ++index )
    {
        if ( !hasNan( set.boxes[index] ) )
        {
            intervals.push_back( { set.boxes[index], index } );
        }
    }
    std::sort( intervals.begin(), intervals.end(),
               [axis]( const Interval& a, const Interval& b ) { return a.box.lower[axis] < b.box.lower[axis]; } );
    PairSet pairs;
    for ( auto a = intervals.begin(); a != intervals.end(); ++a )
    {
        for ( auto b = a + 1; b != intervals.end() && b->box.lower[axis] <= a->box.upper[axis]; ++b )
        {
            if ( overlap( a->box, b->box ) &&
                 ( !set.filters || mayPair( set.filters[a->index], set.filters[b->index] ) ) )
            {
                pairs.push_back( pairKey( a->index, b->index ) );
            }
        }
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

} // namespace cullet

#endif
