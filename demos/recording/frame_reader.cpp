// SPDX-License-Identifier: Zlib
/// \file frame_reader.cpp
/// XXH64 from libxxhash, Zstandard from libzstd, sizes from nobody.
#include "frame_reader.h"

#include "recording_error.h"

#include "plugin/recorder/CulletRecordFormat.h"

#include <algorithm>
#include <string>
#include <xxhash.h>
#include <zstd.h>

namespace cullet::recording
{

namespace
{

std::uint64_t number( const unsigned char* bytes, int count )
{
    std::uint64_t value = 0;
    for ( int k = count - 1; k >= 0; --k )
    {
        value = value << 8 | bytes[k];
    }
    return value;
}

} // namespace

FrameReader::FrameReader( const std::string& path ) : m_file( path, std::ios::binary )
{
    // A directory can be opened on some systems, but not read.
    if ( !m_file || m_file.peek() == std::ifstream::traits_type::eof() )
    {
        throw RecordingError( m_file.is_open() ? "is empty or cannot be read" : "cannot be opened" );
    }
    readFileHeader();
}

void FrameReader::readFileHeader()
{
    unsigned char header[CULLET_RECORD_HEADER_BYTES] = {};
    const bool isWhole = read( header, sizeof( header ) );
    if ( !std::equal( std::begin( CULLET_RECORD_MAGIC ), std::end( CULLET_RECORD_MAGIC ), header ) )
    {
        throw RecordingError( "is not a recording" );
    }
    if ( !isWhole )
    {
        failCutOff();
    }
    if ( number( header + 16, 8 ) != XXH64( header, CULLET_RECORD_SUMMED_BYTES, 0 ) )
    {
        throw RecordingError( "is damaged in its header" );
    }
    const std::uint64_t version = number( header + 8, 4 );
    if ( version != CULLET_RECORD_VERSION )
    {
        throw RecordingError( "is a recording of version " + std::to_string( version ) +
                              "; this program reads version " + std::to_string( int( CULLET_RECORD_VERSION ) ) );
    }
    m_scalarBytes = std::uint32_t( number( header + 12, 4 ) );
    if ( m_scalarBytes != sizeof( float ) && m_scalarBytes != sizeof( double ) )
    {
        throw RecordingError( "has numbers that are neither float nor double" );
    }
}

bool FrameReader::next( std::vector<unsigned char>& block )
{
    const Header header = readFrameHeader();
    readStored( header );
    if ( XXH64( m_stored.data(), m_stored.size(), header.seed ) != header.checksum )
    {
        failDamaged();
    }
    if ( header.kind == CULLET_FRAME_END )
    {
        finish( header );
        return false;
    }
    unpack( header, block );
    ++m_frameCount;
    return true;
}

FrameReader::Header FrameReader::readFrameHeader()
{
    unsigned char bytes[CULLET_RECORD_HEADER_BYTES];
    if ( !read( bytes, sizeof( bytes ) ) )
    {
        failCutOff();
    }
    const Header header = { number( bytes, 4 ), number( bytes + 4, 4 ), number( bytes + 8, 4 ), number( bytes + 16, 8 ),
                            XXH64( bytes, CULLET_RECORD_SUMMED_BYTES, 0 ) };
    const std::uint64_t mostStored = ZSTD_compressBound( CULLET_RECORD_BLOCK_BYTES );
    const bool isBounded = header.storedBytes <= mostStored && header.blockBytes <= CULLET_RECORD_BLOCK_BYTES;
    const bool isKnown = header.kind <= CULLET_FRAME_END && number( bytes + 12, 4 ) == ( m_frameCount & UINT32_MAX );
    if ( !isBounded || !isKnown )
    {
        failDamaged();
    }
    return header;
}

void FrameReader::readStored( const Header& header )
{
    m_stored.resize( header.storedBytes );
    if ( !read( m_stored.data(), m_stored.size() ) )
    {
        failCutOff();
    }
}

void FrameReader::unpack( const Header& header, std::vector<unsigned char>& block ) const
{
    if ( header.kind == CULLET_FRAME_PLAIN )
    {
        block = m_stored;
    }
    else
    {
        block.resize( header.blockBytes );
        const std::size_t size = ZSTD_decompress( block.data(), block.size(), m_stored.data(), m_stored.size() );
        block.resize( ZSTD_isError( size ) ? 0 : size );
    }
    if ( block.empty() || block.size() != header.blockBytes )
    {
        failDamaged();
    }
}

void FrameReader::finish( const Header& header )
{
    if ( header.storedBytes != 8 || header.blockBytes != 8 )
    {
        failDamaged();
    }
    m_eventCount = number( m_stored.data(), 8 );
    if ( m_file.peek() != std::ifstream::traits_type::eof() )
    {
        throw RecordingError( "goes on behind its end" );
    }
}

bool FrameReader::read( unsigned char* bytes, std::size_t count )
{
    m_file.read( reinterpret_cast<char*>( bytes ), std::streamsize( count ) );
    return std::size_t( m_file.gcount() ) == count;
}

void FrameReader::failDamaged() const
{
    throw RecordingError( "is damaged in frame " + std::to_string( m_frameCount ) );
}

void FrameReader::failCutOff() const
{
    throw RecordingError( "is cut off in frame " + std::to_string( m_frameCount ) );
}

} // namespace cullet::recording
