// SPDX-License-Identifier: Zlib
/// \file ground.h
/// The plane y = 0 and the sky over it: what is seen where no body is.
#ifndef CLT_RENDER_GROUND_H
#define CLT_RENDER_GROUND_H

#include "camera.h"

namespace cullet::demo
{

/// \return the depth at which the ray meets the plane, infinite if it does not
btScalar groundDepth( const Ray& ray );

/// Reflectance of the plane with its lines.
/// \param footprint  metres of ground under one sample; thinner lines are faded by their share of it, not aliased
btVector3 groundColour( const btVector3& point, btScalar footprint );

/// Light from the sky along a direction that need not be of unit length; also what the ground fades to.
btVector3 skyColour( const btVector3& direction );

} // namespace cullet::demo

#endif
