// SPDX-License-Identifier: Zlib
/// \file engine_options.h
/// The options that compare and replay have in common: engines, device, time limit, and format of the result.
#ifndef CLT_ENGINES_ENGINE_OPTIONS_H
#define CLT_ENGINES_ENGINE_OPTIONS_H

#include "engine.h"

namespace CLI
{
class App;
}

namespace cullet::compare
{

struct EngineOptions
{
    std::vector<std::string> engines;
    std::string device = "auto";
    std::string simd = "auto";
    std::vector<int> threads = { 0 }; ///< cullet's engines run once for each number; 0: one for each processor
    double capSeconds = 60;
    bool check = false;
    std::string format = "table";
};

/// One line of the table: an engine on a number of threads.
struct Entrant
{
    const EngineKind& kind;
    int threads; ///< 0: one for each processor
};

/// Whether the option accepts engines of other projects.
enum class Peers
{
    no,
    yes
};

/// In the order of the options.
std::vector<Entrant> entrants( const EngineOptions& options );

/// For progress output: the engine's name, and the number of threads if the options name one.
std::string entrantName( const Entrant& entrant );

std::vector<std::string> engineNames( Peers peers );

/// One line for each engine, for a help text.
std::string engineList( Peers peers );

/// The definition of a broadphase with these options.
cltBroadphaseDef coreDef( const EngineOptions& options, int threads );

/// Refuses repeated names, an instruction set that this processor or build lacks, and a device that cannot be used.
/// Call it after parsing, before anything runs.
void requireEngines( const EngineOptions& options );

/// \param options  must outlive the parsing; its values are the defaults
void addEngineOptions( CLI::App& command, EngineOptions& options, Peers peers );

} // namespace cullet::compare

#endif
