// SPDX-License-Identifier: Zlib
/// \file statistics.h
/// One pass over a recording: whether it is whole, and what must be known before it is replayed.
#ifndef CLT_RECORDING_STATISTICS_H
#define CLT_RECORDING_STATISTICS_H

#include "event.h"

#include <string>

namespace cullet::recording
{

struct Statistics
{
    std::uint32_t scalarBytes = 0;                      ///< 4 for float, 8 for double
    std::array<std::uint64_t, eventKindCount> counts{}; ///< by EventKind
    std::uint32_t mostAlive = 0;                        ///< slots of all events are below it
    std::uint64_t changedMoves = 0;                     ///< setAabb calls with another box than before
    std::uint64_t oddBoxes = 0;                         ///< with a NaN or a lower bound above the upper one
    bool hadCallback = false;                           ///< a filter callback was seen at a step
    std::uint64_t lastPairs = 0;                        ///< that the recorded broadphase held after the last step
    std::array<double, 3> lowestCenter{};               ///< of all finite boxes; zeros if there are none
    std::array<double, 3> highestCenter{};

    std::uint64_t count( EventKind kind ) const
    {
        return counts[std::size_t( kind )];
    }
};

/// Reads all of it. Throws RecordingError where the file is no good.
Statistics readStatistics( const std::string& path );

} // namespace cullet::recording

#endif
