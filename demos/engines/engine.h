// SPDX-License-Identifier: Zlib
/// \file engine.h
/// A broadphase as a race sees it: calls in, pairs out. One object serves one scene or one recording.
#ifndef CLT_ENGINES_ENGINE_H
#define CLT_ENGINES_ENGINE_H

#include "batch.h"

#include "demos/oracle/oracle.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cullet::compare
{

/// What ran, for the tables. Asked after an update.
struct EngineFacts
{
    std::string algorithm; ///< what auto took; empty for engines that have only one
    std::string simd;      ///< the instruction set, of algorithms that ask for one
    std::string device = "cpu";
    int threads = 1;
    std::string precision;
    std::uint32_t deviceFailures = 0; ///< times that the CPU took the place of a device
};

/// What is timed of a step, in milliseconds.
enum TimeKind
{
    setMs,    ///< all calls but queries
    pairsMs,  ///< bringing the pairs up to date
    cacheMs,  ///< the part of pairsMs that went into Bullet's pair cache
    kernelMs, ///< of pairsMs, on a device: from the first kernel to the last
    updateMs, ///< of pairsMs, on a device: cltBroadphase_Update, transfers and waits included
    queryMs,  ///< rays and box queries
    totalMs,
    timeKinds ///< how many there are
};

/// By TimeKind; empty where nothing is known.
using Times = std::array<std::optional<double>, timeKinds>;

/// How far from the exact boxes a query's results may end. Everything that meets a box made smaller by `inward` must be
/// reported, nothing that misses it made larger by `outward` may be. Metres, and then parts of the coordinates.
struct Slack
{
    float inward;
    float outward;
    float relative; ///< of the coordinates, added to both unless they are 0
};

using Hits = std::vector<std::uint32_t>; ///< slots, in any order

class Engine
{
public:
    virtual ~Engine() = default;

    /// \param calls  create, move, filter, destroy or resetPool, of the batch
    virtual void change( const Batch& batch, const Calls& calls ) = 0;
    virtual void findPairs() = 0;

    /// \param[out] hits  slots are added
    virtual void castRay( const RayCall& ray, Hits& hits ) = 0;
    virtual void queryBox( const Batch& batch, std::size_t call, Hits& hits ) = 0;

    /// Empty if castRay does not have the one right answer to such a ray.
    virtual std::optional<Slack> raySlack( const RayCall& ray ) const = 0;
    virtual Slack boxSlack() const = 0;

    /// By slots, ascending.
    virtual PairSet pairs() = 0;

    /// Says in words what is wrong with the changes reported so far, if `expected` is what they must have added up to;
    /// empty if nothing is, or if they cannot be added up. Asked once after an update, or not at all.
    virtual std::string wrongChanges( const PairSet& )
    {
        return {};
    }

    /// What it spent on Bullet's pair cache in the last findPairs, if it can tell.
    virtual std::optional<double> cacheMs() const
    {
        return {};
    }

    /// NULL unless it is one of cullet's.
    virtual const cltBroadphase* core() const
    {
        return nullptr;
    }
};

/// What stands behind a name.
enum class Family
{
    bullet, ///< one of Bullet's broadphases
    plugin, ///< cullet through Bullet's interface
    core,   ///< cullet without Bullet
    peer    ///< of another project: takes scenes, not recordings, and tells no changes
};

/// On how many threads it enters.
enum class Threads
{
    one,  ///< whatever is asked for
    most, ///< of those that are asked for: a process can have it on one number of threads only
    each
};

/// One name for `--engines`.
struct EngineKind
{
    const char* name;
    const char* description;
    Family family;
    Threads threads;
    bool exact;         ///< false: may report pairs beyond the overlapping ones, for its boxes are fat
    bool slowInsertion; ///< inserting n boxes takes time that grows with n squared
    bool slowSteps;     ///< so does each step
    std::unique_ptr<Engine> ( *create )( const Course& course, const cltBroadphaseDef& core ); ///< NULL: not built
};

/// The name is one of them.
const EngineKind& engineKind( const std::string& name );

} // namespace cullet::compare

#endif
