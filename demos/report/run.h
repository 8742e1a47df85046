// SPDX-License-Identifier: Zlib
/// \file run.h
/// One line of the result: one engine on one scene at one size.
#ifndef CLT_REPORT_RUN_H
#define CLT_REPORT_RUN_H

#include "demos/engines/engine.h"

#include <optional>
#include <string>
#include <vector>

namespace cullet::compare
{

/// What is not known stays empty and is shown as such: nothing in a result is a guess.
struct Run
{
    std::string scene;
    std::uint32_t bodies = 0;
    double moving = 0;              ///< percent
    std::optional<double> speed;    ///< of named scenes
    std::optional<double> jumping;  ///< percent, of named scenes
    std::vector<std::string> notes; ///< what else is to be known of the scene, the same for all its runs
    std::string engine;
    EngineFacts facts;
    std::size_t steps = 0;       ///< that were timed
    std::optional<double> setMs; ///< medians over the timed steps
    std::optional<double> pairsMs;
    std::optional<double> cacheMs;  ///< the part of pairsMs that went into the pair cache
    std::optional<double> kernelMs; ///< of pairsMs, on a device: its kernels alone
    std::optional<double> updateMs; ///< of pairsMs, on a device: the update, transfers and waits included
    std::optional<double> queryMs;  ///< rays and box queries, over the steps that have any
    std::optional<double> totalMs;
    std::optional<std::size_t> pairs; ///< held after the last step
    std::optional<std::size_t> began; ///< in the last step
    std::optional<std::size_t> ended;
    std::optional<double> peakMib;
    std::optional<double> ratioToDbvt; ///< how many steps it makes in one of dbvt
    bool checked = false;              ///< held against the oracle at every step, and right
    std::string wrong;                 ///< what the check found, if it found something
    std::string capped;                ///< how far it came, if the cap stopped it
};

} // namespace cullet::compare

#endif
