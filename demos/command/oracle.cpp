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

constexpr std::uint32_t bruteForceBodies = 20'000; // 2e8 tests, about a quarter of a second

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

PairSet bruteForce( const cltScene& scene )
{
    PairSet pairs;
    for ( std::uint32_t a = 0; a < scene.boxCount; ++a )
    {
        for ( std::uint32_t b = a + 1; b < scene.boxCount; ++b )
        {
            if ( meet( scene.boxes[a], scene.boxes[b] ) && mayPair( scene.filters[a], scene.filters[b] ) )
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

std::vector<Interval> sortedIntervals( const cltScene& scene, int axis )
{
    std::vector<Interval> intervals;
    intervals.reserve( scene.boxCount );
    for ( std::uint32_t index = 0; index < scene.boxCount; ++index )
    {
        intervals.push_back( { scene.boxes[index], scene.filters[index], index } );
    }
    std::sort( intervals.begin(), intervals.end(),
               [axis]( const Interval& a, const Interval& b ) { return a.box.lower[axis] < b.box.lower[axis]; } );
    return intervals;
}

PairSet sweep( const cltScene& scene )
{
    const int longestAxis = int( std::max_element( scene.extent, scene.extent + 3 ) - scene.extent );
    const std::vector<Interval> intervals = sortedIntervals( scene, longestAxis );
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

PairSet oraclePairs( const cltScene& scene )
{
    return scene.def.bodyCount <= bruteForceBodies ? bruteForce( scene ) : sweep( scene );
}

} // namespace cullet::compare
