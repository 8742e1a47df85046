// SPDX-License-Identifier: Zlib
/// \file CulletRecordFile.h
/// The sink that CulletRecorder writes to, and a sink that writes a file. The file is not compressed, so that a program
/// that records needs no library for that. `cullet replay` reads compressed and uncompressed files.
#ifndef CULLET_RECORD_FILE_H
#define CULLET_RECORD_FILE_H

#include "CulletRecordFormat.h"

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

    /// Closes the recording. A recording without this call is incomplete.
    virtual bool end( uint64_t eventCount ) = 0;
};

class CulletRecordFile : public CulletRecordSink
{
public:
    /// Overwrites an existing file. If the file cannot be opened, begin() fails.
    explicit CulletRecordFile( const char* path );
    ~CulletRecordFile() override;

    bool begin( uint32_t scalarBytes ) override;
    bool writeBlock( const unsigned char* block, uint32_t size ) override;
    bool end( uint64_t eventCount ) override;

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
    virtual Stored pack( const unsigned char* block, uint32_t size );

private:
    CulletRecordFile( const CulletRecordFile& ) = delete;
    CulletRecordFile& operator=( const CulletRecordFile& ) = delete;

    bool writeFrame( const Stored& stored, uint32_t blockSize );
    bool write( const unsigned char* bytes, uint32_t size );

    FILE* m_file;
    uint64_t m_size;
    uint32_t m_frameCount;
};

#endif
