// SPDX-License-Identifier: Zlib
/// \file oracle.cpp
/// Two ways to the same set. Up to 20,000 bodies all pairs are tested: nothing simpler can be trusted more. Above,
/// boxes sorted by their lower bound on the scene's longest axis are each tested against those that begin before they
/// end.
#include "oracle.h"

#include <algorithm>
#include <vector>

namespace cullet::compare
{

namespace
{

/// 20,000 bodies and a scene's static boxes: 2e8 tests, about a quarter of a second.
constexpr std::uint32_t bruteForceBoxes = 20'100;

bool meet( const cltAabb& a, const cltAabb& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( a.upper[axis] < b.lower[axis] || b.upper[axis] < a.lower[axis] )
        {
            return false;
        }
    }
    return true;
}

bool mayPair( const cltFilter& a, const cltFilter& b )
{
    return ( a.group & b.mask ) != 0 && ( b.group & a.mask ) != 0;
}

PairSet bruteForce( const BoxSet& set )
{
    PairSet pairs;
    for ( std::uint32_t a = 0; a < set.count; ++a )
    {
        for ( std::uint32_t b = a + 1; b < set.count; ++b )
        {
            if ( meet( set.boxes[a], set.boxes[b] ) && mayPair( set.filters[a], set.filters[b] ) )
            {
                pairs.push_back( pairKey( a, b ) );
            }
        }
    }
    return pairs;
}

/// A box beside everything its test needs: the sweep reads thousands of neighbours in a row.
struct Interval
{
    cltAabb box;
    cltFilter filter;
    std::uint32_t index;
};

std::vector<Interval> sortedIntervals( const BoxSet& set )
{
    std::vector<Interval> intervals;
    intervals.reserve( set.count );
    for ( std::uint32_t index = 0; index < set.count; ++index )
    {
        intervals.push_back( { set.boxes[index], set.filters[index], index } );
    }
    const int axis = set.longestAxis;
    std::sort( intervals.begin(), intervals.end(),
               [axis]( const Interval& a, const Interval& b ) { return a.box.lower[axis] < b.box.lower[axis]; } );
    return intervals;
}

PairSet sweep( const BoxSet& set )
{
    const int longestAxis = set.longestAxis;
    const std::vector<Interval> intervals = sortedIntervals( set );
    PairSet pairs;
    for ( auto first = intervals.begin(); first != intervals.end(); ++first )
    {
        const float end = first->box.upper[longestAxis];
        for ( auto second = first + 1; second != intervals.end() && second->box.lower[longestAxis] <= end; ++second )
        {
            if ( meet( first->box, second->box ) && mayPair( first->filter, second->filter ) )
            {
                pairs.push_back( pairKey( first->index, second->index ) );
            }
        }
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

} // namespace

PairSet oraclePairs( const BoxSet& set )
{
    return set.count <= bruteForceBoxes ? bruteForce( set ) : sweep( set );
}

PairSet oraclePairs( const cltScene& scene )
{
    const int longestAxis = int( std::max_element( scene.extent, scene.extent + 3 ) - scene.extent );
    return oraclePairs( BoxSet{ scene.boxes, scene.filters, scene.boxCount, longestAxis } );
}

} // namespace cullet::compare
