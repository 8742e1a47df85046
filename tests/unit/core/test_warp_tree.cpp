// SPDX-License-Identifier: Zlib
// The tree of blocks of 32 boxes: its shape, the blocks ahead of a block, and the boxes that a lane meets.
#include "gpu/core/warp_tree.h"
#include "tests/support/boxes.h"

#include <gtest/gtest.h>
#include <vector>

using namespace test;

static cltWarpTree treeOf( uint32_t leafCount )
{
    return { leafCount, nullptr, nullptr, nullptr, nullptr };
}

TEST( WarpTree, ShapeFollowsFromTheNumberOfLeaves )
{
    const std::pair<uint32_t, std::vector<uint32_t>> cases[] = {
        { 1u, { 1, 1 } },
        { 32u, { 1, 1 } },
        { 33u, { 2, 1 } },
        { 1024u, { 32, 1 } },
        { 1025u, { 33, 2, 1 } },
        { 1100u, { 35, 2, 1 } },
        { 32768u, { 1024, 32, 1 } },
        { 1u << 30, { 1u << 25, 1u << 20, 1u << 15, 1u << 10, 32, 1 } } };
    for ( const auto& [leafCount, counts] : cases )
    {
        SCOPED_TRACE( leafCount );
        const cltWarpTree tree = treeOf( leafCount );
        uint32_t size = 0;
        ASSERT_EQ( counts.size(), cltWarpTree_Top( &tree ) + 1u );
        for ( uint32_t level = 0; level < counts.size(); ++level )
        {
            EXPECT_EQ( counts[level], cltWarpTree_BlockCount( &tree, level ) );
            EXPECT_EQ( size, cltWarpTree_At( &tree, level, 0 ) );
            size += counts[level];
        }
        EXPECT_EQ( size, cltWarpTree_Size( &tree ) );
    }
    const cltWarpTree empty = treeOf( 0 );
    EXPECT_EQ( 0u, cltWarpTree_Size( &empty ) );
}

TEST( WarpTree, LastBlockOfALevelMayHaveFewChildren )
{
    const cltWarpTree tree = treeOf( 1100 );
    EXPECT_EQ( 32u, cltWarpTree_ChildCount( &tree, 1, 0 ) );
    EXPECT_EQ( 3u, cltWarpTree_ChildCount( &tree, 1, 1 ) );
    EXPECT_EQ( 2u, cltWarpTree_ChildCount( &tree, 2, 0 ) );
}

TEST( WarpTree, BlockIsAheadUnlessItEndsBeforeTheSearchingBlock )
{
    EXPECT_TRUE( cltWarpTree_IsAhead( 0, 33, 33 ) );
    EXPECT_FALSE( cltWarpTree_IsAhead( 0, 32, 33 ) );
    EXPECT_TRUE( cltWarpTree_IsAhead( 1, 1, 33 ) );
    EXPECT_TRUE( cltWarpTree_IsAhead( 1, 1, 63 ) );
    EXPECT_FALSE( cltWarpTree_IsAhead( 1, 0, 33 ) );
    EXPECT_FALSE( cltWarpTree_IsAhead( 1, 1, 64 ) );
    EXPECT_TRUE( cltWarpTree_IsAhead( 2, 0, 1023 ) );
}

TEST( WarpTree, LaneMeetsOnlyWhatMayBeAPair )
{
    cltWarpBoxes boxes[2];
    std::vector<cltFilter> filters( 2 * CLT_WARP_SIZE );
    cltWarpTree tree = { 40, boxes, filters.data(), nullptr, nullptr };
    const cltAabb unit = toFloat( span( 0, 1 ) );
    const cltAabb empty = cltAabb_Nan();
    const cltAabb everything = toFloat( span( -infinity, infinity ) );
    cltWarpTree_Set( &tree, 1, 5, &unit, { 1, 2 } );
    cltWarpTree_Set( &tree, 1, 6, &empty, { -1, -1 } );
    const cltFilter accepted = { 2, 1 };
    const cltFilter rejected = { 1, 1 };
    EXPECT_TRUE( cltWarpTree_Meets( &tree, 1, 5, &unit, &accepted ) );
    EXPECT_FALSE( cltWarpTree_Meets( &tree, 1, 5, &unit, &rejected ) );
    EXPECT_FALSE( cltWarpTree_Meets( &tree, 1, 6, &everything, &accepted ) );
    tree.filters = nullptr;
    const cltFilter any = cltWarpTree_Filter( &tree, 1, 5 );
    EXPECT_TRUE( cltWarpTree_Meets( &tree, 1, 5, &unit, &any ) );
}
