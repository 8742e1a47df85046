// SPDX-License-Identifier: Zlib
/// \file dop_tree.h
/// The tree of 18-DOPs of the thesis: built from the root level by level, each node split where the mean of its
/// triangles' centers is, across the longest of nine directions; updated from the leaves level by level. One triangle a
/// leaf. On one thread. The k-DOPs are the library's, which are exact where the thesis adds a tolerance.
#ifndef CLT_PAPERS_DOP_TREE_H
#define CLT_PAPERS_DOP_TREE_H

#include "demos/oracle/oracle.h"
#include "demos/scenes/meshes.h"

#include "gpu/core/kdop.h"

namespace cullet::papers
{

struct DopNode
{
    cltKdop dop;
    std::uint32_t first, last; ///< order[first] to order[last - 1] are its triangles
    std::uint32_t left;        ///< its first child, which the other one follows; 0: it is a leaf

    bool isLeaf() const
    {
        return left == 0;
    }
};

struct DopTree
{
    std::vector<DopNode> nodes;       ///< the root first
    std::vector<std::uint32_t> order; ///< triangles, those of a node beside each other
    std::vector<std::size_t> levels;  ///< where each begins in `nodes`, and where the last one ends
};

/// Milliseconds of each level, from the root's on.
using LevelTimes = std::vector<double>;

DopTree buildDops( const cltMesh& mesh, LevelTimes& times );

/// To where the vertices are now.
void updateDops( DopTree& tree, const cltMesh& mesh, LevelTimes& times );

struct DopWalked
{
    PairSet pairs;           ///< of triangles; those of the second tree are numbered from those of the first on
    std::uint64_t tests = 0; ///< of two nodes
};

/// All children of the one with all of the other, from the roots on.
/// \param areBoxes  three directions of the nodes are compared, and not all nine
void walkDops( const DopTree& a, const DopTree& b, bool areBoxes, DopWalked& walked );

/// The same of a tree and itself, each pair once.
void walkDopsAlone( const DopTree& tree, DopWalked& walked );

} // namespace cullet::papers

#endif
