// SPDX-License-Identifier: Zlib
/// \file engine_options.h
/// The options that compare and replay have in common: which engines, where, how long, and how the result is shown.
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
    std::vector<int> threads = { 0 }; ///< each of cullet's engines runs once for each of them; 0: processors
    double capSeconds = 60;
    bool check = false;
    std::string format = "table";
};

/// One line of the table: an engine, on so many threads.
struct Entrant
{
    const EngineKind& kind;
    int threads; ///< 0: as many as processors
};

/// Whether an option takes engines of other projects, where they were built.
enum class Peers
{
    no,
    yes
};

/// In the order of the options.
std::vector<Entrant> entrants( const EngineOptions& options );

/// For progress: the engine's name, with the threads if they were asked for.
std::string entrantName( const Entrant& entrant );

std::vector<std::string> engineNames( Peers peers );

/// One line for each engine, for the end of a help text.
std::string engineList( Peers peers );

/// What the options say of how cullet runs.
cltBroadphaseDef coreDef( const EngineOptions& options, int threads );

/// Refuses what is named twice, an instruction set that this processor or this build lacks, and a device that does not
/// answer. To be called after parsing, before anything runs.
void requireEngines( const EngineOptions& options );

/// \param options  must outlive the parsing; its values are the defaults
void addEngineOptions( CLI::App& command, EngineOptions& options, Peers peers );

} // namespace cullet::compare

#endif
