// SPDX-License-Identifier: Zlib
/// \file compare.h
/// What `cullet compare` was asked for, and what it does around its races.
#ifndef CLT_COMPARE_COMPARE_H
#define CLT_COMPARE_COMPARE_H

#include "demos/engines/engine_options.h"
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
    int turn = 1;         ///< steps that an engine makes before it is the next one's turn
    double seconds = 1e9; ///< after which a case ends early
    std::uint64_t seed = CLT_SCENE_SEED;
    bool noMemory = false;
    bool neverSlower = false;
    std::string plot; ///< empty: no picture
};

/// Lets the options of the command fill `options`, which must outlive the parsing.
void addCompareOptions( CLI::App& command, CompareOptions& options );

/// What no single option can say of itself. To be called after parsing; throws CLI::ValidationError.
void settleCompareOptions( CompareOptions& options );

/// Every combination of what the options list, a case each, sizes following each other.
std::vector<cltSceneDef> casesOf( const CompareOptions& options );

/// How far the resident memory rises, in MiB, while an engine gets all boxes and makes a few steps; empty if the cap
/// stops it before that. To be called when command::askChild may be, and throws as it does.
std::optional<double> measurePeakMib( const cltSceneDef& def, const Entrant& entrant, const CompareOptions& options );

/// Throws std::runtime_error if gnuplot is missing or the folder of `path` cannot be written to. To be called before an
/// hour of measuring rather than after it.
void requirePlotting( const std::string& path );

/// Writes a PNG, or an SVG if `path` ends so: milliseconds over bodies where several sizes were measured, a panel for
/// each scene, moved share, speed and jumping share; then milliseconds over the moved share, at the largest size, where
/// several were measured. Throws std::runtime_error if nothing was measured or gnuplot fails.
void plotRuns( const std::string& path, const std::vector<Run>& runs );

/// Of `--never-slower`: cullet through Bullet's interface against the fastest of Bullet's own, case by case.
struct Verdict
{
    bool anySlower;
    std::string text; ///< where it was slower and how much, the worst first; or where it came closest to that
};

Verdict judge( const std::vector<Run>& runs );

} // namespace cullet::compare

#endif
