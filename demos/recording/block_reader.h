// SPDX-License-Identifier: Zlib
/// \file block_reader.h
/// Reads the frames of a recording (plugin/recorder/CulletRecordFormat.h), checks and decompresses them one at a time.
/// Trusts no content: every size is checked against a limit, and every block against its checksum.
#ifndef CLT_RECORDING_BLOCK_READER_H
#define CLT_RECORDING_BLOCK_READER_H

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace cullet::recording
{

/// All functions throw RecordingError if the file is invalid.
class BlockReader
{
public:
    explicit BlockReader( const std::string& path );

    /// 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_scalarBytes;
    }

    /// \param eventCount  number of events in all previous blocks; must equal the number at the end of the file
    /// \return false after the last block of a complete file
    bool next( std::vector<unsigned char>& block, std::uint64_t eventCount );

private:
    bool read( std::vector<unsigned char>& bytes, std::size_t count );
    void requireInFrame( bool holds, const char* otherwise ) const;

    std::ifstream m_file;
    std::uint32_t m_scalarBytes = 0;
    std::uint64_t m_frameCount = 0;
    std::vector<unsigned char> m_header; ///< of the file, then of the current frame
    std::vector<unsigned char> m_stored; ///< of one frame
};

} // namespace cullet::recording

#endif
