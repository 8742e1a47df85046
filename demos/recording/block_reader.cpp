// SPDX-License-Identifier: Zlib
/// \file block_reader.cpp
/// Uses libxxhash and libzstd, and checks all sizes before use.
#include "block_reader.h"

#include "event.h"

#include <algorithm>
#include <cstdio>
#include <xxhash.h>
#include <zstd.h>

namespace cullet::recording
{

namespace
{

using Bytes = std::vector<unsigned char>;

std::uint64_t number( const Bytes& bytes, std::size_t first, std::size_t count )
{
    std::uint64_t value = 0;
    for ( std::size_t k = count; k > 0; --k )
    {
        value = value << 8 | bytes[first + k - 1];
    }
    return value;
}

void require( bool holds, const std::string& otherwise )
{
    if ( !holds )
    {
        throw RecordingError( otherwise );
    }
}

} // namespace

BlockReader::BlockReader( const std::string& path ) : m_file( path, std::ios::binary )
{
    require( m_file.is_open(), "cannot be opened" );
    require( m_file.peek() != EOF, "is empty or cannot be read" ); // a directory can be opened on some systems
    const bool isComplete = read( m_header, CULLET_RECORD_HEADER_BYTES );
    require( std::equal( std::begin( CULLET_RECORD_MAGIC ), std::end( CULLET_RECORD_MAGIC ), m_header.begin() ),
             "is not a recording" );
    requireInFrame( isComplete, "is cut off" );
    require( number( m_header, 16, 8 ) == XXH64( m_header.data(), CULLET_RECORD_SUMMED_BYTES, 0 ),
             "is damaged in its header" );
    const std::uint64_t version = number( m_header, 8, 4 );
    require( version == CULLET_RECORD_VERSION, "is a recording of version " + std::to_string( version ) +
                                                   "; this program reads version " +
                                                   std::to_string( int( CULLET_RECORD_VERSION ) ) );
    m_scalarBytes = std::uint32_t( number( m_header, 12, 4 ) );
    require( m_scalarBytes == sizeof( float ) || m_scalarBytes == sizeof( double ),
             "has numbers that are neither float nor double" );
}

bool BlockReader::next( Bytes& block, std::uint64_t eventCount )
{
    requireInFrame( read( m_header, CULLET_RECORD_HEADER_BYTES ), "is cut off" );
    const std::uint64_t kind = number( m_header, 0, 4 );
    const std::size_t storedBytes = number( m_header, 4, 4 );
    const std::size_t blockBytes = number( m_header, 8, 4 );
    const bool isBounded =
        storedBytes <= ZSTD_compressBound( CULLET_RECORD_BLOCK_BYTES ) && blockBytes <= CULLET_RECORD_BLOCK_BYTES;
    const bool isKnown = kind <= CULLET_FRAME_END && number( m_header, 12, 4 ) == ( m_frameCount & UINT32_MAX );
    requireInFrame( isBounded && isKnown, "is damaged" );
    requireInFrame( read( m_stored, storedBytes ), "is cut off" );
    const std::uint64_t seed = XXH64( m_header.data(), CULLET_RECORD_SUMMED_BYTES, 0 );
    requireInFrame( number( m_header, 16, 8 ) == XXH64( m_stored.data(), storedBytes, seed ), "is damaged" );
    if ( kind == CULLET_FRAME_END )
    {
        requireInFrame( storedBytes == 8 && blockBytes == 8, "is damaged" );
        require( m_file.peek() == EOF, "goes on behind its end" );
        require( number( m_stored, 0, 8 ) == eventCount, "does not hold as many events as it says" );
        return false;
    }
    block.resize( blockBytes );
    if ( kind == CULLET_FRAME_PLAIN )
    {
        block = m_stored;
    }
    else
    {
        const std::size_t size = ZSTD_decompress( block.data(), blockBytes, m_stored.data(), storedBytes );
        block.resize( ZSTD_isError( size ) ? 0 : size );
    }
    requireInFrame( !block.empty() && block.size() == blockBytes, "is damaged" );
    ++m_frameCount;
    return true;
}

/// \return whether the file had that many bytes; missing ones are zeros
bool BlockReader::read( Bytes& bytes, std::size_t count )
{
    bytes.assign( count, 0 );
    m_file.read( reinterpret_cast<char*>( bytes.data() ), std::streamsize( count ) );
    return std::size_t( m_file.gcount() ) == count;
}

void BlockReader::requireInFrame( bool holds, const char* otherwise ) const
{
    if ( !holds )
    {
        throw RecordingError( otherwise + ( " in frame " + std::to_string( m_frameCount ) ) );
    }
}

} // namespace cullet::recording
