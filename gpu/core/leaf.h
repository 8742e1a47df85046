// SPDX-License-Identifier: Zlib
/// \file leaf.h Leaves: the elements that searches test, in spatial order, each with its body's previous and current
/// box. This file decides which pair of leaves reports a change, so that each change is reported once. pair_change.h
/// decides what a change is.
#ifndef CLT_CORE_LEAF_H
#define CLT_CORE_LEAF_H

#include "gpu/core/pair_change.h"
#include "gpu/core/slots.h"

/// A leaf's reference names its slot and kind:
///
///     bit  31 30   29        28 .. 0
///          kind    outlier   slot        outlier: not in the tree or grid, tested against everything
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

/// All that a search reads of a leaf lies in one cache line, because leaves are read in random order. A device reads 2
/// sectors of memory in 4 loads; three separate arrays took 4 sectors and 13 loads.
///
///     byte    0         24         48    52    64
///             current   previous   ref   zero
typedef struct cltLeaf
{
    CLT_ALIGNED( 64 ) cltAabb now;
    cltAabb before;
    cltLeafRef ref;
    uint32_t zeros[3];
} cltLeaf;

///     byte    0         48         96    100   128
///             current   previous   ref   zero
typedef struct cltLeafD
{
    CLT_ALIGNED( 64 ) cltAabbD now;
    cltAabbD before;
    cltLeafRef ref;
    uint32_t zeros[7];
} cltLeafD;

CLT_HD size_t cltLeaf_Size( bool isDouble )
{
    return isDouble ? sizeof( cltLeafD ) : sizeof( cltLeaf );
}

/// A view of all leaves.
typedef struct cltLeaves
{
    void* records; ///< cltLeaf or cltLeafD
    cltPairFilters filters;
    bool isDouble;
    uint32_t slotBits;
    uint32_t count;
} cltLeaves;

CLT_HD cltLeafRef* cltLeaves_RefAddress( const cltLeaves* leaves, uint32_t i )
{
    return leaves->isDouble ? &( (cltLeafD*)leaves->records )[i].ref : &( (cltLeaf*)leaves->records )[i].ref;
}

CLT_HD cltLeafRef cltLeaves_Ref( const cltLeaves* leaves, uint32_t i )
{
    return *cltLeaves_RefAddress( leaves, i );
}

CLT_HD bool cltLeaves_IsOutlier( const cltLeaves* leaves, uint32_t i )
{
    return ( cltLeaves_Ref( leaves, i ) & CLT_LEAF_OUTLIER ) != 0;
}

/// Makes leaf i a leaf of a slot, with both of the slot's boxes. The boxes are equal if the slot did not change.
CLT_HD void cltLeaves_Set( const cltLeaves* leaves, uint32_t i, cltLeafRef ref, const cltSlots* slots )
{
    const uint32_t slot = cltLeafRef_Slot( ref );
    const void* was = cltSlots_PreviousBoxes( slots, slot );
    if ( leaves->isDouble )
    {
        const cltLeafD leaf = { ( (const cltAabbD*)slots->now )[slot], ( (const cltAabbD*)was )[slot], ref, { 0 } };
        ( (cltLeafD*)leaves->records )[i] = leaf;
    }
    else
    {
        const cltLeaf leaf = { ( (const cltAabb*)slots->now )[slot], ( (const cltAabb*)was )[slot], ref, { 0 } };
        ( (cltLeaf*)leaves->records )[i] = leaf;
    }
}

/// Gives leaf i boxes of NaN, which overlap nothing.
CLT_HD void cltLeaves_Hide( const cltLeaves* leaves, uint32_t i, cltLeafRef ref )
{
    const cltAabb nowhere = cltAabb_Nan();
    if ( leaves->isDouble )
    {
        const cltLeafD leaf = { cltAabb_ToDouble( &nowhere ), cltAabb_ToDouble( &nowhere ), ref, { 0 } };
        ( (cltLeafD*)leaves->records )[i] = leaf;
    }
    else
    {
        const cltLeaf leaf = { nowhere, nowhere, ref, { 0 } };
        ( (cltLeaf*)leaves->records )[i] = leaf;
    }
}

/// A float box around the current box of leaf i.
CLT_HD cltAabb cltLeaves_Current( const cltLeaves* leaves, uint32_t i )
{
    return leaves->isDouble ? cltAabb_FromDouble( &( (const cltLeafD*)leaves->records )[i].now )
                            : ( (const cltLeaf*)leaves->records )[i].now;
}

CLT_HD cltAabb cltLeaves_Before( const cltLeaves* leaves, uint32_t i )
{
    return leaves->isDouble ? cltAabb_FromDouble( &( (const cltLeafD*)leaves->records )[i].before )
                            : ( (const cltLeaf*)leaves->records )[i].before;
}

/// A float box around all boxes that leaf i represents, equal to cltLeafSeed::box.
CLT_HD cltAabb cltLeaves_Cover( const cltLeaves* leaves, uint32_t i )
{
    const uint32_t kind = cltLeafRef_Kind( cltLeaves_Ref( leaves, i ) );
    if ( kind == CLT_LEAF_PREVIOUS )
    {
        return cltLeaves_Before( leaves, i );
    }
    const cltAabb now = cltLeaves_Current( leaves, i );
    if ( kind != CLT_LEAF_MOVED )
    {
        return now;
    }
    const cltAabb before = cltLeaves_Before( leaves, i );
    return cltAabb_Union( &before, &now );
}

/// The union of leaf i's previous and current filter. Must not be called if there are no filters.
CLT_HD cltFilter cltLeaves_Filter( const cltLeaves* leaves, uint32_t i )
{
    const uint32_t slot = cltLeafRef_Slot( cltLeaves_Ref( leaves, i ) );
    return cltFilter_Union( leaves->filters.now + slot, leaves->filters.before + slot );
}

/// The change between the bodies of two leaves, by their boxes alone.
CLT_HD uint32_t cltLeaf_Change( const cltLeaf* a, const cltLeaf* b )
{
    return cltPairChange( cltAabb_Overlaps( &a->before, &b->before ), cltAabb_Overlaps( &a->now, &b->now ) );
}

CLT_HD uint32_t cltLeafD_Change( const cltLeafD* a, const cltLeafD* b )
{
    return cltPairChange( cltAabbD_Overlaps( &a->before, &b->before ), cltAabbD_Overlaps( &a->now, &b->now ) );
}

/// The same for leaves i and j. If one leaf is tested against many, pass it as i: a device keeps i in registers and
/// reads all of j.
CLT_HD uint32_t cltLeaves_Change( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    if ( leaves->isDouble )
    {
        return cltLeafD_Change( (const cltLeafD*)leaves->records + i, (const cltLeafD*)leaves->records + j );
    }
    CLT_READ( cltLeaf, b, (const cltLeaf*)leaves->records + j );
    return cltLeaf_Change( (const cltLeaf*)leaves->records + i, b );
}

/// The key to report for leaves with these references and a change that their boxes decided, or CLT_NO_KEY. The kinds
/// prevent that a body with two leaves reports twice: the leaf of the previous box reports ended pairs, that of the
/// current box all others.
CLT_HD uint64_t cltLeaves_KeyOfChange( const cltLeaves* leaves, cltFind find, uint32_t change, cltLeafRef refI,
                                       cltLeafRef refJ )
{
    const uint32_t slotI = cltLeafRef_Slot( refI );
    const uint32_t slotJ = cltLeafRef_Slot( refJ );
    change = cltPairChange_Filter( change, &leaves->filters, slotI, slotJ );
    const uint32_t silentKind = change == CLT_PAIR_ENDED ? CLT_LEAF_CURRENT : CLT_LEAF_PREVIOUS;
    if ( cltLeafRef_Kind( refI ) == silentKind || cltLeafRef_Kind( refJ ) == silentKind )
    {
        return CLT_NO_KEY;
    }
    return cltPairChange_Key( change, find, slotI, slotJ, leaves->slotBits );
}

/// The key to report for leaves i and j, or CLT_NO_KEY. The exact boxes of both bodies decide, whatever the leaves'
/// kinds.
CLT_HD uint64_t cltLeaves_Key( const cltLeaves* leaves, cltFind find, uint32_t i, uint32_t j )
{
    const cltLeafRef refI = cltLeaves_Ref( leaves, i );
    const cltLeafRef refJ = cltLeaves_Ref( leaves, j );
    if ( find == clt_findChanges && ( cltLeafRef_Kind( refI ) | cltLeafRef_Kind( refJ ) ) == CLT_LEAF_STILL )
    {
        return CLT_NO_KEY;
    }
    const uint32_t change = cltLeaves_Change( leaves, i, j );
    return cltPairChange_MayBeReported( change, find, &leaves->filters )
               ? cltLeaves_KeyOfChange( leaves, find, change, refI, refJ )
               : CLT_NO_KEY;
}

/// The same for an outlier i and any leaf j. Two outliers are tested twice: the one with the lower index reports.
CLT_HD uint64_t cltLeaves_OutlierKey( const cltLeaves* leaves, cltFind find, uint32_t i, uint32_t j )
{
    if ( j <= i && cltLeaves_IsOutlier( leaves, j ) )
    {
        return CLT_NO_KEY;
    }
    return cltLeaves_Key( leaves, find, i, j );
}

/// The key of a change between leaf i, which is not still, and any leaf j, or CLT_NO_KEY. If neither leaf is still, the
/// two are tested twice: the leaf with the lower index reports.
CLT_HD uint64_t cltLeaves_MoverKey( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    if ( j <= i && ( j == i || cltLeafRef_Kind( cltLeaves_Ref( leaves, j ) ) != CLT_LEAF_STILL ) )
    {
        return CLT_NO_KEY;
    }
    return cltLeaves_Key( leaves, clt_findChanges, i, j );
}

#endif
