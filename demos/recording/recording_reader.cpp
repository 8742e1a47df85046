// SPDX-License-Identifier: Zlib
/// \file recording_reader.cpp
/// Decodes what plugin/recorder/CulletEventWriter.h encodes, in the format of plugin/recorder/CulletRecordFormat.h.
#include "recording_reader.h"

#include <algorithm>
#include <cstring>

namespace cullet::recording
{

namespace
{

/// Four times the largest world that cullet is meant for. Limits the memory that a forged file can request.
constexpr std::size_t maxAlive = 1u << 22;

/// The fields after an event's code, in this order.
struct Fields
{
    bool proxy;
    bool filter;
    bool number;
    std::size_t scalars;
};

constexpr Fields fieldsOf[eventKindCount] = {
    {},                                                 // no event has code 0
    { false, true, false, CULLET_RECORD_BOX_SCALARS },  // create
    { true, false, false, 0 },                          // destroy
    { true, false, false, CULLET_RECORD_BOX_SCALARS },  // move
    { true, true, false, 0 },                           // filter
    { false, false, true, 0 },                          // step
    { false, false, true, CULLET_RECORD_RAY_SCALARS },  // ray
    { false, false, false, CULLET_RECORD_BOX_SCALARS }, // boxQuery
    { false, false, false, 0 },                         // resetPool
    { false, false, true, 0 },                          // callback
};

} // namespace

RecordingReader::RecordingReader( const std::string& path ) : m_blocks( path )
{
}

bool RecordingReader::next( Event& event )
{
    if ( m_at == m_block.size() && !m_isAtEnd )
    {
        m_isAtEnd = !m_blocks.next( m_block, m_eventCount );
        m_at = 0;
    }
    if ( !m_isAtEnd )
    {
        decode( event );
        ++m_eventCount;
    }
    return !m_isAtEnd;
}

void RecordingReader::decode( Event& event )
{
    m_flags = byte();
    const unsigned code = m_flags & CULLET_EVENT_CODE_MASK;
    const unsigned known = CULLET_EVENT_CODE_MASK | CULLET_EVENT_NEXT | CULLET_EVENT_SAME;
    if ( code == 0 || code >= eventKindCount || ( m_flags & ~known ) != 0 )
    {
        fail( "is of no known kind" );
    }
    event.kind = EventKind( code );
    const Fields& fields = fieldsOf[code];
    std::uint64_t* last = m_last[code].data();
    if ( fields.proxy )
    {
        last = findProxy( event ).box.data();
    }
    if ( fields.filter )
    {
        event.group = filterNumber();
        event.mask = filterNumber();
    }
    const std::uint64_t value = fields.number ? number() : 0;
    event.pairCount = value;
    event.hasCallback = value != 0;
    event.changed = fields.scalars > 0 && scalars( last, fields.scalars );
    if ( event.kind == EventKind::ray )
    {
        const auto sign = [value]( int axis ) { return unsigned( value >> axis ) & 1; };
        event.ray = { vector( last ),    vector( last + 3 ), vector( last + 6 ),
                      scalar( last[9] ), box( last + 10 ),   { sign( 0 ), sign( 1 ), sign( 2 ) } };
    }
    else if ( fields.scalars > 0 )
    {
        event.box = box( last );
    }
    if ( event.kind == EventKind::create )
    {
        create( event );
    }
    if ( event.kind == EventKind::destroy )
    {
        m_freeSlots.push_back( event.slot );
        m_alive.erase( event.number );
    }
}

void RecordingReader::create( Event& event )
{
    if ( m_alive.size() == maxAlive )
    {
        throw RecordingError( "has more than " + std::to_string( maxAlive ) + " proxies alive at once" );
    }
    event.number = m_createdCount++;
    event.slot = std::uint32_t( m_alive.size() ); // all lower slots are taken
    if ( !m_freeSlots.empty() )
    {
        event.slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    LiveProxy& proxy = m_alive[event.number];
    proxy.slot = event.slot;
    std::copy_n( m_last[CULLET_EVENT_CREATE].begin(), proxy.box.size(), proxy.box.begin() );
}

RecordingReader::LiveProxy& RecordingReader::findProxy( Event& event )
{
    event.number = m_lastProxy + 1;
    if ( ( m_flags & CULLET_EVENT_NEXT ) == 0 )
    {
        event.number += std::uint64_t( signedNumber() ); // may wrap around; the result must be a live proxy
    }
    m_lastProxy = event.number;
    const auto found = m_alive.find( event.number );
    if ( found == m_alive.end() )
    {
        fail( "names a proxy that is not alive" );
    }
    event.slot = found->second.slot;
    return found->second;
}

// ------------------------------------------------------------------------------------------------------------- numbers

unsigned RecordingReader::byte()
{
    if ( m_at == m_block.size() )
    {
        fail( "is not whole" );
    }
    return m_block[m_at++];
}

std::uint64_t RecordingReader::number()
{
    std::uint64_t value = 0;
    for ( int shift = 0; shift < 64; shift += 7 )
    {
        const std::uint64_t part = byte();
        const std::uint64_t bits = part & 0x7f;
        if ( bits << shift >> shift != bits )
        {
            break;
        }
        value |= bits << shift;
        if ( part < 0x80 )
        {
            return value;
        }
    }
    fail( "has a number of more than 64 bits" );
}

std::int64_t RecordingReader::signedNumber()
{
    const std::uint64_t value = number();
    return std::int64_t( ( value >> 1 ) ^ ( ( value & 1 ) != 0 ? UINT64_MAX : 0 ) );
}

std::int32_t RecordingReader::filterNumber()
{
    const std::int64_t value = signedNumber();
    if ( value < INT32_MIN || value > INT32_MAX )
    {
        fail( "has a group or mask of more than 32 bits" );
    }
    return std::int32_t( value );
}

/// \param last  the reference of the scalars; equal to them afterwards
/// \return whether any scalar differs
bool RecordingReader::scalars( std::uint64_t* last, std::size_t count )
{
    const std::uint64_t changed = ( m_flags & CULLET_EVENT_SAME ) != 0 ? 0 : number();
    if ( changed >> count != 0 )
    {
        fail( "changes scalars that it does not have" );
    }
    for ( std::size_t k = 0; k < count; ++k )
    {
        const std::uint64_t difference = ( changed >> k & 1 ) != 0 ? number() : 0;
        if ( scalarBytes() == sizeof( float ) && difference > UINT32_MAX )
        {
            fail( "has a float of more than 32 bits" );
        }
        last[k] ^= difference;
    }
    return changed != 0;
}

double RecordingReader::scalar( std::uint64_t bits ) const
{
    if ( scalarBytes() == sizeof( double ) )
    {
        double value;
        std::memcpy( &value, &bits, sizeof( value ) );
        return value;
    }
    const auto floatBits = std::uint32_t( bits );
    float value;
    std::memcpy( &value, &floatBits, sizeof( value ) );
    return double( value );
}

std::array<double, 3> RecordingReader::vector( const std::uint64_t* bits ) const
{
    return { scalar( bits[0] ), scalar( bits[1] ), scalar( bits[2] ) };
}

Box RecordingReader::box( const std::uint64_t* bits ) const
{
    return { vector( bits ), vector( bits + 3 ) };
}

void RecordingReader::fail( const char* what ) const
{
    throw RecordingError( "is damaged: event " + std::to_string( m_eventCount ) + " " + what );
}

} // namespace cullet::recording
