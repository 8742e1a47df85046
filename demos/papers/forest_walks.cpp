// SPDX-License-Identifier: Zlib
#include "mesh_forest.h"

namespace cullet::papers
{

namespace
{

void clear( ForestWalked& walked )
{
    walked.pairs.clear();
    walked.tests = walked.passes = walked.peak = 0;
}

/// A pair of the array of all nodes, and where its two nodes are.
struct Place
{
    std::uint32_t treeA, treeB;
    std::uint32_t levelA, levelB;
    cltNodePair local; ///< numbered within the trees

    Place( const MeshForest& forest, cltNodePair pair )
        : treeA( forest.treeOf( pair.a ) ), treeB( forest.treeOf( pair.b ) ), levelA( 0 ),
          levelB( 0 ), local{ pair.a - forest.firstNodeOf( treeA ), pair.b - forest.firstNodeOf( treeB ) }
    {
        levelA = cltLevels_LevelOf( &forest.trees()[treeA].levels, local.a );
        levelB = cltLevels_LevelOf( &forest.trees()[treeB].levels, local.b );
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

/// Of trees a and b, as they are numbered in the array of all nodes.
void append( const MeshForest& forest, std::uint32_t treeA, std::uint32_t treeB, const cltNodePairs& pairs,
             NodeFront& front )
{
    const std::uint64_t count = cltNodePairs_Count( &pairs );
    for ( std::uint64_t k = 0; k < count; ++k )
    {
        const cltNodePair pair = cltNodePairs_At( &pairs, k );
        front.push_back( { forest.firstNodeOf( treeA ) + pair.a, forest.firstNodeOf( treeB ) + pair.b } );
    }
}

void appendBelow( const MeshForest& forest, const Place& place, std::uint32_t depthStep, NodeFront& front )
{
    append( forest, place.treeA, place.treeB,
            cltNodePair_Below( &forest.trees()[place.treeA].levels, place.levelA, &forest.trees()[place.treeB].levels,
                               place.levelB, place.local, depthStep, place.isSelf() ),
            front );
}

NodeFront entryOf( const MeshForest& forest, Between between, std::uint32_t entryLevel )
{
    NodeFront front;
    for ( std::uint32_t a = 0; a < forest.trees().size(); ++a )
    {
        for ( std::uint32_t b = between == Between::all ? a : a + 1; b < forest.trees().size(); ++b )
        {
            append( forest, a, b,
                    cltNodePairs_Entry( &forest.trees()[a].levels, &forest.trees()[b].levels, entryLevel, a == b ),
                    front );
        }
    }
    return front;
}

/// What a pair of nodes turned out to be.
enum class Found
{
    nothing,
    triangles, ///< written down
    nodes      ///< to be looked at below
};

Found examine( const MeshForest& forest, cltNodePair pair, const Place& place, ForestWalked& walked )
{
    if ( place.isSelf() )
    {
        return place.areLeaves() ? Found::nothing : Found::nodes;
    }
    ++walked.tests;
    if ( !cltAabb_Overlaps( &forest.nodes()[pair.a].box, &forest.nodes()[pair.b].box ) )
    {
        return Found::nothing;
    }
    if ( !place.areLeaves() )
    {
        return Found::nodes;
    }
    walked.pairs.push_back(
        pairKey( forest.triangleOf( place.treeA, place.local.a ), forest.triangleOf( place.treeB, place.local.b ) ) );
    return Found::triangles;
}

} // namespace

void walkInPasses( const MeshForest& forest, Between between, std::uint32_t entryLevel, std::uint32_t depthStep,
                   ForestWalked& walked, std::vector<std::vector<std::uint32_t>>* childCounts )
{
    clear( walked );
    NodeFront now = entryOf( forest, between, entryLevel ), next;
    for ( ; !now.empty(); now.swap( next ), next.clear(), ++walked.passes )
    {
        walked.peak = std::max( walked.peak, std::uint64_t( now.size() ) );
        std::vector<std::uint32_t> counts;
        for ( const cltNodePair& pair : now )
        {
            const Place place( forest, pair );
            const std::size_t before = next.size();
            if ( examine( forest, pair, place, walked ) == Found::nodes )
            {
                appendBelow( forest, place, depthStep, next );
            }
            if ( childCounts != nullptr )
            {
                counts.push_back( std::uint32_t( next.size() - before ) );
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
    NodeFront waiting = entryOf( forest, between, 0 ), front;
    ForestWalked walked;
    while ( !waiting.empty() )
    {
        const cltNodePair pair = waiting.back();
        waiting.pop_back();
        const Place place( forest, pair );
        if ( examine( forest, pair, place, walked ) == Found::nodes )
        {
            appendBelow( forest, place, 1, waiting );
        }
        else if ( !place.isSelf() )
        {
            front.push_back( pair );
        }
    }
    return front;
}

void walkFromFront( const MeshForest& forest, const NodeFront& front, ForestWalked& walked )
{
    clear( walked );
    walked.passes = 1;
    walked.peak = front.size();
    NodeFront stack;
    for ( const cltNodePair& first : front )
    {
        stack.push_back( first );
        while ( !stack.empty() )
        {
            const cltNodePair pair = stack.back();
            stack.pop_back();
            const Place place( forest, pair );
            if ( examine( forest, pair, place, walked ) == Found::nodes )
            {
                appendBelow( forest, place, 1, stack );
            }
        }
    }
}

namespace
{

/// Leaf `leaf` of tree a through tree b, past the leaves before `firstLeaf`.
void walkOneLeaf( const MeshForest& forest, std::uint32_t a, std::uint32_t leaf, std::uint32_t b,
                  std::uint32_t firstLeaf, ForestWalked& walked )
{
    const cltLevelTree& tree = forest.trees()[b];
    const cltAabb& box = forest.trees()[a].nodes[leaf].box;
    struct
    {
        std::uint32_t level, node; ///< the node counted from the first of its level
    } stack[2 * CLT_MAX_LEVELS];
    std::size_t depth = 0;
    stack[depth++] = { tree.levels.top, 0 };
    while ( depth > 0 )
    {
        const auto [level, node] = stack[--depth];
        const std::uint32_t id = tree.levels.starts[level] + node;
        if ( ( std::uint64_t( node ) + 1 ) << level <= firstLeaf ) // the last leaf below comes before
        {
            continue;
        }
        ++walked.tests;
        if ( !cltAabb_Overlaps( &tree.nodes[id].box, &box ) )
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

} // namespace

void walkLeafByLeaf( const MeshForest& forest, Between between, ForestWalked& walked )
{
    clear( walked );
    for ( std::uint32_t a = 0; a < forest.trees().size(); ++a )
    {
        const cltLevels& levels = forest.trees()[a].levels;
        for ( std::uint32_t b = between == Between::all ? a : a + 1; b < forest.trees().size(); ++b )
        {
            ++walked.tests;
            const auto rootOf = [&forest]( std::uint32_t tree )
            { return &forest.trees()[tree].nodes[cltLevels_NodeCount( &forest.trees()[tree].levels ) - 1].box; };
            for ( std::uint32_t leaf = 0;
                  leaf < cltLevels_LeafCount( &levels ) && cltAabb_Overlaps( rootOf( a ), rootOf( b ) ); ++leaf )
            {
                walkOneLeaf( forest, a, leaf, b, a == b ? leaf + 1 : 0, walked );
            }
        }
    }
}

} // namespace cullet::papers
