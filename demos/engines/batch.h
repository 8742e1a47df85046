// SPDX-License-Identifier: Zlib
/// \file batch.h
/// A stretch of calls, of a scene or of a recording, in every form that an engine takes. Prepared outside the timed
/// sections, so that no engine is charged for a copy or a conversion.
#ifndef CLT_ENGINES_BATCH_H
#define CLT_ENGINES_BATCH_H

#include "demos/recording/event.h"

#include "cullet.h"

#include "LinearMath/btVector3.h"

#include <vector>

namespace cullet::compare
{

using recording::EventKind;

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
    bool isSound;   ///< its signs, inverse direction and length fit together, so that it has one right answer
    bool isSegment; ///< sound, nothing swept, and all of it lies between origin and target
};

/// What is known before the first call.
struct Course
{
    std::uint32_t mostAlive = 0; ///< proxies at once; all slots are below it
    btVector3 lowestCenter;      ///< of all boxes
    btVector3 highestCenter;
    std::uint64_t steps = 0;        ///< at most
    std::uint64_t untimedSteps = 0; ///< of them, at the beginning
    bool hasOddBoxes = false;       ///< boxes with a NaN or with bounds the wrong way round
};

/// Calls of one kind in a row.
struct Calls
{
    EventKind kind;
    std::size_t first; ///< into the arrays of the batch
    std::size_t last;  ///< not included

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

    // One entry for each call; what its kind does not need is not set.
    std::vector<std::uint32_t> slots; ///< of the proxy; of a ray in `rays`
    std::vector<cltAabb> boxes;
    std::vector<BulletBox> bulletBoxes;
    std::vector<cltFilter> filters;

    std::vector<RayCall> rays;
    std::uint64_t step = 0;    ///< that the calls lead to; 0 inserts a scene
    bool endsStep = false;     ///< pairs are found after the calls
    bool isOfLastStep = false; ///< or comes after it
};

} // namespace cullet::compare

#endif
