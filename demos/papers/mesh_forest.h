// SPDX-License-Identifier: Zlib
/// \file mesh_forest.h
/// The trees of all meshes of a scene in one array of nodes, as Chitalu, Dubach, Komura, Bulk-synchronous Parallel
/// Simultaneous BVH Traversal for Collision Detection on GPUs, 2018, lay them out; without their padding. And four ways
/// to find the pairs of triangles whose boxes overlap. All of it on one thread.
#ifndef CLT_PAPERS_MESH_FOREST_H
#define CLT_PAPERS_MESH_FOREST_H

#include "mesh_oracle.h"

#include "gpu/core/node_pair.h"

namespace cullet::papers
{

class MeshForest
{
public:
    /// Leaves along a Hilbert curve, mesh by mesh.
    explicit MeshForest( const cltMeshScene& scene );

    /// To where the triangles are now; their order stays.
    void update( const cltMeshScene& scene );

    const std::vector<cltLevelTree>& trees() const
    {
        return m_trees;
    }

    const std::vector<cltLevelNode>& nodes() const
    {
        return m_nodes;
    }

    /// \param node  in the array of all nodes
    std::uint32_t treeOf( std::uint32_t node ) const;

    std::uint32_t firstNodeOf( std::uint32_t tree ) const
    {
        return m_firstNodes[tree];
    }

    /// \param leaf  in its tree
    std::uint32_t triangleOf( std::uint32_t tree, std::uint32_t leaf ) const
    {
        return m_triangles[m_firstLeaves[tree] + leaf];
    }

private:
    std::vector<cltLevelNode> m_nodes;
    std::vector<cltLevelTree> m_trees;
    std::vector<std::uint32_t> m_firstNodes;
    std::vector<std::uint32_t> m_firstLeaves;
    std::vector<std::uint32_t> m_triangles; ///< of the leaves, numbered over the scene
};

struct ForestWalked
{
    PairSet pairs;
    std::uint64_t tests = 0;  ///< of two boxes
    std::uint64_t passes = 0; ///< over a list of pairs of nodes
    std::uint64_t peak = 0;   ///< the most pairs in such a list
};

/// Pairs of nodes in the array of all nodes.
using NodeFront = std::vector<cltNodePair>;

/// Pass by pass: each pair of nodes that meet gives the pairs of what lies `depthStep` levels below.
/// \param entryLevel  so far below the roots it begins
/// \param childCounts NULL, or of each pass how many pairs each of its pairs gave
void walkInPasses( const MeshForest& forest, Between between, std::uint32_t entryLevel, std::uint32_t depthStep,
                   ForestWalked& walked, std::vector<std::vector<std::uint32_t>>* childCounts = nullptr );

/// Where a search by single levels ends: at nodes that do not meet, and at leaves.
NodeFront frontOf( const MeshForest& forest, Between between );

/// Tang, Manocha, Lin, Tong, Collision-Streams, 2011, as the paper has them for comparison: from each pair of a front
/// of an earlier step with a stack of its own, downwards.
void walkFromFront( const MeshForest& forest, const NodeFront& front, ForestWalked& walked );

/// Karras: each leaf by itself through the trees that come later, and through what comes later in its own.
void walkLeafByLeaf( const MeshForest& forest, Between between, ForestWalked& walked );

} // namespace cullet::papers

#endif
