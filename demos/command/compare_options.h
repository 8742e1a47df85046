// SPDX-License-Identifier: Zlib
/// \file compare_options.h
/// What `cullet compare` was asked for.
#ifndef CLT_COMMAND_COMPARE_OPTIONS_H
#define CLT_COMMAND_COMPARE_OPTIONS_H

#include "engine.h"

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace cullet::compare
{

struct CompareOptions
{
    std::vector<std::string> scenes = { "brownian" };
    std::vector<std::uint32_t> bodies = { 1000, 10000 };
    double moving = 100;
    double speed = 1;
    int steps = 10;
    int warmup = 3;
    std::uint64_t seed = CLT_SCENE_SEED;
    std::vector<std::string> engines = { "dbvt", "sap", "cullet", "core" };
    std::string device = "auto";
    int threads = 0;
    double capSeconds = 60;
    bool check = false;
    bool noMemory = false;
    std::string format = "table";
    std::string plot; ///< empty: no picture
};

/// Lets the options of the command fill `options`, which must outlive the parsing.
void addCompareOptions( CLI::App& command, CompareOptions& options );

/// The device of that name; one that `--device` takes.
cltDevice deviceNamed( const std::string& name );

/// What no single option can say of itself. To be called after parsing; throws CLI::ValidationError.
void settleCompareOptions( CompareOptions& options );

} // namespace cullet::compare

#endif
