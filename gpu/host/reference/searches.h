// SPDX-License-Identifier: Zlib
/// \file searches.h
/// The three searches of the host: each puts the keys of what it finds into the sink, one file each.
#ifndef CLT_HOST_SEARCHES_H
#define CLT_HOST_SEARCHES_H

#include "gpu/core/box_lanes.h"
#include "gpu/core/grid.h"
#include "gpu/core/traverse.h"
#include "gpu/host/pair_sink.h"
#include "gpu/host/reference/leaf_table.h"

/// What every search gets.
typedef struct cltSearch
{
    cltLeafTable* table;
    cltWorkerPool* pool;
    cltMemory* memory;
    cltPairSink* sink;
    cltFind find;
    cltPairMap map;
} cltSearch;

// ----------------------------------------------------------------------------------------------------------- lbvh

/// A tree whose own leaves are blocks: runs of CLT_LANE_COUNT leaves that are neighbours on the curve. It is a
/// sixteenth of the tree over single leaves, stays in the cache, and a whole block is tested at once.
typedef struct cltLbvh
{
    cltBuffer blocks; ///< cltBoxLanes, the covers of each block's leaves
    cltBuffer nodes;
    cltBuffer meetings;
    cltBuffer freshEdges; ///< float, how large each block was when the order was fresh
    cltBuffer growthSums; ///< double, scratch
    cltBuffer movers;     ///< leaves that are not still, when they are few
    cltTree tree;
    bool isStale; ///< the blocks have grown so much that a new order pays
} cltLbvh;

/// \param freshOrder  the leaves were sorted for this build; else only their boxes are new
cltStatus cltLbvh_Build( cltLbvh* lbvh, const cltLeafTable* table, bool freshOrder, cltWorkerPool* pool,
                         cltMemory* memory );
cltStatus cltLbvh_Find( cltLbvh* lbvh, const cltSearch* search );
void cltLbvh_Release( cltLbvh* lbvh, cltMemory* memory );

// ----------------------------------------------------------------------------------------------------------- grid

typedef struct cltGridCells
{
    cltBuffer chunkStarts;     ///< where each chunk of leaves writes its entries
    cltBuffer entries;         ///< sorted by cell
    cltBuffer starts;          ///< of the occupied cells
    cltBuffer candidateStarts; ///< of the occupied cells
    cltBuffer aside;           ///< leaves too large or too odd for cells
    cltRadixSort sort;
    cltGrid grid;
    cltCells cells;
    uint32_t asideCount;
} cltGridCells;

cltStatus cltGridCells_Build( cltGridCells* gridCells, cltLeafTable* table, const cltPairMap* map, cltWorkerPool* pool,
                              cltMemory* memory );
void cltGridCells_Find( const cltGridCells* gridCells, const cltSearch* search );
void cltGridCells_Release( cltGridCells* gridCells, cltMemory* memory );

// --------------------------------------------------------------------------------------------------------- others

/// Candidates have 64-bit indices, tasks 32-bit ones: blocks of at least `preferred` candidates that can be numbered.
static inline uint64_t cltBlockSize( uint64_t candidateCount, uint64_t preferred )
{
    uint64_t smallest = ( candidateCount >> 31 ) + 1u;
    return smallest > preferred ? smallest : preferred;
}

static inline uint32_t cltBlockCount( uint64_t candidateCount, uint64_t blockSize )
{
    return (uint32_t)( ( candidateCount + blockSize - 1u ) / blockSize );
}

/// Every pair of leaves by the index-to-pair map, those aside included.
void cltBruteForce_Find( const cltSearch* search );

/// The given leaves, which are marked CLT_LEAF_ASIDE, against all leaves and each other. NULL: those behind the table's
/// searchable ones.
void cltAside_Find( const cltSearch* search, const uint32_t* aside, uint32_t asideCount );

#endif
