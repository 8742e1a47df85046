// SPDX-License-Identifier: Zlib
/// \file engine_options.h
/// The options that compare and replay have in common: which engines, where, how long, and how the result is shown.
#ifndef CLT_COMMAND_ENGINE_OPTIONS_H
#define CLT_COMMAND_ENGINE_OPTIONS_H

#include "engine.h"

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace cullet::compare
{

struct EngineOptions
{
    std::vector<std::string> engines;
    std::string device = "auto";
    int threads = 0;
    double capSeconds = 60;
};

std::vector<std::string> engineNames();

/// One line for each engine, for the end of a help text.
std::string engineList();

/// The device of that name; one that `--device` takes.
cltDevice deviceNamed( const std::string& name );

/// \param options  must outlive the parsing; its values are the defaults
void addEngineOptions( CLI::App& command, EngineOptions& options );

void addFormatOption( CLI::App& command, std::string& format );

} // namespace cullet::compare

#endif
