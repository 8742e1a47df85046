// SPDX-License-Identifier: Zlib
/// \file report.h
/// The result of a race, and as text: for people, for spreadsheets, for programs. Same values in all three.
#ifndef CLT_REPORT_REPORT_H
#define CLT_REPORT_REPORT_H

#include "demos/engines/engine.h"

namespace cullet::compare
{

/// One line of the result: one engine on one scene at one size.
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

/// "brownian, 1,000 bodies, 10 % moving, speed 1": what all runs of one block have in common.
std::string caseName( const Run& run );

/// ", speed 1, 5 % jumping": what there is of it.
std::string motionOf( const Run& run );

/// Prints the result, and to stderr a line for each engine that was wrong.
/// \param format  "table", "csv" or "json". CSV has one header line and one line a run; JSON is
///                {"machine": {…}, "date": "…", "commit": "…", "runs": [{…}]}. What is not known is empty or null
/// \return whether any engine was wrong
bool printReport( const std::string& format, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
