// SPDX-License-Identifier: Zlib
/// \file front.h The tree of node pairs, and the front: a cut through that tree, at which the next search begins.
///
/// The pairs of nodes of a level tree form a tree. Its root is the level tree's root paired with itself. The children
/// of a pair are made from the children of one of its nodes. A search stops at pairs that do not meet
/// (cltPairTree_Meets) and at pairs of leaves. The pairs at which it stops form a cut: each pair of leaves is below
/// exactly one of them. This cut is the front (Li and Chen, Incremental 3D Collision Detection with Hierarchical Data
/// Structures, 1998). A search that begins at the previous search's front need not descend from the root.
///
/// The number of leaves alone determines the shape of a level tree, and so the shape of the pair tree. So a front stays
/// a cut however leaves move and however they are sorted again. For this, each pair must have one parent: which node of
/// a pair is replaced by its children depends on the levels of the two nodes, never on box sizes:
///
///     (i, i)                 the pairs of its two children: left and left, left and right, right and right
///     nodes of one level     the first node is replaced by its children
///     otherwise              the second node, which is one level above the first, is replaced by its children
#ifndef CLT_CORE_FRONT_H
#define CLT_CORE_FRONT_H

#include "gpu/core/level_tree.h"

#include <float.h>

/// A tree with a front has a multiple of this many leaves; leaves without a body are empty. If the number of leaves
/// changes, the tree has another shape, and the next search cannot begin at the front.
#define CLT_FRONT_LEAF_MULTIPLE 1024u

/// The largest number of children of a pair.
#define CLT_MAX_PAIR_CHILDREN 3u

/// A pair of nodes and their levels. `a` is on the level of `b` or one level below, and never to the right of `b`.
typedef struct cltLeveledPair
{
    uint32_t a;
    uint32_t b;
    uint32_t levelA;
    uint32_t levelB;
} cltLeveledPair;

/// The new leaf capacity. The current capacity, `room`, is kept if it is between `leafCount` and twice `leafCount`.
CLT_HD uint32_t cltFront_LeafCapacity( uint32_t leafCount, uint32_t room )
{
    const bool fits = leafCount <= room && leafCount >= room / 2u;
    return fits ? room
                : ( leafCount + CLT_FRONT_LEAF_MULTIPLE - 1u ) / CLT_FRONT_LEAF_MULTIPLE * CLT_FRONT_LEAF_MULTIPLE;
}

CLT_HD cltLeveledPair cltLeveledPair_Make( const cltLevelTree* tree, uint32_t a, uint32_t b )
{
    cltLeveledPair place;
    place.a = a;
    place.b = b;
    place.levelA = cltLevels_LevelOf( &tree->levels, a );
    place.levelB = cltLevels_LevelOf( &tree->levels, b );
    return place;
}

/// Whether the pair is a node paired with itself.
CLT_HD bool cltLeveledPair_IsSelf( const cltLeveledPair* place )
{
    return place->a == place->b;
}

CLT_HD bool cltLeveledPair_AreLeaves( const cltLeveledPair* place )
{
    return place->levelB == 0u;
}

/// Whether there may be a pair of bodies below a pair of nodes; always true for a node paired with itself. If true for
/// a pair of nodes, it is true for all its ancestors.
CLT_HD bool cltPairTree_Meets( const cltLevelTree* tree, const cltLeveledPair* place )
{
    return cltLeveledPair_IsSelf( place ) || cltLevelNode_Meets( tree->nodes + place->a, tree->nodes + place->b );
}

/// The number of pairs of two different leaves below a node pair.
CLT_HD uint64_t cltPairTree_LeafPairCount( const cltLevelTree* tree, const cltLeveledPair* place )
{
    const uint64_t countA = cltLevels_Below( &tree->levels, place->levelA, place->a, place->levelA ).count;
    const uint64_t countB = cltLevels_Below( &tree->levels, place->levelB, place->b, place->levelB ).count;
    return cltLeveledPair_IsSelf( place ) ? countA * ( countA - 1u ) / 2u : countA * countB;
}

/// Writes the children of a pair in order. \return their number; 0 for two leaves
CLT_HD uint32_t cltPairTree_Children( const cltLevelTree* tree, const cltLeveledPair* place,
                                      cltLeveledPair below[CLT_MAX_PAIR_CHILDREN] )
{
    const bool isSelf = cltLeveledPair_IsSelf( place );
    const bool isOfA = place->levelA == place->levelB;
    if ( cltLeveledPair_AreLeaves( place ) )
    {
        return 0u;
    }
    const cltNodeRun run = cltLevels_Below( &tree->levels, place->levelB, isOfA ? place->a : place->b, 1u );
    const uint32_t last = run.first + run.count - 1u;
    const uint32_t count = isSelf && run.count == 2u ? 3u : run.count;
    for ( uint32_t k = 0; k < count; ++k )
    {
        below[k].levelA = place->levelB - 1u;
        below[k].levelB = place->levelB - ( isSelf || !isOfA ? 1u : 0u );
        below[k].a = isSelf ? ( k < 2u ? run.first : last ) : isOfA ? run.first + k : place->a;
        below[k].b = isSelf ? ( k < 1u ? run.first : last ) : isOfA ? place->b : run.first + k;
    }
    return count;
}

/// Whether the two nodes have the same parent. If so, the parent of the pair is that node paired with itself. `place`
/// must not be the root.
CLT_HD bool cltPairTree_AreSiblings( const cltLevelTree* tree, const cltLeveledPair* place )
{
    return place->levelA == place->levelB && cltLevels_Parent( &tree->levels, place->levelA, place->a ) ==
                                                 cltLevels_Parent( &tree->levels, place->levelB, place->b );
}

/// The parent of a pair that is neither the root nor the child of a node paired with itself.
/// \param[out] isFirst  whether `place` is the parent's first child
CLT_HD cltLeveledPair cltPairTree_Parent( const cltLevelTree* tree, const cltLeveledPair* place, bool* isFirst )
{
    const cltLevels* levels = &tree->levels;
    cltLeveledPair above = *place;
    if ( place->levelA < place->levelB )
    {
        above.a = cltLevels_Parent( levels, place->levelA, place->a );
        ++above.levelA;
        *isFirst = ( place->a - levels->starts[place->levelA] ) % 2u == 0u;
    }
    else
    {
        above.b = cltLevels_Parent( levels, place->levelB, place->b );
        ++above.levelB;
        *isFirst = ( place->b - levels->starts[place->levelB] ) % 2u == 0u;
    }
    return above;
}

CLT_HD bool cltPairTree_IsRoot( const cltLevelTree* tree, const cltLeveledPair* place )
{
    return place->levelA == tree->levels.top;
}

/// What happens to an entry of a front when boxes have changed.
typedef enum cltFrontAction
{
    clt_frontKeep,   ///< stays, perhaps raised to an ancestor
    clt_frontDrop,   ///< removed: another entry is raised to the same ancestor
    clt_frontDescend ///< the entry meets: replaced by the pairs at which a search below it stops
} cltFrontAction;

/// Step: tests an entry. If it does not meet, raises it to its highest ancestor that does not meet. Of all entries
/// below that ancestor, only the entry that is a first child at each level of its climb is kept. The whole climb is in
/// one search: at one level per search, the others would be dropped before the kept entry reaches the ancestor.
/// \param[in,out] place  the entry
/// \param[out] above     the parent of a kept entry, which meets. The kept entry itself if it has no parent, or if its
/// parent is a node paired with itself, which always meets
/// \param[in,out] tests  incremented by the number of box tests
CLT_HD cltFrontAction cltFront_TestEntryStep( const cltLevelTree* tree, cltLeveledPair* place, cltLeveledPair* above,
                                              uint64_t* tests )
{
    *above = *place;
    ++*tests;
    if ( cltPairTree_Meets( tree, place ) )
    {
        return clt_frontDescend;
    }
    while ( !cltPairTree_IsRoot( tree, place ) && !cltPairTree_AreSiblings( tree, place ) )
    {
        bool isFirst;
        *above = cltPairTree_Parent( tree, place, &isFirst );
        ++*tests;
        if ( cltPairTree_Meets( tree, above ) )
        {
            return clt_frontKeep;
        }
        if ( !isFirst )
        {
            return clt_frontDrop;
        }
        *place = *above;
    }
    return clt_frontKeep;
}

/// The largest gap between two boxes along an axis; if they overlap, the smallest overlap along an axis, negated.
/// Whether the boxes overlap cannot change before their movements add up to the magnitude of the result. 0 if the
/// distance cannot be computed, as for infinite boxes.
CLT_HD float cltAabb_Clearance( const cltAabb* a, const cltAabb* b )
{
    float most = a->lower[0] - b->upper[0];
    bool isKnown = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float aFromB = a->lower[axis] - b->upper[axis];
        const float bFromA = b->lower[axis] - a->upper[axis];
        isKnown = isKnown && aFromB == aFromB && bFromA == bFromA;
        most = aFromB > most ? aFromB : most;
        most = bFromA > most ? bFromA : most;
    }
    return isKnown ? most : 0.0f;
}

/// The distance that each bound of the two nodes' boxes may move without changing the result of cltPairTree_Meets, up
/// to rounding. FLT_MAX if the result does not depend on boxes.
CLT_HD float cltPairTree_Clearance( const cltLevelTree* tree, const cltLeveledPair* place )
{
    const cltLevelNode* a = tree->nodes + place->a;
    const cltLevelNode* b = tree->nodes + place->b;
    if ( cltLeveledPair_IsSelf( place ) || !cltFilter_Allows( &a->filter, &b->filter ) )
    {
        return FLT_MAX;
    }
    const float clearance = cltAabb_Clearance( &a->box, &b->box );
    return 0.5f * ( clearance < 0.0f ? -clearance : clearance );
}

#endif
