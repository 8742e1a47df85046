// SPDX-License-Identifier: Zlib
/// \file ray.cpp
/// Moving a box along a ray meets what the bare ray meets of everything grown by that box, mirrored.
#include "ray.h"

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "LinearMath/btAabbUtil2.h"

namespace cullet::stress
{

namespace
{

/// Some components become equal, so that the ray does not move along those axes.
btVector3 flattened( const btVector3& from, btVector3 to, Random& random )
{
    const std::size_t axes = random.below( 12 ); // three bits, four of twelve bare
    for ( int axis = 0; axis < 3 && axes < 8; ++axis )
    {
        if ( ( axes >> axis & 1 ) != 0 )
        {
            to[axis] = from[axis];
        }
    }
    return to;
}

/// As btCollisionWorld does: the direction of a ray without length, a static overlap query, is 0.
void setDirection( Ray& ray )
{
    const btVector3 way = ray.to - ray.from;
    ray.length = way.length();
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar direction = ray.length == 0 ? btScalar( 0 ) : way[axis] / ray.length;
        ray.inverse[axis] = direction == 0 ? btScalar( BT_LARGE_FLOAT ) : 1 / direction;
    }
}

} // namespace

Ray drawRay( const btVector3& from, const btVector3& to, Random& random )
{
    Ray ray;
    ray.from = from;
    ray.to = flattened( from, to, random );
    ray.sweptLower.setValue( 0, 0, 0 );
    ray.sweptUpper.setValue( 0, 0, 0 );
    if ( random.oneIn( 3 ) )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            ray.sweptLower[axis] = btScalar( -random.between( 0, 2 ) );
            ray.sweptUpper[axis] = btScalar( random.between( 0, 2 ) );
        }
    }
    setDirection( ray );
    return ray;
}

void aim( btBroadphaseRayCallback& callback, const Ray& ray )
{
    callback.m_rayDirectionInverse = ray.inverse;
    callback.m_lambda_max = ray.length;
    for ( int axis = 0; axis < 3; ++axis )
    {
        callback.m_signs[axis] = ray.inverse[axis] < 0;
    }
}

bool meets( const Ray& ray, const Box& box )
{
    const btVector3 bounds[2] = { lowerOf( box ) - ray.sweptUpper, upperOf( box ) - ray.sweptLower };
    unsigned int signs[3];
    for ( int axis = 0; axis < 3; ++axis )
    {
        signs[axis] = ray.inverse[axis] < 0;
    }
    btScalar entry;
    return btRayAabb2( ray.from, ray.inverse, signs, bounds, entry, 0, ray.length );
}

} // namespace cullet::stress
