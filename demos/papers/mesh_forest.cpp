// SPDX-License-Identifier: Zlib
#include "mesh_forest.h"

#include "karras_tree.h"

namespace cullet::papers
{

MeshForest::MeshForest( const cltMeshScene& scene )
{
    const std::vector<cltAabb> boxes = boxesOf( scene );
    std::uint32_t firstNode = 0, firstLeaf = 0;
    for ( std::uint32_t mesh = 0; mesh < scene.meshCount; ++mesh )
    {
        const std::uint32_t leafCount = scene.meshes[mesh].triangleCount;
        const auto first = boxes.begin() + firstLeaf;
        std::vector<std::uint64_t> keys = codesOf( std::vector<cltAabb>( first, first + leafCount ), cltHilbert );
        radixSort( keys );
        for ( const std::uint64_t key : keys )
        {
            m_triangles.push_back( firstLeaf + std::uint32_t( key ) );
        }
        m_trees.push_back( { cltLevels_Make( leafCount ), nullptr, nullptr } );
        m_firstNodes.push_back( firstNode );
        m_firstLeaves.push_back( firstLeaf );
        firstNode += cltLevels_NodeCount( &m_trees.back().levels );
        firstLeaf += leafCount;
    }
    m_nodes.resize( firstNode );
    update( scene );
}

void MeshForest::update( const cltMeshScene& scene )
{
    const std::vector<cltAabb> boxes = boxesOf( scene );
    for ( std::uint32_t number = 0; number < m_trees.size(); ++number )
    {
        cltLevelTree& tree = m_trees[number];
        tree.nodes = m_nodes.data() + m_firstNodes[number];
        for ( std::uint32_t leaf = 0; leaf < cltLevels_LeafCount( &tree.levels ); ++leaf )
        {
            tree.nodes[leaf] = { boxes[triangleOf( number, leaf )], { openFilter.group, openFilter.mask } };
        }
        for ( std::uint32_t level = 1; level <= tree.levels.top; ++level )
        {
            for ( std::uint32_t node = tree.levels.starts[level]; node < tree.levels.starts[level + 1]; ++node )
            {
                cltLevelTree_JoinStep( &tree, level, node );
            }
        }
    }
}

// "Lower bound search": the last tree that does not begin behind the node.
std::uint32_t MeshForest::treeOf( std::uint32_t node ) const
{
    const auto behind = std::upper_bound( m_firstNodes.begin(), m_firstNodes.end(), node );
    return std::uint32_t( behind - m_firstNodes.begin() ) - 1;
}

} // namespace cullet::papers
