// SPDX-License-Identifier: Zlib
/// \file karras_tree.h
/// The tree of Karras, Thinking Parallel, Parts II and III, 2012, built in three ways from the same sorted codes.
///
/// Nodes are numbered as in the library (gpu/core/lbvh.h): inner ones 0 to n-2, the root 0, leaf i is node n-1+i.
#ifndef CLT_PAPERS_KARRAS_TREE_H
#define CLT_PAPERS_KARRAS_TREE_H

#include "gpu/core/curve.h"
#include "gpu/core/traverse.h"

#include <cstdint>
#include <vector>

namespace cullet::papers
{

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
    std::vector<std::uint32_t> bodies; ///< by leaf
    std::uint32_t leafCount = 0;

    bool isLeaf( std::uint32_t node ) const
    {
        return node >= leafCount - 1;
    }

    std::uint32_t nodeOfLeaf( std::uint32_t leaf ) const
    {
        return leafCount - 1 + leaf;
    }

    std::uint32_t leafOfNode( std::uint32_t node ) const
    {
        return node - ( leafCount - 1 );
    }
};

using CodeFcn = std::uint32_t( std::uint32_t x, std::uint32_t y, std::uint32_t z ); ///< cltMorton or cltHilbert

/// For each body, in order: its code in the upper 32 bits and its number in the lower.
std::vector<std::uint64_t> codesOf( const std::vector<cltAabb>& boxes, CodeFcn* code );

/// Sorts by code, 8 bits at a time; stable. Written here because it is the sort of the post, and because the standard
/// library has none that is linear.
void radixSort( std::vector<std::uint64_t>& keys );

/// Garanzha, Pantaleoni and McAllister, Simpler and Faster HLBVH with Work Queues, 2011, as Part III describes it:
/// level by level, with one search for the split in each node. Sets no boxes.
/// \param[out] levelSizes  inner nodes of each level: as many threads can run at a time
KarrasTree buildTopDown( const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& levelSizes );

/// Karras 2012, section 4: each node independently, by three searches. Sets no boxes.
KarrasTree buildByRanges( const std::vector<std::uint64_t>& keys );

/// Sets the boxes from the leaves up: the second child to arrive continues with its parent.
void fitBoxes( KarrasTree& tree, const std::vector<cltAabb>& boxes );

/// The library's tree: one pass from the leaves builds nodes, boxes and ropes.
class OnePassTree
{
public:
    explicit OnePassTree( const std::vector<std::uint64_t>& keys );

    void build( const std::vector<cltAabb>& boxes );

    const cltTree& tree() const
    {
        return m_tree;
    }

    std::uint32_t bodyOfLeaf( std::uint32_t leaf ) const
    {
        return std::uint32_t( m_keys[leaf] );
    }

private:
    const std::vector<std::uint64_t>& m_keys;
    std::vector<cltNode> m_nodes;
    std::vector<std::uint32_t> m_meetings;
    cltTree m_tree;
};

} // namespace cullet::papers

#endif
