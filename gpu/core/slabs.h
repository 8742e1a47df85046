// SPDX-License-Identifier: Zlib
/// \file slabs.h Rays and swept boxes against boxes, by the slab test: a ray is in a box while it is in all three slabs
/// at once, after its start and before its end. Equal to Bullet's btRayAabb2 (LinearMath/btAabbUtil2.h) in every
/// comparison, in the precision of the boxes. A ray that meets a box meets every box around that box, because
/// rounding is monotone.
#ifndef CLT_CORE_SLABS_H
#define CLT_CORE_SLABS_H

#include "bridge/cullet_queries.h"
#include "gpu/core/aabb.h"

#include <float.h>
#include <math.h>

/// A ray crosses the plane axis = coordinate at the parameter ( coordinate + grow - from ) * inverse.
typedef struct cltSlabPlane
{
    float grow;
    float from;
    float inverse;
} cltSlabPlane;

typedef struct cltSlab
{
    cltSlabPlane enter; ///< the bound that is met first: the lower one, or the upper one if the ray points backwards
    cltSlabPlane leave; ///< the bound that is met last
    bool backwards;
} cltSlab;

typedef struct cltSlabs
{
    cltSlab axes[3];
    float length;  ///< the ray meets a box only if it enters the box before this
    float minExit; ///< the ray meets a box only if it leaves the box after this
} cltSlabs;

CLT_HD float cltSlabPlane_Crossing( const cltSlabPlane* plane, float coordinate )
{
    return ( coordinate + plane->grow - plane->from ) * plane->inverse;
}

/// \param[out] enter  where the ray enters; negative if it starts inside
CLT_HD bool cltSlabs_Meet( const cltSlabs* slabs, const cltAabb* box, float* enter )
{
    float first = 0.0f;
    float last = 0.0f;
    bool meets = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const cltSlab* slab = slabs->axes + axis;
        float in = cltSlabPlane_Crossing( &slab->enter, slab->backwards ? box->upper[axis] : box->lower[axis] );
        float out = cltSlabPlane_Crossing( &slab->leave, slab->backwards ? box->lower[axis] : box->upper[axis] );
        // ordered so that a NaN gives the same result as in Bullet
        meets = meets && ( axis == 0 || ( !( first > out ) && !( in > last ) ) );
        first = axis == 0 || in > first ? in : first;
        last = axis == 0 || out < last ? out : last;
    }
    *enter = first;
    return meets && first < slabs->length && last > slabs->minExit;
}

/// As cltSlabs_Meet, in double precision.
CLT_HD bool cltRay_Meets( const cltRay* ray, const cltAabbD* box, double length, double* enter )
{
    double first = 0.0;
    double last = 0.0;
    bool meets = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        double lower = box->lower[axis] - ray->swept.upper[axis];
        double upper = box->upper[axis] - ray->swept.lower[axis];
        bool backwards = ray->inverse[axis] < 0.0;
        double in = ( ( backwards ? upper : lower ) - ray->from[axis] ) * ray->inverse[axis];
        double out = ( ( backwards ? lower : upper ) - ray->from[axis] ) * ray->inverse[axis];
        meets = meets && ( axis == 0 || ( !( first > out ) && !( in > last ) ) );
        first = axis == 0 || in > first ? in : first;
        last = axis == 0 || out < last ? out : last;
    }
    *enter = first;
    return meets && first < length && last > 0.0;
}

CLT_HD double cltClamp( double value, double most )
{
    return value > most ? most : value < -most ? -most : value;
}

/// Clamps all numbers to [-most, most]. An infinite inverse would give NaN for a plane that contains the ray's start.
CLT_HD cltRay cltRay_Clamp( const cltRay* ray, double most )
{
    cltRay clamped;
    for ( int axis = 0; axis < 3; ++axis )
    {
        clamped.from[axis] = cltClamp( ray->from[axis], most );
        clamped.inverse[axis] = cltClamp( ray->inverse[axis], most );
        clamped.swept.lower[axis] = cltClamp( ray->swept.lower[axis], most );
        clamped.swept.upper[axis] = cltClamp( ray->swept.upper[axis], most );
    }
    clamped.length = cltClamp( ray->length, most );
    return clamped;
}

/// The slabs for the exact test of a ray against float boxes. The ray must be within the range of float (cltRay_Clamp).
CLT_HD cltSlabs cltSlabs_Exact( const cltRay* ray )
{
    cltSlabs slabs;
    for ( int axis = 0; axis < 3; ++axis )
    {
        cltSlab* slab = slabs.axes + axis;
        float growLower = -(float)ray->swept.upper[axis];
        float growUpper = -(float)ray->swept.lower[axis];
        slab->backwards = ray->inverse[axis] < 0.0;
        slab->enter.grow = slab->backwards ? growUpper : growLower;
        slab->leave.grow = slab->backwards ? growLower : growUpper;
        slab->enter.from = slab->leave.from = (float)ray->from[axis];
        slab->enter.inverse = slab->leave.inverse = (float)ray->inverse[axis];
    }
    slabs.length = (float)ray->length;
    slabs.minExit = 0.0f;
    return slabs;
}

/// The share by which covering slabs are widened, far more than their rounding errors.
#define CLT_SLAB_SLACK 9.5367431640625e-7 // 2^-20

/// A covering slab of a ray along one axis, computed in double. Whatever the rounding, the ray is in a box's exact slab
/// only while it is in the box's covering slab. Rounding to float keeps signs, so a ray that starts in a box starts in
/// the box's covering slab.
CLT_HD cltSlab cltSlab_Cover( double from, double sweptLower, double sweptUpper, double inverse, double length )
{
    bool backwards = inverse < 0.0;
    double steepness = fabs( inverse );
    double size = fabs( from ) + fabs( sweptLower ) + fabs( sweptUpper );
    double room = 8.9e-16 * size; // 2^-50
    double parallelRoom = CLT_SLAB_SLACK * ( 1.0 + size );
    bool isSteep =
        steepness > ( fabs( length ) > FLT_MAX ? 1e20 : 1e35 ); // planes may be met beyond the range of float
    cltSlab slab;
    slab.backwards = backwards;
    slab.enter.grow = slab.leave.grow = 0.0f;
    bool isFar = size > 1e30 && fabs( length ) > 1e30 * steepness; // differences may overflow before the end
    // The ray moves too far for floats, or to an end that is beyond them: it counts as in the slab of any finite box.
    if ( steepness < 1e-30 || isFar || ( isSteep && fabs( length ) > parallelRoom * steepness ) )
    {
        slab.backwards = false;
        slab.enter.grow = -FLT_MAX;
        slab.leave.grow = FLT_MAX;
        slab.enter.from = 0.0f;
        slab.leave.from = -FLT_MAX;
        slab.enter.inverse = slab.leave.inverse = 1.0f;
        return slab;
    }
    if ( isSteep ) // parallel: a ray in the closed slab stays in it
    {
        steepness = 1e38;
        room = parallelRoom;
    }
    slab.enter.from = backwards ? cltRoundDown( from + sweptLower - room ) : cltRoundUp( from + sweptUpper + room );
    slab.leave.from = backwards ? cltRoundUp( from + sweptUpper + room ) : cltRoundDown( from + sweptLower - room );
    slab.enter.inverse = (float)( ( backwards ? -steepness : steepness ) * ( 1.0 - CLT_SLAB_SLACK ) );
    slab.leave.inverse = (float)( ( backwards ? -steepness : steepness ) * ( 1.0 + CLT_SLAB_SLACK ) );
    return slab;
}

/// Sets `length` and `minExit` so that the ray also meets boxes that it touches only at its start or end. A negative
/// length, which may be beyond float, counts as 0.
CLT_HD void cltSlabs_CoverLength( cltSlabs* slabs, double length )
{
    length = length < 0.0 ? 0.0 : length;
    slabs->length = cltRoundUp( length + length * CLT_SLAB_SLACK ) + FLT_MIN;
    slabs->minExit = -FLT_MIN;
}

/// The slabs for double boxes, which the tree holds rounded outward. The slabs meet every box that the ray meets.
CLT_HD cltSlabs cltSlabs_Cover( const cltRay* ray )
{
    cltSlabs slabs;
    for ( int axis = 0; axis < 3; ++axis )
    {
        slabs.axes[axis] = cltSlab_Cover( ray->from[axis], ray->swept.lower[axis], ray->swept.upper[axis],
                                          ray->inverse[axis], ray->length );
    }
    cltSlabs_CoverLength( &slabs, ray->length );
    return slabs;
}

#endif
