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
        for ( const std::uint64_t key : sortedCodesOf( { first, first + leafCount }, cltHilbert ) )
        {
            triangles.push_back( firstLeaf + std::uint32_t( key ) );
        }
        trees.push_back( { cltLevels_Make( leafCount ), nullptr, nullptr } );
        firstNodes.push_back( firstNode );
        firstLeaves.push_back( firstLeaf );
        firstNode += cltLevels_NodeCount( &trees.back().levels );
        firstLeaf += leafCount;
    }
    nodes.resize( firstNode );
    update( scene );
}

void MeshForest::update( const cltMeshScene& scene )
{
    const std::vector<cltAabb> boxes = boxesOf( scene );
    for ( std::size_t tree = 0; tree < trees.size(); ++tree )
    {
        trees[tree].nodes = nodes.data() + firstNodes[tree];
        fitLevels( trees[tree], boxes, triangles.data() + firstLeaves[tree] );
    }
}

// "Lower bound search": finds the last tree that starts at or before the node.
std::uint32_t MeshForest::treeOf( std::uint32_t node ) const
{
    const auto behind = std::upper_bound( firstNodes.begin(), firstNodes.end(), node );
    return std::uint32_t( behind - firstNodes.begin() ) - 1;
}

// -------------------------------------------------------------------------------------------------------------- walks

namespace
{

/// The trees and levels of the two nodes of a pair.
struct NodePairLocation
{
    std::uint32_t treeA, treeB;
    std::uint32_t levelA, levelB;
    cltNodePair local; ///< the node numbers within the trees

    NodePairLocation( const MeshForest& forest, cltNodePair pair )
        : treeA( forest.treeOf( pair.a ) ), treeB( forest.treeOf( pair.b ) ), levelA( 0 ),
          levelB( 0 ), local{ pair.a - forest.firstNodes[treeA], pair.b - forest.firstNodes[treeB] }
    {
        levelA = cltLevels_LevelOf( &forest.trees[treeA].levels, local.a );
        levelB = cltLevels_LevelOf( &forest.trees[treeB].levels, local.b );
    }

    bool isSelf() const
    {
        return treeA == treeB && local.a == local.b;
    }

    bool areLeaves() const
    {
        return levelA == 0 && levelB == 0;
    }
};

/// Calls `visit` for each pair of trees, and for each tree with itself if triangles of one mesh may pair.
template <typename Visit>
void forEachTreePair( const MeshForest& forest, Between between, Visit&& visit )
{
    for ( std::uint32_t a = 0; a < forest.trees.size(); ++a )
    {
        for ( std::uint32_t b = between == Between::all ? a : a + 1; b < forest.trees.size(); ++b )
        {
            visit( a, b );
        }
    }
}

/// Appends pairs of nodes of two trees. Adds the number of a tree's first node to the numbers within that tree.
void append( const MeshForest& forest, std::uint32_t treeA, std::uint32_t treeB, const cltNodePairs& pairs,
             NodeFront& front )
{
    const std::uint64_t count = cltNodePairs_Count( &pairs );
    for ( std::uint64_t k = 0; k < count; ++k )
    {
        const cltNodePair pair = cltNodePairs_At( &pairs, k );
        front.push_back( { forest.firstNodes[treeA] + pair.a, forest.firstNodes[treeB] + pair.b } );
    }
}

void appendDescendants( const MeshForest& forest, const NodePairLocation& place, std::uint32_t depthStep,
                        NodeFront& front )
{
    append( forest, place.treeA, place.treeB,
            cltNodePair_Below( &forest.trees[place.treeA].levels, place.levelA, &forest.trees[place.treeB].levels,
                               place.levelB, place.local, depthStep, place.isSelf() ),
            front );
}

NodeFront entryPairsOf( const MeshForest& forest, Between between, std::uint32_t entryLevel )
{
    NodeFront front;
    const auto appendEntry = [&]( std::uint32_t a, std::uint32_t b )
    {
        const cltLevels &levelsOfA = forest.trees[a].levels, &levelsOfB = forest.trees[b].levels;
        append( forest, a, b, cltNodePairs_Entry( &levelsOfA, &levelsOfB, entryLevel, a == b ), front );
    };
    forEachTreePair( forest, between, appendEntry );
    return front;
}

/// Tests a pair of nodes, and reports it if both are leaves that overlap.
/// \return whether the walk continues below the pair
bool visit( const MeshForest& forest, cltNodePair pair, const NodePairLocation& place, WalkResult& walked )
{
    if ( place.isSelf() )
    {
        return !place.areLeaves();
    }
    if ( !walked.overlaps( forest.nodes[pair.a].box, forest.nodes[pair.b].box ) )
    {
        return false;
    }
    if ( place.areLeaves() )
    {
        walked.pairs.push_back( pairKey( forest.triangleOf( place.treeA, place.local.a ),
                                         forest.triangleOf( place.treeB, place.local.b ) ) );
    }
    return !place.areLeaves();
}

/// Walks one level at a time from all pairs of the stack, which is empty at the end.
/// \param front  NULL, or gets the pairs at which the walk stops
void walkFromStack( const MeshForest& forest, NodeFront& stack, WalkResult& walked, NodeFront* front )
{
    while ( !stack.empty() )
    {
        const cltNodePair pair = stack.back();
        stack.pop_back();
        const NodePairLocation place( forest, pair );
        if ( visit( forest, pair, place, walked ) )
        {
            appendDescendants( forest, place, 1, stack );
        }
        else if ( front != nullptr && !place.isSelf() )
        {
            front->push_back( pair );
        }
    }
}

} // namespace

void walkInPasses( const MeshForest& forest, Between between, std::uint32_t entryLevel, std::uint32_t depthStep,
                   WalkResult& walked, std::vector<std::vector<std::uint32_t>>* childCounts )
{
    walked.clear();
    NodeFront current = entryPairsOf( forest, between, entryLevel ), next;
    for ( ; !current.empty(); current.swap( next ), next.clear(), ++walked.passes )
    {
        walked.longestPass = std::max( walked.longestPass, std::uint64_t( current.size() ) );
        std::vector<std::uint32_t> counts;
        for ( const cltNodePair& pair : current )
        {
            const NodePairLocation place( forest, pair );
            const std::size_t previousSize = next.size();
            if ( visit( forest, pair, place, walked ) )
            {
                appendDescendants( forest, place, depthStep, next );
            }
            if ( childCounts != nullptr )
            {
                counts.push_back( std::uint32_t( next.size() - previousSize ) );
            }
        }
        if ( childCounts != nullptr )
        {
            childCounts->push_back( std::move( counts ) );
        }
    }
}

NodeFront frontOf( const MeshForest& forest, Between between )
{
    NodeFront stack = entryPairsOf( forest, between, 0 ), front;
    WalkResult walked;
    walkFromStack( forest, stack, walked, &front );
    return front;
}

void walkFromFront( const MeshForest& forest, const NodeFront& front, WalkResult& walked )
{
    walked.clear();
    walked.passes = 1;
    walked.longestPass = front.size();
    NodeFront stack;
    for ( const cltNodePair& first : front )
    {
        stack.push_back( first );
        walkFromStack( forest, stack, walked, nullptr );
    }
}

/// Walks tree b for one leaf of tree a. Skips the leaves of b before `firstLeaf`.
static void walkOneLeaf( const MeshForest& forest, std::uint32_t a, std::uint32_t leaf, std::uint32_t b,
                         std::uint32_t firstLeaf, WalkResult& walked )
{
    const cltLevelTree& tree = forest.trees[b];
    const cltAabb& box = forest.trees[a].nodes[leaf].box;
    struct
    {
        std::uint32_t level, node; ///< the node is numbered within its level
    } stack[2 * CLT_MAX_LEVELS];
    std::size_t depth = 0;
    stack[depth++] = { tree.levels.top, 0 };
    while ( depth > 0 )
    {
        const auto [level, node] = stack[--depth];
        const bool endsEarlier = ( std::uint64_t( node ) + 1 ) << level <= firstLeaf;
        if ( endsEarlier || !walked.overlaps( tree.nodes[tree.levels.starts[level] + node].box, box ) )
        {
            continue;
        }
        if ( level == 0 )
        {
            walked.pairs.push_back( pairKey( forest.triangleOf( a, leaf ), forest.triangleOf( b, node ) ) );
            continue;
        }
        if ( 2 * node + 1 < cltLevels_Count( &tree.levels, level - 1 ) )
        {
            stack[depth++] = { level - 1, 2 * node + 1 };
        }
        stack[depth++] = { level - 1, 2 * node };
    }
}

void walkLeafByLeaf( const MeshForest& forest, Between between, WalkResult& walked )
{
    walked.clear();
    const auto rootBoxOf = [&]( const cltLevelTree& tree ) -> const cltAabb&
    { return tree.nodes[cltLevels_NodeCount( &tree.levels ) - 1].box; };
    const auto walk = [&]( std::uint32_t a, std::uint32_t b )
    {
        const cltLevelTree &treeA = forest.trees[a], &treeB = forest.trees[b];
        if ( walked.overlaps( rootBoxOf( treeA ), rootBoxOf( treeB ) ) )
        {
            for ( std::uint32_t leaf = 0; leaf < cltLevels_LeafCount( &treeA.levels ); ++leaf )
            {
                walkOneLeaf( forest, a, leaf, b, a == b ? leaf + 1 : 0, walked );
            }
        }
    };
    forEachTreePair( forest, between, walk );
}

} // namespace cullet::papers
