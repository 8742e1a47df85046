// SPDX-License-Identifier: Zlib
/// \file replay_model.cpp
/// Pairs from the oracle; queries against every body there is.
#include "replay_model.h"

#include "oracle.h"
#include "query_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cullet::compare
{

namespace
{

using recording::EventKind;

constexpr cltFilter meetsAll = { -1, -1 };

} // namespace

ReplayModel::ReplayModel( const ReplayRequest& request )
    : m_bodies( request.mostAlive ), m_longestAxis( ( request.highestCenter - request.lowestCenter ).maxAxis() )
{
}

void ReplayModel::apply( const ReplayCall& call )
{
    if ( isQuery( call ) || call.kind == EventKind::resetPool )
    {
        return;
    }
    Body& body = m_bodies[call.slot];
    switch ( call.kind )
    {
    case EventKind::create:
        body = { call.box, call.filter, call.number, true, false, !hasNan( call.box ) };
        break;
    case EventKind::move:
        body.box = call.box;
        body.isVisible = !hasNan( call.box );
        break;
    case EventKind::filter:
        body.filter = call.filter;
        body.isEdited = true;
        break;
    default: // destroy
        body.isAlive = false;
        break;
    }
}

// --------------------------------------------------------------------------------------------------------------- pairs

ExpectedPairs ReplayModel::pairs() const
{
    ExpectedPairs expected;
    expected.required = overlaps( true );
    const auto isEdited = [this]( const Body& body ) { return body.isAlive && body.isEdited; };
    if ( std::none_of( m_bodies.begin(), m_bodies.end(), isEdited ) )
    {
        return expected;
    }
    const PairSet all = overlaps( false );
    std::copy_if( all.begin(), all.end(), std::back_inserter( expected.optional ),
                  [this]( PairKey key )
                  { return m_bodies[key >> 32].isEdited || m_bodies[key & UINT32_MAX].isEdited; } );
    expected.required = difference( expected.required, expected.optional );
    return expected;
}

/// \param filtered  false: whatever groups and masks say
PairSet ReplayModel::overlaps( bool filtered ) const
{
    std::vector<cltAabb> boxes;
    std::vector<cltFilter> filters;
    std::vector<std::uint32_t> slots;
    for ( std::uint32_t slot = 0; slot < m_bodies.size(); ++slot )
    {
        const Body& body = m_bodies[slot];
        if ( body.isAlive && body.isVisible )
        {
            boxes.push_back( body.box );
            filters.push_back( filtered ? body.filter : meetsAll );
            slots.push_back( slot );
        }
    }
    PairSet pairs = oraclePairs( { boxes.data(), filters.data(), std::uint32_t( boxes.size() ), m_longestAxis } );
    for ( PairKey& key : pairs ) // slots ascend as the indexes do, so the order stays
    {
        key = pairKey( slots[key >> 32], slots[key & UINT32_MAX] );
    }
    return pairs;
}

std::string ReplayModel::wrongPairs( const PairSet& reported, const ExpectedPairs& expected, bool exact ) const
{
    const PairSet held = expected.optional.empty() ? reported : difference( reported, expected.optional );
    if ( firstWrongPair( held, expected.required, exact ).empty() )
    {
        return {};
    }
    return firstWrongPair( named( held ), named( expected.required ), exact ); // again, in the recording's words
}

PairSet ReplayModel::named( const PairSet& slots ) const
{
    PairSet numbers( slots.size() );
    std::transform( slots.begin(), slots.end(), numbers.begin(),
                    [this]( PairKey key )
                    { return pairKey( m_bodies[key >> 32].number, m_bodies[key & UINT32_MAX].number ); } );
    std::sort( numbers.begin(), numbers.end() );
    return numbers;
}

// ------------------------------------------------------------------------------------------------------------- queries

/// \param meets  whether a box meets what was asked
template <typename Meets>
std::string ReplayModel::wrongHits( std::vector<std::uint32_t> hits, const Slack& slack, Meets meets ) const
{
    std::sort( hits.begin(), hits.end() );
    const auto twice = std::adjacent_find( hits.begin(), hits.end() );
    if ( twice != hits.end() )
    {
        return fmt::format( "reports body {} twice", m_bodies[*twice].number );
    }
    auto hit = hits.begin();
    for ( std::uint32_t slot = 0; slot < m_bodies.size(); ++slot )
    {
        const Body& body = m_bodies[slot];
        const bool isHit = hit != hits.end() && *hit == slot;
        hit += isHit;
        const bool isThere = body.isAlive && body.isVisible;
        if ( !isHit && isThere && meets( shrunk( body.box, slack ) ) )
        {
            return fmt::format( "misses body {}", body.number );
        }
        if ( isHit && !( isThere && ( isInverted( body.box ) || meets( grown( body.box, slack ) ) ) ) )
        {
            return fmt::format( "reports body {}, which is not met", body.number );
        }
    }
    return {};
}

std::string ReplayModel::wrongBoxHits( const ReplayCall& call, std::vector<std::uint32_t> hits,
                                       const Slack& slack ) const
{
    const std::string wrong =
        wrongHits( std::move( hits ), slack, [&]( const cltAabb& box ) { return boxesMeet( call.box, box ); } );
    return wrong.empty() ? wrong : "box query: " + wrong;
}

std::string ReplayModel::wrongRayHits( const ReplayRay& ray, std::vector<std::uint32_t> hits, const Slack& slack ) const
{
    const std::string wrong =
        wrongHits( std::move( hits ), slack, [&]( const cltAabb& box ) { return rayMeets( ray, box ); } );
    return wrong.empty() ? wrong : "ray: " + wrong;
}

} // namespace cullet::compare
