// SPDX-License-Identifier: Zlib
/// \file stress_options.h
/// What `cullet stress` was asked for.
#ifndef CLT_STRESS_STRESS_OPTIONS_H
#define CLT_STRESS_STRESS_OPTIONS_H

#include "run.h"

#include <CLI/App.hpp>

namespace cullet::stress
{

struct StressOptions
{
    Settings settings;
    std::string cache = "own";
    std::string precision; ///< as this program's Bullet, unless asked otherwise
    std::string algorithm = "auto";
    std::string device = "auto";
    int threads = 0;
};

/// "float" or "double": what this program's Bullet computes in.
const char* ownPrecision();

/// Lets the options of the command fill `options`, which must outlive the parsing.
void addStressOptions( CLI::App& command, StressOptions& options );

SubjectDef subjectDef( const StressOptions& options );

/// The command that runs the same steps again, up to the one given.
std::string commandTo( const StressOptions& options, std::uint64_t step );

} // namespace cullet::stress

#endif
