// SPDX-License-Identifier: Zlib
/// \file engine.h
/// A broadphase that is measured, and its calls: batches from a scene or a recording, in the formats of all
/// engines. Batches are prepared outside the timed sections, so that copies and conversions are not timed.
#ifndef CLT_ENGINES_ENGINE_H
#define CLT_ENGINES_ENGINE_H

#include "demos/oracle/oracle.h"
#include "demos/recording/event.h"

#include "LinearMath/btVector3.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class btBroadphaseInterface;

namespace cullet::compare
{

using recording::EventKind;

// --------------------------------------------------------------------------------------------------------------- calls

struct BulletBox
{
    btVector3 lower;
    btVector3 upper;
};

inline BulletBox bulletBox( const cltAabb& box )
{
    return { btVector3( box.lower[0], box.lower[1], box.lower[2] ),
             btVector3( box.upper[0], box.upper[1], box.upper[2] ) };
}

struct RayCall
{
    btVector3 origin;
    btVector3 target;
    btVector3 inverseDirection;
    BulletBox swept;
    float length;
    unsigned signs[3];
    bool isSound;   ///< signs, inverse direction and length are consistent, so that there is one right answer
    bool isSegment; ///< sound, sweeps no box, and its length ends at the target
};

/// Properties of the whole stream of calls, known before the first call.
struct StreamInfo
{
    std::uint32_t mostAlive = 0; ///< the most proxies that exist at the same time; slots are smaller numbers
    btVector3 lowestCenter;      ///< of all boxes, on each axis
    btVector3 highestCenter;
    std::uint64_t steps = 0;        ///< upper bound
    std::uint64_t untimedSteps = 0; ///< number of steps at the start that are not timed
    bool hasOddBoxes = false;       ///< some boxes have NaN or inverted bounds
};

/// Consecutive calls of the same kind.
struct Calls
{
    EventKind kind;
    std::size_t first; ///< index into the arrays of the batch
    std::size_t last;  ///< one past the last call

    std::size_t count() const
    {
        return last - first;
    }

    bool areQueries() const
    {
        return kind == EventKind::ray || kind == EventKind::boxQuery;
    }
};

struct Batch
{
    std::vector<Calls> calls;

    // One entry for each call. Entries that a kind of call does not need are not set.
    std::vector<std::uint32_t> slots; ///< of the proxy; for rays the index into `rays`
    std::vector<cltAabb> boxes;
    std::vector<BulletBox> bulletBoxes;
    std::vector<cltFilter> filters;

    std::vector<RayCall> rays;
    std::uint64_t step = 0;    ///< the step that the calls belong to; 0 inserts a scene
    bool endsStep = false;     ///< find the pairs after the calls
    bool isOfLastStep = false; ///< belongs to the last step, or comes after it
};

// ------------------------------------------------------------------------------------------------------------- engines

/// How much a query's results may differ from those for the exact boxes. A query must report a box if it hits the box
/// shrunk by `inward`. It may report a box only if it hits the box grown by `outward`.
struct Tolerance
{
    float inward;   ///< metres
    float outward;  ///< metres
    float relative; ///< fraction of the coordinates, added to `inward` and `outward` where they are not 0
};

using Hits = std::vector<std::uint32_t>; ///< slots, in any order

/// A broadphase that is measured. One object runs one scene or one recording.
class Engine
{
public:
    virtual ~Engine() = default;

    /// \param calls  a part of the batch: create, move, filter, destroy or resetPool
    virtual void change( const Batch& batch, const Calls& calls ) = 0;
    virtual void findPairs() = 0;

    /// Pairs of slots, ascending.
    virtual PairSet pairs() = 0;

    /// \param[out] hits  the slots are appended
    virtual void castRay( const RayCall&, Hits& )
    {
    }

    virtual void queryBox( const Batch&, std::size_t, Hits& )
    {
    }

    /// The tolerance for this ray; empty if the result of castRay cannot be checked.
    virtual std::optional<Tolerance> rayTolerance( const RayCall& ) const
    {
        return {};
    }

    virtual Tolerance boxTolerance() const
    {
        return {};
    }

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

    /// NULL unless the engine is behind Bullet's interface.
    virtual btBroadphaseInterface* bulletBroadphase() const
    {
        return nullptr;
    }

    /// NULL unless the engine is one of cullet's.
    virtual const cltBroadphase* core() const
    {
        return nullptr;
    }
};

} // namespace cullet::compare

#endif
