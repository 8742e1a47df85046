// SPDX-License-Identifier: Zlib
/// \file ray.h
/// Rays and swept boxes as btCollisionWorld casts them, and the test that defines what they meet.
#ifndef CLT_STRESS_RAY_H
#define CLT_STRESS_RAY_H

#include "box.h"
#include "random.h"

struct btBroadphaseRayCallback;

namespace cullet::stress
{

struct Ray
{
    btVector3 from;
    btVector3 to;
    btVector3 sweptLower; ///< the box that moves along, relative to `from`; both 0 for a bare ray
    btVector3 sweptUpper;
    btVector3 inverse; ///< of the direction's components; BT_LARGE_FLOAT in place of an infinity
    btScalar length;
};

/// Along or against an axis, in a coordinate plane, or anywhere; now and then of no length, or with a box that moves
/// along.
Ray drawRay( const btVector3& from, const btVector3& to, Random& random );

/// What callers tell a callback before rayTest.
void aim( btBroadphaseRayCallback& callback, const Ray& ray );

/// Bullet's own btRayAabb2, on the box grown by what moves along.
bool meets( const Ray& ray, const Box& box );

} // namespace cullet::stress

#endif
