// SPDX-License-Identifier: Zlib
// The tiles of a traversal contain each pair below a node pair once. Their bits mark the overlapping pairs.
#include "gpu/core/frontier.h"
#include "tests/support/boxes.h"
#include "tests/unit/core/level_nodes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace test;

namespace
{

using PairList = std::vector<std::pair<uint32_t, uint32_t>>;

/// The overlapping pairs of all tiles.
PairList meetingByTiles( const cltNodePairs& pairs, const cltLevelTree& tree )
{
    PairList found;
    const cltNodePairs tiles = cltNodePairs_Tiles( &pairs );
    for ( uint64_t k = 0; k < cltNodePairs_Count( &tiles ); ++k )
    {
        const cltNodePairs tile = cltNodePairs_Tile( &pairs, cltNodePairs_At( &tiles, k ) );
        const uint32_t meeting = cltNodePairs_Meeting( &tile, &tree, &tree );
        for ( uint32_t bit = 0; bit < 32; ++bit )
        {
            if ( ( meeting >> bit & 1u ) != 0 )
            {
                const cltNodePair pair = cltNodePairs_OfBit( &tile, bit );
                found.push_back( { pair.a, pair.b } );
            }
        }
    }
    std::sort( found.begin(), found.end() );
    return found;
}

PairList meetingOneByOne( const cltNodePairs& pairs, const cltLevelTree& tree )
{
    PairList found;
    for ( uint64_t k = 0; k < cltNodePairs_Count( &pairs ); ++k )
    {
        const cltNodePair pair = cltNodePairs_At( &pairs, k );
        if ( cltNodePair_Meets( &tree, &tree, pair ) )
        {
            found.push_back( { pair.a, pair.b } );
        }
    }
    std::sort( found.begin(), found.end() );
    return found;
}

} // namespace

TEST( Frontier, TilesContainEachPairOnce )
{
    Random random( 7 );
    LevelNodes nodes( 60 );
    for ( uint32_t i = 0; i < 60; ++i )
    {
        nodes.nodes[i] = { toFloat( randomCube( random, 1.0 ) ),
                           { 1 << random.below( 4 ), int32_t( random.below( 16 ) ) } };
        nodes.moves[i] = random.below( 3 ) == 0;
    }
    for ( bool asksMoves : { true, false } )
    {
        nodes.view.moves = asksMoves ? nodes.moves.data() : nullptr;
        for ( uint32_t width = 0; width < 30; ++width )
        {
            const cltNodePairs triangle = { { 3, width }, { 3, width }, true };
            ASSERT_EQ( meetingOneByOne( triangle, nodes.view ), meetingByTiles( triangle, nodes.view ) );
            for ( uint32_t height : { 1u, 4u, 5u, 16u } )
            {
                const cltNodePairs rectangle = { { 40, height }, { 2, width }, false };
                ASSERT_EQ( meetingOneByOne( rectangle, nodes.view ), meetingByTiles( rectangle, nodes.view ) );
            }
        }
    }
}

TEST( Frontier, TileDiagonalHasThePairsOfANodeWithItself )
{
    const cltNodePairs tile = { { 8, 4 }, { 8, 4 }, true };
    uint32_t diagonal = 0;
    for ( uint32_t bit = 0; bit < 16; ++bit )
    {
        const cltNodePair pair = cltNodePairs_OfBit( &tile, bit );
        diagonal |= uint32_t( pair.a == pair.b ) << bit;
    }
    EXPECT_EQ( CLT_TILE_DIAGONAL, diagonal );
}

TEST( Frontier, PassesReachTheLeaves )
{
    EXPECT_EQ( 1u, cltFrontier_PassCount( 0, 2 ) );
    EXPECT_EQ( 2u, cltFrontier_PassCount( 1, 2 ) );
    EXPECT_EQ( 2u, cltFrontier_PassCount( 2, 2 ) );
    EXPECT_EQ( 3u, cltFrontier_PassCount( 3, 2 ) );
    EXPECT_EQ( 32u, cltFrontier_PassCount( 31, 1 ) );
}

TEST( Frontier, LeavesHaveFiltersAndMoves )
{
    const cltAabb still = toFloat( span( 0, 1 ) );
    cltLeaf records[] = {
        { still, still, cltLeafRef_Make( 1, CLT_LEAF_STILL ), {} },
        { toFloat( span( 4, 5 ) ), toFloat( span( 3, 4 ) ), cltLeafRef_Make( 0, CLT_LEAF_MOVED ), {} } };
    const cltFilter filters[] = { { 2, 3 }, { 4, 5 } };
    cltLeaves leaves = { records, { nullptr, nullptr }, false, 1, 2 };
    LevelNodes nodes( 2 );
    cltLevelTree_AddLeafStep( &nodes.view, &leaves, 0 );
    cltLevelTree_AddLeafStep( &nodes.view, &leaves, 1 );
    EXPECT_EQ( 3.0f, nodes.nodes[1].box.lower[0] );
    EXPECT_EQ( 5.0f, nodes.nodes[1].box.upper[0] );
    EXPECT_EQ( 0, nodes.moves[0] );
    EXPECT_EQ( 1, nodes.moves[1] );
    EXPECT_EQ( -1, nodes.nodes[0].filter.group );
    leaves.filters = { filters, filters };
    cltLevelTree_AddLeafStep( &nodes.view, &leaves, 0 );
    EXPECT_EQ( 4, nodes.nodes[0].filter.group );
    EXPECT_EQ( 5, nodes.nodes[0].filter.mask );
}
