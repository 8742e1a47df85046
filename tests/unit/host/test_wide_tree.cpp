// SPDX-License-Identifier: Zlib
// The tree of `wide` after a peak: its height depends on the blocks in use, not on the reserved ones.

#include <gtest/gtest.h>

extern "C" {
#include "gpu/host/wide/tree.h"
}

namespace
{

constexpr uint32_t manyBlocks = CLT_OUTLIER_BLOCKS + 1000u; // with 63, 4 and 1 nodes above them
constexpr uint32_t fewBlocks = CLT_OUTLIER_BLOCKS + 10u;    // with 1 node above them

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
