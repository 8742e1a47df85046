// SPDX-License-Identifier: Zlib
/// \file walk_result.h
/// The pairs that a walk of a tree finds, and the work of the walk, counted in the same way for all walks.
#ifndef CLT_PAPERS_WALK_RESULT_H
#define CLT_PAPERS_WALK_RESULT_H

#include "demos/oracle/oracle.h"

#include "gpu/core/aabb.h"

#include <numeric>

namespace cullet::papers
{

struct WalkResult
{
    PairSet pairs;                 ///< in the order in which the walk finds them
    std::uint64_t tests = 0;       ///< overlap tests of two boxes or k-DOPs
    std::uint64_t steps = 0;       ///< rounds of the walk's loop, or recursive calls
    std::uint64_t passes = 0;      ///< passes over a list of node pairs
    std::uint64_t longestPass = 0; ///< node pairs in the longest list of a pass

    /// Keeps the memory of `pairs`, so that repeated walks do not allocate.
    void clear()
    {
        pairs.clear();
        tests = steps = passes = longestPass = 0;
    }

    /// Tests two boxes and counts the test.
    bool overlaps( const cltAabb& a, const cltAabb& b )
    {
        ++tests;
        return cltAabb_Overlaps( &a, &b );
    }

    PairSet sortedPairs() const
    {
        PairSet sorted = pairs;
        std::sort( sorted.begin(), sorted.end() );
        return sorted;
    }
};

inline cltAabb boundsOf( const std::vector<cltAabb>& boxes )
{
    return std::accumulate( boxes.begin(), boxes.end(), boxes.at( 0 ),
                            []( const cltAabb& a, const cltAabb& b ) { return cltAabb_Union( &a, &b ); } );
}

} // namespace cullet::papers

#endif
