// SPDX-License-Identifier: Zlib
/// \file CulletEventWriter.h Encodes events in the format of CulletRecordFormat.h and writes them to a sink in blocks.
/// The expected cases take few bytes: the next proxy in order, an unchanged box. Proxies are passed as numbers.
#ifndef CULLET_EVENT_WRITER_H
#define CULLET_EVENT_WRITER_H

#include "CulletRecordFile.h"
#include "broadphase/CulletBox.h"

#include "LinearMath/btAlignedObjectArray.h"

#include <chrono>

/// To write an event, call beginEvent, then put its parts in the order of the format.
class CulletEventWriter
{
public:
    /// \param sink  must outlive the writer
    explicit CulletEventWriter( CulletRecordSink* sink ) : m_sink( sink ), m_isGood( sink->begin( sizeof( btScalar ) ) )
    {
    }

    void beginEvent( CulletRecordEvent code )
    {
        if ( m_block.size() >= CULLET_RECORD_FLUSH_BYTES )
        {
            flush();
        }
        ++m_eventCount;
        m_eventStart = m_block.size();
        putByte( unsigned( code ) );
    }

    void putNumber( uint64_t value )
    {
        for ( ; value >= 0x80; value >>= 7 )
        {
            putByte( unsigned( value & 0x7f ) | 0x80 );
        }
        putByte( unsigned( value ) );
    }

    /// 0, -1, 1, -2, … become 0, 1, 2, 3, …
    void putSigned( int64_t value )
    {
        putNumber( ( uint64_t( value ) << 1 ) ^ ( value < 0 ? UINT64_MAX : 0 ) );
    }

    /// Writes the number of a proxy: no bytes if it is one more than that of the last proxy written.
    void putProxy( uint64_t number )
    {
        if ( number == m_nextProxy )
        {
            m_block[m_eventStart] |= CULLET_EVENT_NEXT;
        }
        else
        {
            putSigned( int64_t( number - m_nextProxy ) );
        }
        m_nextProxy = number + 1;
    }

    /// \param last  the previous scalars, which `current` is compared with; equal to `current` afterwards
    void putScalars( CulletBits* last, const CulletBits* current, int count )
    {
        uint64_t changed = 0;
        for ( int i = 0; i < count; ++i )
        {
            changed |= uint64_t( last[i] != current[i] ) << i;
        }
        if ( changed == 0 )
        {
            m_block[m_eventStart] |= CULLET_EVENT_SAME;
            return;
        }
        putNumber( changed );
        for ( int i = 0; i < count; ++i )
        {
            if ( last[i] != current[i] )
            {
                putNumber( last[i] ^ current[i] );
                last[i] = current[i];
            }
        }
    }

    /// Call after each step. Writes the first step, and then once a second all events so far, so that a program that
    /// crashes loses at most the last second.
    void flushEachSecond()
    {
        const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
        if ( now - m_flushedAt >= std::chrono::seconds( 1 ) )
        {
            m_flushedAt = now;
            flush();
        }
    }

    /// Writes the last block and ends the sink. No event may follow.
    void finish()
    {
        flush();
        m_isGood = m_isGood && m_sink->end( m_eventCount );
    }

    /// False from the first failed write on. Later events are discarded.
    bool isGood() const
    {
        return m_isGood;
    }

    uint64_t getEventCount() const
    {
        return m_eventCount;
    }

private:
    void putByte( unsigned value )
    {
        m_block.push_back( (unsigned char)value );
    }

    void flush()
    {
        if ( m_block.size() > 0 )
        {
            m_isGood = m_isGood && m_sink->writeBlock( &m_block[0], uint32_t( m_block.size() ) );
            m_block.resize( 0 ); // keeps the memory
        }
    }

    CulletRecordSink* m_sink;
    btAlignedObjectArray<unsigned char> m_block;
    int m_eventStart = 0; ///< offset of the current event in the block
    uint64_t m_nextProxy = 0;
    uint64_t m_eventCount = 0;
    std::chrono::steady_clock::time_point m_flushedAt; ///< time of the last flush by flushEachSecond
    bool m_isGood;
};

#endif
