// SPDX-License-Identifier: Zlib
/// \file phases.h
/// The life of a world in phases of a few steps: each stresses something else, and what one leaves behind, the next one
/// meets.
#ifndef CLT_ORACLE_PHASES_H
#define CLT_ORACLE_PHASES_H

#include <cstddef>

namespace cullet
{

/// Shares are of the living bodies and in each step, unless another meaning is given.
struct Phase
{
    const char* name;
    unsigned longest;  ///< steps
    double population; ///< share of the bodies asked for towards which the phase creates or destroys
    double turnover;   ///< at most this share of the bodies asked for a step
    double churn;      ///< destroyed, and as many created
    double drift;      ///< moved a little
    double jump;       ///< moved anywhere; some come back at once
    double repeat;     ///< set to the box they have
    double odd;        ///< given an odd box; some get their last one back at once
    double edits;      ///< of which the filter is changed
    bool swapsFilter;  ///< the rule that filters are read by is exchanged, where there is another
    bool editsCache;   ///< the application takes pairs out of the cache, where there is one
    bool crowds;       ///< some hundred gather in one place
    bool hasWide;      ///< planes and the like come and go
};

/// The first one fills the world.
extern const Phase phases[];
extern const std::size_t phaseCount;

} // namespace cullet

#endif
