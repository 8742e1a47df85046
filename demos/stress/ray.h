// SPDX-License-Identifier: Zlib
/// \file ray.h
/// Rays and swept boxes as btCollisionWorld casts them, and the test that defines what they meet.
#ifndef CLT_STRESS_RAY_H
#define CLT_STRESS_RAY_H

#include "demos/oracle/arena.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"

namespace cullet::stress
{

struct Ray
{
    btVector3 from;
    btVector3 to;
    btVector3 sweptLower; ///< the box that moves along, relative to `from`; both 0 for a bare ray
    btVector3 sweptUpper;

    /// What callers tell a callback before rayTest.
    btVector3 inverse; ///< of the direction's components; BT_LARGE_FLOAT in place of an infinity
    unsigned signs[3];
    btScalar length;
};

/// Along or against an axis, in a coordinate plane, or anywhere; now and then of no length, or with a box that moves
/// along.
Ray drawRay( const Arena& arena, Random& random );

/// Bullet's own btRayAabb2, on the box grown by what moves along.
bool meets( const Ray& ray, const cltAabbD& box );

} // namespace cullet::stress

#endif
