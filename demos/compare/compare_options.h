// SPDX-License-Identifier: Zlib
/// \file compare_options.h
/// What `cullet compare` was asked for.
#ifndef CLT_COMPARE_COMPARE_OPTIONS_H
#define CLT_COMPARE_COMPARE_OPTIONS_H

#include "demos/engines/engine_options.h"
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

} // namespace cullet::compare

#endif
