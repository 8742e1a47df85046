// SPDX-License-Identifier: Zlib
/// \file camera.h
/// A camera, and how it is placed. Image coordinates are in samples, x to the right, y down; depths are metres along
/// the camera's axis.
#ifndef CLT_RENDER_CAMERA_H
#define CLT_RENDER_CAMERA_H

#include "LinearMath/btVector3.h"

#include <vector>

namespace cullet::demo
{

/// The direction is not of unit length: origin + depth * direction is the ray's point at that depth.
struct Ray
{
    btVector3 origin;
    btVector3 direction;
};

struct Camera
{
    int width;
    int height;
    btScalar scale;                      ///< samples per metre at one metre's depth
    btVector3 eye, right, down, forward; ///< the last three an orthonormal frame

    /// Through the middle of the sample (x, y).
    Ray ray( int x, int y ) const;

    /// The sample coordinates of a point in front of the eye; z is its depth.
    btVector3 project( const btVector3& point ) const;
};

/// Looks along `forward` from where balls of `reach` around all the points just fit into the image.
/// \param fieldOfView  vertical, radians
Camera frame( const btVector3& forward, btScalar fieldOfView, int width, int height,
              const std::vector<btVector3>& points, btScalar reach );

} // namespace cullet::demo

#endif
