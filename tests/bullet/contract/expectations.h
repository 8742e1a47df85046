// SPDX-License-Identifier: Zlib
/// \file expectations.h
/// The tests that Bullet's own broadphases are known to fail, and why. ctest does not run these combinations. table.sh
/// does, and fails if one of them passes. Cullet has no entry here.
#ifndef CULLET_TESTS_EXPECTATIONS_H
#define CULLET_TESTS_EXPECTATIONS_H

namespace test
{

constexpr char dbvt[] = "btDbvt", simple[] = "btSimple", sap[] = "bt32BitAxisSweep3";
constexpr char allOfBullets[] = "bt*";
constexpr char isWalked[] = "each removal walks its whole pair cache twice";
constexpr char isOfferedLate[] = "it asks the filter again only when a box leaves its fat box";
constexpr char holdsOn[] = "its pair cache keeps a pointer into its array during callbacks";

constexpr struct Exception
{
    const char* tests;      ///< prefix of test names: "CT12" for all of CT-12, "CT12_Hits" for some
    const char* contestant; ///< see contestants.h; may end in *
    const char* reason;
} exceptions[] = {
    // Pairs
    { "CT01", dbvt, "its boxes are fat: it holds pairs that do not overlap" },
    { "CT01Large", sap, "its boxes are rounded outwards to its lattice" },
    { "CT02", dbvt, "its set is not a subset of bt32BitAxisSweep3's" },
    { "CT02", sap, "its set is not a subset of btDbvt's" },
    { "CT04", sap, "its boxes are rounded outwards to its lattice" },
    { "CT09", simple, "it adds pairs in calculateOverlappingPairs only" },
    { "CT10", simple, "it adds pairs in calculateOverlappingPairs only" },
    { "CT11", dbvt, "it checks only a part of the stored pairs in each update" },
    { "CT12", dbvt, "a box that shrinks keeps its place in the tree" },
    { "CT12", sap, "queries ask a tree of its own, where the box keeps its place" },

    // Removal and lifetime
    { "CT18_RefreshGivesANewUid", simple, "its uids are slot numbers, which are reused" },
    { "CT18_RefreshGivesANewUid", sap, "its uids are handles, which are reused" },
    { "CT19", allOfBullets, isWalked },
    { "CT20", dbvt, "it loses the memory of proxies that outlive it" },
    { "CT20", sap, "its tree for queries loses the memory of proxies that outlive it" },

    // Filters and callbacks
    { "CT25_MaskedPairAppearsWhenItsMaskIsEdited", dbvt, isOfferedLate },
    { "CT25_MaskedPairAppearsWhenItsMaskIsEdited", sap,
      "it asks the filter again only when two boxes begin to overlap" },
    { "CT25_FilteredPairAppearsWhenItsMaskIsEdited", dbvt, isOfferedLate },
    { "CT25_FilteredPair", sap, "it asks the filter again only when two boxes begin to overlap" },
    { "CT26", dbvt, "it asks about every pair of a box that left its fat box, also existing ones" },
    { "CT26_FilterIsAskedOncePerNewPairAndStep", sap,
      "it also asks about existing pairs when an end of an interval moves" },
    { "CT27_CallbacksAreTheDifferenceOfThePairSets", dbvt, "its boxes are fat: pairs begin early and end late" },
    { "CT27_GhostListsMatchTheBoxes", dbvt, "its boxes are fat: ghosts list what they do not meet" },
    { "CT28", dbvt, "it checks a pair only when one of its boxes leaves its fat box" },
    { "CT28", sap, "it checks a pair only when one of its boxes moves" },
    { "CT30_SubclassIsNotAskedToRemove", sap,
      "it removes pairs of any two boxes that separate, also if they were rejected" },
    { "CT30_SortedCache", simple, "pairs that end stay in a given sorted cache" },
    { "CT30_SortedCache", sap, "a destroyed proxy stays in a given sorted cache" },

    // Queries
    { "CT31_BoxQueriesSeeEveryChangeAtOnce", dbvt,
      "a box that shrinks inside its fat one is still found where it was" },
    { "CT31_BoxQueriesSeeEveryChangeAtOnce", sap, "as btDbvt, which answers its queries" },
    { "CT32_HundredThousandRays", simple, "it reports every proxy to every ray" },
    { "CT33", simple, "it reports every proxy to every ray" },
    { "CT35", dbvt, "all its rays share one stack unless Bullet is built with BT_THREADSAFE" },
    { "CT35", sap, "as btDbvt, which answers its queries" },
    { "CT36", dbvt, "all its rays share one stack unless Bullet is built with BT_THREADSAFE" },
    { "CT36", sap, "as btDbvt, which answers its queries" },
    { "CT37", sap, "it reports proxies of the btDbvt inside it, which the application never got" },

    // Numbers
    { "CT39_InfiniteHugeAndTinyBoxesFormExactPairs", dbvt, "its boxes are fat: it holds pairs that do not overlap" },
    { "CT39_InfiniteHugeAndTinyBoxesFormExactPairs", sap, "it clamps boxes to the bounds of its world" },
    { "CT40_BoxesWithNan", dbvt, "pairs of a box that gets a NaN stay, and one NaN hides others from its queries" },
    { "CT40", simple, "a NaN overlaps everything" },
    { "CT40", sap, "it cannot sort intervals that end in a NaN" },
    { "CT42", dbvt, "pairs that separated are taken out late" },
    { "CT42", sap, "it rounds boxes outwards to a grid" },
    { "CT44_BoundsContainAllBoxes", simple, "its bounds are always everything" },
    { "CT44", sap, "its bounds are those of its world" },

    // Identity and determinism
    { "CT45_UidsCountUpwards", simple, "its uids are slot numbers, which are reused" },
    { "CT45_UidsCountUpwards", sap, "its uids are handles, which are reused" },
    { "CT45_ResetPoolRestartsUidsAtOne", simple, "its first uid is 2" },
    { "CT46_PairArrayIsTheSameAfterResetPool", simple, "resetPool does nothing: slots come in another order" },
    { "CT48_ProxiesAreAligned", simple, "its proxies lie side by side in an array" },
    { "CT48_ProxiesAreAligned", sap, "its proxies lie side by side in an array" },
    { "CT47_StatesEqualAnExact", dbvt, "pairs of fat boxes join islands that exact ones leave apart" },

    // Integration
    { "CT51_BoxesSetBeforeAdded", sap, "a proxy's box is not set before its first setAabb" },
    { "CT52_NullAndForeignClientsArePassedThrough", simple, "a proxy without a client is a free slot to it" },
#if defined( __MINGW32__ ) && defined( BT_USE_DOUBLE_PRECISION )
    { "CT49", sap, "in its order of pairs, and rounded as this compiler does, a pack of hulls never comes to rest" },
#endif

    // Callbacks
    { "CT56", allOfBullets, holdsOn },
    { "CT57", allOfBullets, holdsOn },
    { "CT58", allOfBullets, holdsOn },
    { "CT59", allOfBullets, holdsOn },
};

} // namespace test

#endif
