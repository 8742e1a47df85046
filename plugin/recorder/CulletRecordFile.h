// SPDX-License-Identifier: Zlib
/// \file CulletRecordFile.h
/// Where a recording goes: the interface that CulletRecorder writes to, and a file behind it. The file is not packed,
/// so that a program that records needs no library for that; `cullet replay` reads it as well as packed ones.
#ifndef CULLET_RECORD_FILE_H
#define CULLET_RECORD_FILE_H

#include "CulletRecordFormat.h"

#include <stdint.h>
#include <stdio.h>

/// Called in the order begin, writeBlock any number of times, end. After a call that failed there is no other.
class CulletRecordSink
{
public:
    virtual ~CulletRecordSink() = default;

    /// \param scalarBytes  sizeof( btScalar )
    virtual bool begin( uint32_t scalarBytes ) = 0;

    /// \param block  whole events, at most CULLET_RECORD_BLOCK_BYTES; valid during the call
    virtual bool writeBlock( const unsigned char* block, uint32_t size ) = 0;

    /// Nothing follows: time to close. Without it the recording is cut off.
    virtual bool end( uint64_t eventCount ) = 0;
};

class CulletRecordFile : public CulletRecordSink
{
public:
    /// Replaces a file that is already there. One that cannot be opened is reported by begin().
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
    /// A block as it is to be stored.
    struct Stored
    {
        CulletFrameKind m_kind;
        const unsigned char* m_bytes; ///< NULL if the block could not be packed, which ends the recording
        uint32_t m_size;
    };

    /// To be overridden by files that pack. What it returns must live until the next call.
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
