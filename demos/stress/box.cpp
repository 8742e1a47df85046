// SPDX-License-Identifier: Zlib
/// \file box.cpp
/// Comparisons of coordinates as they were given: nothing is computed, so nothing is rounded.
#include "box.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace cullet::stress
{

bool hasNan( const Box& box )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( std::isnan( box.lower[axis] ) || std::isnan( box.upper[axis] ) )
        {
            return true;
        }
    }
    return false;
}

bool overlap( const Box& a, const Box& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        // Written so that a NaN on this axis fails it.
        const bool meets = a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis];
        if ( !meets )
        {
            return false;
        }
    }
    return true; // six comparisons held, each coordinate in one of them: there is no NaN
}

Box inflated( const Box& box, btScalar margin )
{
    constexpr btScalar farthest = std::numeric_limits<btScalar>::infinity();
    Box result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = std::nextafter( box.lower[axis] - margin, -farthest );
        result.upper[axis] = std::nextafter( box.upper[axis] + margin, farthest );
    }
    return result;
}

bool isSame( const Box& a, const Box& b )
{
    return std::memcmp( &a, &b, sizeof( Box ) ) == 0;
}

} // namespace cullet::stress
