// SPDX-License-Identifier: Zlib
/// \file survey.h
/// One pass over a recording: whether it is whole, and what must be known before it is replayed.
#ifndef CLT_RECORDING_SURVEY_H
#define CLT_RECORDING_SURVEY_H

#include <array>
#include <cstdint>
#include <string>

namespace cullet::recording
{

struct Survey
{
    std::uint32_t scalarBytes = 0; ///< 4 for float, 8 for double
    std::uint64_t events = 0;
    std::uint64_t created = 0;
    std::uint32_t mostAlive = 0; ///< slots of all events are below it
    std::uint64_t moves = 0;     ///< setAabb calls
    std::uint64_t changedMoves = 0;
    std::uint64_t steps = 0;
    std::uint64_t rays = 0;
    std::uint64_t boxQueries = 0;
    std::uint64_t filterEdits = 0;
    std::uint64_t oddBoxes = 0;           ///< boxes given with a NaN or a lower bound above the upper one
    bool hadCallback = false;             ///< a filter callback was seen at a step
    std::uint64_t lastPairs = 0;          ///< that the recorded broadphase held after the last step
    std::array<double, 3> lowestCenter{}; ///< of all finite boxes; zeros if there are none
    std::array<double, 3> highestCenter{};
};

/// Reads all of it. Throws RecordingError where the file is no good.
Survey surveyRecording( const std::string& path );

} // namespace cullet::recording

#endif
