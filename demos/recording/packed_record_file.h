// SPDX-License-Identifier: Zlib
/// \file packed_record_file.h
/// A CulletRecordFile that compresses blocks with Zstandard: to about half the size for moving bodies, and to almost
/// nothing for resting ones. Each block is compressed separately, so each can be read and checked separately.
#ifndef CLT_RECORDING_PACKED_RECORD_FILE_H
#define CLT_RECORDING_PACKED_RECORD_FILE_H

#include "plugin/recorder/CulletRecordFile.h"

#include <string>
#include <vector>
#include <zstd.h>

namespace cullet::recording
{

class PackedRecordFile : public CulletRecordFile
{
public:
    explicit PackedRecordFile( const std::string& path )
        : CulletRecordFile( path.c_str() ), m_packed( ZSTD_compressBound( CULLET_RECORD_BLOCK_BYTES ) )
    {
    }

protected:
    Stored pack( const unsigned char* block, std::uint32_t size ) override
    {
        // Higher levels gain a few percent here and cost several times the time.
        const std::size_t packed = ZSTD_compress( m_packed.data(), m_packed.size(), block, size, ZSTD_CLEVEL_DEFAULT );
        return { CULLET_FRAME_ZSTD, ZSTD_isError( packed ) ? nullptr : m_packed.data(), std::uint32_t( packed ) };
    }

private:
    std::vector<unsigned char> m_packed;
};

} // namespace cullet::recording

#endif
