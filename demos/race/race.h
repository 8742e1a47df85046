// SPDX-License-Identifier: Zlib
/// \file race.h
/// Runs all engines through one stream of calls, in turns.
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
    int turn = 1;                 ///< steps that an engine makes in a row; must be 1 with --check
    std::uint64_t checkEvery = 1; ///< checks steps that are a multiple of this, and the last
};

/// \return a result for each entrant of the options, in their order, without the fields that only the caller knows
std::vector<Run> race( Stream& stream, const EngineOptions& options, const RaceRules& rules,
                       command::Progress& progress );

} // namespace cullet::compare

#endif
