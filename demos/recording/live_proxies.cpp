// SPDX-License-Identifier: Zlib
/// \file live_proxies.cpp
/// A hash table and a stack of free slots.
#include "live_proxies.h"

#include "recording_error.h"

#include <string>

namespace cullet::recording
{

LiveProxy& LiveProxies::create( const BoxBits& box )
{
    if ( m_alive.size() == mostAlive )
    {
        throw RecordingError( "has more than " + std::to_string( mostAlive ) + " proxies alive at once" );
    }
    std::uint32_t slot = std::uint32_t( m_alive.size() ); // none is free, so all below are taken
    if ( !m_freeSlots.empty() )
    {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    return m_alive.emplace( m_createdCount++, LiveProxy{ slot, box } ).first->second;
}

LiveProxy* LiveProxies::find( std::uint64_t number )
{
    const auto found = m_alive.find( number );
    return found == m_alive.end() ? nullptr : &found->second;
}

void LiveProxies::destroy( std::uint64_t number )
{
    const auto found = m_alive.find( number );
    m_freeSlots.push_back( found->second.slot );
    m_alive.erase( found );
}

} // namespace cullet::recording
