// SPDX-License-Identifier: Zlib
/// \file recording_reader.h
/// A recording from its first event to its last.
#ifndef CLT_RECORDING_RECORDING_READER_H
#define CLT_RECORDING_RECORDING_READER_H

#include "event_decoder.h"
#include "frame_reader.h"

#include <string>

namespace cullet::recording
{

/// Everything here throws RecordingError where the file is no good.
class RecordingReader
{
public:
    explicit RecordingReader( const std::string& path );

    std::uint32_t scalarBytes() const
    {
        return m_frames.scalarBytes();
    }

    /// False behind the last event, as often as it is asked, and only if the file was whole.
    bool next( Event& event );

private:
    FrameReader m_frames;
    EventDecoder m_decoder;
    std::vector<unsigned char> m_block;
    bool m_isAtEnd = false;
};

} // namespace cullet::recording

#endif
