// SPDX-License-Identifier: Zlib
/// \file query_geometry.cpp
/// Intervals: of space for boxes, of the way along the ray for rays.
#include "query_geometry.h"

#include <algorithm>
#include <cmath>

namespace cullet::compare
{

namespace
{

/// \param amount  negative to shrink
cltAabb resized( const cltAabb& box, float amount, float relative )
{
    if ( amount == 0 )
    {
        return box;
    }
    cltAabb result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = box.lower[axis] - amount - relative * std::abs( box.lower[axis] );
        result.upper[axis] = box.upper[axis] + amount + relative * std::abs( box.upper[axis] );
    }
    return result;
}

} // namespace

bool hasNan( const cltAabb& box )
{
    const auto isNan = []( float value ) { return std::isnan( value ); };
    return std::any_of( box.lower, box.lower + 3, isNan ) || std::any_of( box.upper, box.upper + 3, isNan );
}

bool isInverted( const cltAabb& box )
{
    return box.lower[0] > box.upper[0] || box.lower[1] > box.upper[1] || box.lower[2] > box.upper[2];
}

cltAabb shrunk( const cltAabb& box, const Slack& slack )
{
    return resized( box, -slack.inward, -slack.relative );
}

cltAabb grown( const cltAabb& box, const Slack& slack )
{
    return resized( box, slack.outward, slack.relative );
}

bool boxesMeet( const cltAabb& a, const cltAabb& b )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( !( a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis] ) )
        {
            return false;
        }
    }
    return true;
}

bool rayMeets( const ReplayRay& ray, const cltAabb& box )
{
    float entry = -std::numeric_limits<float>::infinity();
    float leave = std::numeric_limits<float>::infinity();
    for ( int axis = 0; axis < 3; ++axis )
    {
        // Where the ray itself is when the moving box first and last touches the slab between two faces.
        const float lower = box.lower[axis] - ray.swept.upper[axis];
        const float upper = box.upper[axis] - ray.swept.lower[axis];
        const float first = ray.signs[axis] == 0 ? lower : upper;
        const float last = ray.signs[axis] == 0 ? upper : lower;
        entry = std::max( entry, ( first - ray.origin[axis] ) * ray.inverseDirection[axis] );
        leave = std::min( leave, ( last - ray.origin[axis] ) * ray.inverseDirection[axis] );
    }
    return entry <= leave && entry < ray.length && leave > 0;
}

} // namespace cullet::compare
