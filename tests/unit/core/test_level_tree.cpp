// SPDX-License-Identifier: Zlib
// Level trees: their shape, and how pairs of nodes are numbered. tests/behaviour/backends tests searches in them.
#include "gpu/core/frontier.h"
#include "tests/support/boxes.h"

#include <gtest/gtest.h>

using namespace test;

TEST( LevelTree, HalvesItsNodesFromLevelToLevel )
{
    const cltLevels levels = cltLevels_Make( 7 ); // levels of 7, 4, 2 and 1 nodes
    EXPECT_EQ( 3u, levels.top );
    EXPECT_EQ( ( std::vector<uint32_t>{ 0, 7, 11, 13, 14, 14 } ),
               std::vector<uint32_t>( levels.starts, levels.starts + 6 ) );
    const struct
    {
        uint32_t node, level, parent, firstLeaf, leafCount;
    } nodes[] = {
        { 6, 0, 10, 6, 1 }, { 9, 1, 12, 4, 2 }, { 10, 1, 12, 6, 1 }, { 12, 2, 13, 4, 3 }, { 13, 3, 14, 0, 7 } };
    for ( const auto& [node, level, parent, firstLeaf, leafCount] : nodes )
    {
        const cltNodeRun leaves = cltLevels_Below( &levels, level, node, level );
        EXPECT_EQ( level, cltLevels_LevelOf( &levels, node ) );
        EXPECT_EQ( parent, cltLevels_Parent( &levels, level, node ) );
        EXPECT_EQ( firstLeaf, leaves.first );
        EXPECT_EQ( leafCount, leaves.count );
    }
    const cltLevels largest = cltLevels_Make( UINT32_C( 1 ) << 31 );
    const cltNodeRun all = cltLevels_Below( &largest, 31, UINT32_MAX - 1, 31 );
    EXPECT_EQ( 31u, cltLevels_LevelOf( &largest, UINT32_MAX - 1 ) );
    EXPECT_EQ( UINT32_MAX, cltLevels_NodeCount( &largest ) );
    EXPECT_EQ( 0u, all.first );
    EXPECT_EQ( UINT32_C( 1 ) << 31, all.count );
}

/// A rectangle is all pairs between two runs of nodes. A triangle is all pairs within a run, also a node with itself.
TEST( LevelTree, NumbersOfPairsCoverRectanglesAndTrianglesOnce )
{
    for ( uint32_t width = 0; width < 40; ++width )
    {
        const cltNodePairs rectangle = { { 100, 7 }, { 500, width }, false };
        const cltNodePairs triangle = { { 100, width }, { 100, width }, true };
        ASSERT_EQ( 7u * width, cltNodePairs_Count( &rectangle ) );
        ASSERT_EQ( width * ( width + 1 ) / 2, cltNodePairs_Count( &triangle ) );
        for ( uint32_t k = 0; k < 7 * width; ++k )
        {
            const cltNodePair pair = cltNodePairs_At( &rectangle, k );
            ASSERT_TRUE( pair.a == 100 + k / width && pair.b == 500 + k % width );
        }
        for ( uint32_t i = 0, k = 0; i < width; ++i )
        {
            for ( uint32_t j = i; j < width; ++j, ++k )
            {
                const cltNodePair pair = cltNodePairs_At( &triangle, k );
                ASSERT_TRUE( pair.a == 100 + i && pair.b == 100 + j );
            }
        }
    }
    const uint32_t width = UINT32_C( 1 ) << 20;
    const cltNodePairs triangle = { { 0, width }, { 0, width }, true };
    const cltNodePair last = cltNodePairs_At( &triangle, cltNodePairs_Count( &triangle ) - 1 );
    EXPECT_EQ( ( uint64_t( width ) * width + width ) / 2, cltNodePairs_Count( &triangle ) );
    EXPECT_TRUE( last.a == width - 1 && last.b == width - 1 );
}

/// If too many pairs of nodes meet, searches take longer but have the same result, so no other test notices.
TEST( LevelTree, PairsOfNodesMeetOnlyIfTheyMayHoldAChange )
{
    const cltLevelNode nodes[] = { { toFloat( span( 0, 1 ) ), { 1, 1 } },
                                   { toFloat( span( 1, 2 ) ), { 1, 3 } },
                                   { toFloat( span( 1, 2 ) ), { 2, 2 } } };
    uint8_t moves[] = { 0, 0, 1 };
    cltLevelTree tree = { {}, const_cast<cltLevelNode*>( nodes ), nullptr };
    EXPECT_TRUE( cltNodePair_Meets( &tree, &tree, { 0, 1 } ) );
    EXPECT_FALSE( cltNodePair_Meets( &tree, &tree, { 0, 2 } ) ) << "filters reject";
    tree.moves = moves;
    EXPECT_FALSE( cltNodePair_Meets( &tree, &tree, { 0, 1 } ) ) << "neither moves";
    moves[1] = 1;
    EXPECT_TRUE( cltNodePair_Meets( &tree, &tree, { 0, 1 } ) );
    const cltLevelNode empty = cltLevelNode_Empty();
    const cltLevelNode everything = { toFloat( span( -infinity, infinity ) ), { -1, -1 } };
    EXPECT_FALSE( cltLevelNode_Meets( &empty, &everything ) );
    EXPECT_FALSE( cltLevelNode_Meets( &everything, &empty ) );
}
