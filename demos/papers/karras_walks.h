// SPDX-License-Identifier: Zlib
/// \file karras_walks.h
/// The ladder of Karras, Thinking Parallel, Part II, 2012: from a recursive walk to one that meets each pair once, and
/// the simultaneous walk of the tree with itself. On one thread; what they do is counted, besides being timed.
#ifndef CLT_PAPERS_KARRAS_WALKS_H
#define CLT_PAPERS_KARRAS_WALKS_H

#include "karras_tree.h"

#include "demos/oracle/oracle.h"

namespace cullet::papers
{

struct Walked
{
    PairSet pairs;           ///< as reported: the first three walks meet each pair twice, and each body itself
    std::uint64_t steps = 0; ///< rounds of the loop, or calls
    std::uint64_t tests = 0; ///< of two boxes

    void clear()
    {
        pairs.clear();
        steps = tests = 0;
    }

    bool overlaps( const cltAabb& a, const cltAabb& b )
    {
        ++tests;
        return cltAabb_Overlaps( &a, &b );
    }
};

enum class Order
{
    bodies,
    leaves
};

void walkRecursively( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Walked& walked );
void walkWithStack( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Order order, Walked& walked );

/// By leaves, and past whatever lies before the walker's own leaf.
void walkOneSided( const KarrasTree& tree, Walked& walked );

/// The same by ropes, from the walker's own: the library's.
void walkByRopes( const OnePassTree& tree, Walked& walked );

// karras_simultaneous.cpp
/// \param cutSize  nodes that are paired with each other and with themselves to begin with; 1: the root
void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, Walked& walked );

/// As they were reported, ascending.
PairSet sortedPairs( const Walked& walked );

/// Each pair twice, and each body with itself, ascending: what the first three walks report.
PairSet fromBothSides( PairSet pairs, std::uint32_t bodyCount );

} // namespace cullet::papers

#endif
