// SPDX-License-Identifier: Zlib
/// \file recorded_stream.cpp
/// A recording as a stream of calls. Its doubles are rounded to the nearest float, or to infinity. That keeps the order
/// of numbers, so that boxes that overlap in double also overlap in float.
#include "recorded_stream.h"

#include <algorithm>
#include <cmath>

namespace cullet::compare
{
namespace
{

using recording::Event;

/// The most calls in a batch, about 30 MB. A step of a million bodies is four batches.
constexpr std::size_t mostCalls = 1u << 18;

/// If the inverse of a ray direction's component is larger, the component is 0: Bullet writes 1e18 or 1e30.
constexpr double zeroDirectionInverse = 1e17;
constexpr double directionTolerance = 1e-3; // relative to a ray's length; much larger than the rounding of floats

btVector3 toVector( const std::array<double, 3>& from )
{
    return btVector3( float( from[0] ), float( from[1] ), float( from[2] ) );
}

cltAabb toFloat( const recording::Box& from )
{
    cltAabb box;
    std::copy( from.lower.begin(), from.lower.end(), box.lower );
    std::copy( from.upper.begin(), from.upper.end(), box.upper );
    return box;
}

bool isSound( const RayCall& ray )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float inverse = ray.inverseDirection[axis];
        const bool signFits = ( inverse < 0 ) == ( ray.signs[axis] == 1 );
        const bool sweptFits = ray.swept.lower[axis] <= ray.swept.upper[axis];
        if ( !signFits || !sweptFits || !std::isfinite( inverse ) || !std::isfinite( ray.origin[axis] ) )
        {
            return false;
        }
    }
    return std::isfinite( ray.length ) && ray.length >= 0;
}

bool isSegment( const RayCall& ray )
{
    const double length = ray.length;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double delta = double( ray.target[axis] ) - double( ray.origin[axis] );
        const double inverse = ray.inverseDirection[axis];
        const double error = std::abs( inverse ) < zeroDirectionInverse ? delta * inverse - length : delta;
        const bool isSwept = ray.swept.lower[axis] != 0 || ray.swept.upper[axis] != 0;
        if ( isSwept || !( std::abs( error ) <= directionTolerance * length ) )
        {
            return false;
        }
    }
    return true;
}

RayCall toRayCall( const recording::Ray& from )
{
    RayCall ray;
    ray.origin = toVector( from.origin );
    ray.target = toVector( from.target );
    ray.inverseDirection = toVector( from.inverseDirection );
    ray.swept = { toVector( from.swept.lower ), toVector( from.swept.upper ) };
    ray.length = float( from.length );
    std::copy( from.signs.begin(), from.signs.end(), ray.signs );
    ray.isSound = isSound( ray );
    ray.isSegment = ray.isSound && isSegment( ray );
    return ray;
}

/// Appends a call to the last group of calls, or to a new group if the last group is of another kind or full.
void append( const Event& event, Batch& batch )
{
    const std::size_t place = batch.slots.size();
    if ( batch.calls.empty() || batch.calls.back().kind != event.kind || batch.calls.back().count() == callsAtATime )
    {
        batch.calls.push_back( { event.kind, place, place } );
    }
    ++batch.calls.back().last;
    const bool isRay = event.kind == EventKind::ray;
    if ( isRay )
    {
        batch.rays.push_back( toRayCall( event.ray ) );
    }
    batch.slots.push_back( isRay ? std::uint32_t( batch.rays.size() - 1 ) : event.slot );
    batch.boxes.push_back( toFloat( event.box ) );
    batch.bulletBoxes.push_back( bulletBox( batch.boxes.back() ) );
    batch.filters.push_back( { event.group, event.mask } );
}

} // namespace

RecordedStream::RecordedStream( const std::string& path, const recording::Statistics& statistics )
    : m_reader( path, statistics.eventCount() )
{
    m_info.mostAlive = statistics.mostAlive;
    m_info.lowestCenter = toVector( statistics.lowestCenter );
    m_info.highestCenter = toVector( statistics.highestCenter );
    m_info.steps = statistics.count( EventKind::step );
    m_info.hasOddBoxes = statistics.oddBoxes > 0;
}

bool RecordedStream::next( Batch& batch )
{
    batch = {};
    batch.step = m_step;
    batch.isOfLastStep = m_step >= m_info.steps;
    Event event{};
    while ( batch.slots.size() < mostCalls && !batch.endsStep )
    {
        if ( !m_reader.next( event ) )
        {
            return !batch.slots.empty();
        }
        if ( event.kind == EventKind::step )
        {
            batch.endsStep = true;
            ++m_step;
        }
        else if ( event.kind != EventKind::callback )
        {
            append( event, batch );
        }
    }
    return true;
}

} // namespace cullet::compare
