// SPDX-License-Identifier: Zlib
/// \file node_pair.h Pairs of nodes of level trees, the work items of a simultaneous traversal of two trees, or of one
/// with itself. A traversal goes from a pair to the pairs of descendants several levels below. These pairs are
/// numbered, so that a thread computes the two nodes of its pair from a number. A traversal of one tree tests each pair
/// once.
///
/// Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection on GPUs, 2018.
/// The paper does not say which pairs are below a node and itself. Here they are a triangle, numbered by the map of
/// Avril, Gouranton and Arnaldi (pair_map.h).
#ifndef CLT_CORE_NODE_PAIR_H
#define CLT_CORE_NODE_PAIR_H

#include "gpu/core/level_tree.h"
#include "gpu/core/pair_map.h"

/// Two nodes; a <= b within one tree.
typedef struct cltNodePair
{
    uint32_t a;
    uint32_t b;
} cltNodePair;

/// All pairs of a node in run `a` and a node in run `b`, row by row; or all pairs a <= b within one run.
typedef struct cltNodePairs
{
    cltNodeRun a;
    cltNodeRun b;
    bool isTriangle;
} cltNodePairs;

CLT_HD uint64_t cltNodePairs_Count( const cltNodePairs* pairs )
{
    return pairs->isTriangle ? cltTriangle( pairs->a.count ) : (uint64_t)pairs->a.count * pairs->b.count;
}

/// Pair number k. A triangle of n nodes with its diagonal is numbered as a triangle of n + 1 nodes without it.
CLT_HD cltNodePair cltNodePairs_At( const cltNodePairs* pairs, uint64_t k )
{
    cltNodePair pair;
    if ( pairs->isTriangle )
    {
        cltPairMap map;
        uint32_t i;
        uint32_t j;
        map.root = clt_rootHardware;
        map.steps = 0;
        cltPairMap_Pair( &map, pairs->a.count + 1u, k, &i, &j );
        pair.a = pairs->a.first + i;
        pair.b = pairs->b.first + j - 1u;
    }
    else
    {
        pair.a = pairs->a.first + (uint32_t)( k / pairs->b.count );
        pair.b = pairs->b.first + (uint32_t)( k % pairs->b.count );
    }
    return pair;
}

/// All pairs of descendants up to `depth` levels below a pair. A side that reaches its leaves first stays there.
/// \param isTriangle  the pair is a node and itself
CLT_HD cltNodePairs cltNodePair_Below( const cltLevels* levelsA, uint32_t levelA, const cltLevels* levelsB,
                                       uint32_t levelB, cltNodePair pair, uint32_t depth, bool isTriangle )
{
    cltNodePairs pairs;
    pairs.a = cltLevels_Below( levelsA, levelA, pair.a, depth < levelA ? depth : levelA );
    pairs.b = cltLevels_Below( levelsB, levelB, pair.b, depth < levelB ? depth : levelB );
    pairs.isTriangle = isTriangle;
    return pairs;
}

/// All pairs of nodes `entryLevel` levels below the roots, at which a traversal begins. Empty if a tree has no leaves.
CLT_HD cltNodePairs cltNodePairs_Entry( const cltLevels* levelsA, const cltLevels* levelsB, uint32_t entryLevel,
                                        bool isTriangle )
{
    cltNodePairs pairs;
    pairs.isTriangle = isTriangle;
    const uint32_t levelA = entryLevel < levelsA->top ? levelsA->top - entryLevel : 0u;
    const uint32_t levelB = entryLevel < levelsB->top ? levelsB->top - entryLevel : 0u;
    pairs.a.first = levelsA->starts[levelA];
    pairs.a.count = cltLevels_Count( levelsA, levelA );
    pairs.b.first = levelsB->starts[levelB];
    pairs.b.count = cltLevels_Count( levelsB, levelB );
    return pairs;
}

/// Whether the descendants must be searched: the two nodes meet and, if moves are tracked, one of them contains a leaf
/// that is not still. A node paired with itself is treated as any other pair.
CLT_HD bool cltNodePair_Meets( const cltLevelTree* treeA, const cltLevelTree* treeB, cltNodePair pair )
{
    if ( treeA->moves != NULL && treeB->moves != NULL && ( treeA->moves[pair.a] | treeB->moves[pair.b] ) == 0 )
    {
        return false;
    }
    CLT_READ( cltLevelNode, a, treeA->nodes + pair.a );
    CLT_READ( cltLevelNode, b, treeB->nodes + pair.b );
    return cltLevelNode_Meets( a, b );
}

#endif
