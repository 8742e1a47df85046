// SPDX-License-Identifier: Zlib
/// \file event.h
/// One call of a recording, decoded. Scalars are doubles, which hold the floats of a float recording exactly.
#ifndef CLT_RECORDING_EVENT_H
#define CLT_RECORDING_EVENT_H

#include "plugin/recorder/CulletRecordFormat.h"

#include <array>
#include <cstdint>
#include <stdexcept>

namespace cullet::recording
{

/// A file that is no good recording. What it says goes behind the file's name, in one line.
class RecordingError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

enum class EventKind
{
    create = CULLET_EVENT_CREATE,
    destroy = CULLET_EVENT_DESTROY,
    move = CULLET_EVENT_MOVE,
    filter = CULLET_EVENT_FILTER,
    step = CULLET_EVENT_STEP,
    ray = CULLET_EVENT_RAY,
    boxQuery = CULLET_EVENT_BOX_QUERY,
    resetPool = CULLET_EVENT_RESET_POOL,
    callback = CULLET_EVENT_CALLBACK
};

constexpr std::size_t eventKindCount = CULLET_EVENT_CALLBACK + 1; ///< with 0, which is none

struct Box
{
    std::array<double, 3> lower;
    std::array<double, 3> upper;
};

/// What btBroadphaseInterface::rayTest was given, the fields of the callback included.
struct Ray
{
    std::array<double, 3> origin;
    std::array<double, 3> target;
    std::array<double, 3> inverseDirection;
    double length;
    Box swept; ///< the box that moves along the ray, relative to it; zeros for a mere ray
    std::array<unsigned, 3> signs;
};

/// What the kind does not need means nothing.
struct Event
{
    EventKind kind;
    std::uint64_t number;    ///< create, destroy, move, filter: the proxy's, in the order of creation
    std::uint32_t slot;      ///< the same: small, used again when the proxy is gone
    std::int32_t group;      ///< create, filter
    std::int32_t mask;       ///< create, filter
    bool changed;            ///< move: the box differs from the last one
    bool hasCallback;        ///< callback
    std::uint64_t pairCount; ///< step: pairs that the recorded broadphase held
    Box box;                 ///< create, move, boxQuery
    Ray ray;
};

} // namespace cullet::recording

#endif
