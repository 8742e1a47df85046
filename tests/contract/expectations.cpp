// SPDX-License-Identifier: Zlib
#include "expectations.h"

namespace test
{

static const char dbvt[] = "btDbvt";
static const char simple[] = "btSimple";
static const char sap[] = "bt32BitAxisSweep3";

const std::vector<Exception>& exceptions()
{
    static const std::vector<Exception> all = {
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
        { "CT19", dbvt, "its pair cache is walked from end to end, twice for each object" },
        { "CT19", simple, "its pair cache is walked from end to end, twice for each object" },
        { "CT19", sap, "its pair cache is walked from end to end, twice for each object" },
        { "CT20", dbvt, "it loses the memory of proxies that outlive it" },
        { "CT20", sap, "its tree for queries loses the memory of proxies that outlive it" },

        // Filters and callbacks
        { "CT25_APairThatWasForbiddenAppears", dbvt, "a pair is offered again only when a box leaves its fat one" },
        { "CT25_APairThatWasForbiddenAppears", sap, "a pair is offered again only when its boxes part and meet" },
        { "CT25_APairThatTheFilterRejectedAppears", dbvt,
          "a pair is offered again only when a box leaves its fat one" },
        { "CT25_APairThatTheFilterRejectedAppears", sap, "a pair is offered again only when its boxes part and meet" },
        { "CT26", dbvt, "it offers every pair of a box that left its fat one, there or not" },
        { "CT26_AskedOncePerNewPairAndStep", sap, "a moving edge offers pairs that are there" },
        { "CT27_CallsAreTheDifferenceOfTheSets", dbvt, "its boxes are fat: pairs begin early and end late" },
        { "CT27_GhostsKnowWhomTheirBoxesMeet", dbvt, "its boxes are fat: ghosts list what they do not meet" },
        { "CT28", dbvt, "it looks at a pair only when one of its boxes leaves its fat one" },
        { "CT28", sap, "it looks at a pair only when one of its boxes moves" },
        { "CT30_SortedCache", simple, "pairs that end stay in a given sorted cache" },
        { "CT30_SortedCache", sap, "a destroyed proxy stays in a given sorted cache" },
    };
    return all;
}

} // namespace test
