// SPDX-License-Identifier: Zlib
/// \file block_reader.h
/// The frames of a recording (plugin/recorder/CulletRecordFormat.h), checked and unpacked one at a time. Nothing in the
/// file is trusted: no size is used before it is bounded, no block is handed on before its checksum is right.
#ifndef CLT_RECORDING_BLOCK_READER_H
#define CLT_RECORDING_BLOCK_READER_H

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace cullet::recording
{

/// Everything here throws RecordingError where the file is no good.
class BlockReader
{
public:
    explicit BlockReader( const std::string& path );

    /// 4 for float, 8 for double.
    std::uint32_t scalarBytes() const
    {
        return m_scalarBytes;
    }

    /// \param eventCount  in all blocks before, which has to be what the end of the file says
    /// \return false behind the last block, and only if the file was whole
    bool next( std::vector<unsigned char>& block, std::uint64_t eventCount );

private:
    bool read( std::vector<unsigned char>& bytes, std::size_t count );
    void requireInFrame( bool holds, const char* otherwise ) const;

    std::ifstream m_file;
    std::uint32_t m_scalarBytes = 0;
    std::uint64_t m_frameCount = 0;
    std::vector<unsigned char> m_header; ///< of the file, then of one frame
    std::vector<unsigned char> m_stored; ///< of one frame
};

} // namespace cullet::recording

#endif
