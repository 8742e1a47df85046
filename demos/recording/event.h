// SPDX-License-Identifier: Zlib
/// \file event.h
/// One call of a recording, decoded. Scalars are doubles, which hold the floats of a float recording exactly.
#ifndef CLT_RECORDING_EVENT_H
#define CLT_RECORDING_EVENT_H

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
    create,
    destroy,
    move,
    filter,
    step,
    ray,
    boxQuery,
    resetPool,
    callback
};

constexpr std::size_t eventKindCount = 9;

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

/// Only what the kind needs is set.
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
