// SPDX-License-Identifier: Zlib
/// \file mesh_forest.h
/// The trees of all meshes of a scene in one array of nodes, as Chitalu, Dubach, Komura, Bulk-synchronous Parallel
/// Simultaneous BVH Traversal for Collision Detection on GPUs, 2018, lay them out, but without their padding. Also four
/// ways to find the pairs of triangles with overlapping boxes, on one thread.
#ifndef CLT_PAPERS_MESH_FOREST_H
#define CLT_PAPERS_MESH_FOREST_H

#include "mesh_oracle.h"
#include "walk_result.h"

#include "gpu/core/node_pair.h"

namespace cullet::papers
{

struct MeshForest
{
    std::vector<cltLevelNode> nodes;
    std::vector<cltLevelTree> trees;
    std::vector<std::uint32_t> firstNodes;  ///< by tree
    std::vector<std::uint32_t> firstLeaves; ///< by tree
    std::vector<std::uint32_t> triangles;   ///< by leaf, over all trees; numbered as in trianglesOf

    /// Sorts the leaves of each mesh along a Hilbert curve.
    explicit MeshForest( const cltMeshScene& scene );

    /// Refits all trees to the current triangles.
    void update( const cltMeshScene& scene );

    /// \param node  index into nodes
    std::uint32_t treeOf( std::uint32_t node ) const;

    /// \param leaf  index within its tree
    std::uint32_t triangleOf( std::uint32_t tree, std::uint32_t leaf ) const
    {
        return triangles[firstLeaves[tree] + leaf];
    }
};

/// Pairs of indices into MeshForest::nodes.
using NodeFront = std::vector<cltNodePair>;

/// Walks pass by pass: a pair of nodes that overlap is replaced by the pairs of their descendants `depthStep` levels
/// below.
/// \param entryLevel   levels below the roots at which the first pass begins
/// \param childCounts  NULL, or receives for each pass and each of its pairs the number of replacing pairs
void walkInPasses( const MeshForest& forest, Between between, std::uint32_t entryLevel, std::uint32_t depthStep,
                   WalkResult& walked, std::vector<std::vector<std::uint32_t>>* childCounts = nullptr );

/// Walks down one level at a time. Returns the pairs at which the walk stops: nodes that do not overlap, and leaves.
NodeFront frontOf( const MeshForest& forest, Between between );

/// Tang, Manocha, Lin, Tong, Collision-Streams, 2011, with which the paper compares itself: walks down from each pair
/// of an earlier step's front, with one stack for each pair.
void walkFromFront( const MeshForest& forest, const NodeFront& front, WalkResult& walked );

/// As Karras: for each leaf, walks all later trees, and the later leaves of its own tree.
void walkLeafByLeaf( const MeshForest& forest, Between between, WalkResult& walked );

} // namespace cullet::papers

#endif
