// SPDX-License-Identifier: Zlib
/// \file recording_reader.h
/// A recording from its first event to its last. The frames of the file (plugin/recorder/CulletRecordFormat.h) are
/// checked and unpacked one at a time; nothing in it is trusted: no size is used before it is bounded, no block is
/// decoded before its checksum is right.
#ifndef CLT_RECORDING_RECORDING_READER_H
#define CLT_RECORDING_RECORDING_READER_H

#include "event_decoder.h"

#include <fstream>
#include <string>

namespace cullet::recording
{

/// Everything here throws RecordingError where the file is no good.
class RecordingReader
{
public:
    explicit RecordingReader( const std::string& path );

    /// 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_scalarBytes;
    }

    /// False behind the last event, as often as it is asked, and only if the file was whole.
    bool next( Event& event );

private:
    struct Frame
    {
        std::uint64_t kind;
        std::uint64_t storedBytes;
        std::uint64_t blockBytes;
        std::uint64_t checksum;
        std::uint64_t seed; ///< of the checksum
    };

    std::uint32_t readFileHeader();
    bool nextBlock();
    Frame readFrame();
    void unpack( const Frame& frame );
    void finish( const Frame& frame );
    bool read( unsigned char* bytes, std::size_t count );
    [[noreturn]] void failDamaged() const;
    [[noreturn]] void failCutOff() const;

    std::ifstream m_file;
    std::uint64_t m_frameCount = 0;
    std::uint32_t m_scalarBytes;
    EventDecoder m_decoder;
    std::vector<unsigned char> m_stored; ///< of one frame
    std::vector<unsigned char> m_block;  ///< the same unpacked
    bool m_isAtEnd = false;
};

} // namespace cullet::recording

#endif
