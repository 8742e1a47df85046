// SPDX-License-Identifier: Zlib
/// \file front_travel.h
/// Decides when entries of a front (front.h) are tested again, and when the tree's leaves are sorted again.
///
/// A test of an entry also computes its clearance: the distance that boxes must move before the test of the entry or of
/// its parent can give another result. Each update adds the largest displacement of any box to one sum, the travel. The
/// entry's mark is the travel before this update plus the entry's clearance. When the travel reaches the mark, the
/// entry is due: it is tested again.
///
///     travel   0 ....... 0.3 ....... 0.7 ....... 1.1
///                 |        |            |            marks of three entries
#ifndef CLT_CORE_FRONT_TRAVEL_H
#define CLT_CORE_FRONT_TRAVEL_H

#include "gpu/core/front.h"
#include "gpu/core/leaf.h"

/// Factors that cover the rounding of sums: the first multiplies a clearance, the second a sum of displacements.
#define CLT_CLEARANCE_FACTOR ( 1.0 - 1e-6 )
#define CLT_TRAVEL_FACTOR ( 1.0 + 1e-9 )

/// The rounding error of a clearance is less than this share of the largest coordinate. A clearance is a sum of four
/// bounds of node boxes. These are floats, rounded outward if the bodies' boxes are double.
#define CLT_CLEARANCE_ERROR_SHARE 4.8e-7f // 2^-21

/// The most entries of a front, holes included, for each leaf. A search that needs more goes on without a front.
/// Measured with 20,000 boxes: with 27 entries a step takes 0.65 times as long as without a front if boxes move by
/// thousandths of their size, and 1.4 times if they move by hundredths; with 39, 0.74 and 1.7 times; with 62, 0.81 and
/// 2.2 times.
#define CLT_FRONT_MAX_ENTRIES_PER_LEAF 32u

/// The number of updates without a front after such a search. Large enough that trying again costs little.
#define CLT_FRONTLESS_UPDATES 64u

/// The number of box tests that takes as long as sorting one leaf.
#define CLT_SORT_TESTS 8.0

typedef struct cltFrontTravel
{
    double sum;           ///< sum of each update's largest displacement, with this update; infinite if one is unknown
    double before;        ///< sum of each update's largest displacement, up to the previous update
    float clearanceError; ///< bound on the rounding error of a clearance
    bool areMarksValid;   ///< whether the marks are valid; if not, all entries are due
} cltFrontTravel;

CLT_HD double cltInfinity( void )
{
    return (double)cltFloatOfBits( 0x7f800000u );
}

/// The larger of `travel` and the distance from `from` to `to`. The distance of two equal infinities is 0.
CLT_HD double cltLargerDistance( double travel, double from, double to )
{
    const double distance = from < to ? to - from : from - to;
    return from != to && distance > travel ? distance : travel;
}

/// The largest displacement of any bound of a box.
CLT_HD double cltAabbD_Displacement( const cltAabbD* before, const cltAabbD* now )
{
    double travel = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        travel = cltLargerDistance( travel, before->lower[axis], now->lower[axis] );
        travel = cltLargerDistance( travel, before->upper[axis], now->upper[axis] );
    }
    return travel;
}

/// Whether the displacement of leaf i cannot be measured: its body disappeared, so that only a previous box is left, or
/// the leaf has boxes but is not in the tree in this update.
CLT_HD bool cltLeaves_IsDisplacementUnknown( const cltLeaves* leaves, uint32_t i )
{
    const cltLeafRef ref = cltLeaves_Ref( leaves, i );
    const uint32_t kind = cltLeafRef_Kind( ref );
    if ( ( ref & CLT_LEAF_OUTLIER ) == 0 )
    {
        return kind == CLT_LEAF_PREVIOUS;
    }
    const cltAabb now = cltLeaves_Current( leaves, i );
    return kind != CLT_LEAF_STILL || now.lower[0] == now.lower[0]; // an unused leaf has a box of NaNs
}

/// The largest displacement of a bound of leaf i; infinite if it cannot be measured.
CLT_HD double cltLeaves_Displacement( const cltLeaves* leaves, uint32_t i )
{
    if ( cltLeaves_IsDisplacementUnknown( leaves, i ) )
    {
        return cltInfinity();
    }
    if ( cltLeafRef_Kind( cltLeaves_Ref( leaves, i ) ) != CLT_LEAF_MOVED )
    {
        return 0.0;
    }
    if ( leaves->isDouble )
    {
        const cltLeafD* leaf = (const cltLeafD*)leaves->records + i;
        return cltAabbD_Displacement( &leaf->before, &leaf->now );
    }
    const cltLeaf* leaf = (const cltLeaf*)leaves->records + i;
    const cltAabbD before = cltAabb_ToDouble( &leaf->before );
    const cltAabbD now = cltAabb_ToDouble( &leaf->now );
    return cltAabbD_Displacement( &before, &now );
}

CLT_HD float cltClearance_RoundingError( const cltAabb* root )
{
    float reach = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = root->lower[axis] < 0.0f ? -root->lower[axis] : root->lower[axis];
        const float upper = root->upper[axis] < 0.0f ? -root->upper[axis] : root->upper[axis];
        reach = lower > reach ? lower : reach;
        reach = upper > reach ? upper : reach;
    }
    return reach * CLT_CLEARANCE_ERROR_SHARE;
}

/// Adds an update's largest displacement to the sum.
/// \param last     the result for the previous update; read only if `isKnown`
/// \param isKnown  whether the marks of entries are valid: nodes contain the same leaves as in the previous update, and
/// every displacement was measured
/// \param travel      the largest displacement of this update
CLT_HD cltFrontTravel cltFrontTravel_Add( const cltFrontTravel* last, bool isKnown, double travel, const cltAabb* root )
{
    cltFrontTravel next;
    next.areMarksValid = isKnown && last->sum < cltInfinity();
    next.before = next.areMarksValid ? last->sum : 0.0;
    next.sum = next.before + travel;
    next.clearanceError = cltClearance_RoundingError( root );
    return next;
}

/// Entries with a mark up to this are due.
CLT_HD float cltFrontTravel_Limit( const cltFrontTravel* travel )
{
    return cltRoundUp( travel->areMarksValid ? travel->sum * CLT_TRAVEL_FACTOR : cltInfinity() );
}

/// The mark of an entry with the clearance `slack` in this update. A node's bound in an update is the outermost of its
/// leaves' previous and current bounds. So from update t to a later update u, the bound moves by at most the sum of the
/// largest displacements of updates t to u. Update t is included, because bound( t ) may be a previous bound:
///
///     bound( u ) - bound( t )  <=  sum( u ) - before( t )     the entry is due when this exceeds the clearance
CLT_HD float cltFrontTravel_Mark( const cltFrontTravel* travel, float slack )
{
    const double spare = (double)slack * CLT_CLEARANCE_FACTOR - (double)travel->clearanceError;
    return cltRoundDown( travel->before + ( spare > 0.0 ? spare : 0.0 ) );
}

/// The clearance of an entry that does not meet: the smaller of its own and that of its parent, `above`, which meets.
CLT_HD float cltPairTree_ClearanceApart( const cltLevelTree* tree, const cltLeveledPair* place,
                                         const cltLeveledPair* above )
{
    const float own = cltPairTree_Clearance( tree, place );
    const float ofAbove = cltPairTree_Clearance( tree, above );
    return own < ofAbove ? own : ofAbove;
}

/// The clearance of an entry of two leaves that meet. Moves within it neither end nor begin an overlap of the leaves'
/// current boxes. The entry's parent needs no test, because it meets whenever the leaves do. If only the previous boxes
/// overlap, the leaves moved by more than their clearance, and the entry is due in the next update anyway.
CLT_HD float cltLeaves_Clearance( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    const cltAabb a = cltLeaves_Current( leaves, i );
    const cltAabb b = cltLeaves_Current( leaves, j );
    const float clearance = cltAabb_Clearance( &a, &b );
    return 0.5f * ( clearance < 0.0f ? -clearance : clearance );
}

/// The cost of a front since its leaves were sorted. As the order degrades, more node pairs meet and the front grows.
/// Leaves are sorted again when the extra cost exceeds the cost of a new order: sorting the leaves and testing all
/// entries. So the total is at most twice the optimum in hindsight (Karlin et al., Competitive Snoopy Caching, 1988).
/// Costs are counts, not times, so that every machine decides alike.
typedef struct cltFrontCost
{
    uint64_t countWhenNew; ///< entries right after sorting
    double sortCost;       ///< cost of a new order, in box tests
    double extraCost;
} cltFrontCost;

/// Adds the cost of one search, from its box tests and the resulting number of entries.
static inline void cltFrontCost_AddSearch( cltFrontCost* frontCost, bool isNewOrder, uint64_t count, uint64_t testCount,
                                           uint32_t leafCount )
{
    if ( isNewOrder )
    {
        frontCost->countWhenNew = count;
        frontCost->sortCost = (double)testCount + CLT_SORT_TESTS * (double)leafCount;
        frontCost->extraCost = 0.0;
    }
    else if ( count > frontCost->countWhenNew )
    {
        frontCost->extraCost += (double)testCount * (double)( count - frontCost->countWhenNew ) / (double)count;
    }
}

/// Whether the leaves should be sorted again.
static inline bool cltFrontCost_ShouldSort( const cltFrontCost* frontCost )
{
    return frontCost->extraCost > frontCost->sortCost;
}

#endif
