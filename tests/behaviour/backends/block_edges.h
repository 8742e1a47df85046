// SPDX-License-Identifier: Zlib
/// \file block_edges.h
/// How compact the blocks of `wide` are, as the debug drawing shows them.
#ifndef CLT_TESTS_BACKENDS_BLOCK_EDGES_H
#define CLT_TESTS_BACKENDS_BLOCK_EDGES_H

#include "cullet_debug.h"
#include "tests/support/world.h"

#include <algorithm>
#include <set>

namespace test
{

/// Sums, over chosen bodies, the longest edge of the block in which a body lies.
struct BlockEdges
{
    std::set<cltProxyId> chosen;
    double edge = 0;
    double sum = 0;

    static void drawNode( const cltAabb* bounds, uint32_t, bool isLeaf, void* context )
    {
        double edge = 0;
        for ( int axis = 0; axis < 3 && isLeaf; ++axis )
        {
            edge = std::max( edge, double( bounds->upper[axis] ) - double( bounds->lower[axis] ) );
        }
        static_cast<BlockEdges*>( context )->edge = edge;
    }

    static void drawBody( const cltDebugBody* body, void* context )
    {
        auto& edges = *static_cast<BlockEdges*>( context );
        edges.sum += edges.chosen.count( body->proxy ) > 0 ? edges.edge : 0;
    }
};

inline double meanBlockEdge( const World& world, const Ids& chosen )
{
    BlockEdges edges{ { chosen.begin(), chosen.end() } };
    const cltDebugDraw draw = { BlockEdges::drawNode, BlockEdges::drawBody, nullptr, &edges };
    EXPECT_EQ( clt_ok, cltBroadphase_DebugDraw( world.broadphase(), &draw ) );
    return edges.sum / double( chosen.size() );
}

} // namespace test

#endif
