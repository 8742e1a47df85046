// SPDX-License-Identifier: Zlib
/// \file recording_reader.cpp
/// XXH64 from libxxhash, Zstandard from libzstd, sizes from nobody.
#include "recording_reader.h"

#include "plugin/recorder/CulletRecordFormat.h"

#include <algorithm>
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

RecordingReader::RecordingReader( const std::string& path )
    : m_file( path, std::ios::binary ), m_scalarBytes( readFileHeader() ), m_decoder( m_scalarBytes )
{
}

bool RecordingReader::next( Event& event )
{
    while ( !m_isAtEnd && !m_decoder.next( event ) )
    {
        m_isAtEnd = !nextBlock();
    }
    return !m_isAtEnd;
}

std::uint32_t RecordingReader::readFileHeader()
{
    // A directory can be opened on some systems, but not read.
    if ( !m_file || m_file.peek() == std::ifstream::traits_type::eof() )
    {
        throw RecordingError( m_file.is_open() ? "is empty or cannot be read" : "cannot be opened" );
    }
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
    const auto scalarBytes = std::uint32_t( number( header + 12, 4 ) );
    if ( scalarBytes != sizeof( float ) && scalarBytes != sizeof( double ) )
    {
        throw RecordingError( "has numbers that are neither float nor double" );
    }
    return scalarBytes;
}

/// False behind the last block of events.
bool RecordingReader::nextBlock()
{
    const Frame frame = readFrame();
    m_stored.resize( frame.storedBytes );
    if ( !read( m_stored.data(), m_stored.size() ) )
    {
        failCutOff();
    }
    if ( XXH64( m_stored.data(), m_stored.size(), frame.seed ) != frame.checksum )
    {
        failDamaged();
    }
    if ( frame.kind == CULLET_FRAME_END )
    {
        finish( frame );
        return false;
    }
    unpack( frame );
    m_decoder.setBlock( m_block );
    ++m_frameCount;
    return true;
}

RecordingReader::Frame RecordingReader::readFrame()
{
    unsigned char bytes[CULLET_RECORD_HEADER_BYTES];
    if ( !read( bytes, sizeof( bytes ) ) )
    {
        failCutOff();
    }
    const Frame frame = { number( bytes, 4 ), number( bytes + 4, 4 ), number( bytes + 8, 4 ), number( bytes + 16, 8 ),
                          XXH64( bytes, CULLET_RECORD_SUMMED_BYTES, 0 ) };
    const std::uint64_t mostStored = ZSTD_compressBound( CULLET_RECORD_BLOCK_BYTES );
    const bool isBounded = frame.storedBytes <= mostStored && frame.blockBytes <= CULLET_RECORD_BLOCK_BYTES;
    const bool isKnown = frame.kind <= CULLET_FRAME_END && number( bytes + 12, 4 ) == ( m_frameCount & UINT32_MAX );
    if ( !isBounded || !isKnown )
    {
        failDamaged();
    }
    return frame;
}

void RecordingReader::unpack( const Frame& frame )
{
    if ( frame.kind == CULLET_FRAME_PLAIN )
    {
        m_block = m_stored;
    }
    else
    {
        m_block.resize( frame.blockBytes );
        const std::size_t size = ZSTD_decompress( m_block.data(), m_block.size(), m_stored.data(), m_stored.size() );
        m_block.resize( ZSTD_isError( size ) ? 0 : size );
    }
    if ( m_block.empty() || m_block.size() != frame.blockBytes )
    {
        failDamaged();
    }
}

void RecordingReader::finish( const Frame& frame )
{
    if ( frame.storedBytes != 8 || frame.blockBytes != 8 )
    {
        failDamaged();
    }
    if ( m_file.peek() != std::ifstream::traits_type::eof() )
    {
        throw RecordingError( "goes on behind its end" );
    }
    if ( number( m_stored.data(), 8 ) != m_decoder.eventCount() )
    {
        throw RecordingError( "does not hold as many events as it says" );
    }
}

bool RecordingReader::read( unsigned char* bytes, std::size_t count )
{
    m_file.read( reinterpret_cast<char*>( bytes ), std::streamsize( count ) );
    return std::size_t( m_file.gcount() ) == count;
}

void RecordingReader::failDamaged() const
{
    throw RecordingError( "is damaged in frame " + std::to_string( m_frameCount ) );
}

void RecordingReader::failCutOff() const
{
    throw RecordingError( "is cut off in frame " + std::to_string( m_frameCount ) );
}

} // namespace cullet::recording
