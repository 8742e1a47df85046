// SPDX-License-Identifier: Zlib
/// \file engine.h
/// A broadphase as the comparison sees it: boxes in, pairs out. One object serves one scene at one size.
#ifndef CLT_COMMAND_ENGINE_H
#define CLT_COMMAND_ENGINE_H

#include "demos/oracle/pair_set.h"
#include "moves.h"

#include "cullet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cullet::compare
{

class ReplayEngine;
struct ReplayRequest;

/// What ran, for the tables. Asked after a step.
struct EngineFacts
{
    std::string algorithm; ///< what auto took; empty for engines that have only one
    std::string simd;      ///< the instruction set, of algorithms that ask for one
    std::string device = "cpu";
    int threads = 1;
    std::string precision;
    std::uint32_t deviceFailures = 0; ///< times that the CPU took the place of a device
};

/// What the last findPairs took on a device.
struct DeviceMs
{
    std::optional<double> kernels; ///< from the first kernel to the last, if the device can tell
    double update;                 ///< cltBroadphase_Update, transfers and waits included
};

/// How cullet is to run, in the words of cltBroadphaseDef.
struct CoreChoice
{
    cltDevice device;
    int threads;
    cltSimd simd;
};

/// What an engine is created for.
struct EngineRequest
{
    const cltScene& scene; ///< as it is before the first step; outlives the engine
    CoreChoice core;       ///< engines of Bullet ignore it
};

class Engine
{
public:
    Engine() = default;
    Engine( const Engine& ) = delete;
    Engine& operator=( const Engine& ) = delete;
    virtual ~Engine() = default;

    /// Creates the proxies of boxes [first, last) of the scene. Called for all boxes, in ascending parts.
    virtual void insert( std::uint32_t first, std::uint32_t last ) = 0;

    virtual void setBoxes( const Moves& moves ) = 0;
    virtual void findPairs() = 0;

    /// Ascending.
    virtual PairSet pairs() = 0;

    /// Says in words what is wrong with the changes reported so far, if `expected` is what they must have added up to;
    /// empty if nothing is. To be called after each findPairs or never.
    virtual std::string wrongChanges( const PairSet& expected );

    /// How much of the last findPairs went into the pair cache, from engines that can tell.
    virtual std::optional<double> cacheMs() const
    {
        return std::nullopt;
    }

    /// Empty on the CPU.
    virtual std::optional<DeviceMs> deviceMs() const
    {
        return std::nullopt;
    }

    virtual EngineFacts facts() const = 0;
};

/// What stands behind a name.
enum class Family
{
    bullet, ///< one of Bullet's broadphases: runs on one thread of the CPU, whatever is asked for
    plugin, ///< cullet through Bullet's interface
    core    ///< cullet without Bullet
};

/// One name for `--engines`.
struct EngineKind
{
    const char* name;
    const char* description;
    Family family;
    bool exact;         ///< false: may report pairs beyond the overlapping ones, for its boxes are fat
    bool takesOddBoxes; ///< keeps its word for boxes with a NaN, and for ones whose bounds are the wrong way round
    bool slowInsertion; ///< inserting n boxes takes time that grows with n squared
    bool slowSteps;     ///< so does each step
    std::unique_ptr<Engine> ( *create )( const EngineRequest& request );
    std::unique_ptr<ReplayEngine> ( *createReplay )( const ReplayRequest& request );
};

const std::vector<EngineKind>& engineKinds();

/// NULL when no engine has that name.
const EngineKind* findEngineKind( const std::string& name );

} // namespace cullet::compare

#endif
