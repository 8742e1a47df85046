// SPDX-License-Identifier: Zlib
// Box and ray queries: one pass over the proxy table, which holds the newest boxes. They change nothing, so that any
// number of threads may run them together and a callback may start another.

#include "bridge/broadphase.h"

#include "gpu/core/aabb.h"
#include "gpu/core/ray.h"

#include <math.h>

static bool IsDouble( const cltBroadphase* broadphase )
{
    return broadphase->def.precision == clt_precisionDouble;
}

/// The stored box, in double. Slots without a proxy hold NaN, which no query meets.
static cltAabbD BoxOf( const cltBroadphase* broadphase, cltProxyId proxy )
{
    const void* stored = cltProxyTable_Box( &broadphase->table, proxy );
    return IsDouble( broadphase ) ? *(const cltAabbD*)stored : cltAabb_ToDouble( stored );
}

static uint64_t UserDataOf( const cltBroadphase* broadphase, cltProxyId proxy )
{
    return ( (const uint64_t*)broadphase->table.userData.data )[proxy];
}

static void QueryFloats( const cltBroadphase* broadphase, const cltAabb* box, cltQueryFcn* fcn, void* context )
{
    const cltAabb* boxes = broadphase->table.boxes.data;
    for ( cltProxyId proxy = 0; proxy < broadphase->table.slotCount; ++proxy )
    {
        if ( cltAabb_Overlaps( boxes + proxy, box ) && !fcn( proxy, UserDataOf( broadphase, proxy ), context ) )
        {
            return;
        }
    }
}

static void QueryDoubles( const cltBroadphase* broadphase, const cltAabbD* box, cltQueryFcn* fcn, void* context )
{
    for ( cltProxyId proxy = 0; proxy < broadphase->table.slotCount; ++proxy )
    {
        const cltAabbD stored = BoxOf( broadphase, proxy );
        if ( cltAabbD_Overlaps( &stored, box ) && !fcn( proxy, UserDataOf( broadphase, proxy ), context ) )
        {
            return;
        }
    }
}

cltStatus cltBroadphase_QueryBox( const cltBroadphase* broadphase, const cltAabb* box, cltQueryFcn* fcn, void* context )
{
    if ( broadphase == NULL || box == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    if ( IsDouble( broadphase ) )
    {
        const cltAabbD wide = cltAabb_ToDouble( box );
        QueryDoubles( broadphase, &wide, fcn, context );
    }
    else
    {
        QueryFloats( broadphase, box, fcn, context );
    }
    return clt_ok;
}

/// Comparing floats with doubles is exact, so that this serves both precisions.
cltStatus cltBroadphase_QueryBoxD( const cltBroadphase* broadphase, const cltAabbD* box, cltQueryFcn* fcn,
                                   void* context )
{
    if ( broadphase == NULL || box == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    QueryDoubles( broadphase, box, fcn, context );
    return clt_ok;
}

static bool AllFinite( const double point[3] )
{
    return isfinite( point[0] ) && isfinite( point[1] ) && isfinite( point[2] );
}

cltStatus cltBroadphase_CastRay( const cltBroadphase* broadphase, const double from[3], const double to[3],
                                 cltCastFcn* fcn, void* context )
{
    if ( broadphase == NULL || from == NULL || to == NULL || fcn == NULL || !AllFinite( from ) || !AllFinite( to ) )
    {
        return clt_invalidArgument;
    }
    const cltRay ray = cltRay_Make( from, to );
    double maxFraction = 1.0;
    for ( cltProxyId proxy = 0; proxy < broadphase->table.slotCount; ++proxy )
    {
        const cltAabbD box = BoxOf( broadphase, proxy );
        double enter;
        if ( cltRay_Meets( &ray, &box, maxFraction, &enter ) )
        {
            maxFraction =
                fmin( maxFraction, fcn( proxy, UserDataOf( broadphase, proxy ), enter, maxFraction, context ) );
            if ( !( maxFraction > 0.0 ) )
            {
                return clt_ok;
            }
        }
    }
    return clt_ok;
}
