// SPDX-License-Identifier: Zlib
/// \file CulletRecordFile.cpp
/// Writes blocks in the frames of CulletRecordFormat.h.

#include "CulletRecordFile.h"

#include "CulletChecksum.h"

#include <string.h>

namespace
{
void putBytes( unsigned char* bytes, uint64_t value, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        bytes[i] = (unsigned char)( value >> ( 8 * i ) );
    }
}
} // namespace

CulletRecordFile::CulletRecordFile( const char* path ) : m_file( fopen( path, "wb" ) ), m_size( 0 ), m_frameCount( 0 )
{
    if ( m_file )
    {
        // Unbuffered: blocks are large, and a forked child would flush its copy of a buffer.
        setvbuf( m_file, NULL, _IONBF, 0 );
    }
}

CulletRecordFile::~CulletRecordFile()
{
    if ( m_file )
    {
        fclose( m_file );
    }
}

bool CulletRecordFile::begin( uint32_t scalarBytes )
{
    unsigned char header[CULLET_RECORD_HEADER_BYTES];
    memcpy( header, CULLET_RECORD_MAGIC, sizeof( CULLET_RECORD_MAGIC ) );
    putBytes( header + 8, CULLET_RECORD_VERSION, 4 );
    putBytes( header + 12, scalarBytes, 4 );
    putBytes( header + 16, CulletChecksum::of( header, CULLET_RECORD_SUMMED_BYTES, 0 ), 8 );
    return write( header, sizeof( header ) );
}

bool CulletRecordFile::writeBlock( const unsigned char* block, uint32_t size )
{
    const Stored stored = pack( block, size );
    return stored.m_bytes && writeFrame( stored, size );
}

bool CulletRecordFile::end( uint64_t eventCount )
{
    unsigned char bytes[8];
    putBytes( bytes, eventCount, 8 );
    const Stored stored = { CULLET_FRAME_END, bytes, sizeof( bytes ) };
    const bool isWritten = writeFrame( stored, sizeof( bytes ) );
    const bool isClosed = m_file && fclose( m_file ) == 0; // a full disk may cause an error only here
    m_file = 0;
    return isWritten && isClosed;
}

CulletRecordFile::Stored CulletRecordFile::pack( const unsigned char* block, uint32_t size )
{
    const Stored stored = { CULLET_FRAME_PLAIN, block, size };
    return stored;
}

bool CulletRecordFile::writeFrame( const Stored& stored, uint32_t blockSize )
{
    unsigned char header[CULLET_RECORD_HEADER_BYTES];
    putBytes( header, uint64_t( stored.m_kind ), 4 );
    putBytes( header + 4, stored.m_size, 4 );
    putBytes( header + 8, blockSize, 4 );
    putBytes( header + 12, m_frameCount, 4 );
    const uint64_t seed = CulletChecksum::of( header, CULLET_RECORD_SUMMED_BYTES, 0 );
    putBytes( header + 16, CulletChecksum::of( stored.m_bytes, stored.m_size, seed ), 8 );
    ++m_frameCount;
    return write( header, sizeof( header ) ) && write( stored.m_bytes, stored.m_size );
}

bool CulletRecordFile::write( const unsigned char* bytes, uint32_t size )
{
    m_size += size;
    return m_file && fwrite( bytes, 1, size, m_file ) == size;
}
