// SPDX-License-Identifier: Zlib
/// \file front_way.h
/// When entries of a front (front.h) are due, and when its leaves had better be sorted anew.
///
/// Entries are not even looked at while nothing can have come of them: when an entry is tested, it is noted how far
/// boxes would have to move before it, or the pair above it, could say anything else. All that moves adds to one sum,
/// the way of who moved furthest in each update, and an entry is due when that sum has come to its mark:
///
///     way   0 ....... 0.3 ....... 0.7 ....... 1.1
///                 |        |            |            marks of entries, tested again when the way has got there
#ifndef CLT_CORE_FRONT_WAY_H
#define CLT_CORE_FRONT_WAY_H

#include "gpu/core/front.h"
#include "gpu/core/leaf.h"

/// By how much slacks are shortened and ways lengthened, for the roundings of their own sums.
#define CLT_WAY_SHORTER ( 1.0 - 1e-6 )
#define CLT_WAY_LONGER ( 1.0 + 1e-9 )

/// Boxes are unions of floats, which are doubles rounded outward where boxes are double: off by less than this share of
/// their largest coordinate, four bounds of them in a slack.
#define CLT_WAY_SLOP_SHARE 4.8e-7f // 2^-21

/// Box tests that take as long as sorting a leaf.
#define CLT_SORT_TESTS 8.0

typedef struct cltFrontWay
{
    double sum;        ///< up to this update; infinite if somebody went where no way leads
    double before;     ///< up to the last one
    float slop;        ///< how far rounding may have put a box off
    bool looksAtMarks; ///< else all entries are due
} cltFrontWay;

CLT_HD double cltWay_Infinite( void )
{
    return (double)cltFloatOfBits( 0x7f800000u );
}

/// Of an infinity from itself none.
CLT_HD double cltWay_Further( double way, double from, double to )
{
    const double distance = from < to ? to - from : from - to;
    return from != to && distance > way ? distance : way;
}

/// Of the bound that went furthest.
CLT_HD double cltWay_Between( const cltAabbD* before, const cltAabbD* now )
{
    double way = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        way = cltWay_Further( way, before->lower[axis], now->lower[axis] );
        way = cltWay_Further( way, before->upper[axis], now->upper[axis] );
    }
    return way;
}

/// True if leaf i has boxes and is not in the tree for now, or had one that will not be there again: no way leads from
/// where there is nothing.
CLT_HD bool cltLeaves_IsAway( const cltLeaves* leaves, uint32_t i )
{
    const cltLeafRef ref = cltLeaves_Ref( leaves, i );
    const uint32_t kind = cltLeafRef_Kind( ref );
    if ( ( ref & CLT_LEAF_OUTLIER ) == 0 )
    {
        return kind == CLT_LEAF_BEFORE;
    }
    const cltAabb now = cltLeaves_Now( leaves, i );
    return kind != CLT_LEAF_STILL || now.lower[0] == now.lower[0]; // nobody's leaf has no box, and never will
}

/// How far the bound of leaf i went that went furthest.
CLT_HD double cltLeaves_Way( const cltLeaves* leaves, uint32_t i )
{
    if ( cltLeaves_IsAway( leaves, i ) )
    {
        return cltWay_Infinite();
    }
    if ( cltLeafRef_Kind( cltLeaves_Ref( leaves, i ) ) != CLT_LEAF_MOVED )
    {
        return 0.0;
    }
    if ( leaves->isDouble )
    {
        const cltLeafD* leaf = (const cltLeafD*)leaves->records + i;
        return cltWay_Between( &leaf->before, &leaf->now );
    }
    const cltLeaf* leaf = (const cltLeaf*)leaves->records + i;
    const cltAabbD before = cltAabb_ToDouble( &leaf->before );
    const cltAabbD now = cltAabb_ToDouble( &leaf->now );
    return cltWay_Between( &before, &now );
}

CLT_HD float cltWay_Slop( const cltAabb* root )
{
    float reach = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = root->lower[axis] < 0.0f ? -root->lower[axis] : root->lower[axis];
        const float upper = root->upper[axis] < 0.0f ? -root->upper[axis] : root->upper[axis];
        reach = lower > reach ? lower : reach;
        reach = upper > reach ? upper : reach;
    }
    return reach * CLT_WAY_SLOP_SHARE;
}

/// After one more update.
/// \param last     after the one before; read only if it is known
/// \param isKnown  its entries' marks hold: nodes stand for what they stood for, and no way was missed
/// \param way      of who went furthest in this update
CLT_HD cltFrontWay cltFrontWay_After( const cltFrontWay* last, bool isKnown, double way, const cltAabb* root )
{
    cltFrontWay next;
    next.looksAtMarks = isKnown && last->sum < cltWay_Infinite();
    next.before = next.looksAtMarks ? last->sum : 0.0;
    next.sum = next.before + way;
    next.slop = cltWay_Slop( root );
    return next;
}

/// Entries with marks up to here are due.
CLT_HD float cltFrontWay_Limit( const cltFrontWay* way )
{
    return cltRoundUp( way->looksAtMarks ? way->sum * CLT_WAY_LONGER : cltWay_Infinite() );
}

/// The way at which an entry is due that has so much slack in this update. A node's bound in an update is the outermost
/// of what its leaves had before and have now; so between an update t and a later one u it moves by no more than all
/// ways of t to u together, that of t included, as the bound may have been one from before t:
///
///     bound( u ) - bound( t )  <=  sum( u ) - before( t )          due when that is more than slack
CLT_HD float cltFrontWay_Mark( const cltFrontWay* way, float slack )
{
    const double spare = (double)slack * CLT_WAY_SHORTER - (double)way->slop;
    return cltRoundDown( way->before + ( spare > 0.0 ? spare : 0.0 ) );
}

/// Of a pair that does not meet: while it does not, and the one above does, it stays.
CLT_HD float cltPairTree_SlackApart( const cltPairTree* trees, const cltPairPlace* place, const cltPairPlace* above )
{
    const float own = cltPairTree_Slack( trees, place );
    const float ofAbove = cltPairTree_Slack( trees, above );
    return own < ofAbove ? own : ofAbove;
}

/// Of two leaves that meet: the entry stays while the boxes that they have now overlap, or are apart. The pair above
/// needs no look: it meets now, and if these two are apart, they went further than their slack to come from where they
/// met, and are due again in the next update.
CLT_HD float cltLeaves_Slack( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    const cltAabb a = cltLeaves_Now( leaves, i );
    const cltAabb b = cltLeaves_Now( leaves, j );
    const float clearance = cltAabb_Clearance( &a, &b );
    return 0.5f * ( clearance < 0.0f ? -clearance : clearance );
}

/// What a front has cost since its leaves were sorted. As their order gets worse, more pairs of nodes meet and the
/// front gets longer. What that has cost is compared with what a new order costs: all entries are looked at, and leaves
/// are sorted. So at most twice as much is spent as by who knew what comes (Karlin et al., Competitive Snoopy Caching,
/// 1988). By counts, not clocks: the same on every machine.
typedef struct cltFrontRent
{
    uint64_t countWhenNew; ///< entries when the order was
    double price;          ///< in box tests
    double paid;
} cltFrontRent;

/// After a search: of so many box tests, which left so many entries.
static inline void cltFrontRent_Pay( cltFrontRent* rent, bool isNewOrder, uint64_t count, uint64_t testCount,
                                     uint32_t leafCount )
{
    if ( isNewOrder )
    {
        rent->countWhenNew = count;
        rent->price = (double)testCount + CLT_SORT_TESTS * (double)leafCount;
        rent->paid = 0.0;
    }
    else if ( count > rent->countWhenNew )
    {
        rent->paid += (double)testCount * (double)( count - rent->countWhenNew ) / (double)count;
    }
}

/// True when leaves had better be sorted anew.
static inline bool cltFrontRent_IsDue( const cltFrontRent* rent )
{
    return rent->paid > rent->price;
}

#endif
