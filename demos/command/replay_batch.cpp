// SPDX-License-Identifier: Zlib
/// \file replay_batch.cpp
/// From decoded events to calls.
#include "replay_batch.h"

#include <cmath>
#include <limits>

namespace cullet::compare
{

namespace
{

using recording::Event;
using recording::EventKind;

/// About 30 MB of calls. A world of a million bodies takes four batches a step.
constexpr std::size_t mostCalls = 1u << 18;

/// From here on an inverse stands for a direction of zero: Bullet writes 1e18 or 1e30.
constexpr double zeroDirectionInverse = 1e17;
constexpr double directionTolerance = 1e-3; // of a ray's length: float arithmetic does better by far

float toFloat( double value )
{
    constexpr double most = std::numeric_limits<float>::max();
    const bool isTooLarge = std::abs( value ) > most; // such a conversion is undefined
    return isTooLarge ? std::copysign( std::numeric_limits<float>::infinity(), float( std::copysign( 1.0, value ) ) )
                      : float( value );
}

btVector3 toVector( const std::array<double, 3>& from )
{
    return btVector3( toFloat( from[0] ), toFloat( from[1] ), toFloat( from[2] ) );
}

cltAabb toFloatBox( const recording::Box& from )
{
    cltAabb box;
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = toFloat( from.lower[axis] );
        box.upper[axis] = toFloat( from.upper[axis] );
    }
    return box;
}

bool isSound( const ReplayRay& ray )
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

bool isSegment( const ReplayRay& ray )
{
    const double length = ray.length;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double way = double( ray.target[axis] ) - double( ray.origin[axis] );
        const double inverse = ray.inverseDirection[axis];
        const double error = std::abs( inverse ) < zeroDirectionInverse ? way * inverse - length : way;
        const bool isSwept = ray.swept.lower[axis] != 0 || ray.swept.upper[axis] != 0;
        if ( isSwept || !( std::abs( error ) <= directionTolerance * length ) )
        {
            return false;
        }
    }
    return true;
}

ReplayRay toReplayRay( const recording::Ray& from )
{
    ReplayRay ray;
    ray.origin = toVector( from.origin );
    ray.target = toVector( from.target );
    ray.inverseDirection = toVector( from.inverseDirection );
    ray.swept = { toVector( from.swept.lower ), toVector( from.swept.upper ) };
    ray.length = toFloat( from.length );
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        ray.signs[axis] = from.signs[axis];
    }
    ray.isSound = isSound( ray );
    ray.isSegment = ray.isSound && isSegment( ray );
    return ray;
}

void append( const Event& event, ReplayBatch& batch )
{
    ReplayCall call{};
    call.kind = event.kind;
    call.slot = event.slot;
    call.number = std::uint32_t( event.number );
    call.filter = { event.group, event.mask };
    if ( event.kind == EventKind::ray )
    {
        call.ray = std::uint32_t( batch.rays.size() );
        batch.rays.push_back( toReplayRay( event.ray ) );
    }
    else
    {
        call.box = toFloatBox( event.box );
        call.bulletBox = bulletBox( call.box );
    }
    batch.calls.push_back( call );
}

} // namespace

bool readBatch( recording::RecordingReader& reader, ReplayBatch& batch )
{
    batch.calls.clear();
    batch.rays.clear();
    batch.endsWithStep = false;
    Event event{};
    while ( batch.calls.size() < mostCalls && !batch.endsWithStep )
    {
        if ( !reader.next( event ) )
        {
            return !batch.calls.empty();
        }
        if ( event.kind == EventKind::step )
        {
            batch.endsWithStep = true;
        }
        else if ( event.kind != EventKind::callback )
        {
            append( event, batch );
        }
    }
    return true;
}

} // namespace cullet::compare
