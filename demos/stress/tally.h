// SPDX-License-Identifier: Zlib
/// \file tally.h
/// How much was done and checked, for the table at the end.
#ifndef CLT_STRESS_TALLY_H
#define CLT_STRESS_TALLY_H

#include <cstdint>

namespace cullet::stress
{

struct Tally
{
    std::uint64_t steps = 0;

    // Operations
    std::uint64_t creates = 0;
    std::uint64_t destroys = 0;
    std::uint64_t moves = 0;   ///< setAabb with another box
    std::uint64_t repeats = 0; ///< setAabb with the box that the proxy has
    std::uint64_t oddBoxes = 0;
    std::uint64_t filterEdits = 0; ///< group and mask written in place
    std::uint64_t filterSwaps = 0; ///< callbacks installed, exchanged or taken away
    std::uint64_t cacheEdits = 0;  ///< the application's own calls of the pair cache
    std::uint64_t resets = 0;
    std::uint64_t updates = 0; ///< calculateOverlappingPairs

    // Checks
    std::uint64_t pairSets = 0;
    std::uint64_t pairs = 0;     ///< pairs in those sets
    std::uint64_t freePairs = 0; ///< overlaps of which the contract leaves open whether they are pairs
    std::uint64_t atOnce = 0;    ///< proxies whose pairs had to be there before calculateOverlappingPairs
    std::uint64_t boxQueries = 0;
    std::uint64_t rayQueries = 0;
    std::uint64_t hits = 0;
};

} // namespace cullet::stress

#endif
