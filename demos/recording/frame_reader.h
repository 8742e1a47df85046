// SPDX-License-Identifier: Zlib
/// \file frame_reader.h
/// The frames of a recording (plugin/CulletRecordFormat.h), checked and unpacked one at a time. Nothing in the file is
/// trusted: no size is used before it is bounded, no block is handed on before its checksum is right.
#ifndef CLT_RECORDING_FRAME_READER_H
#define CLT_RECORDING_FRAME_READER_H

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace cullet::recording
{

class FrameReader
{
public:
    /// Throws RecordingError if the file cannot be opened or is no recording of a version that is known.
    explicit FrameReader( const std::string& path );

    /// 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_scalarBytes;
    }

    /// The next block of events, or false behind the last one. Throws RecordingError where the file is damaged or ends
    /// too early or too late.
    bool next( std::vector<unsigned char>& block );

    /// How many events the file says it holds; known once next() has returned false.
    std::uint64_t eventCount() const
    {
        return m_eventCount;
    }

private:
    struct Header
    {
        std::uint64_t kind;
        std::uint64_t storedBytes;
        std::uint64_t blockBytes;
        std::uint64_t checksum;
        std::uint64_t seed; ///< of the checksum
    };

    void readFileHeader();
    Header readFrameHeader();
    void readStored( const Header& header );
    void unpack( const Header& header, std::vector<unsigned char>& block ) const;
    void finish( const Header& header );
    bool read( unsigned char* bytes, std::size_t count );
    [[noreturn]] void failDamaged() const;
    [[noreturn]] void failCutOff() const;

    std::ifstream m_file;
    std::uint32_t m_scalarBytes = 0;
    std::uint64_t m_frameCount = 0;
    std::uint64_t m_eventCount = 0;
    std::vector<unsigned char> m_stored;
};

} // namespace cullet::recording

#endif
