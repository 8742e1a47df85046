// SPDX-License-Identifier: Zlib
/// \file camera.h
/// A camera and its placement. Image coordinates are in pixels, x to the right and y down. Depths are metres along the
/// camera's axis.
#ifndef CLT_RENDER_CAMERA_H
#define CLT_RENDER_CAMERA_H

#include "LinearMath/btVector3.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cullet::render
{

/// The point of a ray at a depth is origin + depth * direction, so the direction is not of unit length.
struct Ray
{
    btVector3 origin;
    btVector3 direction;
};

struct Camera
{
    int width;
    int height;
    btScalar scale;                      ///< pixels per metre at one metre's depth
    btVector3 eye, right, down, forward; ///< the last three are an orthonormal frame

    /// The ray through the middle of the pixel (x, y).
    Ray ray( int x, int y ) const
    {
        const btScalar sideways = ( btScalar( x ) + btScalar( 0.5 ) - btScalar( width ) / 2 ) / scale;
        const btScalar downwards = ( btScalar( y ) + btScalar( 0.5 ) - btScalar( height ) / 2 ) / scale;
        return { eye, forward + sideways * right + downwards * down };
    }
};

/// A position of the eye in the plane of two axes: one axis of the image, and the camera's axis.
struct EyePosition
{
    btScalar sideways; ///< along the image's axis
    btScalar depth;    ///< along the camera's axis. At a smaller depth the eye is farther away, and sees all points too
};

/// The position from which balls around the points just fit into the image along `axis`. Let a point have position a
/// along `axis` and depth d, and the eye position e and depth f. The point is in view if |a - e| <= slope (d - f). So
/// e + slope f must be at most the least of all a + slope d, and e - slope f at least the greatest of all a - slope d.
/// \param slope  half the image at one metre's depth
inline EyePosition fittingEyePosition( const std::vector<btVector3>& points, btScalar reach, const btVector3& axis,
                                       const btVector3& forward, btScalar slope )
{
    btScalar least = BT_LARGE_FLOAT;
    btScalar greatest = -BT_LARGE_FLOAT;
    for ( const btVector3& point : points )
    {
        const btScalar along = slope * point.dot( forward );
        least = std::min( least, point.dot( axis ) + along );
        greatest = std::max( greatest, point.dot( axis ) - along );
    }
    const btScalar padding = reach * std::sqrt( 1 + slope * slope );
    return { ( least + greatest ) / 2, ( least - greatest - 2 * padding ) / ( 2 * slope ) };
}

/// A camera that looks along `forward` and is placed so that balls of radius `reach` around the points just fit into
/// the image.
/// \param fieldOfView  vertical, in radians
/// \param up           not along `forward`
inline Camera fitCamera( const btVector3& forward, btScalar fieldOfView, int width, int height,
                         const std::vector<btVector3>& points, btScalar reach,
                         const btVector3& up = btVector3( 0, 1, 0 ) )
{
    constexpr btScalar margin = btScalar( 0.04 ); // part of the image left free
    const btScalar slope = std::tan( fieldOfView / 2 );
    Camera camera{ width, height, btScalar( height ) / ( 2 * slope ), {}, {}, {}, forward.normalized() };
    camera.right = camera.forward.cross( up ).normalized();
    camera.down = camera.forward.cross( camera.right );
    const btScalar used = slope * ( 1 - margin );
    const EyePosition x = fittingEyePosition( points, reach, camera.right, camera.forward,
                                              used * btScalar( width ) / btScalar( height ) );
    const EyePosition y = fittingEyePosition( points, reach, camera.down, camera.forward, used );
    camera.eye = x.sideways * camera.right + y.sideways * camera.down + std::min( x.depth, y.depth ) * camera.forward;
    return camera;
}

} // namespace cullet::render

#endif
