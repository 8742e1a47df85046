// SPDX-License-Identifier: Zlib
// The tree of wide after a spike: it is as high as the blocks in use need, whatever was reserved.

#include <gtest/gtest.h>

extern "C" {
#include "gpu/host/wide/tree.h"
}

namespace
{

constexpr uint32_t manyBlocks = CLT_OUTLIER_BLOCKS + 1000u; // under 63 nodes, under 4, under 1
constexpr uint32_t fewBlocks = CLT_OUTLIER_BLOCKS + 10u;    // under 1

class WideTree : public testing::Test
{
protected:
    WideTree()
    {
        const cltBroadphaseDef def = cltDefaultBroadphaseDef();
        cltMemory_Init( &memory, &def );
        EXPECT_EQ( clt_ok, cltWideTree_Reserve( &tree, &memory, manyBlocks ) );
    }

    ~WideTree() override
    {
        cltWideTree_Release( &tree, &memory );
    }

    cltMemory memory{};
    cltWideTree tree{};
};

TEST_F( WideTree, IsRebuiltWhenItGrowsALevel )
{
    cltWideTree_SetBlockCount( &tree, manyBlocks );
    EXPECT_EQ( 4u, tree.levels.levelCount );
    cltWideTree_SetBlockCount( &tree, fewBlocks );
    EXPECT_EQ( 2u, tree.levels.levelCount );
    EXPECT_EQ( 10u, tree.levels.counts[1] );
    tree.isFitted = true;
    cltWideTree_SetBlockCount( &tree, fewBlocks + 1u );
    EXPECT_TRUE( tree.isFitted ) << "what is new is fitted as a mover";
    cltWideTree_SetBlockCount( &tree, manyBlocks );
    EXPECT_FALSE( tree.isFitted );
}

TEST_F( WideTree, IsEmptyInUnusedLanes )
{
    cltWideTree_SetBlockCount( &tree, fewBlocks );
    const cltAabb box = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
    auto* nodes = static_cast<cltBoxLanes*>( tree.nodes.data );
    for ( uint32_t leaf = 0; leaf < 10u; ++leaf )
    {
        cltLane_Set( nodes, leaf, &box );
    }
    cltWideTree_SetBlockCount( &tree, fewBlocks - 7u );
    for ( uint32_t leaf = 0; leaf < CLT_LANE_COUNT; ++leaf )
    {
        const cltAabb held = cltLane_Get( nodes, leaf );
        EXPECT_EQ( leaf >= 3u, cltAabb_HasNan( &held ) ) << "leaf " << leaf;
    }
}

} // namespace
