// SPDX-License-Identifier: Zlib
/// \file report.h
/// The result of a race, and its text as a table, CSV or JSON, with the same values in all three.
#ifndef CLT_REPORT_REPORT_H
#define CLT_REPORT_REPORT_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cullet::compare
{

/// The timed parts of a step.
enum TimeKind
{
    setMs,    ///< creating, moving and destroying proxies, and editing filters
    pairsMs,  ///< updating the pairs
    cacheMs,  ///< the part of pairsMs that was spent on Bullet's pair cache
    kernelMs, ///< the part of pairsMs from the first kernel to the last, on a device
    updateMs, ///< the part of pairsMs in cltBroadphase_Update with transfers and waits, on a device
    queryMs,  ///< rays and box queries
    totalMs,
    timeKinds ///< the number of kinds
};

/// Milliseconds by TimeKind; empty if unknown.
using Times = std::array<std::optional<double>, timeKinds>;

/// One line of the result: one engine on one scene at one size. Unknown values stay empty and are shown as unknown.
struct Run
{
    std::string scene;
    std::uint32_t bodies = 0;
    double moving = 0;              ///< percent
    std::optional<double> speed;    ///< of named scenes
    std::optional<double> jumping;  ///< percent, of named scenes
    std::vector<std::string> notes; ///< remarks on the scene, the same for all its runs
    std::string engine;
    std::string algorithm; ///< the algorithm that was used; empty for engines with only one
    std::string simd;      ///< the instruction set, for algorithms that use one
    std::string device = "cpu";
    int threads = 1;
    std::string precision;
    std::uint32_t deviceFailures = 0; ///< how often the CPU replaced a failed device
    std::size_t steps = 0;            ///< timed steps
    Times ms{};                       ///< medians over the timed steps
    std::optional<double> p99Ms;      ///< 99th percentile of totalMs over the timed steps, if there are 100
    std::optional<double> worstMs;    ///< the longest timed step
    std::optional<double> minMs;      ///< the shortest timed step
    std::optional<double> spreadMs;   ///< from the first to the third quartile of totalMs over the timed steps
    std::optional<std::size_t> pairs; ///< after the last step
    std::optional<std::size_t> began; ///< in the last step
    std::optional<std::size_t> ended;
    std::optional<double> peakMib;
    std::optional<double> ratioToDbvt; ///< the rate of steps over that of dbvt
    bool checked = false;              ///< compared with the oracle at least once, and always right
    std::string wrong;                 ///< the first error that the check found
    std::string capped;                ///< how far the engine came, if the cap stopped it
};

/// What all runs of one block have in common: "brownian, 1,000 bodies, 10 % moving, speed 1".
std::string caseName( const Run& run );

/// ", speed 1, 5 % jumping", without unknown values and without jumping if it is 0.
std::string motionOf( const Run& run );

/// Some columns of the CSV that printReport prints.
/// \param runs  not empty
std::string runsCsv( const std::vector<Run>& runs, const std::vector<std::string>& columns );

/// Prints the result, and to stderr a line for each engine that was wrong.
/// \param format  "table", "csv" or "json". CSV has a line of names and a line for each run. JSON is
///                {"machine": {…}, "date": "…", "commit": "…", "runs": [{…}]}. Unknown values are empty or null
/// \return whether any engine was wrong
bool printReport( const std::string& format, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
