// SPDX-License-Identifier: Zlib
// Computes inner nodes. Each task computes the nodes above one piece of the leaves. Then the few nodes above several
// pieces are computed.

#include "gpu/host/level_tree.h"

/// Levels per piece: 512 leaves and the nodes above them fit the first-level cache.
#define PIECE_LEVELS 9u

#define PIECE_GRAIN 4u

cltStatus cltLevelStorage_Make( cltLevelStorage* storage, cltMemory* memory, uint32_t leafCount, bool recordsMoves,
                                cltLevelTree* tree )
{
    *tree = ( cltLevelTree ){ .levels = cltLevels_Make( leafCount ) };
    const uint32_t nodeCount = cltLevels_NodeCount( &tree->levels );
    CLT_TRY( cltBuffer_Reserve( &storage->nodes, memory, nodeCount, sizeof( cltLevelNode ) ) );
    CLT_TRY( cltBuffer_Reserve( &storage->moves, memory, recordsMoves ? nodeCount : 0u, sizeof( uint8_t ) ) );
    tree->nodes = storage->nodes.data;
    tree->moves = recordsMoves ? storage->moves.data : NULL;
    return clt_ok;
}

void cltLevelStorage_Release( cltLevelStorage* storage, cltMemory* memory )
{
    cltBuffer_Release( &storage->nodes, memory );
    cltBuffer_Release( &storage->moves, memory );
}

/// Computes the nodes [first, last) of a level, or as many of them as the level has.
static void JoinNodes( const cltLevelTree* tree, uint32_t level, uint32_t first, uint32_t last )
{
    const uint32_t count = cltLevels_Count( &tree->levels, level );
    const uint32_t start = tree->levels.starts[level];
    for ( uint32_t i = first; i < last && i < count; ++i )
    {
        cltLevelTree_JoinStep( tree, level, start + i );
    }
}

static void JoinPieces( uint32_t first, uint32_t last, void* context )
{
    const cltLevelTree* tree = context;
    for ( uint32_t level = 1; level <= PIECE_LEVELS; ++level )
    {
        const uint32_t rise = PIECE_LEVELS - level;
        JoinNodes( tree, level, first << rise, last << rise );
    }
}

void cltLevelTree_ComputeInnerNodes( const cltLevelTree* tree, cltWorkerPool* pool )
{
    const uint32_t leafCount = cltLevels_LeafCount( &tree->levels );
    const uint32_t pieceCount = ( leafCount >> PIECE_LEVELS ) + 1u; // the last piece may be empty
    cltWorkerPool_Run( pool, JoinPieces, pieceCount, PIECE_GRAIN, (void*)tree );
    for ( uint32_t level = PIECE_LEVELS + 1u; level <= tree->levels.top; ++level )
    {
        JoinNodes( tree, level, 0, cltLevels_Count( &tree->levels, level ) );
    }
}
