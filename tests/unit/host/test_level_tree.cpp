// SPDX-License-Identifier: Zlib
// Joining a level tree in pieces, by any number of threads, gives the same tree as joining its nodes one by one.

#include "tests/support/random.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

extern "C" {
#include "gpu/host/level_tree.h"
}

namespace
{

void* refuse( size_t, size_t, void* )
{
    return nullptr;
}

class LevelTreeRoom : public testing::TestWithParam<int>
{
protected:
    LevelTreeRoom()
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = GetParam();
        cltMemory_Init( &memory, &def );
        EXPECT_EQ( clt_ok, cltCreateWorkerPool( &def, &memory, &pool ) );
    }

    ~LevelTreeRoom() override
    {
        cltLevelStorage_Release( &room, &memory );
        cltDestroyWorkerPool( pool, &memory );
        EXPECT_EQ( 0u, memory.bytes );
    }

    void fillLeaves( uint32_t leafCount )
    {
        test::Random random( leafCount );
        for ( uint32_t i = 0; i < leafCount; ++i )
        {
            const float at = float( random.between( -10, 10 ) );
            tree.nodes[i] = { { { at, -at, at }, { at + 1, 1 - at, at + 2 } }, { 1 << random.below( 31 ), int( i ) } };
            tree.moves[i] = random.below( 100 ) == 0;
        }
    }

    cltMemory memory{};
    cltWorkerPool* pool = nullptr;
    cltLevelStorage room{};
    cltLevelTree tree{};
};

TEST_P( LevelTreeRoom, IsJoinedInPiecesLikeInOne )
{
    for ( uint32_t leafCount : { 0, 1, 2, 511, 512, 513, 1024, 5000, 40001, 100 } )
    {
        ASSERT_EQ( clt_ok, cltLevelStorage_Make( &room, &memory, leafCount, true, &tree ) );
        fillLeaves( leafCount );
        cltLevelTree_Join( &tree, pool );
        const uint32_t nodeCount = cltLevels_NodeCount( &tree.levels );
        std::vector<cltLevelNode> nodes( tree.nodes, tree.nodes + nodeCount );
        std::vector<uint8_t> moves( tree.moves, tree.moves + nodeCount );
        const cltLevelTree expected = { tree.levels, nodes.data(), moves.data() };
        for ( uint32_t node = leafCount; node < nodeCount; ++node )
        {
            cltLevelTree_JoinStep( &expected, cltLevels_LevelOf( &tree.levels, node ), node );
        }
        ASSERT_EQ( 0, leafCount == 0 ? 0 : std::memcmp( nodes.data(), tree.nodes, nodeCount * sizeof nodes[0] ) );
        ASSERT_EQ( moves, std::vector<uint8_t>( tree.moves, tree.moves + nodeCount ) );
    }
}

TEST_P( LevelTreeRoom, HasNoMovesIfNotRequested )
{
    ASSERT_EQ( clt_ok, cltLevelStorage_Make( &room, &memory, 1000, false, &tree ) );
    EXPECT_EQ( nullptr, tree.moves );
    EXPECT_NE( nullptr, tree.nodes );
    EXPECT_EQ( 0u, room.moves.bytes );
}

TEST_P( LevelTreeRoom, CanBeMadeAgainAfterOutOfMemory )
{
    cltAllocFcn* const allocate = memory.allocate;
    memory.allocate = refuse;
    EXPECT_EQ( clt_hostMemory, cltLevelStorage_Make( &room, &memory, 1000, true, &tree ) );
    memory.allocate = allocate;
    EXPECT_EQ( clt_ok, cltLevelStorage_Make( &room, &memory, 1000, true, &tree ) );
    fillLeaves( 1000 );
    cltLevelTree_Join( &tree, pool );
}

INSTANTIATE_TEST_SUITE_P(, LevelTreeRoom, testing::Values( 1, 3 ) );

} // namespace
