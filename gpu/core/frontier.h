// SPDX-License-Identifier: Zlib
/// \file frontier.h Bulk-synchronous simultaneous traversal of a level tree with itself. Each pass replaces every pair
/// of nodes that met by the pairs of the two nodes' descendants some levels below, down to the leaves. All pairs of a
/// pass are of one level, and any thread may work on any pair (Chitalu, Dubach, Komura, 2018, section 4).
///
/// The paper writes all these pairs and tests them in the next pass. Here a pass tests the pairs that it makes, and
/// writes only those that meet. The descendants of a node are adjacent in memory: for sixteen tests, only four nodes of
/// each side are read.
#ifndef CLT_CORE_FRONTIER_H
#define CLT_CORE_FRONTIER_H

#include "gpu/core/leaf.h"
#include "gpu/core/node_pair.h"

/// Pairs are tested in tiles of at most 2^CLT_TILE_BITS nodes a side.
#define CLT_TILE_BITS 2u
#define CLT_TILE_EDGE ( 1u << CLT_TILE_BITS )

/// By default, a traversal begins this many levels below the root: with 528 pairs, enough for a few threads.
#define CLT_ENTRY_LEVEL 5u

/// The bits of the diagonal in cltNodePairs_Meeting: each node of a triangular tile paired with itself.
#define CLT_TILE_DIAGONAL 0x8421u

/// Step: writes leaf i with its box and its filter.
CLT_HD void cltLevelTree_AddLeafStep( const cltLevelTree* tree, const cltLeaves* leaves, uint32_t i )
{
    cltLevelNode leaf;
    leaf.box = cltLeaves_Cover( leaves, i );
    leaf.filter.group = -1;
    leaf.filter.mask = -1;
    if ( leaves->filters.now != NULL )
    {
        leaf.filter = cltLeaves_Filter( leaves, i );
    }
    tree->nodes[i] = leaf;
    if ( tree->moves != NULL )
    {
        tree->moves[i] = cltLeafRef_Kind( cltLeaves_Ref( leaves, i ) ) != CLT_LEAF_STILL;
    }
}

/// The tiles into which a set of pairs is split. A tile is represented as a pair, its row and its column.
CLT_HD cltNodePairs cltNodePairs_Tiles( const cltNodePairs* pairs )
{
    cltNodePairs tiles;
    tiles.a.first = 0;
    tiles.a.count = ( pairs->a.count + CLT_TILE_EDGE - 1u ) / CLT_TILE_EDGE;
    tiles.b.first = 0;
    tiles.b.count = ( pairs->b.count + CLT_TILE_EDGE - 1u ) / CLT_TILE_EDGE;
    tiles.isTriangle = pairs->isTriangle;
    return tiles;
}

CLT_HD cltNodeRun cltNodeRun_Part( cltNodeRun run, uint32_t part )
{
    const uint32_t rest = run.count - part * CLT_TILE_EDGE;
    cltNodeRun cut;
    cut.first = run.first + part * CLT_TILE_EDGE;
    cut.count = rest < CLT_TILE_EDGE ? rest : CLT_TILE_EDGE;
    return cut;
}

/// The node pairs in one tile of cltNodePairs_Tiles. A tile on the diagonal of a triangle is a triangle.
CLT_HD cltNodePairs cltNodePairs_Tile( const cltNodePairs* pairs, cltNodePair tile )
{
    cltNodePairs cut;
    cut.a = cltNodeRun_Part( pairs->a, tile.a );
    cut.b = cltNodeRun_Part( pairs->b, tile.b );
    cut.isTriangle = pairs->isTriangle && tile.a == tile.b;
    return cut;
}

/// The pairs of a tile that meet: bit 4i + j for node i of one side and node j of the other.
CLT_HD uint32_t cltNodePairs_Meeting( const cltNodePairs* tile, const cltLevelTree* treeA, const cltLevelTree* treeB )
{
    uint32_t meeting = 0;
    for ( uint32_t i = 0; i < tile->a.count; ++i )
    {
        for ( uint32_t j = tile->isTriangle ? i : 0u; j < tile->b.count; ++j )
        {
            cltNodePair pair;
            pair.a = tile->a.first + i;
            pair.b = tile->b.first + j;
            meeting |= (uint32_t)cltNodePair_Meets( treeA, treeB, pair ) << ( CLT_TILE_EDGE * i + j );
        }
    }
    return meeting;
}

/// The pair that a bit of cltNodePairs_Meeting stands for.
CLT_HD cltNodePair cltNodePairs_OfBit( const cltNodePairs* tile, uint32_t bit )
{
    cltNodePair pair;
    pair.a = tile->a.first + bit / CLT_TILE_EDGE;
    pair.b = tile->b.first + bit % CLT_TILE_EDGE;
    return pair;
}

/// The number of passes from a level down to the leaves, including the pass that tests the pairs of the entry level.
CLT_HD uint32_t cltFrontier_PassCount( uint32_t level, uint32_t depthStep )
{
    return ( level + depthStep - 1u ) / depthStep + 1u;
}

#endif
