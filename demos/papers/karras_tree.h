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
    std::uint32_t left, right; ///< of inner nodes
    std::uint32_t parent;
    std::uint32_t fence; ///< the last leaf below: "the rightmost leaf that can be reached"
    cltAabb box;
};

struct KarrasTree
{
    std::vector<KarrasNode> nodes;
    std::vector<std::uint32_t> bodies; ///< of the leaves
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

/// For each body its code in the upper half and its number in the lower, unsorted.
std::vector<std::uint64_t> codesOf( const std::vector<cltAabb>& boxes, CodeFcn* code );

/// By code, those of equal codes as they were: 8 bits at a time.
void radixSort( std::vector<std::uint64_t>& keys );

/// Garanzha, Pantaleoni and McAllister, Simpler and Faster HLBVH with Work Queues, 2011, as Part III tells it: level by
/// level, one search for the split in each node. The nodes have no boxes yet, nor do their leaves.
/// \param[out] levelSizes  how many inner nodes each level has: threads that can run at a time
KarrasTree buildTopDown( const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& levelSizes );

/// Karras 2012, section 4: each node by itself, by three searches. No boxes yet.
KarrasTree buildByRanges( const std::vector<std::uint64_t>& keys );

/// Boxes from the leaves towards the root; the second child to arrive goes on.
void fitBoxes( KarrasTree& tree, const std::vector<cltAabb>& boxes );

/// The library's, in one pass from the leaves, boxes and ropes included.
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
