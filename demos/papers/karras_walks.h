// SPDX-License-Identifier: Zlib
/// \file karras_walks.h
/// The walks of Karras, Thinking Parallel, Part II, 2012. Each improves on the previous one, from a recursive walk to a
/// walk that finds each pair once. The last is the simultaneous walk of a tree with itself. All walks run on one thread
/// and count their tests.
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

/// The library's walk: as walkOneSided, but follows ropes, starting with each leaf's rope.
void walkByRopes( const OnePassTree& tree, WalkResult& result );

/// Walks pairs of nodes of the tree with itself.
/// \param cutSize  number of nodes to start from, each paired with all others and with itself; 1: the root
void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, WalkResult& result );

/// The expected result of the first two walks, ascending: each pair twice, and each body with itself.
PairSet fromBothSides( PairSet pairs, std::uint32_t bodyCount );

} // namespace cullet::papers

#endif
