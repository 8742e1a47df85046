// SPDX-License-Identifier: Zlib
/// \file front.h
/// The tree of node pairs, and a cut through it that is kept from search to search.
///
/// Two level trees, or one and itself, span a tree of pairs: its root is the pair of the roots, and below a pair are
/// those of one side with what is below the other. Where a search stops, at pairs that do not meet and at pairs of
/// leaves, lies a cut: each pair of leaves is below exactly one of its entries. It is the front of Bounding Volume Tree
/// Traversal Trees (Li and Chen, Incremental 3D Collision Detection with Hierarchical Data Structures, 1998), and a
/// search that begins at the front of the last one does not descend from the root again.
///
/// The shape of a level tree follows from the number of its leaves alone, and so does that of the pair tree: a front
/// stays a cut however leaves moved and however they were sorted anew. Who goes down is therefore decided by levels and
/// never by sizes of boxes, so that each pair has one parent:
///
///     (i, i) of one tree     down to the pairs of its two children: left and left, left and right, right and right
///     otherwise              the side of the higher level goes down, of equal ones the first
#ifndef CLT_CORE_FRONT_H
#define CLT_CORE_FRONT_H

#include "gpu/core/level_tree.h"

#include <float.h>

/// Leaves of a tree with a front are a multiple of this, the last ones empty: with another number of leaves it would be
/// another tree, and its front would begin anew.
#define CLT_FRONT_ROOM 1024u

/// Most pairs that there can be right below a pair.
#define CLT_MOST_PAIRS_BELOW 3u

/// A pair of nodes and where they are. In one tree `a` never lies to the right of `b`.
typedef struct cltPairPlace
{
    uint32_t a;
    uint32_t b;
    uint32_t levelA;
    uint32_t levelB;
} cltPairPlace;

/// View of a pair tree. The same tree twice: pairs within it.
typedef struct cltPairTree
{
    const cltLevelTree* a;
    const cltLevelTree* b;
} cltPairTree;

/// Leaves to have for so many: as before, until that is too few, or twice too many.
CLT_HD uint32_t cltFront_LeafRoom( uint32_t leafCount, uint32_t room )
{
    const bool fits = leafCount <= room && leafCount >= room / 2u;
    return fits ? room : ( leafCount + CLT_FRONT_ROOM - 1u ) / CLT_FRONT_ROOM * CLT_FRONT_ROOM;
}

CLT_HD cltPairPlace cltPairPlace_Make( const cltPairTree* trees, uint32_t a, uint32_t b )
{
    cltPairPlace place;
    place.a = a;
    place.b = b;
    place.levelA = cltLevels_LevelOf( &trees->a->levels, a );
    place.levelB = cltLevels_LevelOf( &trees->b->levels, b );
    return place;
}

/// A node with itself. Something below it may always be a pair, unless it is a leaf: then nothing is.
CLT_HD bool cltPairTree_IsSelf( const cltPairTree* trees, const cltPairPlace* place )
{
    return trees->a == trees->b && place->a == place->b;
}

CLT_HD bool cltPairPlace_AreLeaves( const cltPairPlace* place )
{
    return ( place->levelA | place->levelB ) == 0u;
}

/// True if there may be a pair of bodies below. What is true of a pair is true of all pairs above it.
CLT_HD bool cltPairTree_Meets( const cltPairTree* trees, const cltPairPlace* place )
{
    return cltPairTree_IsSelf( trees, place ) ||
           cltLevelNode_Meets( trees->a->nodes + place->a, trees->b->nodes + place->b );
}

/// How many pairs of different leaves are below.
CLT_HD uint64_t cltPairTree_Size( const cltPairTree* trees, const cltPairPlace* place )
{
    const uint64_t countA = cltLevels_Below( &trees->a->levels, place->levelA, place->a, place->levelA ).count;
    if ( cltPairTree_IsSelf( trees, place ) )
    {
        return countA * ( countA - 1u ) / 2u;
    }
    return countA * cltLevels_Below( &trees->b->levels, place->levelB, place->b, place->levelB ).count;
}

/// The pairs within one node, of level 1 or above.
CLT_HD uint32_t cltPairTree_BelowSelf( const cltPairTree* trees, const cltPairPlace* place,
                                       cltPairPlace below[CLT_MOST_PAIRS_BELOW] )
{
    const cltNodeRun run = cltLevels_Below( &trees->a->levels, place->levelA, place->a, 1u );
    const uint32_t last = run.first + run.count - 1u;
    for ( uint32_t k = 0; k < 3u; ++k )
    {
        below[k].a = k < 2u ? run.first : last;
        below[k].b = k < 1u ? run.first : last;
        below[k].levelA = place->levelA - 1u;
        below[k].levelB = place->levelA - 1u;
    }
    return run.count == 2u ? 3u : 1u;
}

/// The pairs right below, the first one first. Returns how many there are; of two leaves none.
CLT_HD uint32_t cltPairTree_Below( const cltPairTree* trees, const cltPairPlace* place,
                                   cltPairPlace below[CLT_MOST_PAIRS_BELOW] )
{
    if ( cltPairPlace_AreLeaves( place ) )
    {
        return 0u;
    }
    if ( cltPairTree_IsSelf( trees, place ) )
    {
        return cltPairTree_BelowSelf( trees, place, below );
    }
    const bool isOfA = place->levelA >= place->levelB;
    const cltNodeRun run = isOfA ? cltLevels_Below( &trees->a->levels, place->levelA, place->a, 1u )
                                 : cltLevels_Below( &trees->b->levels, place->levelB, place->b, 1u );
    for ( uint32_t k = 0; k < run.count; ++k )
    {
        below[k].a = isOfA ? run.first + k : place->a;
        below[k].b = isOfA ? place->b : run.first + k;
        below[k].levelA = place->levelA - ( isOfA ? 1u : 0u );
        below[k].levelB = place->levelB - ( isOfA ? 0u : 1u );
    }
    return run.count;
}

/// True if the pair is within one node: below that node with itself.
CLT_HD bool cltPairTree_IsWithin( const cltPairTree* trees, const cltPairPlace* place )
{
    const cltLevels* levels = &trees->a->levels;
    return trees->a == trees->b && place->levelA == place->levelB && place->levelA < levels->top &&
           cltLevels_Parent( levels, place->levelA, place->a ) == cltLevels_Parent( levels, place->levelB, place->b );
}

/// True if the pair right above has another node in the place of `a`, else in that of `b`. Of a pair that is neither
/// the root nor within one node: one of its sides went down to it.
CLT_HD bool cltPairTree_IsAboveOfA( const cltPairTree* trees, const cltPairPlace* place )
{
    return place->levelA < trees->a->levels.top &&
           ( place->levelA != place->levelB || place->levelB == trees->b->levels.top );
}

/// The pair right above one that is neither the root nor within one node.
/// \param[out] isFirst  whether `place` is the first pair below it
CLT_HD cltPairPlace cltPairTree_Above( const cltPairTree* trees, const cltPairPlace* place, bool* isFirst )
{
    const cltLevels* levelsA = &trees->a->levels;
    const cltLevels* levelsB = &trees->b->levels;
    cltPairPlace above = *place;
    if ( cltPairTree_IsAboveOfA( trees, place ) )
    {
        above.a = cltLevels_Parent( levelsA, place->levelA, place->a );
        ++above.levelA;
        *isFirst = ( place->a - levelsA->starts[place->levelA] ) % 2u == 0u;
    }
    else
    {
        above.b = cltLevels_Parent( levelsB, place->levelB, place->b );
        ++above.levelB;
        *isFirst = ( place->b - levelsB->starts[place->levelB] ) % 2u == 0u;
    }
    return above;
}

// A walk without a stack, for threads that have none: down to the first pair below, on to the next one below the same,
// up again.

/// The first of the pairs right below one that is not of two leaves.
CLT_HD cltPairPlace cltPairTree_First( const cltPairTree* trees, const cltPairPlace* place )
{
    const bool isSelf = cltPairTree_IsSelf( trees, place );
    cltPairPlace first = *place;
    if ( isSelf || place->levelA >= place->levelB )
    {
        first.a = cltLevels_Below( &trees->a->levels, place->levelA, place->a, 1u ).first;
        --first.levelA;
    }
    if ( isSelf || place->levelA < place->levelB )
    {
        first.b = cltLevels_Below( &trees->b->levels, place->levelB, place->b, 1u ).first;
        --first.levelB;
    }
    return first;
}

/// True if `node` is followed by another one below the same node.
CLT_HD bool cltLevels_HasNext( const cltLevels* levels, uint32_t level, uint32_t node )
{
    const uint32_t i = node - levels->starts[level];
    return i % 2u == 0u && i + 1u < cltLevels_Count( levels, level );
}

/// Goes on to the next pair right below the same one. False if there is none, and for the root.
CLT_HD bool cltPairTree_Next( const cltPairTree* trees, cltPairPlace* place )
{
    const bool isSelf = cltPairTree_IsSelf( trees, place );
    if ( !isSelf && cltPairTree_IsWithin( trees, place ) )
    {
        place->a = place->b;
        return true;
    }
    const bool isOfA = !isSelf && cltPairTree_IsAboveOfA( trees, place );
    const bool hasNext = isOfA ? cltLevels_HasNext( &trees->a->levels, place->levelA, place->a )
                               : cltLevels_HasNext( &trees->b->levels, place->levelB, place->b );
    place->a += hasNext && isOfA ? 1u : 0u;
    place->b += hasNext && !isOfA ? 1u : 0u;
    return hasNext;
}

/// The pair right above one that is not the root.
CLT_HD cltPairPlace cltPairTree_Parent( const cltPairTree* trees, const cltPairPlace* place )
{
    bool isFirst;
    if ( !cltPairTree_IsWithin( trees, place ) )
    {
        return cltPairTree_Above( trees, place, &isFirst );
    }
    cltPairPlace self = *place;
    self.a = self.b = cltLevels_Parent( &trees->a->levels, place->levelA, place->a );
    self.levelA = self.levelB = place->levelA + 1u;
    return self;
}

CLT_HD bool cltPairTree_IsRoot( const cltPairTree* trees, const cltPairPlace* place )
{
    return place->levelA == trees->a->levels.top && place->levelB == trees->b->levels.top;
}

/// What becomes of an entry of a front when boxes have changed.
typedef enum cltFrontMove
{
    clt_frontKeep, ///< it stays, or goes up to where it was moved
    clt_frontDrop, ///< another entry goes up to where it would go
    clt_frontDown  ///< something below may be a pair: it gives way to the pairs where the search stops below it
} cltFrontMove;

/// Step: tests an entry, and raises it to the highest pair that does not meet, in one go. All entries below that one
/// come to it; the one that goes up by first pairs only stays. Raised by one level a search instead, the others would
/// be gone before the one that stays has got there, and what they stood for would be lost.
/// \param[in,out] place  the entry
/// \param[out] above     where the entry is kept: the pair above it, which meets. The entry itself where that is the
///                       root, or within one node, and so stays whatever meets
/// \param[in,out] tests  counted up by the box tests that were made
CLT_HD cltFrontMove cltFront_MoveStep( const cltPairTree* trees, cltPairPlace* place, cltPairPlace* above,
                                       uint64_t* tests )
{
    *above = *place;
    ++*tests;
    if ( cltPairTree_Meets( trees, place ) )
    {
        return clt_frontDown;
    }
    while ( !cltPairTree_IsRoot( trees, place ) && !cltPairTree_IsWithin( trees, place ) )
    {
        bool isFirst;
        *above = cltPairTree_Above( trees, place, &isFirst );
        ++*tests;
        if ( cltPairTree_Meets( trees, above ) )
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

/// How far apart two boxes are along the axis where that is most, less than 0 where they overlap: by as much they would
/// have to move, together, before they are apart. 0 if that cannot be said, as of infinite boxes.
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

/// While no bound of the boxes of the two nodes is further than this from where it is, cltPairTree_Meets will say of
/// the pair what it says now; but for rounding. FLT_MAX where boxes do not matter.
CLT_HD float cltPairTree_Slack( const cltPairTree* trees, const cltPairPlace* place )
{
    const cltLevelNode* a = trees->a->nodes + place->a;
    const cltLevelNode* b = trees->b->nodes + place->b;
    if ( cltPairTree_IsSelf( trees, place ) || !cltFilter_Allows( &a->filter, &b->filter ) )
    {
        return FLT_MAX;
    }
    const float clearance = cltAabb_Clearance( &a->box, &b->box );
    return 0.5f * ( clearance < 0.0f ? -clearance : clearance );
}

#endif
