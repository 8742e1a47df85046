// SPDX-License-Identifier: Zlib
/// \file recorded_stream.h
/// The stream of a recording.
#ifndef CLT_RACE_RECORDED_STREAM_H
#define CLT_RACE_RECORDED_STREAM_H

#include "stream.h"

#include "demos/recording/recording_reader.h"

namespace cullet::compare
{

/// Reads a recording. Throws recording::RecordingError as the reader does.
class RecordedStream : public Stream
{
public:
    RecordedStream( const std::string& path, const recording::Statistics& statistics );

    bool next( Batch& batch ) override;

private:
    recording::RecordingReader m_reader;
    std::uint64_t m_step = 1;
};

} // namespace cullet::compare

#endif
