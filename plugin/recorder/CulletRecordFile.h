// SPDX-License-Identifier: Zlib
/// \file CulletRecordFile.h
/// The sink that CulletRecorder writes to, and a sink that writes a file. The file is not compressed, so that a program
/// that records needs no library for that. `cullet replay` reads compressed and uncompressed files.
///
/// Writes blocks in the frames of CulletRecordFormat.h.
#ifndef CULLET_RECORD_FILE_H
#define CULLET_RECORD_FILE_H

#include "CulletChecksum.h"
#include "CulletRecordFormat.h"
#include <string.h>

#include <stdint.h>
#include <stdio.h>

/// Calls come in the order begin, writeBlock any number of times, end. No call follows a failed one.
class CulletRecordSink
{
public:
    virtual ~CulletRecordSink() = default;

    /// \param scalarBytes  sizeof( btScalar )
    virtual bool begin( uint32_t scalarBytes ) = 0;

    /// \param block  whole events, at most CULLET_RECORD_BLOCK_BYTES; valid during the call
    virtual bool writeBlock( const unsigned char* block, uint32_t size ) = 0;

    /// Closes the recording. A recording without this call can be replayed up to its last step written.
    virtual bool end( uint64_t eventCount ) = 0;
};

/// Writes a recording to a file.
class CulletRecordFile : public CulletRecordSink
{
public:
    /// Overwrites an existing file. If the file cannot be opened, begin() fails.
    explicit CulletRecordFile( const char* path ) : m_file( fopen( path, "wb" ) ), m_size( 0 ), m_frameCount( 0 )
    {
        if ( m_file )
        {
            // Unbuffered: blocks are large, and a forked child would flush its copy of a buffer.
            setvbuf( m_file, NULL, _IONBF, 0 );
        }
    }

    ~CulletRecordFile() override
    {
        if ( m_file )
        {
            fclose( m_file );
        }
    }

    bool begin( uint32_t scalarBytes ) override
    {
        unsigned char header[CULLET_RECORD_HEADER_BYTES];
        memcpy( header, CULLET_RECORD_MAGIC, sizeof( CULLET_RECORD_MAGIC ) );
        putBytes( header + 8, CULLET_RECORD_VERSION, 4 );
        putBytes( header + 12, scalarBytes, 4 );
        putBytes( header + 16, CulletChecksum::of( header, CULLET_RECORD_SUMMED_BYTES, 0 ), 8 );
        return write( header, sizeof( header ) );
    }

    bool writeBlock( const unsigned char* block, uint32_t size ) override
    {
        const Stored stored = pack( block, size );
        return stored.m_bytes && writeFrame( stored, size );
    }

    bool end( uint64_t eventCount ) override
    {
        unsigned char bytes[8];
        putBytes( bytes, eventCount, 8 );
        const Stored stored = { CULLET_FRAME_END, bytes, sizeof( bytes ) };
        const bool isWritten = writeFrame( stored, sizeof( bytes ) );
        const bool isClosed = m_file && fclose( m_file ) == 0; // a full disk may cause an error only here
        m_file = 0;
        return isWritten && isClosed;
    }

    /// Bytes written so far.
    uint64_t getSize() const
    {
        return m_size;
    }

protected:
    /// A block as stored in the file.
    struct Stored
    {
        CulletFrameKind m_kind;
        const unsigned char* m_bytes; ///< NULL if compression failed, which ends the recording
        uint32_t m_size;
    };

    /// Override this to compress blocks. The result must stay valid until the next call.
    virtual Stored pack( const unsigned char* block, uint32_t size )
    {
        const Stored stored = { CULLET_FRAME_PLAIN, block, size };
        return stored;
    }

private:
    static void putBytes( unsigned char* bytes, uint64_t value, int count )
    {
        for ( int i = 0; i < count; ++i )
        {
            bytes[i] = (unsigned char)( value >> ( 8 * i ) );
        }
    }

    CulletRecordFile( const CulletRecordFile& ) = delete;
    CulletRecordFile& operator=( const CulletRecordFile& ) = delete;

    bool writeFrame( const Stored& stored, uint32_t blockSize )
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

    bool write( const unsigned char* bytes, uint32_t size )
    {
        m_size += size;
        return m_file && fwrite( bytes, 1, size, m_file ) == size;
    }

    FILE* m_file;
    uint64_t m_size;
    uint32_t m_frameCount;
};

#endif
