// SPDX-License-Identifier: Zlib
/// \file camera.h
/// A camera as six vectors: the ray through the point (x, y) of the image starts at origin + x originX + y originY and
/// goes along direction + x directionX + y directionY, all linear. With a fixed origin that is a perspective view; with
/// a fixed direction it is a parallel one, which is how a distant light sees the scene. Image coordinates are in
/// samples, x to the right, y down.
#ifndef CLT_RENDER_CAMERA_H
#define CLT_RENDER_CAMERA_H

#include "LinearMath/btVector3.h"

#include <vector>

namespace cullet::demo
{

/// origin + depth * direction is a point of the ray. The direction is not of unit length: one unit of depth is one
/// metre along the camera's axis, for every ray of the image.
struct Ray
{
    btVector3 origin;
    btVector3 direction;

    btVector3 at( btScalar depth ) const
    {
        return origin + depth * direction;
    }
};

/// Part of an image, in samples: first included, last not.
struct Window
{
    int firstX, lastX, firstY, lastY;
};

struct Camera
{
    int width = 0;
    int height = 0;
    btVector3 origin, originX, originY;
    btVector3 direction, directionX, directionY;

    // The same the other way round, to find the image of a point.
    btVector3 eye, right, down, forward; ///< a point on the axis and an orthonormal frame
    btScalar scale = 0;                  ///< samples per metre (parallel) or per metre at one metre's depth
    bool parallel = false;

    /// Through the middle of the sample (x, y).
    Ray ray( int x, int y ) const;

    btScalar depthOf( const btVector3& point ) const;

    /// The sample coordinates of a point, for points in front of the eye; z is its depth.
    btVector3 project( const btVector3& point ) const;

    /// The samples that a ball can cover, clipped to the image; none if it is not in front of the eye as a whole.
    Window windowOf( const btVector3& centre, btScalar radius ) const;
};

/// Looks along `forward` from where all the points just fit into the image.
/// \param fieldOfView  vertical, radians
Camera frameWithPerspective( const btVector3& forward, btScalar fieldOfView, int width, int height,
                             const std::vector<btVector3>& points );

/// A square image of `size` samples that holds the ball.
Camera frameWithParallelRays( const btVector3& forward, int size, const btVector3& centre, btScalar radius );

} // namespace cullet::demo

#endif
