// SPDX-License-Identifier: Zlib
/// \file statistics.h
/// Reads a whole recording to check it, and collects what a replay must know in advance.
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
    std::uint32_t mostAlive = 0;                        ///< largest number of live proxies; all slots are below it
    std::uint64_t changedMoves = 0;                     ///< setAabb calls that change the box
    std::uint64_t oddBoxes = 0;                         ///< with a NaN or a lower bound above the upper one
    bool hadCallback = false;                           ///< the program had a filter callback at some step
    std::uint64_t lastPairs = 0;          ///< number of pairs in the recorded broadphase after the last step
    std::array<double, 3> lowestCenter{}; ///< of all finite boxes; zeros if there are none
    std::array<double, 3> highestCenter{};

    std::uint64_t count( EventKind kind ) const
    {
        return counts[std::size_t( kind )];
    }
};

/// Throws RecordingError if the file is invalid.
Statistics readStatistics( const std::string& path );

} // namespace cullet::recording

#endif
