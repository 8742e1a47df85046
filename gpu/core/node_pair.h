// SPDX-License-Identifier: Zlib
/// \file node_pair.h
/// Pairs of nodes of level trees: what a simultaneous traversal of two trees, or of one with itself, works through.
/// From a pair it goes to the pairs of what lies below the two, several levels at once; they are numbered, so that a
/// thread learns from a number which two nodes to test, and a traversal of one tree meets each pair once.
///
/// Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection on GPUs, 2018.
/// The paper does not say what lies below a node and itself; here it is a triangle, numbered by the map of Avril,
/// Gouranton and Arnaldi (pair_map.h).
#ifndef CLT_CORE_NODE_PAIR_H
#define CLT_CORE_NODE_PAIR_H

#include "gpu/core/level_tree.h"
#include "gpu/core/pair_map.h"

/// Of one tree: a <= b.
typedef struct cltNodePair
{
    uint32_t a;
    uint32_t b;
} cltNodePair;

/// Each node of one run with each of the other, row by row; or of one run with itself, those with a <= b.
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

/// Pair number k. A triangle with its diagonal is one without, of a node more.
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

/// What lies up to `depth` levels below a pair. A side that ends sooner stays at its leaves, while the other descends.
/// \param isTriangle  of one tree, and the pair is a node and itself
CLT_HD cltNodePairs cltNodePair_Below( const cltLevels* levelsA, uint32_t levelA, const cltLevels* levelsB,
                                       uint32_t levelB, cltNodePair pair, uint32_t depth, bool isTriangle )
{
    cltNodePairs pairs;
    pairs.a = cltLevels_Below( levelsA, levelA, pair.a, depth < levelA ? depth : levelA );
    pairs.b = cltLevels_Below( levelsB, levelB, pair.b, depth < levelB ? depth : levelB );
    pairs.isTriangle = isTriangle;
    return pairs;
}

/// All pairs of nodes that lie `entryLevel` levels below the roots: where a traversal begins. None without leaves.
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

/// True if something below the pair may be looked for: the two meet, and where moves are asked for, one of them holds a
/// leaf that is not still. A node and itself is a pair like all others.
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
