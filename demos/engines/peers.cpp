// SPDX-License-Identifier: Zlib
/// \file peers.cpp
/// Assigns bodies with equal filters to one team, and searches all pairs of teams that may pair.
#include "peers.h"

#include <algorithm>
#include <thread>

namespace cullet::compare
{

int peerThreads( const cltBroadphaseDef& core )
{
    return core.threadCount > 0 ? core.threadCount : int( std::max( 1u, std::thread::hardware_concurrency() ) );
}

/// A new place at the end of the team with that filter. Creates the team if it is missing.
PeerEngine::Place PeerEngine::placeFor( const cltFilter& filter )
{
    const auto hasFilter = [&]( const Team& team )
    { return team.filter.group == filter.group && team.filter.mask == filter.mask; };
    const auto found = std::find_if( m_teams.begin(), m_teams.end(), hasFilter );
    const auto index = std::uint32_t( found - m_teams.begin() );
    if ( found == m_teams.end() )
    {
        m_teams.push_back( { filter, {}, {} } );
        m_areSet.push_back( true );
    }
    return { index, std::uint32_t( m_teams[index].boxes.size() ), true };
}

void PeerEngine::change( const Batch& batch, const Calls& calls )
{
    if ( calls.kind == EventKind::destroy )
    {
        return; // scenes create the same box again in the same step, with the same filter
    }
    for ( std::size_t call = calls.first; call < calls.last; ++call )
    {
        const std::uint32_t slot = batch.slots[call];
        if ( !m_places[slot].isTaken )
        {
            m_places[slot] = placeFor( batch.filters[call] );
            m_teams[m_places[slot].team].boxes.emplace_back();
            m_teams[m_places[slot].team].slots.push_back( slot );
        }
        const Place place = m_places[slot];
        m_teams[place.team].boxes[place.index] = batch.boxes[call];
        m_areSet[place.team] = true;
    }
}

void PeerEngine::findPairs()
{
    m_pairCount = 0;
    for ( std::size_t a = 0; a < m_teams.size(); ++a )
    {
        if ( m_areSet[a] )
        {
            update( a, m_teams[a] );
            m_areSet[a] = false;
        }
    }
    for ( std::size_t a = 0; a < m_teams.size(); ++a )
    {
        for ( std::size_t b = a; b < m_teams.size(); ++b )
        {
            if ( mayPair( m_teams[a].filter, m_teams[b].filter ) )
            {
                collide( a, b );
            }
        }
    }
}

PairSet PeerEngine::pairs()
{
    PairSet result( m_pairs.begin(), m_pairs.begin() + std::ptrdiff_t( m_pairCount ) );
    std::sort( result.begin(), result.end() );
    return result;
}

} // namespace cullet::compare
