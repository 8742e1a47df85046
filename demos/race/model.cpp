// SPDX-License-Identifier: Zlib
/// \file model.cpp
/// Finds pairs with the oracle. Compares each query with all bodies, by code that was written from the definition of
/// Bullet's interface.
#include "model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cullet::compare
{

namespace
{

/// \param amount    metres to grow by; negative to shrink
/// \param relative  fraction of the coordinates, added to the amount unless it is 0
cltAabb resized( const cltAabb& box, float amount, float relative )
{
    if ( amount == 0 )
    {
        return box;
    }
    relative = std::copysign( relative, amount );
    cltAabb result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = box.lower[axis];
        const float upper = box.upper[axis];
        result.lower[axis] = std::isinf( lower ) ? lower : lower - amount - relative * std::abs( lower );
        result.upper[axis] = std::isinf( upper ) ? upper : upper + amount + relative * std::abs( upper );
    }
    return result;
}

bool isInverted( const cltAabb& box )
{
    return box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
}

/// Whether the ray's swept box hits `box` between its start and its end. Touching at the start or end does not count.
/// Computed in float, as Bullet's interface is.
/// \param ray  must be sound
bool rayMeets( const RayCall& ray, const cltAabb& box )
{
    float entry = -std::numeric_limits<float>::infinity();
    float leave = std::numeric_limits<float>::infinity();
    for ( int axis = 0; axis < 3; ++axis )
    {
        // The ray's position when the moving box first and last touches the slab between two faces.
        const float lower = box.lower[axis] - ray.swept.upper[axis];
        const float upper = box.upper[axis] - ray.swept.lower[axis];
        const float first = ray.signs[axis] == 0 ? lower : upper;
        const float last = ray.signs[axis] == 0 ? upper : lower;
        entry = std::max( entry, ( first - ray.origin[axis] ) * ray.inverseDirection[axis] );
        leave = std::min( leave, ( last - ray.origin[axis] ) * ray.inverseDirection[axis] );
    }
    return entry <= leave && entry < ray.length && leave > 0;
}

} // namespace

Model::Model( std::uint32_t mostAlive, int longestAxis ) : m_bodies( mostAlive ), m_longestAxis( longestAxis )
{
}

void Model::apply( const Batch& batch, const Calls& calls )
{
    for ( std::size_t call = calls.first; call < calls.last && calls.kind != EventKind::resetPool; ++call )
    {
        Body& body = m_bodies[batch.slots[call]];
        switch ( calls.kind )
        {
        case EventKind::create:
            body = { batch.boxes[call], batch.filters[call], m_createdCount++, !hasNan( batch.boxes[call] ), false };
            break;
        case EventKind::move:
            body.box = batch.boxes[call];
            body.isActive = !hasNan( body.box );
            break;
        case EventKind::filter:
            body.filter = batch.filters[call];
            body.isEdited = true;
            break;
        default: // destroy
            body.isActive = false;
            break;
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- pairs

ExpectedPairs Model::pairs() const
{
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t slot = 0; slot < m_bodies.size(); ++slot )
    {
        if ( m_bodies[slot].isActive )
        {
            candidates.push_back( { m_bodies[slot].box, openFilter, slot } );
        }
    }
    ExpectedPairs expected;
    for ( const PairKey key : sweptPairs( std::move( candidates ), m_longestAxis ) )
    {
        const Body& a = m_bodies[smallerOf( key )];
        const Body& b = m_bodies[largerOf( key )];
        if ( a.isEdited || b.isEdited )
        {
            expected.optional.push_back( key );
        }
        else if ( mayPair( a.filter, b.filter ) )
        {
            expected.required.push_back( key );
        }
    }
    return expected;
}

std::string Model::wrongPairs( const PairSet& reported, const ExpectedPairs& expected, bool exact ) const
{
    const PairSet held = expected.optional.empty() ? reported : difference( reported, expected.optional );
    if ( firstWrongPair( held, expected.required, exact ).empty() )
    {
        return {};
    }
    return firstWrongPair( named( held ), named( expected.required ), exact ); // with body numbers instead of slots
}

PairSet Model::named( const PairSet& slots ) const
{
    PairSet numbers( slots.size() );
    std::transform( slots.begin(), slots.end(), numbers.begin(),
                    [this]( PairKey key )
                    { return pairKey( m_bodies[smallerOf( key )].number, m_bodies[largerOf( key )].number ); } );
    std::sort( numbers.begin(), numbers.end() );
    return numbers;
}

// ------------------------------------------------------------------------------------------------------------- queries

std::string Model::wrongHits( const Batch& batch, const Calls& calls, std::size_t call, Hits hits,
                              const Tolerance& tolerance ) const
{
    const bool isRay = calls.kind == EventKind::ray;
    const char* query = isRay ? "ray" : "box query";
    const auto meets = [&]( const Body& body, float amount )
    {
        const cltAabb box = resized( body.box, amount, tolerance.relative );
        return isRay ? rayMeets( batch.rays[batch.slots[call]], box ) : overlap( batch.boxes[call], box );
    };
    std::sort( hits.begin(), hits.end() );
    const auto twice = std::adjacent_find( hits.begin(), hits.end() );
    if ( twice != hits.end() )
    {
        return fmt::format( "{}: reports body {} twice", query, m_bodies[*twice].number );
    }
    auto hit = hits.begin();
    for ( std::uint32_t slot = 0; slot < m_bodies.size(); ++slot )
    {
        const Body& body = m_bodies[slot];
        const bool isHit = hit != hits.end() && *hit == slot;
        hit += isHit;
        if ( !isHit && body.isActive && meets( body, -tolerance.inward ) )
        {
            return fmt::format( "{}: misses body {}", query, body.number );
        }
        if ( isHit && !( body.isActive && ( isInverted( body.box ) || meets( body, tolerance.outward ) ) ) )
        {
            return fmt::format( "{}: reports body {}, which is not met", query, body.number );
        }
    }
    return {};
}

} // namespace cullet::compare
