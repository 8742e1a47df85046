// SPDX-License-Identifier: Zlib
/// \file leaf.h
/// Leaves: what the searches search. A body that stands still or moved a little is one leaf; a body that jumped is two,
/// one where it was and one where it is, because their union would meet everything between.
///
/// Whether a pair began or ended is read off the boxes alone: it was a pair if the previous boxes overlapped, it is one
/// if the present boxes do. No list of pairs is kept.
#ifndef CLT_CORE_LEAF_H
#define CLT_CORE_LEAF_H

#include "gpu/core/aabb.h"
#include "gpu/core/filter.h"
#include "gpu/core/pair_key.h"

/// What a leaf stands for.
enum
{
    CLT_LEAF_STILL = 0, ///< nothing about the body changed
    CLT_LEAF_MOVED = 1, ///< both its previous and its present box
    CLT_LEAF_NOW = 2,   ///< only the present box of a body that jumped or appeared: finds what began
    CLT_LEAF_BEFORE = 3 ///< only the previous box of a body that jumped or vanished: finds what ended
};

/// A leaf's reference says whose it is:
///
///     bit  31 30   29      28 .. 0
///          kind    aside   slot        aside: not in the tree or the grid, tested against everything
typedef uint32_t cltLeafRef;

#define CLT_LEAF_ASIDE ( 1u << 29 )

CLT_HD cltLeafRef cltLeafRef_Make( uint32_t slot, uint32_t kind )
{
    return slot | ( kind << 30 );
}

CLT_HD uint32_t cltLeafRef_Slot( cltLeafRef ref )
{
    return ref & ( CLT_LEAF_ASIDE - 1u );
}

CLT_HD uint32_t cltLeafRef_Kind( cltLeafRef ref )
{
    return ref >> 30;
}

/// View of all slots: boxes by slot, cltAabb or cltAabbD.
typedef struct cltSlots
{
    const void* now;
    const void* before;     ///< read where anything is new
    const uint8_t* changed; ///< nonzero where anything is new; NULL: nothing is
    uint8_t changedMask;    ///< the bit of `changed` that counts
    bool isDouble;
    uint32_t count;
} cltSlots;

/// View of all leaves, in the order that the search likes best.
typedef struct cltLeaves
{
    const cltLeafRef* refs;
    const void* now; ///< boxes by leaf, cltAabb or cltAabbD
    const void* before;
    const cltFilter* filters;       ///< by slot; NULL: everything may pair
    const cltFilter* filtersBefore; ///< by slot, as of the last update
    bool filtersChanged;            ///< some filter differs from the one before
    bool isDouble;
    uint32_t slotBits;
    uint32_t count;
} cltLeaves;

/// A leaf to be.
typedef struct cltLeafSeed
{
    cltAabb box; ///< float box around all that the leaf stands for
    uint32_t kind;
} cltLeafSeed;

/// Box `index` of an array of either precision as a float box that covers it.
CLT_HD cltAabb cltCoverBox( const void* boxes, bool isDouble, uint32_t index )
{
    return isDouble ? cltAabb_FromDouble( (const cltAabbD*)boxes + index ) : ( (const cltAabb*)boxes )[index];
}

/// True if the two boxes are so far apart that searching each is cheaper than searching their union. The factor keeps
/// anything that moves up to about three times its size a step in one leaf.
CLT_HD bool cltJumped( const cltAabb* before, const cltAabb* now, const cltAabb* both )
{
    return cltAabb_LongestEdge( both ) > 2.0f * ( cltAabb_LongestEdge( before ) + cltAabb_LongestEdge( now ) );
}

/// True if anything about the slot is new.
CLT_HD bool cltSlots_Changed( const cltSlots* slots, uint32_t slot )
{
    return slots->changed != NULL && ( slots->changed[slot] & slots->changedMask ) != 0;
}

/// Step: the leaves of one slot. Returns how many there are, 0 to 2.
CLT_HD uint32_t cltSlots_Seed( const cltSlots* slots, uint32_t slot, cltLeafSeed seeds[2] )
{
    cltAabb now = cltCoverBox( slots->now, slots->isDouble, slot );
    bool hasNow = !cltAabb_HasNan( &now );
    seeds[0].box = now;
    if ( !cltSlots_Changed( slots, slot ) )
    {
        seeds[0].kind = CLT_LEAF_STILL;
        return hasNow ? 1u : 0u;
    }

    cltAabb before = cltCoverBox( slots->before, slots->isDouble, slot );
    bool hadBefore = !cltAabb_HasNan( &before );
    if ( hasNow && hadBefore )
    {
        seeds[0].box = cltAabb_Union( &before, &now );
        seeds[0].kind = CLT_LEAF_MOVED;
        if ( !cltJumped( &before, &now, &seeds[0].box ) )
        {
            return 1u;
        }
        seeds[1].box = before;
        seeds[1].kind = CLT_LEAF_BEFORE;
    }
    seeds[0].box = hasNow ? now : before;
    seeds[0].kind = hasNow ? CLT_LEAF_NOW : CLT_LEAF_BEFORE;
    return (uint32_t)hasNow + (uint32_t)hadBefore;
}

/// Step: both boxes of a slot to its leaf's place.
CLT_HD void cltSlots_CopyBoxes( const cltSlots* slots, uint32_t slot, void* now, void* before, uint32_t leaf )
{
    const void* from = cltSlots_Changed( slots, slot ) ? slots->before : slots->now;
    if ( slots->isDouble )
    {
        ( (cltAabbD*)now )[leaf] = ( (const cltAabbD*)slots->now )[slot];
        ( (cltAabbD*)before )[leaf] = ( (const cltAabbD*)from )[slot];
    }
    else
    {
        ( (cltAabb*)now )[leaf] = ( (const cltAabb*)slots->now )[slot];
        ( (cltAabb*)before )[leaf] = ( (const cltAabb*)from )[slot];
    }
}

/// The float box around all that leaf i stands for: the same as its seed's.
CLT_HD cltAabb cltLeaves_Cover( const cltLeaves* leaves, uint32_t i )
{
    uint32_t kind = cltLeafRef_Kind( leaves->refs[i] );
    if ( kind == CLT_LEAF_BEFORE )
    {
        return cltCoverBox( leaves->before, leaves->isDouble, i );
    }
    cltAabb now = cltCoverBox( leaves->now, leaves->isDouble, i );
    if ( kind != CLT_LEAF_MOVED )
    {
        return now;
    }
    cltAabb before = cltCoverBox( leaves->before, leaves->isDouble, i );
    return cltAabb_Union( &before, &now );
}

/// All that leaf i may pair by, now or before. Only where there are filters.
CLT_HD cltFilter cltLeaves_Filter( const cltLeaves* leaves, uint32_t i )
{
    uint32_t slot = cltLeafRef_Slot( leaves->refs[i] );
    return leaves->filtersChanged ? cltFilter_Union( leaves->filters + slot, leaves->filtersBefore + slot )
                                  : leaves->filters[slot];
}

CLT_HD bool cltBoxesOverlap( const void* boxes, bool isDouble, uint32_t i, uint32_t j )
{
    return isDouble ? cltAabbD_Overlaps( (const cltAabbD*)boxes + i, (const cltAabbD*)boxes + j )
                    : cltAabb_Overlaps( (const cltAabb*)boxes + i, (const cltAabb*)boxes + j );
}

/// What became of the pair of leaves i and j.
enum
{
    CLT_PAIR_UNCHANGED = 0,
    CLT_PAIR_ENDED = 1,
    CLT_PAIR_BEGAN = 2
};

/// Decides on the true boxes of both bodies, whatever the leaves' kinds; the kinds only keep a jumper's two leaves from
/// reporting the same pair twice. So each change is found by exactly one pair of leaves.
CLT_HD uint32_t cltLeaves_Compare( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    cltLeafRef refI = leaves->refs[i];
    cltLeafRef refJ = leaves->refs[j];
    uint32_t kindI = cltLeafRef_Kind( refI );
    uint32_t kindJ = cltLeafRef_Kind( refJ );
    if ( ( kindI | kindJ ) == CLT_LEAF_STILL )
    {
        return CLT_PAIR_UNCHANGED;
    }

    bool is = cltBoxesOverlap( leaves->now, leaves->isDouble, i, j );
    bool was = cltBoxesOverlap( leaves->before, leaves->isDouble, i, j );
    if ( is == was && !leaves->filtersChanged )
    {
        return CLT_PAIR_UNCHANGED; // before the filters are read: they lie far away in memory
    }
    if ( leaves->filters != NULL )
    {
        uint32_t slotI = cltLeafRef_Slot( refI );
        uint32_t slotJ = cltLeafRef_Slot( refJ );
        is = is && cltFilter_Allows( leaves->filters + slotI, leaves->filters + slotJ );
        was = was && cltFilter_Allows( leaves->filtersBefore + slotI, leaves->filtersBefore + slotJ );
    }
    if ( is && !was && kindI != CLT_LEAF_BEFORE && kindJ != CLT_LEAF_BEFORE )
    {
        return CLT_PAIR_BEGAN;
    }
    if ( was && !is && kindI != CLT_LEAF_NOW && kindJ != CLT_LEAF_NOW )
    {
        return CLT_PAIR_ENDED;
    }
    return CLT_PAIR_UNCHANGED;
}

/// True if leaves i and j are a pair as of the last update. For this question `filtersBefore` are the filters in force.
CLT_HD bool cltLeaves_ArePair( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    cltLeafRef refI = leaves->refs[i];
    cltLeafRef refJ = leaves->refs[j];
    if ( cltLeafRef_Kind( refI ) == CLT_LEAF_BEFORE || cltLeafRef_Kind( refJ ) == CLT_LEAF_BEFORE ||
         !cltBoxesOverlap( leaves->now, leaves->isDouble, i, j ) )
    {
        return false;
    }
    return leaves->filters == NULL || cltFilter_Allows( leaves->filtersBefore + cltLeafRef_Slot( refI ),
                                                        leaves->filtersBefore + cltLeafRef_Slot( refJ ) );
}

/// What a search looks for.
typedef enum cltFind
{
    clt_findChanges, ///< pairs that began or ended
    clt_findPairs    ///< pairs as of the last update
} cltFind;

/// The key to report for leaves i and j, or CLT_NO_KEY.
CLT_HD uint64_t cltLeaves_Key( const cltLeaves* leaves, cltFind find, uint32_t i, uint32_t j )
{
    uint32_t change;
    if ( find == clt_findPairs )
    {
        change = cltLeaves_ArePair( leaves, i, j ) ? CLT_PAIR_BEGAN : CLT_PAIR_UNCHANGED;
    }
    else
    {
        change = cltLeaves_Compare( leaves, i, j );
    }
    if ( change == CLT_PAIR_UNCHANGED )
    {
        return CLT_NO_KEY;
    }
    uint64_t key =
        cltPairKey( cltLeafRef_Slot( leaves->refs[i] ), cltLeafRef_Slot( leaves->refs[j] ), leaves->slotBits );
    return change == CLT_PAIR_BEGAN ? key | cltPairKey_BeganBit( leaves->slotBits ) : key;
}

/// The same for a leaf i that is set aside and any leaf j. Two that are both aside would meet twice: the one with the
/// lower index reports.
CLT_HD uint64_t cltLeaves_AsideKey( const cltLeaves* leaves, cltFind find, uint32_t i, uint32_t j )
{
    if ( j <= i && ( leaves->refs[j] & CLT_LEAF_ASIDE ) != 0 )
    {
        return CLT_NO_KEY;
    }
    return cltLeaves_Key( leaves, find, i, j );
}

/// The key of a change for a leaf i that is not still and any leaf j. Two that are both not still would meet twice: the
/// one with the lower index reports.
CLT_HD uint64_t cltLeaves_MoverKey( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    if ( j <= i && ( j == i || cltLeafRef_Kind( leaves->refs[j] ) != CLT_LEAF_STILL ) )
    {
        return CLT_NO_KEY;
    }
    return cltLeaves_Key( leaves, clt_findChanges, i, j );
}

#endif
