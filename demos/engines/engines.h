// SPDX-License-Identifier: Zlib
/// \file engines.h
/// The list of engines, and the options that compare and replay have in common: engines, device, time limit, and format
/// of the result.
#ifndef CLT_ENGINES_ENGINES_H
#define CLT_ENGINES_ENGINES_H

#include "engine.h"

class btBroadphaseInterface;

namespace CLI
{
class App;
}

namespace cullet::compare
{

/// The kind of an engine.
enum class Family
{
    bullet, ///< one of Bullet's broadphases
    plugin, ///< cullet through Bullet's interface
    core,   ///< cullet without Bullet
    peer    ///< a broadphase of another project: runs scenes, not recordings
};

/// Flags of an engine.
enum Traits : unsigned
{
    noTraits = 0,
    fatBoxes = 1,      ///< may report pairs of boxes that do not overlap
    slowInsertion = 2, ///< inserting n boxes takes O(n^2)
    slowSteps = 4,     ///< each step takes O(n^2)
    threadsOnce = 8,   ///< a peer with threads: runs once, on the largest of --threads
    changesToo = 16    ///< a peer that reports changes
};

/// A value of `--engines`. Either createBroadphase or createEngine is NULL; if the engine is not built, both are.
struct EngineKind
{
    const char* name;
    const char* description;
    Family family;
    unsigned traits;
    cltAlgorithm algorithm; ///< of cullet's engines
    std::unique_ptr<btBroadphaseInterface> ( *createBroadphase )( const StreamInfo& info,
                                                                  const cltBroadphaseDef& core );
    std::unique_ptr<Engine> ( *createEngine )( const StreamInfo& info, const cltBroadphaseDef& core );

    bool isCullet() const
    {
        return family == Family::plugin || family == Family::core;
    }
};

/// \param name  must be the name of an engine
const EngineKind& engineKind( const std::string& name );

/// The names of the engines of these families that this build has, in the order of the tables.
std::vector<std::string> engineNames( const std::vector<Family>& families );

/// The names of the engines that this build lacks because their libraries were missing.
std::vector<std::string> missingEngines();

/// One line for each engine, for a help text.
std::string engineList( const std::vector<Family>& families );

const std::vector<Family> recordingFamilies = { Family::bullet, Family::plugin, Family::core };
const std::vector<Family> sceneFamilies = { Family::bullet, Family::plugin, Family::core, Family::peer };

/// Throws std::runtime_error if cullet cannot be created with this definition.
/// \param core  its algorithm is ignored
std::unique_ptr<Engine> createEngine( const EngineKind& kind, const StreamInfo& info, cltBroadphaseDef core );

/// As createEngine, for engines behind Bullet's interface.
std::unique_ptr<btBroadphaseInterface> createBroadphase( const EngineKind& kind, const StreamInfo& info,
                                                         cltBroadphaseDef core );

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

/// \param options  must outlive the parsing; its values are the defaults
void addEngineOptions( CLI::App& command, EngineOptions& options, const std::vector<Family>& families );

/// Refuses repeated names, an instruction set that this processor or build lacks, and a device that cannot be used.
/// Call it after parsing, before anything runs.
void requireEngines( const EngineOptions& options );

/// The definition of a broadphase with these options.
cltBroadphaseDef coreDef( const EngineOptions& options, int threads );

/// One line of the table: an engine on a number of threads.
struct Entrant
{
    const EngineKind& kind;
    int threads; ///< 0: one for each processor

    /// For progress output: the engine's name, then the number of threads if the options set one.
    std::string name() const;
};

/// The engines of the options, in their order. Each of cullet's engines is entered once for each number of threads.
std::vector<Entrant> entrants( const EngineOptions& options );

} // namespace cullet::compare

#endif
