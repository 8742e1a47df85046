// SPDX-License-Identifier: Zlib
/// \file race.h
/// All engines through one scene at one size, in turns.
#ifndef CLT_COMMAND_RACE_H
#define CLT_COMMAND_RACE_H

#include "compare_options.h"
#include "progress.h"
#include "run.h"

namespace cullet::compare
{

/// One result for each engine of the options, in their order, without the columns that only the caller knows.
std::vector<Run> race( const cltSceneDef& def, const CompareOptions& options, Progress& progress );

} // namespace cullet::compare

#endif
