// SPDX-License-Identifier: Zlib
/// \file figure.cpp
/// Rays against a ball and against a turned box. Everything is convex, so one entry point tells all.
#include "figure.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

constexpr btScalar miss = -1;

btScalar intersectBall( const btVector3& centre, btScalar radius, const Ray& ray )
{
    const btVector3 offset = centre - ray.origin;
    const btScalar lengthSquared = ray.direction.length2();
    const btScalar nearest = offset.dot( ray.direction ) / lengthSquared;
    const btScalar missBy2 = ( offset - nearest * ray.direction ).length2();
    const btScalar halfChord2 = radius * radius - missBy2;
    return halfChord2 < 0 ? miss : nearest - std::sqrt( halfChord2 / lengthSquared );
}

/// In the box's own frame the ray is cut by three pairs of parallel planes; it is inside between the last entry and the
/// first exit. Along a plane the division gives infinities, of one sign outside the pair and of both signs inside.
btScalar intersectBox( const btTransform& transform, const btVector3& halfExtents, const Ray& ray )
{
    const btVector3 origin = ( ray.origin - transform.getOrigin() ) * transform.getBasis();
    const btVector3 direction = ray.direction * transform.getBasis();
    btScalar entry = -BT_LARGE_FLOAT;
    btScalar exit = BT_LARGE_FLOAT;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar inverse = 1 / direction[axis];
        const btScalar first = ( -halfExtents[axis] - origin[axis] ) * inverse;
        const btScalar second = ( halfExtents[axis] - origin[axis] ) * inverse;
        entry = std::max( entry, std::min( first, second ) );
        exit = std::min( exit, std::max( first, second ) );
    }
    return entry <= exit ? entry : miss;
}

} // namespace

btScalar intersect( const Figure& figure, const Ray& ray )
{
    if ( figure.kind == BodyKind::sphere )
    {
        return intersectBall( figure.transform.getOrigin(), figure.halfExtents.x(), ray );
    }
    return intersectBox( figure.transform, figure.halfExtents, ray );
}

btVector3 normalAt( const Figure& figure, const btVector3& point )
{
    const btVector3 offset = point - figure.transform.getOrigin();
    if ( figure.kind == BodyKind::sphere )
    {
        return offset.normalized();
    }
    const btVector3 local = offset * figure.transform.getBasis();
    const btVector3 share = local / figure.halfExtents; // plus or minus one on the face that the point is on
    const int axis = share.absolute().maxAxis();
    const btVector3 outward = figure.transform.getBasis().getColumn( axis );
    return share[axis] < 0 ? -outward : outward;
}

} // namespace cullet::demo
