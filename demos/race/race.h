// SPDX-License-Identifier: Zlib
/// \file race.h
/// All engines through one stream of calls, in turns.
#ifndef CLT_RACE_RACE_H
#define CLT_RACE_RACE_H

#include "stream.h"

#include "demos/command/progress.h"
#include "demos/engines/engine_options.h"
#include "demos/report/report.h"

namespace cullet::compare
{

struct RaceRules
{
    int turn = 1;                 ///< steps that an engine makes before it is the next one's turn; 1 if it is checked
    std::uint64_t checkEvery = 1; ///< of so many steps one is checked, and the last
};

/// One result for each engine of the options, in their order, without the columns that only the caller knows.
std::vector<Run> race( Stream& stream, const EngineOptions& options, const RaceRules& rules,
                       command::Progress& progress );

} // namespace cullet::compare

#endif
