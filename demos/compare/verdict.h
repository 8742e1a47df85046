// SPDX-License-Identifier: Zlib
/// \file verdict.h
/// `--never-slower`: cullet through Bullet's interface against the fastest of Bullet's own broadphases, case by case.
#ifndef CLT_COMPARE_VERDICT_H
#define CLT_COMPARE_VERDICT_H

#include "demos/engines/engine_options.h"
#include "demos/report/run.h"

namespace cullet::compare
{

/// Throws CLI::ValidationError unless there is somebody on both sides.
void requireBothSides( const EngineOptions& options );

struct Verdict
{
    bool anySlower = false;
    std::string text; ///< where it was slower and how much, the worst first; or where it came closest to that
};

Verdict judge( const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
