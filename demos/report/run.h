// SPDX-License-Identifier: Zlib
/// \file run.h
/// One line of the result: one engine on one scene at one size.
#ifndef CLT_REPORT_RUN_H
#define CLT_REPORT_RUN_H

#include "demos/engines/engine.h"

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
    std::size_t steps = 0;            ///< that were timed
    Times ms;                         ///< medians over the timed steps that know them
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
