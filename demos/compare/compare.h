// SPDX-License-Identifier: Zlib
/// \file compare.h
/// The options, the measurements and the picture of `cullet compare`. demos/race measures the times. `cullet bench`
/// makes several comparisons.
#ifndef CLT_COMPARE_COMPARE_H
#define CLT_COMPARE_COMPARE_H

#include "demos/engines/engines.h"
#include "demos/report/report.h"
#include "demos/scenes/scenes.h"

namespace cullet::compare
{

struct CompareOptions : EngineOptions
{
    std::vector<std::string> scenes = { "brownian" };
    std::vector<std::uint32_t> bodies = { 1000, 10000 };
    std::vector<double> moving = { 100 };
    std::vector<double> speeds = { 1 };
    std::vector<double> jumping = { 0 };
    int steps = 10;
    int warmup = 3;
    int turn = 1;         ///< steps that an engine makes in a row
    double seconds = 1e9; ///< a case ends early after this time
    std::uint64_t seed = CLT_SCENE_SEED;
    bool noMemory = false;
    bool neverSlower = false;
    std::string plot; ///< empty: no picture
};

/// Adds the options to the command.
/// \param options  must outlive the parsing; its values are the defaults
void addCompareOptions( CLI::App& command, CompareOptions& options );

/// Checks that options fit together, and expands `all`. Call it after parsing. Throws CLI::ValidationError.
void completeCompareOptions( CompareOptions& options );

/// All combinations of the lists in the options; the size changes fastest.
std::vector<cltSceneDef> casesOf( const CompareOptions& options );

/// Measures all cases, with progress on stderr: the memory of each first, unless the options leave it out.
std::vector<Run> runCases( const CompareOptions& options );

/// Measures by how many MiB the resident memory rises while an engine gets all boxes and makes a few steps. Empty if
/// the cap stops the engine before it has all boxes. Calls system::runInChild: see there when it may be called.
std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options );

/// Writes a PNG, or an SVG if `path` ends in .svg. It has a panel of milliseconds over bodies for each scene, moving
/// percentage, speed and jumping percentage. If several moving percentages were measured, it also has panels of
/// milliseconds over percentages, at the largest size. Throws std::runtime_error if nothing was measured or gnuplot
/// fails.
void plotRuns( const std::string& path, const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
