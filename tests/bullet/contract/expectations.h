// SPDX-License-Identifier: Zlib
/// \file expectations.h
/// Which of Bullet's own broadphases are known not to keep which part of the contract, and why. These are left out of
/// the tests' verdict; table.sh runs them all the same, and complains if one of them keeps it after all. Cullet has no
/// entry here.
#ifndef CULLET_TESTS_EXPECTATIONS_H
#define CULLET_TESTS_EXPECTATIONS_H

namespace test
{

constexpr char dbvt[] = "btDbvt", simple[] = "btSimple", sap[] = "bt32BitAxisSweep3";
constexpr char isWalked[] = "its pair cache is walked from end to end, twice for each object";
constexpr char isOfferedLate[] = "a pair is offered again only when a box leaves its fat one";
constexpr char holdsOn[] = "its pair cache holds on to a place in its array while it calls";

constexpr struct Exception
{
    const char* tests;      ///< how the names of the tests begin: "CT12" for all of CT-12, "CT12_Hits" for some
    const char* contestant; ///< its name, see contestants.h
    const char* reason;     ///< for people; ends up under the table
} exceptions[] = {
    // Pairs
    { "CT01", dbvt, "its boxes are fat: it holds pairs that do not overlap" },
    { "CT01Large", sap, "its boxes are rounded outwards to its lattice" },
    { "CT02", dbvt, "its set is not a subset of bt32BitAxisSweep3's" },
    { "CT02", sap, "its set is not a subset of btDbvt's" },
    { "CT04", sap, "its boxes are rounded outwards to its lattice" },
    { "CT09", simple, "it adds pairs in calculateOverlappingPairs only" },
    { "CT10", simple, "it adds pairs in calculateOverlappingPairs only" },
    { "CT11", dbvt, "a stored pair is looked at again only when its turn comes" },
    { "CT12", dbvt, "a box that shrinks keeps its place in the tree" },
    { "CT12_ShrinkingDropsHits", sap, "queries ask a tree of its own, where the box keeps its place" },

    // Removal and lifetime
    { "CT18_RefreshGivesANewUid", simple, "its uids are slots, and used again" },
    { "CT18_RefreshGivesANewUid", sap, "its uids are handles, and used again" },
    { "CT19", dbvt, isWalked },
    { "CT19", simple, isWalked },
    { "CT19", sap, isWalked },
    { "CT20", dbvt, "it loses the memory of proxies that outlive it" },
    { "CT20", sap, "its tree for queries loses the memory of proxies that outlive it" },

    // Filters and callbacks
    { "CT25_MaskedPairAppearsWhenItsMaskIsEdited", dbvt, isOfferedLate },
    { "CT25_MaskedPairAppearsWhenItsMaskIsEdited", sap, "a pair is offered again only when its boxes part and meet" },
    { "CT25_FilteredPairAppearsWhenItsMaskIsEdited", dbvt, isOfferedLate },
    { "CT25_FilteredPair", sap, "a pair is offered again only when its boxes part and meet" },
    { "CT26", dbvt, "it offers every pair of a box that left its fat one, there or not" },
    { "CT26_FilterIsAskedOncePerNewPairAndStep", sap, "a moving edge offers pairs that are there" },
    { "CT27_CallbacksAreTheDifferenceOfThePairSets", dbvt, "its boxes are fat: pairs begin early and end late" },
    { "CT27_GhostListsMatchTheBoxes", dbvt, "its boxes are fat: ghosts list what they do not meet" },
    { "CT28", dbvt, "it looks at a pair only when one of its boxes leaves its fat one" },
    { "CT28", sap, "it looks at a pair only when one of its boxes moves" },
    { "CT30_SubclassIsNotAskedToRemove", sap, "it tells of any two boxes that part" },
    { "CT30_SortedCache", simple, "pairs that end stay in a given sorted cache" },
    { "CT30_SortedCache", sap, "a destroyed proxy stays in a given sorted cache" },

    // Queries
    { "CT31_BoxQueriesSeeEveryChangeAtOnce", dbvt,
      "a box that shrinks inside its fat one is still found where it was" },
    { "CT31_BoxQueriesSeeEveryChangeAtOnce", sap, "as btDbvt, which answers its queries" },
    { "CT32_HundredThousandRays", simple, "it reports every proxy to every ray" },
    { "CT32_RaysAcceptInversesOf1e30", simple, "it reports every proxy to every ray" },
    { "CT33", simple, "it reports every proxy to every ray" },
    { "CT35", dbvt, "all its rays share one stack unless Bullet is built with BT_THREADSAFE" },
    { "CT35", sap, "as btDbvt, which answers its queries" },
    { "CT36_RayQueryMayRunInsideARayQuery", dbvt,
      "all its rays share one stack unless Bullet is built with BT_THREADSAFE" },
    { "CT36_RayQueryMayRunInsideARayQuery", sap, "as btDbvt, which answers its queries" },
    { "CT37", sap, "it reports proxies of the btDbvt inside it, which nobody was given" },

    // Numbers
    { "CT39_InfiniteHugeAndTinyBoxesFormExactPairs", dbvt, "its boxes are fat: it holds pairs that do not overlap" },
    { "CT39_InfiniteHugeAndTinyBoxesFormExactPairs", sap, "it clamps boxes to the bounds of its world" },
    { "CT40_BoxesWithNanFormNoPairs", dbvt, "pairs stay when a NaN comes" },
    { "CT40_BoxesWithNanAreNotHit", dbvt, "one NaN hides others from its queries" },
    { "CT40_BoxesWithNanAreNotHit", simple, "a NaN overlaps everything" },
    { "CT40_QueriesWithNanHitNothing", simple, "a NaN overlaps everything" },
    { "CT40", sap, "its ends of intervals cannot be sorted where there is a NaN" },
    { "CT42_MovesOfAFewBitsChangePairs", dbvt, "pairs that separated are taken out late" },
    { "CT42", sap, "it rounds boxes outwards to a grid" },
    { "CT44_BoundsAreZeroWithoutProxies", simple, "its bounds are always everything" },
    { "CT44", sap, "its bounds are those of its world" },

    // Identity and determinism
    { "CT45_UidsCountUpwards", simple, "its uids are those of slots, and used again" },
    { "CT45_UidsCountUpwards", sap, "its uids are those of handles, and used again" },
    { "CT45_ResetPoolRestartsUidsAtOne", simple, "its first uid is 2" },
    { "CT46_PairArrayIsTheSameAfterResetPool", simple, "resetPool does nothing: slots come in another order" },
    { "CT48_ProxiesAreAligned", simple, "its proxies lie side by side in an array" },
    { "CT48_ProxiesAreAligned", sap, "its proxies lie side by side in an array" },
    { "CT47_StatesEqualAnExact", dbvt, "pairs of fat boxes join islands that exact ones leave apart" },

    // Integration
    { "CT49_HullsOnMeshEndAsOnDbvt", sap,
      "its world takes another course than btDbvt's, and a few hulls rock for longer" },
    { "CT51_BoxesSetBeforeAdded", sap, "a proxy's box is not set before its first setAabb" },
    { "CT52_NullAndForeignClientsArePassedThrough", simple, "a proxy without a client is a free slot to it" },

    // Callbacks
    { "CT56_Ended", dbvt, holdsOn },
    { "CT56_Ended", simple, holdsOn },
    { "CT56_Sorted", dbvt, holdsOn },
    { "CT56_Sorted", simple, "pairs that end stay in a given sorted cache" },
    { "CT56", sap, holdsOn },
    { "CT57", dbvt, holdsOn },
    { "CT57", simple, holdsOn },
    { "CT57", sap, holdsOn },
    { "CT58", dbvt, holdsOn },
    { "CT58", simple, holdsOn },
    { "CT58", sap, holdsOn },
    { "CT59", dbvt, holdsOn },
    { "CT59", simple, holdsOn },
    { "CT59", sap, holdsOn },
};

} // namespace test

#endif
