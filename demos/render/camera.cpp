// SPDX-License-Identifier: Zlib
/// \file camera.cpp
/// Rays, projections, and where to stand to have everything in the picture.
#include "camera.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

/// Part of the image left free around what has to fit.
constexpr btScalar frameMargin = btScalar( 0.04 );

/// Where the eye has to be, as far as one axis of the image tells.
struct Stand
{
    btScalar sideways; ///< along that axis
    btScalar depth;    ///< along the camera's; less is farther away and does as well
};

/// A point at (a, d) is in the image of an eye at (e, f) if |a - e| <= slope (d - f): e + slope f is at most the least
/// of all a + slope d, and e - slope f at least the greatest of all a - slope d.
/// \param slope  half the image at one metre's depth
Stand standFor( const std::vector<btVector3>& points, btScalar reach, const btVector3& axis, const btVector3& forward,
                btScalar slope )
{
    btScalar least = BT_LARGE_FLOAT;
    btScalar greatest = -BT_LARGE_FLOAT;
    for ( const btVector3& point : points )
    {
        const btScalar along = slope * point.dot( forward );
        least = std::min( least, point.dot( axis ) + along );
        greatest = std::max( greatest, point.dot( axis ) - along );
    }
    const btScalar room = reach * std::sqrt( 1 + slope * slope );
    return { ( least + greatest ) / 2, ( least - greatest - 2 * room ) / ( 2 * slope ) };
}

} // namespace

Ray Camera::ray( int x, int y ) const
{
    const btScalar sideways = ( btScalar( x ) + btScalar( 0.5 ) - btScalar( width ) / 2 ) / scale;
    const btScalar downwards = ( btScalar( y ) + btScalar( 0.5 ) - btScalar( height ) / 2 ) / scale;
    return { eye, forward + sideways * right + downwards * down };
}

btVector3 Camera::project( const btVector3& point ) const
{
    const btVector3 offset = point - eye;
    const btScalar depth = offset.dot( forward );
    return btVector3( offset.dot( right ) * scale / depth + btScalar( width ) / 2,
                      offset.dot( down ) * scale / depth + btScalar( height ) / 2, depth );
}

Camera frame( const btVector3& forward, btScalar fieldOfView, int width, int height,
              const std::vector<btVector3>& points, btScalar reach )
{
    const btScalar slope = std::tan( fieldOfView / 2 );
    Camera camera{ width, height, btScalar( height ) / ( 2 * slope ), {}, {}, {}, forward.normalized() };
    camera.right = camera.forward.cross( btVector3( 0, 1, 0 ) ).normalized();
    camera.down = camera.forward.cross( camera.right );
    const btScalar used = slope * ( 1 - frameMargin );
    const Stand x =
        standFor( points, reach, camera.right, camera.forward, used * btScalar( width ) / btScalar( height ) );
    const Stand y = standFor( points, reach, camera.down, camera.forward, used );
    camera.eye = x.sideways * camera.right + y.sideways * camera.down + std::min( x.depth, y.depth ) * camera.forward;
    return camera;
}

} // namespace cullet::demo
