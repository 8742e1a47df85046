// SPDX-License-Identifier: Zlib
/// \file oracle.cpp
/// One sweep along x. Of two overlapping boxes the one that begins later begins before the other one ends: that holds
/// for inverted and infinite boxes too, because it is one of the comparisons that make an overlap. Only a NaN would
/// upset the sorting, and what has one overlaps nothing.
#include "oracle.h"

#include <algorithm>

namespace cullet::stress
{

namespace
{

/// The box lies beside the body, because the sweep reads hundreds of neighbours in a row.
struct Interval
{
    Box box;
    const Body* body;
};

std::vector<Interval> sortedIntervals( const Population& population )
{
    std::vector<Interval> intervals;
    intervals.reserve( population.size() );
    for ( std::size_t index = 0; index < population.size(); ++index )
    {
        const Body& body = population[index];
        if ( !hasNan( body.box ) )
        {
            intervals.push_back( { body.box, &body } );
        }
    }
    std::sort( intervals.begin(), intervals.end(),
               []( const Interval& a, const Interval& b ) { return a.box.lower[0] < b.box.lower[0]; } );
    return intervals;
}

Overlap overlapOf( const Body* a, const Body* b )
{
    return a->uid < b->uid ? Overlap{ pairOf( *a, *b ), a, b } : Overlap{ pairOf( *a, *b ), b, a };
}

} // namespace

std::vector<Overlap> findOverlaps( const Population& population )
{
    const std::vector<Interval> intervals = sortedIntervals( population );
    std::vector<Overlap> overlaps;
    for ( auto first = intervals.begin(); first != intervals.end(); ++first )
    {
        const btScalar end = first->box.upper[0];
        for ( auto second = first + 1; second != intervals.end() && second->box.lower[0] <= end; ++second )
        {
            if ( overlap( first->box, second->box ) )
            {
                overlaps.push_back( overlapOf( first->body, second->body ) );
            }
        }
    }
    std::sort( overlaps.begin(), overlaps.end(), []( const Overlap& a, const Overlap& b ) { return a.key < b.key; } );
    return overlaps;
}

} // namespace cullet::stress
