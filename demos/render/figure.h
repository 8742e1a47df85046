// SPDX-License-Identifier: Zlib
/// \file figure.h
/// A body as the renderer sees it, and the exact point where a ray meets it.
#ifndef CLT_RENDER_FIGURE_H
#define CLT_RENDER_FIGURE_H

#include "camera.h"
#include "demos/world/column.h"

#include "LinearMath/btTransform.h"

namespace cullet::demo
{

struct Figure
{
    BodyKind kind;
    btTransform transform;
    btVector3 halfExtents;
    btVector3 colour; ///< linear light, 0 to 1

    /// Of a ball around the body.
    btScalar radius() const
    {
        return kind == BodyKind::sphere ? halfExtents.x() : halfExtents.length();
    }
};

/// \return the depth at which the ray enters the body, or a negative number if it misses it
btScalar intersect( const Figure& figure, const Ray& ray );

/// The outward unit normal at a point of the surface.
btVector3 normalAt( const Figure& figure, const btVector3& point );

} // namespace cullet::demo

#endif
