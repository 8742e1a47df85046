// SPDX-License-Identifier: Zlib
/// \file engine.h
/// The interface of a broadphase in a race. One object runs one scene or one recording.
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

/// What ran, for the tables. Known after an update.
struct EngineFacts
{
    std::string algorithm; ///< that was used; empty for engines with only one
    std::string simd;      ///< the instruction set, for algorithms that use one
    std::string device = "cpu";
    int threads = 1;
    std::string precision;
    std::uint32_t deviceFailures = 0; ///< how often the CPU replaced a failed device
};

/// The timed parts of a step.
enum TimeKind
{
    setMs,    ///< all calls except queries
    pairsMs,  ///< updating the pairs
    cacheMs,  ///< the part of pairsMs that was spent on Bullet's pair cache
    kernelMs, ///< the part of pairsMs from the first kernel to the last, on a device
    updateMs, ///< the part of pairsMs in cltBroadphase_Update with transfers and waits, on a device
    queryMs,  ///< rays and box queries
    totalMs,
    timeKinds ///< the number of kinds
};

/// Milliseconds by TimeKind; empty if unknown.
using Times = std::array<std::optional<double>, timeKinds>;

/// How much a query's results may differ from the exact boxes. A query must report each box that it hits even when the
/// box is shrunk by `inward`. It may report a box only if it hits it when the box is grown by `outward`.
struct Tolerance
{
    float inward;   ///< metres
    float outward;  ///< metres
    float relative; ///< fraction of the coordinates, added to both unless they are 0
};

using Hits = std::vector<std::uint32_t>; ///< slots, in any order

class Engine
{
public:
    virtual ~Engine() = default;

    /// \param calls  a part of the batch: create, move, filter, destroy or resetPool
    virtual void change( const Batch& batch, const Calls& calls ) = 0;
    virtual void findPairs() = 0;

    /// \param[out] hits  the slots are appended
    virtual void castRay( const RayCall& ray, Hits& hits ) = 0;
    virtual void queryBox( const Batch& batch, std::size_t call, Hits& hits ) = 0;

    /// Empty if castRay cannot be checked for such a ray.
    virtual std::optional<Tolerance> rayTolerance( const RayCall& ray ) const = 0;
    virtual Tolerance boxTolerance() const = 0;

    /// Pairs of slots, ascending.
    virtual PairSet pairs() = 0;

    /// Checks that the changes reported so far add up to the expected pairs. Returns a description of the first error;
    /// empty if there is none, or if the changes cannot be added up. Called at most once after an update.
    virtual std::string wrongChanges( const PairSet& )
    {
        return {};
    }

    /// The milliseconds that the last findPairs spent on Bullet's pair cache, if the engine measures them.
    virtual std::optional<double> cacheMs() const
    {
        return {};
    }

    /// NULL unless the engine is one of cullet's.
    virtual const cltBroadphase* core() const
    {
        return nullptr;
    }
};

/// The kind of an engine.
enum class Family
{
    bullet, ///< one of Bullet's broadphases
    plugin, ///< cullet through Bullet's interface
    core,   ///< cullet without Bullet
    peer    ///< a broadphase of another project: runs scenes, not recordings, and reports no changes
};

/// How an engine uses the option `--threads`.
enum class Threads
{
    one,  ///< always runs on one thread
    most, ///< runs once, on the largest number: a process can have only one
    each  ///< runs once for each number
};

/// A value of `--engines`.
struct EngineKind
{
    const char* name;
    const char* description;
    Family family;
    Threads threads;
    bool exact;         ///< false: has fat boxes, and may report pairs of boxes that do not overlap
    bool slowInsertion; ///< inserting n boxes takes O(n^2)
    bool slowSteps;     ///< each step takes O(n^2)
    std::unique_ptr<Engine> ( *create )( const Course& course, const cltBroadphaseDef& core ); ///< NULL: not built
};

/// \param name  must be the name of an engine
const EngineKind& engineKind( const std::string& name );

} // namespace cullet::compare

#endif
