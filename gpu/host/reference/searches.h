// SPDX-License-Identifier: Zlib
/// \file searches.h
/// The search structures and searches of the reference algorithms, one file each: every search puts the keys of what it
/// finds into the sink. The twins of gpu/cuda/searches.cuh: one leaf is what a thread takes there, and a turn of a loop
/// here.
#ifndef CLT_HOST_SEARCHES_H
#define CLT_HOST_SEARCHES_H

#include "gpu/core/grid.h"
#include "gpu/core/traverse.h"
#include "gpu/host/pair_sink.h"
#include "gpu/host/reference/leaves.h"

/// What every search gets.
typedef struct cltSearch
{
    const cltLeafTable* table;
    cltWorkerPool* pool;
    cltPairSink* sink;
    cltFind find;
    cltPairMap map;
} cltSearch;

// ----------------------------------------------------------------------------------------------------------- lbvh

typedef struct cltLeafTree
{
    cltBuffer nodes;
    cltBuffer meetings;
    cltBuffer filters; ///< cltFilter of each node, if there are filters
    cltBuffer movers;  ///< uint32_t, searchable leaves that are not still
    uint32_t moverCount;
    bool moversWalkAlone; ///< few changed: only movers search
    cltTree tree;
} cltLeafTree;

/// \param changedCount  slots with a box that changed: no others have leaves that are not still
cltStatus cltLeafTree_Build( cltLeafTree* tree, const cltLeafTable* table, uint32_t slotCount, uint32_t changedCount,
                             cltWorkerPool* pool, cltMemory* memory );
void cltLeafTree_Find( const cltLeafTree* tree, const cltSearch* search );
void cltLeafTree_Release( cltLeafTree* tree, cltMemory* memory );

// ----------------------------------------------------------------------------------------------------------- grid

typedef struct cltGridCells
{
    cltBuffer entryStarts;     ///< uint64_t, by leaf: how many entries it has, then where they go
    cltBuffer entries;         ///< sorted by cell
    cltBuffer starts;          ///< of the occupied cells
    cltBuffer candidateStarts; ///< of the occupied cells
    cltBuffer outliers;        ///< leaves too large or too odd for cells
    cltRadixSort sort;
    cltGrid grid;
    cltCells cells;
    uint32_t outlierCount;
} cltGridCells;

/// Marks the leaves that the grid does not hold as outliers in the table's references.
cltStatus cltGridCells_Build( cltGridCells* gridCells, cltLeafTable* table, const cltPairMap* map, cltWorkerPool* pool,
                              cltMemory* memory );
void cltGridCells_Find( const cltGridCells* gridCells, const cltSearch* search );
void cltGridCells_Release( cltGridCells* gridCells, cltMemory* memory );

// --------------------------------------------------------------------------------------------------------- others

/// Every pair of leaves by the index-to-pair map, outliers included.
void cltBruteForce_Find( const cltSearch* search );

/// Leaves that are marked CLT_LEAF_OUTLIER against all leaves and each other.
/// \param outliers  NULL: those behind the table's searchable ones
void cltOutliers_Find( const cltSearch* search, const uint32_t* outliers, uint32_t outlierCount );

/// Equal shares of the candidates [0, candidateCount), which have 64-bit indices while a worker pool's have 32 bits:
/// share s is candidates s * size and on, up to `size` of them.
typedef struct cltShares
{
    uint64_t candidateCount;
    uint64_t size;
} cltShares;

cltShares cltShares_Make( uint64_t candidateCount );
uint32_t cltShares_Count( const cltShares* shares );

#endif
