// SPDX-License-Identifier: Zlib
/// \file packed_record_file.cpp
/// One Zstandard frame for each block, so that each can be read, and found damaged, by itself.
#include "packed_record_file.h"

#include <zstd.h>

namespace cullet::recording
{

namespace
{

constexpr int level = 3; // Zstandard's default: higher ones gain a few percent here and cost several times the time

} // namespace

PackedRecordFile::PackedRecordFile( const std::string& path )
    : CulletRecordFile( path.c_str() ), m_packed( ZSTD_compressBound( CULLET_RECORD_BLOCK_BYTES ) )
{
}

CulletRecordFile::Stored PackedRecordFile::pack( const unsigned char* block, std::uint32_t size )
{
    const std::size_t packedSize = ZSTD_compress( m_packed.data(), m_packed.size(), block, size, level );
    if ( ZSTD_isError( packedSize ) )
    {
        return { CULLET_FRAME_ZSTD, nullptr, 0 };
    }
    return { CULLET_FRAME_ZSTD, m_packed.data(), std::uint32_t( packedSize ) };
}

} // namespace cullet::recording
