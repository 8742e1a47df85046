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

/// An error: the file is no valid recording. The message is one line, to be printed after the file's name.
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

constexpr std::size_t eventKindCount = CULLET_EVENT_CALLBACK + 1; ///< including 0, which is no kind

struct Box
{
    std::array<double, 3> lower;
    std::array<double, 3> upper;
};

/// The arguments of btBroadphaseInterface::rayTest, including the fields of the callback.
struct Ray
{
    std::array<double, 3> origin;
    std::array<double, 3> target;
    std::array<double, 3> inverseDirection;
    double length;
    Box swept; ///< the box that moves along the ray, relative to it; zeros for a ray without a box
    std::array<unsigned, 3> signs;
};

/// Fields are valid only for the kinds given.
struct Event
{
    EventKind kind;
    std::uint64_t number;    ///< create, destroy, move, filter: number of the proxy, in the order of creation
    std::uint32_t slot;      ///< create, destroy, move, filter: a small number, reused after the proxy is destroyed
    std::int32_t group;      ///< create, filter
    std::int32_t mask;       ///< create, filter
    bool changed;            ///< move: the box differs from the last one
    bool hasCallback;        ///< callback
    std::uint64_t pairCount; ///< step: number of pairs in the recorded broadphase
    Box box;                 ///< create, move, boxQuery
    Ray ray;
};

} // namespace cullet::recording

#endif
