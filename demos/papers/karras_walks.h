// SPDX-License-Identifier: Zlib
/// \file karras_walks.h
/// The walks of Karras, Thinking Parallel, Part II, 2012, each an improvement of the one before: from a recursive walk
/// to one that finds each pair once. And the simultaneous walk of a tree with itself. All on one thread; they count
/// their work.
#ifndef CLT_PAPERS_KARRAS_WALKS_H
#define CLT_PAPERS_KARRAS_WALKS_H

#include "karras_tree.h"
#include "walk_result.h"

namespace cullet::papers
{

enum class Order
{
    bodies,
    leaves
};

// These two find each pair twice and each body with itself.
void walkRecursively( const KarrasTree& tree, const std::vector<cltAabb>& boxes, WalkResult& result );
void walkWithStack( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Order order, WalkResult& result );

/// Walks for each leaf, and skips subtrees that end before that leaf.
void walkOneSided( const KarrasTree& tree, WalkResult& result );

/// The same along ropes, from each leaf's own rope on: the library's walk.
void walkByRopes( const OnePassTree& tree, WalkResult& result );

/// Walks pairs of nodes of the tree with itself.
/// \param cutSize  number of nodes to start from, each paired with all others and with itself; 1: the root
void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, WalkResult& result );

/// Each pair twice, and each body with itself, ascending: what the first two walks find.
PairSet fromBothSides( PairSet pairs, std::uint32_t bodyCount );

} // namespace cullet::papers

#endif
