// SPDX-License-Identifier: Zlib
/// \file dop_tree.h
/// The thesis' tree of 18-DOPs, on one thread and with one triangle in each leaf. It is built from the root level by
/// level: a node is split at the mean of its triangles' centers, along the longest of nine directions. It is refitted
/// from the leaves level by level. The k-DOPs are the library's, which are exact; the thesis adds a tolerance to its
/// own.
#ifndef CLT_PAPERS_DOP_TREE_H
#define CLT_PAPERS_DOP_TREE_H

#include "walk_result.h"

#include "demos/scenes/meshes.h"

#include "gpu/mesh/core/kdop.h"

namespace cullet::papers
{

struct DopNode
{
    cltKdop dop;
    std::uint32_t first, last; ///< its triangles are order[first] to order[last - 1]
    std::uint32_t left;        ///< the first child; the second follows it. 0 in a leaf

    bool isLeaf() const
    {
        return left == 0;
    }
};

struct DopTree
{
    std::vector<DopNode> nodes;       ///< the root first
    std::vector<std::uint32_t> order; ///< triangles; those of a node are consecutive
    std::vector<std::size_t> levels;  ///< index of each level's first node, then the number of nodes
};

/// Milliseconds by level, the root's first.
using LevelTimes = std::vector<double>;

DopTree buildDops( const cltMesh& mesh, LevelTimes& times );

/// Refits the tree to the current vertices.
void updateDops( DopTree& tree, const cltMesh& mesh, LevelTimes& times );

/// Finds the overlapping leaf pairs of two trees from the roots down, by testing each child of one node with each child
/// of the other node. The triangles of `b` are numbered after those of `a`.
/// \param areBoxes  compare the boxes of the nodes only, not all nine directions
void walkDops( const DopTree& a, const DopTree& b, bool areBoxes, WalkResult& result );

/// Finds the overlapping leaf pairs within one tree, each once.
void walkDopsAlone( const DopTree& tree, WalkResult& result );

} // namespace cullet::papers

#endif
