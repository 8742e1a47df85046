// SPDX-License-Identifier: Zlib
/// \file replay_race.h
/// All engines through one recording, in turns.
#ifndef CLT_COMMAND_REPLAY_RACE_H
#define CLT_COMMAND_REPLAY_RACE_H

#include "engine_options.h"
#include "progress.h"
#include "run.h"

#include "demos/recording/survey.h"

#include <string>
#include <vector>

namespace cullet::compare
{

struct ReplayOptions : EngineOptions
{
    ReplayOptions()
    {
        engines = engineNames();
    }

    std::string file;
    bool check = false;
    std::uint64_t checkEvery = 1; ///< of so many steps one is checked, and the last
    std::string format = "table";
};

/// One result for each engine of the options, in their order, without the columns that only the caller knows.
std::vector<Run> replayRace( const recording::Survey& survey, const ReplayOptions& options, Progress& progress );

} // namespace cullet::compare

#endif
