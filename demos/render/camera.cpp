// SPDX-License-Identifier: Zlib
/// \file camera.cpp
/// Rays, projections and the two ways to frame a scene.
#include "camera.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

/// Part of the image left free around what has to fit.
constexpr btScalar frameMargin = btScalar( 0.04 );

void setAxes( Camera& camera, const btVector3& forward )
{
    camera.forward = forward.normalized();
    camera.right = camera.forward.cross( btVector3( 0, 1, 0 ) ).normalized();
    camera.down = camera.forward.cross( camera.right );
}

/// From the frame and the scale to the six vectors.
void setRays( Camera& camera )
{
    const btScalar step = 1 / camera.scale;
    const btVector3 corner = ( btScalar( 0.5 ) - btScalar( camera.width ) / 2 ) * step * camera.right +
                             ( btScalar( 0.5 ) - btScalar( camera.height ) / 2 ) * step * camera.down;
    const btVector3 zero( 0, 0, 0 );
    const bool parallel = camera.parallel;
    camera.origin = parallel ? camera.eye + corner : camera.eye;
    camera.originX = parallel ? step * camera.right : zero;
    camera.originY = parallel ? step * camera.down : zero;
    camera.direction = parallel ? camera.forward : camera.forward + corner;
    camera.directionX = parallel ? zero : step * camera.right;
    camera.directionY = parallel ? zero : step * camera.down;
}

/// Rounds of placing the eye; each moves it by less than half of the one before.
constexpr int framingRounds = 8;

/// How far behind the plane of `offset` the eye has to stay to see it, where `slope` is the image's half size at one
/// metre's depth.
btScalar distanceFor( btScalar sideways, btScalar depth, btScalar slope )
{
    return std::abs( sideways ) / slope - depth;
}

/// The middle between the lowest and the highest of value( point ).
template <class Value>
btScalar middleOf( const std::vector<btVector3>& points, Value value )
{
    btScalar low = BT_LARGE_FLOAT;
    btScalar high = -BT_LARGE_FLOAT;
    for ( const btVector3& point : points )
    {
        low = std::min( low, value( point ) );
        high = std::max( high, value( point ) );
    }
    return ( low + high ) / 2;
}

/// Puts the eye at the least distance behind `target` from which all points are in the image.
void backOff( Camera& camera, const btVector3& target, const std::vector<btVector3>& points )
{
    const btScalar slopeX = btScalar( camera.width ) / 2 / camera.scale * ( 1 - frameMargin );
    const btScalar slopeY = btScalar( camera.height ) / 2 / camera.scale * ( 1 - frameMargin );
    btScalar distance = 0;
    for ( const btVector3& point : points )
    {
        const btVector3 offset = point - target;
        const btScalar depth = offset.dot( camera.forward );
        distance = std::max( distance, distanceFor( offset.dot( camera.right ), depth, slopeX ) );
        distance = std::max( distance, distanceFor( offset.dot( camera.down ), depth, slopeY ) );
    }
    camera.eye = target - distance * camera.forward;
}

} // namespace

Ray Camera::ray( int x, int y ) const
{
    const btScalar sx = btScalar( x );
    const btScalar sy = btScalar( y );
    return { origin + sx * originX + sy * originY, direction + sx * directionX + sy * directionY };
}

btScalar Camera::depthOf( const btVector3& point ) const
{
    return ( point - eye ).dot( forward );
}

btVector3 Camera::project( const btVector3& point ) const
{
    const btVector3 offset = point - eye;
    const btScalar depth = offset.dot( forward );
    const btScalar factor = parallel ? scale : scale / depth;
    return btVector3( offset.dot( right ) * factor + btScalar( width ) / 2,
                      offset.dot( down ) * factor + btScalar( height ) / 2, depth );
}

Window Camera::windowOf( const btVector3& centre, btScalar radius ) const
{
    const btScalar nearest = depthOf( centre ) - radius;
    if ( nearest <= 0 )
    {
        return { 0, 0, 0, 0 };
    }
    // x / z over the ball's bounding box in camera space is largest at a corner: nearest or farthest by the sign of x.
    const btScalar farthest = nearest + 2 * radius;
    const btVector3 offset = centre - eye;
    const auto low = [&]( btScalar value ) { return parallel ? value : value / ( value < 0 ? nearest : farthest ); };
    const auto high = [&]( btScalar value ) { return parallel ? value : value / ( value < 0 ? farthest : nearest ); };
    const auto sample = [&]( btScalar value, int size )
    {
        const btScalar position = value * scale + btScalar( size ) / 2;
        return int( std::clamp( position, btScalar( 0 ), btScalar( size ) ) );
    };
    const btScalar x = offset.dot( right );
    const btScalar y = offset.dot( down );
    return { sample( low( x - radius ), width ), std::min( sample( high( x + radius ), width ) + 1, width ),
             sample( low( y - radius ), height ), std::min( sample( high( y + radius ), height ) + 1, height ) };
}

Camera frameWithPerspective( const btVector3& forward, btScalar fieldOfView, int width, int height,
                             const std::vector<btVector3>& points )
{
    Camera camera;
    camera.width = width;
    camera.height = height;
    camera.scale = btScalar( height ) / ( 2 * std::tan( fieldOfView / 2 ) );
    setAxes( camera, forward );
    btVector3 target = points.front();
    for ( int round = 0; round < framingRounds; ++round )
    {
        backOff( camera, target, points );
        // The image of the points is not centred yet: move sideways by what its middle is off, at the target's depth.
        const btScalar depth = camera.depthOf( target );
        const btScalar x =
            middleOf( points, [&camera]( const btVector3& point ) { return camera.project( point ).x(); } );
        const btScalar y =
            middleOf( points, [&camera]( const btVector3& point ) { return camera.project( point ).y(); } );
        target += ( x - btScalar( width ) / 2 ) * depth / camera.scale * camera.right;
        target += ( y - btScalar( height ) / 2 ) * depth / camera.scale * camera.down;
    }
    backOff( camera, target, points );
    setRays( camera );
    return camera;
}

Camera frameWithParallelRays( const btVector3& forward, int size, const btVector3& centre, btScalar radius )
{
    Camera camera;
    camera.width = size;
    camera.height = size;
    camera.parallel = true;
    setAxes( camera, forward );
    camera.scale = btScalar( size ) / ( 2 * radius );
    camera.eye = centre - 2 * radius * camera.forward; // the whole ball is in front
    setRays( camera );
    return camera;
}

} // namespace cullet::demo
