// SPDX-License-Identifier: Zlib
/// \file CulletEventWriter.h
/// Encodes events as CulletRecordFormat.h has them and hands them to a sink in blocks: numbers into bytes, few of them
/// for what is expected, the next proxy, an unchanged box. Knows numbers, not proxies.
#ifndef CULLET_EVENT_WRITER_H
#define CULLET_EVENT_WRITER_H

#include "CulletRecordFile.h"
#include "broadphase/CulletBox.h"

#include "LinearMath/btAlignedObjectArray.h"

/// An event is written as begin, then its parts in the order of the format.
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

    /// Names a proxy. Short if it is the one created after the last one named.
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

    /// \param last  what `now` stands against; holds `now` afterwards
    void putScalars( CulletBits* last, const CulletBits* now, int count )
    {
        uint64_t changed = 0;
        for ( int i = 0; i < count; ++i )
        {
            changed |= uint64_t( last[i] != now[i] ) << i;
        }
        if ( changed == 0 )
        {
            m_block[m_eventStart] |= CULLET_EVENT_SAME;
            return;
        }
        putNumber( changed );
        for ( int i = 0; i < count; ++i )
        {
            if ( last[i] != now[i] )
            {
                putNumber( last[i] ^ now[i] );
                last[i] = now[i];
            }
        }
    }

    /// Writes what is left and ends the sink. Nothing may follow.
    void finish()
    {
        flush();
        m_isGood = m_isGood && m_sink->end( m_eventCount );
    }

    /// False from the first write that failed; what comes after it is thrown away.
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
            m_block.resize( 0 ); // keeps its memory
        }
    }

    CulletRecordSink* m_sink;
    btAlignedObjectArray<unsigned char> m_block;
    int m_eventStart = 0; ///< where in the block the event under way begins
    uint64_t m_nextProxy = 0;
    uint64_t m_eventCount = 0;
    bool m_isGood;
};

#endif
