// SPDX-License-Identifier: Zlib
/// \file ray.cpp
/// Moving a box along a ray meets what the bare ray meets of everything grown by that box, mirrored.
#include "ray.h"

#include "population.h"

#include "LinearMath/btAabbUtil2.h"

namespace cullet::stress
{

namespace
{

/// As btCollisionWorld does: the direction of a ray without length, a static overlap query, is 0.
void aim( Ray& ray )
{
    const btVector3 way = ray.to - ray.from;
    ray.length = way.length();
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar direction = ray.length == 0 ? btScalar( 0 ) : way[axis] / ray.length;
        ray.inverse[axis] = direction == 0 ? btScalar( BT_LARGE_FLOAT ) : 1 / direction;
        ray.signs[axis] = ray.inverse[axis] < 0;
    }
}

} // namespace

Ray drawRay( const Arena& arena, Random& random )
{
    Ray ray;
    ray.from = vectorOf( arena.place( random ).data() );
    ray.to = vectorOf( arena.place( random ).data() );
    const unsigned flatAxes = random.below( 12 ); // three bits, of numbers above 7 none: four of twelve bare
    const bool isSwept = random.oneIn( 3 );
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.to[axis] = flatAxes < 8 && ( flatAxes >> axis & 1 ) != 0 ? ray.from[axis] : ray.to[axis];
        ray.sweptLower[axis] = isSwept ? btScalar( -random.between( 0, 2 ) ) : btScalar( 0 );
        ray.sweptUpper[axis] = isSwept ? btScalar( random.between( 0, 2 ) ) : btScalar( 0 );
    }
    aim( ray );
    return ray;
}

bool meets( const Ray& ray, const cltAabbD& box )
{
    const btVector3 bounds[2] = { vectorOf( box.lower ) - ray.sweptUpper, vectorOf( box.upper ) - ray.sweptLower };
    btScalar entry;
    return btRayAabb2( ray.from, ray.inverse, ray.signs, bounds, entry, 0, ray.length );
}

} // namespace cullet::stress
