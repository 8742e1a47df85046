// SPDX-License-Identifier: Zlib
/// \file karras_tree.h
/// The tree of Karras, Thinking Parallel, Parts II and III, 2012, built in three ways from the same sorted codes, and
/// the walks of Part II. All run on one thread and count their tests.
///
/// Nodes are numbered as in the library (gpu/core/lbvh.h): inner ones 0 to n-2, the root 0, leaf i is node n-1+i.
#ifndef CLT_PAPERS_KARRAS_TREE_H
#define CLT_PAPERS_KARRAS_TREE_H

#include "walk_result.h"

#include "gpu/core/curve.h"
#include "gpu/core/level_tree.h"
#include "gpu/core/traverse.h"

namespace cullet::papers
{

using CodeFcn = std::uint32_t( std::uint32_t x, std::uint32_t y, std::uint32_t z ); ///< cltMorton or cltHilbert

/// A code in the upper 32 bits, and the number of its body in the lower.
using Keys = std::vector<std::uint64_t>;

/// The codes of the boxes' centers, in the order of the bodies.
Keys codesOf( const std::vector<cltAabb>& boxes, CodeFcn* code );

/// Sorts by code, 8 bits at a time; stable. Written here because the post uses this sort, and because the standard
/// library has no linear sort.
void radixSort( Keys& keys );

inline Keys sortedCodesOf( const std::vector<cltAabb>& boxes, CodeFcn* code )
{
    Keys keys = codesOf( boxes, code );
    radixSort( keys );
    return keys;
}

struct KarrasNode
{
    std::uint32_t left, right; ///< set in inner nodes
    std::uint32_t parent;
    std::uint32_t fence; ///< last leaf of the subtree: "the rightmost leaf that can be reached"
    cltAabb box;
};

struct KarrasTree
{
    std::vector<KarrasNode> nodes;
    std::vector<std::uint32_t> bodies; ///< the body of each leaf
    std::uint32_t leafCount = 0;

    bool isLeaf( std::uint32_t node ) const
    {
        return node >= leafCount - 1;
    }

    std::uint32_t nodeOfLeaf( std::uint32_t leaf ) const
    {
        return leafCount - 1 + leaf;
    }

    std::uint32_t bodyOfNode( std::uint32_t leafNode ) const
    {
        return bodies[leafNode - ( leafCount - 1 )];
    }
};

/// Garanzha, Pantaleoni and McAllister, Simpler and Faster HLBVH with Work Queues, 2011, as Part III describes it:
/// level by level, with one search for the split in each node. Sets no boxes.
/// \param[out] levelSizes  number of inner nodes of each level, and so of threads that can run at a time
KarrasTree buildTopDown( const Keys& keys, std::vector<std::uint32_t>& levelSizes );

/// Karras 2012, section 4: each node independently, by three searches. Sets no boxes.
KarrasTree buildByRanges( const Keys& keys );

/// Sets the boxes from the leaves up: the second child to arrive continues with its parent.
void fitBoxes( KarrasTree& tree, const std::vector<cltAabb>& boxes );

/// The library's tree: one pass from the leaves builds nodes, boxes and ropes.
struct OnePassTree
{
    const Keys& keys;
    std::vector<cltNode> nodes;
    std::vector<std::uint32_t> meetings;
    cltTree tree; ///< a view of the three previous members

    explicit OnePassTree( const Keys& sorted );

    void build( const std::vector<cltAabb>& boxes );

    std::uint32_t bodyOfLeaf( std::uint32_t leaf ) const
    {
        return std::uint32_t( keys[leaf] );
    }
};

/// Sets the boxes of the library's tree, level by level.
/// \param bodies  the body of each leaf
void fitLevels( cltLevelTree& tree, const std::vector<cltAabb>& boxes, const std::uint32_t* bodies );

// -------------------------------------------------------------------------------------------------------------- walks

enum class Order
{
    bodies,
    leaves
};

// The next two walks find each pair twice, and each body with itself.
void walkRecursively( const KarrasTree& tree, const std::vector<cltAabb>& boxes, WalkResult& result );
void walkWithStack( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Order order, WalkResult& result );

/// Walks the tree once for each leaf, and skips subtrees that contain no later leaf.
void walkOneSided( const KarrasTree& tree, WalkResult& result );

/// The library's walk: as walkOneSided, but follows ropes, starting with each leaf's rope.
void walkByRopes( const OnePassTree& tree, WalkResult& result );

/// Walks the tree against itself, in pairs of nodes.
/// \param cutSize  number of nodes to start from, each paired with all others and with itself; 1: the root
void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, WalkResult& result );

} // namespace cullet::papers

#endif
