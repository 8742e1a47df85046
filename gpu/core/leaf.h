// SPDX-License-Identifier: Zlib
/// \file leaf.h
/// Leaves: what the searches search, in the order that they like best, each with both boxes of its body beside it. Here
/// is which pair of leaves reports a change, so that each is reported once; what a change is, is pair_change.h.
#ifndef CLT_CORE_LEAF_H
#define CLT_CORE_LEAF_H

#include "gpu/core/pair_change.h"
#include "gpu/core/slots.h"

/// A leaf's reference says whose it is:
///
///     bit  31 30   29        28 .. 0
///          kind    outlier   slot        outlier: not in the tree or the grid, tested against everything
typedef uint32_t cltLeafRef;

#define CLT_LEAF_OUTLIER ( 1u << 29 )

CLT_HD cltLeafRef cltLeafRef_Make( uint32_t slot, uint32_t kind )
{
    return slot | ( kind << 30 );
}

CLT_HD uint32_t cltLeafRef_Slot( cltLeafRef ref )
{
    return ref & ( CLT_LEAF_OUTLIER - 1u );
}

CLT_HD uint32_t cltLeafRef_Kind( cltLeafRef ref )
{
    return ref >> 30;
}

/// View of all leaves.
typedef struct cltLeaves
{
    const cltLeafRef* refs;
    const void* now; ///< boxes by leaf, cltAabb or cltAabbD
    const void* before;
    cltPairFilters filters;
    bool isDouble;
    uint32_t slotBits;
    uint32_t count;
} cltLeaves;

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
    return cltFilter_Union( leaves->filters.now + slot, leaves->filters.before + slot );
}

/// The key to report for leaves i and j, or CLT_NO_KEY. The true boxes of both bodies decide, whatever the leaves'
/// kinds; the kinds keep a jumper's two leaves from reporting twice: what ended is for the one where it was, all else
/// for the one where it is.
CLT_HD uint64_t cltLeaves_Key( const cltLeaves* leaves, cltFind find, uint32_t i, uint32_t j )
{
    cltLeafRef refI = leaves->refs[i];
    cltLeafRef refJ = leaves->refs[j];
    uint32_t kindI = cltLeafRef_Kind( refI );
    uint32_t kindJ = cltLeafRef_Kind( refJ );
    if ( find == clt_findChanges && ( kindI | kindJ ) == CLT_LEAF_STILL )
    {
        return CLT_NO_KEY;
    }
    uint32_t change = cltPairChange_OfBoxes( leaves->before, leaves->now, leaves->isDouble, i, j );
    if ( !cltPairChange_MayMatter( change, find, &leaves->filters ) )
    {
        return CLT_NO_KEY;
    }
    uint32_t slotI = cltLeafRef_Slot( refI );
    uint32_t slotJ = cltLeafRef_Slot( refJ );
    change = cltPairChange_Filter( change, &leaves->filters, slotI, slotJ );
    uint32_t silentKind = change == CLT_PAIR_ENDED ? CLT_LEAF_NOW : CLT_LEAF_BEFORE;
    if ( kindI == silentKind || kindJ == silentKind )
    {
        return CLT_NO_KEY;
    }
    return cltPairChange_Key( change, find, slotI, slotJ, leaves->slotBits );
}

/// The same for an outlier i and any leaf j. Two outliers would meet twice: the one with the lower index reports.
CLT_HD uint64_t cltLeaves_OutlierKey( const cltLeaves* leaves, cltFind find, uint32_t i, uint32_t j )
{
    if ( j <= i && ( leaves->refs[j] & CLT_LEAF_OUTLIER ) != 0 )
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
