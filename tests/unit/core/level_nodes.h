// SPDX-License-Identifier: Zlib
/// \file level_nodes.h
/// A level tree for tests, which write its leaves and examine its nodes. The nodes are joined one by one.
#ifndef CLT_TESTS_LEVEL_NODES_H
#define CLT_TESTS_LEVEL_NODES_H

#include "gpu/core/level_tree.h"

#include <cstdint>
#include <vector>

namespace test
{

struct LevelNodes
{
    explicit LevelNodes( uint32_t leafCount )
    {
        view.levels = cltLevels_Make( leafCount );
        nodes.resize( cltLevels_NodeCount( &view.levels ) );
        moves.resize( nodes.size() );
        view.nodes = nodes.data();
        view.moves = moves.data();
    }

    LevelNodes( const LevelNodes& ) = delete; // the view points into it

    void join()
    {
        for ( uint32_t node = leafCount(); node < nodes.size(); ++node )
        {
            cltLevelTree_JoinStep( &view, cltLevels_LevelOf( &view.levels, node ), node );
        }
    }

    uint32_t leafCount() const
    {
        return cltLevels_LeafCount( &view.levels );
    }

    std::vector<cltLevelNode> nodes;
    std::vector<uint8_t> moves;
    cltLevelTree view{};
};

} // namespace test

#endif
