// SPDX-License-Identifier: Zlib
// The level tree: its shape against the definition, and what nodes cover.
#include "tests/support/boxes.h"
#include "tests/unit/core/level_nodes.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

constexpr uint32_t leafCounts[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 100 };

/// Leaf i is the box [i, i] and the bit i of a filter, and moves if i is a multiple of three.
struct CountedNodes : LevelNodes
{
    explicit CountedNodes( uint32_t leafCount ) : LevelNodes( leafCount )
    {
        for ( uint32_t i = 0; i < leafCount; ++i )
        {
            const float at = float( i );
            nodes[i] = { { { at, at, at }, { at, at, at } }, { 1 << i % 31, 1 << ( i + 1 ) % 31 } };
            moves[i] = i % 3 == 0;
        }
    }
};

} // namespace

TEST( LevelTree, HalvesItsNodesFromLevelToLevelDownToOne )
{
    for ( uint32_t leafCount : leafCounts )
    {
        const cltLevels levels = cltLevels_Make( leafCount );
        uint64_t start = 0;
        for ( uint32_t level = 0; level < CLT_MAX_LEVELS; ++level )
        {
            const uint64_t width = uint64_t( 1 ) << level;
            const uint64_t count = level <= levels.top ? ( leafCount + width - 1 ) / width : 0;
            ASSERT_EQ( start, levels.starts[level] ) << leafCount;
            ASSERT_EQ( count, cltLevels_Count( &levels, level ) ) << leafCount;
            start += count;
        }
        EXPECT_EQ( start, cltLevels_NodeCount( &levels ) );
        EXPECT_EQ( leafCount, cltLevels_LeafCount( &levels ) );
        EXPECT_EQ( leafCount > 0 ? 1u : 0u, cltLevels_Count( &levels, levels.top ) );
        EXPECT_TRUE( levels.top == 0 || cltLevels_Count( &levels, levels.top - 1 ) == 2u );
    }
}

TEST( LevelTree, HasUpToTwoToThe31Leaves )
{
    const cltLevels levels = cltLevels_Make( UINT32_C( 1 ) << 31 );
    EXPECT_EQ( 31u, levels.top );
    EXPECT_EQ( UINT32_MAX, cltLevels_NodeCount( &levels ) );
    EXPECT_EQ( 31u, cltLevels_LevelOf( &levels, UINT32_MAX - 1 ) );
    const cltNodeRun all = cltLevels_Below( &levels, 31, UINT32_MAX - 1, 31 );
    EXPECT_EQ( 0u, all.first );
    EXPECT_EQ( UINT32_C( 1 ) << 31, all.count );
}

TEST( LevelTree, DescendantsAtAnyDepthCoverTheSameLeaves )
{
    for ( uint32_t leafCount : leafCounts )
    {
        const cltLevels levels = cltLevels_Make( leafCount );
        for ( uint32_t node = 0; node < cltLevels_NodeCount( &levels ); ++node )
        {
            const uint32_t level = cltLevels_LevelOf( &levels, node );
            const uint32_t i = node - levels.starts[level];
            ASSERT_LT( i, cltLevels_Count( &levels, level ) );
            for ( uint32_t depth = 0; depth <= level; ++depth )
            {
                const cltNodeRun run = cltLevels_Below( &levels, level, node, depth );
                const uint32_t most = cltLevels_Count( &levels, level - depth );
                ASSERT_EQ( levels.starts[level - depth] + ( i << depth ), run.first );
                ASSERT_EQ( std::min( most, ( i + 1 ) << depth ) - ( i << depth ), run.count );
            }
            if ( level > 0 )
            {
                const cltNodeRun children = cltLevels_Below( &levels, level, node, 1 );
                ASSERT_EQ( node, cltLevels_Parent( &levels, level - 1, children.first ) );
                ASSERT_EQ( node, cltLevels_Parent( &levels, level - 1, children.first + children.count - 1 ) );
            }
        }
    }
}

TEST( LevelTree, EqualsThePapersTreeForPowersOfTwo )
{
    const cltLevels levels = cltLevels_Make( 64 );
    const auto heapOf = [&levels]( uint32_t node )
    {
        const uint32_t level = cltLevels_LevelOf( &levels, node );
        return ( 1u << ( levels.top - level ) ) - 1u + node - levels.starts[level];
    };
    for ( uint32_t node = 64; node < cltLevels_NodeCount( &levels ); ++node )
    {
        const cltNodeRun children = cltLevels_Below( &levels, cltLevels_LevelOf( &levels, node ), node, 1 );
        ASSERT_EQ( 2u, children.count );
        ASSERT_EQ( 2u * heapOf( node ) + 1u, heapOf( children.first ) );
    }
    EXPECT_EQ( 0u, heapOf( 126 ) );
}

TEST( LevelTree, JoinsBoxesFiltersAndMoves )
{
    for ( uint32_t leafCount : leafCounts )
    {
        CountedNodes tree( leafCount );
        tree.join();
        for ( uint32_t node = 0; node < tree.nodes.size(); ++node )
        {
            const uint32_t level = cltLevels_LevelOf( &tree.view.levels, node );
            const cltNodeRun leaves = cltLevels_Below( &tree.view.levels, level, node, level );
            const uint32_t last = leaves.first + leaves.count - 1;
            cltFilter filter = { 0, 0 };
            bool moves = false;
            for ( uint32_t i = leaves.first; i <= last; ++i )
            {
                filter = cltFilter_Union( &filter, &tree.nodes[i].filter );
                moves = moves || i % 3 == 0;
            }
            ASSERT_EQ( float( leaves.first ), tree.nodes[node].box.lower[2] );
            ASSERT_EQ( float( last ), tree.nodes[node].box.upper[0] );
            ASSERT_EQ( filter.group, tree.nodes[node].filter.group );
            ASSERT_EQ( filter.mask, tree.nodes[node].filter.mask );
            ASSERT_EQ( moves, tree.moves[node] );
        }
    }
}

TEST( LevelTree, JoinsBoxesAndFiltersWithoutMoves )
{
    CountedNodes tree( 9 );
    tree.view.moves = nullptr;
    tree.join();
    EXPECT_EQ( 8.0f, tree.nodes.back().box.upper[1] );
    EXPECT_EQ( 0, tree.moves.back() );
}

TEST( LevelTree, EmptyNodeMeetsNothingAndChangesNoUnion )
{
    const cltLevelNode everything = { toFloat( span( -infinity, infinity ) ), { -1, -1 } };
    const cltLevelNode empty = cltLevelNode_Empty();
    EXPECT_TRUE( cltLevelNode_Meets( &everything, &everything ) );
    EXPECT_FALSE( cltLevelNode_Meets( &empty, &everything ) );
    EXPECT_FALSE( cltLevelNode_Meets( &everything, &empty ) );
    EXPECT_FALSE( cltLevelNode_Meets( &empty, &empty ) );
    for ( uint32_t place = 0; place < 2; ++place )
    {
        CountedNodes tree( 2 );
        const cltLevelNode other = tree.nodes[1 - place];
        tree.nodes[place] = empty;
        tree.join();
        EXPECT_EQ( other.box.lower[0], tree.nodes[2].box.lower[0] );
        EXPECT_EQ( other.box.upper[2], tree.nodes[2].box.upper[2] );
        EXPECT_EQ( other.filter.group, tree.nodes[2].filter.group );
    }
}
