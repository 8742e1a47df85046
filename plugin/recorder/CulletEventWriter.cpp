// SPDX-License-Identifier: Zlib
/// \file CulletEventWriter.cpp
/// Numbers into bytes, few of them for what is expected: the next proxy, an unchanged box.

#include "CulletEventWriter.h"

CulletEventWriter::CulletEventWriter( CulletRecordSink* sink )
    : m_sink( sink ), m_eventStart( 0 ), m_lastProxy( UINT64_MAX ), m_eventCount( 0 ), // the first `next` is number 0
      m_isGood( sink->begin( sizeof( btScalar ) ) )
{
}

void CulletEventWriter::beginEvent( CulletRecordEvent code )
{
    m_eventStart = m_block.size();
    putByte( unsigned( code ) );
}

void CulletEventWriter::endEvent()
{
    ++m_eventCount;
    if ( m_block.size() >= CULLET_RECORD_FLUSH_BYTES )
    {
        flush();
    }
}

void CulletEventWriter::putNumber( uint64_t value )
{
    for ( ; value >= 0x80; value >>= 7 )
    {
        putByte( unsigned( value & 0x7f ) | 0x80 );
    }
    putByte( unsigned( value ) );
}

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …
void CulletEventWriter::putSigned( int64_t value )
{
    putNumber( ( uint64_t( value ) << 1 ) ^ ( value < 0 ? UINT64_MAX : 0 ) );
}

void CulletEventWriter::putProxy( uint64_t number )
{
    const uint64_t next = m_lastProxy + 1;
    m_lastProxy = number;
    if ( number == next )
    {
        m_block[m_eventStart] |= CULLET_EVENT_NEXT;
        return;
    }
    putSigned( int64_t( number - next ) );
}

void CulletEventWriter::putScalars( CulletBits* last, const CulletBits* now, int count )
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

void CulletEventWriter::finish()
{
    flush();
    m_isGood = m_isGood && m_sink->end( m_eventCount );
}

void CulletEventWriter::putByte( unsigned value )
{
    m_block.push_back( (unsigned char)value );
}

void CulletEventWriter::flush()
{
    if ( m_block.size() > 0 )
    {
        m_isGood = m_isGood && m_sink->writeBlock( &m_block[0], uint32_t( m_block.size() ) );
        m_block.resize( 0 ); // keeps its memory
    }
}
