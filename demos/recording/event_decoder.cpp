// SPDX-License-Identifier: Zlib
/// \file event_decoder.cpp
/// The other side of plugin/recorder/CulletEventWriter.cpp; plugin/recorder/CulletRecordFormat.h is what both follow.
#include "event_decoder.h"

#include "plugin/recorder/CulletRecordFormat.h"

#include <cstring>
#include <string>

namespace cullet::recording
{

namespace
{

/// Four times the largest world that cullet is meant for. Bounds the memory that a forged file can ask for.
constexpr std::size_t mostAlive = 1u << 22;

} // namespace

EventDecoder::EventDecoder( std::uint32_t scalarBytes ) : m_scalarBytes( scalarBytes )
{
}

void EventDecoder::setBlock( const std::vector<unsigned char>& block )
{
    m_at = block.data();
    m_end = m_at + block.size();
}

bool EventDecoder::next( Event& event )
{
    if ( m_at == m_end )
    {
        return false;
    }
    m_flags = byte();
    if ( ( m_flags & ~unsigned( CULLET_EVENT_CODE_MASK | CULLET_EVENT_NEXT | CULLET_EVENT_SAME ) ) != 0 )
    {
        fail( "is of no known kind" );
    }
    decode( m_flags & CULLET_EVENT_CODE_MASK, event );
    ++m_eventCount;
    return true;
}

void EventDecoder::decode( unsigned code, Event& event )
{
    switch ( code )
    {
    case CULLET_EVENT_CREATE:
        decodeCreate( event );
        break;
    case CULLET_EVENT_DESTROY:
        decodeDestroy( event );
        break;
    case CULLET_EVENT_MOVE:
        decodeMove( event );
        break;
    case CULLET_EVENT_FILTER:
        event.kind = EventKind::filter;
        decodeProxy( event );
        decodeFilter( event );
        break;
    case CULLET_EVENT_STEP:
        event.kind = EventKind::step;
        event.pairCount = number();
        break;
    case CULLET_EVENT_RAY:
        decodeRay( event );
        break;
    case CULLET_EVENT_BOX_QUERY:
        event.kind = EventKind::boxQuery;
        scalars( m_lastBoxQuery );
        event.box = box( m_lastBoxQuery.data() );
        break;
    case CULLET_EVENT_RESET_POOL:
        event.kind = EventKind::resetPool;
        break;
    case CULLET_EVENT_CALLBACK:
        event.kind = EventKind::callback;
        event.hasCallback = number() != 0;
        break;
    default:
        fail( "is of no known kind" );
    }
}

void EventDecoder::decodeCreate( Event& event )
{
    event.kind = EventKind::create;
    decodeFilter( event );
    scalars( m_lastCreated );
    event.number = m_createdCount++;
    event.slot = takeSlot();
    event.box = box( m_lastCreated.data() );
    m_alive[event.number] = { event.slot, m_lastCreated };
}

std::uint32_t EventDecoder::takeSlot()
{
    if ( m_alive.size() == mostAlive )
    {
        throw RecordingError( "has more than " + std::to_string( mostAlive ) + " proxies alive at once" );
    }
    if ( m_freeSlots.empty() )
    {
        return std::uint32_t( m_alive.size() ); // all below are taken
    }
    const std::uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    return slot;
}

void EventDecoder::decodeDestroy( Event& event )
{
    event.kind = EventKind::destroy;
    m_freeSlots.push_back( decodeProxy( event ).slot );
    m_alive.erase( event.number );
}

void EventDecoder::decodeMove( Event& event )
{
    event.kind = EventKind::move;
    LiveProxy& proxy = decodeProxy( event );
    event.changed = scalars( proxy.box );
    event.box = box( proxy.box.data() );
}

void EventDecoder::decodeRay( Event& event )
{
    event.kind = EventKind::ray;
    const std::uint64_t signs = number();
    scalars( m_lastRay );
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        event.ray.origin[axis] = scalar( m_lastRay[axis] );
        event.ray.target[axis] = scalar( m_lastRay[3 + axis] );
        event.ray.inverseDirection[axis] = scalar( m_lastRay[6 + axis] );
        event.ray.signs[axis] = unsigned( signs >> axis ) & 1;
    }
    event.ray.length = scalar( m_lastRay[9] );
    event.ray.swept = box( m_lastRay.data() + 10 );
}

EventDecoder::LiveProxy& EventDecoder::decodeProxy( Event& event )
{
    event.number = m_lastProxy + 1;
    if ( ( m_flags & CULLET_EVENT_NEXT ) == 0 )
    {
        event.number += std::uint64_t( signedNumber() ); // modulo 2^64: whatever comes out must be alive
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

void EventDecoder::decodeFilter( Event& event )
{
    event.group = filterNumber();
    event.mask = filterNumber();
}

// ------------------------------------------------------------------------------------------------------------- numbers

unsigned EventDecoder::byte()
{
    if ( m_at == m_end )
    {
        fail( "is not whole" );
    }
    return *m_at++;
}

std::uint64_t EventDecoder::number()
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

std::int64_t EventDecoder::signedNumber()
{
    const std::uint64_t value = number();
    return std::int64_t( ( value >> 1 ) ^ ( ( value & 1 ) != 0 ? UINT64_MAX : 0 ) );
}

std::int32_t EventDecoder::filterNumber()
{
    const std::int64_t value = signedNumber();
    if ( value < INT32_MIN || value > INT32_MAX )
    {
        fail( "has a group or mask of more than 32 bits" );
    }
    return std::int32_t( value );
}

/// \param last  what the scalars stand against; holds them afterwards
/// \return whether any differs
template <std::size_t count>
bool EventDecoder::scalars( std::array<std::uint64_t, count>& last )
{
    if ( ( m_flags & CULLET_EVENT_SAME ) != 0 )
    {
        return false;
    }
    const std::uint64_t changed = number();
    if ( changed >> count != 0 )
    {
        fail( "changes scalars that it does not have" );
    }
    for ( std::size_t k = 0; k < count; ++k )
    {
        const std::uint64_t difference = ( changed >> k & 1 ) != 0 ? number() : 0;
        if ( m_scalarBytes == sizeof( float ) && difference > UINT32_MAX )
        {
            fail( "has a float of more than 32 bits" );
        }
        last[k] ^= difference;
    }
    return changed != 0;
}

double EventDecoder::scalar( std::uint64_t bits ) const
{
    if ( m_scalarBytes == sizeof( double ) )
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

Box EventDecoder::box( const std::uint64_t* bits ) const
{
    Box box;
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = scalar( bits[axis] );
        box.upper[axis] = scalar( bits[3 + axis] );
    }
    return box;
}

void EventDecoder::fail( const char* what ) const
{
    throw RecordingError( "is damaged: event " + std::to_string( m_eventCount ) + " " + what );
}

} // namespace cullet::recording
