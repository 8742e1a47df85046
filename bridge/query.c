// SPDX-License-Identifier: Zlib
// Box, ray and volume queries. What they share, finding the proxies that something may touch, is gpu/queries.h; here
// the proxy's own box, as it was given last, decides.

#include "bridge/broadphase.h"

#include "gpu/core/aabb.h"
#include "gpu/core/box_lanes.h"
#include "gpu/core/ray.h"

#include <math.h>

cltQueryView cltBroadphase_View( const cltBroadphase* broadphase )
{
    const cltProxyTable* table = &broadphase->table;
    return ( cltQueryView ){ .boxes = table->boxes.data,
                             .isDouble = table->precision == clt_precisionDouble,
                             .states = table->states.data,
                             .slotCount = table->slotCount,
                             .settledCount = table->settledCount,
                             .changed = table->changed.data,
                             .changedCount = table->changedCount,
                             .base = broadphase->backend->ops->viewBoxes( broadphase->backend ) };
}

/// A query under way: what is asked, and whom to tell.
typedef struct Query
{
    const cltBroadphase* broadphase;
    cltQueryFcn* fcn;
    cltCastFcn* castFcn;
    void* context;
    cltLanesFcn* touches; ///< of the caller
    cltAabb cover;        ///< float box around `box`
    cltAabbD box;
    cltRay ray;
    double maxFraction;
} Query;

static void Walk( const cltBroadphase* broadphase, cltLanesFcn* touches, cltVisitFcn* visit, Query* query )
{
    const cltQueryView view = cltBroadphase_View( broadphase );
    cltQueries_Walk( broadphase->queries, &view, touches, visit, query );
}

/// Comparing floats with doubles is exact, so that this serves both precisions.
static cltAabbD BoxOf( const Query* query, uint32_t slot )
{
    return cltProxyTable_BoxD( &query->broadphase->table, slot );
}

static uint64_t UserDataOf( const Query* query, uint32_t slot )
{
    return ( (const uint64_t*)query->broadphase->table.userData.data )[slot];
}

// ------------------------------------------------------------------------------------------------------------ boxes

static uint32_t TouchesBox( const cltBoxLanes* boxes, void* context )
{
    const Query* query = context;
    return cltBoxLanes_Overlap( boxes, &query->cover );
}

static bool VisitInBox( uint32_t slot, void* context )
{
    const Query* query = context;
    const cltAabbD stored = BoxOf( query, slot );
    return !cltAabbD_Overlaps( &stored, &query->box ) || query->fcn( slot, UserDataOf( query, slot ), query->context );
}

cltStatus cltBroadphase_QueryBoxD( const cltBroadphase* broadphase, const cltAabbD* box, cltQueryFcn* fcn,
                                   void* context )
{
    if ( broadphase == NULL || box == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    Query query = { .broadphase = broadphase, .fcn = fcn, .context = context, .box = *box };
    query.cover = cltAabb_FromDouble( box );
    if ( !cltAabb_HasNan( &query.cover ) )
    {
        Walk( broadphase, TouchesBox, VisitInBox, &query );
    }
    return clt_ok;
}

cltStatus cltBroadphase_QueryBox( const cltBroadphase* broadphase, const cltAabb* box, cltQueryFcn* fcn, void* context )
{
    if ( box == NULL )
    {
        return clt_invalidArgument;
    }
    const cltAabbD wide = cltAabb_ToDouble( box );
    return cltBroadphase_QueryBoxD( broadphase, &wide, fcn, context );
}

// ------------------------------------------------------------------------------------------------------------- rays

static uint32_t TouchesRay( const cltBoxLanes* boxes, void* context )
{
    const Query* query = context;
    uint32_t hits = 0;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        cltAabbD box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = (double)boxes->lower[axis][lane];
            box.upper[axis] = (double)boxes->upper[axis][lane];
        }
        double enter;
        hits |= (uint32_t)cltRay_Meets( &query->ray, &box, query->maxFraction, &enter ) << lane;
    }
    return hits;
}

static bool VisitOnRay( uint32_t slot, void* context )
{
    Query* query = context;
    const cltAabbD box = BoxOf( query, slot );
    double enter;
    if ( cltRay_Meets( &query->ray, &box, query->maxFraction, &enter ) )
    {
        const double shortened =
            query->castFcn( slot, UserDataOf( query, slot ), enter, query->maxFraction, query->context );
        query->maxFraction = fmin( query->maxFraction, shortened );
    }
    return query->maxFraction > 0.0;
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
    Query query = { .broadphase = broadphase, .castFcn = fcn, .context = context, .maxFraction = 1.0 };
    query.ray = cltRay_Make( from, to );
    Walk( broadphase, TouchesRay, VisitOnRay, &query );
    return clt_ok;
}

// ---------------------------------------------------------------------------------------------------------- volumes

static uint32_t TouchesVolume( const cltBoxLanes* boxes, void* context )
{
    const Query* query = context;
    return query->touches( boxes, query->context );
}

/// A box with a NaN is met by no query, whatever the caller's function makes of it.
static bool VisitInVolume( uint32_t slot, void* context )
{
    const Query* query = context;
    const cltAabbD box = BoxOf( query, slot );
    return cltAabbD_HasNan( &box ) || query->fcn( slot, UserDataOf( query, slot ), query->context );
}

cltStatus cltBroadphase_QueryVolume( const cltBroadphase* broadphase, cltLanesFcn* touches, cltQueryFcn* fcn,
                                     void* context )
{
    if ( broadphase == NULL || touches == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    Query query = { .broadphase = broadphase, .fcn = fcn, .context = context, .touches = touches };
    Walk( broadphase, TouchesVolume, VisitInVolume, &query );
    return clt_ok;
}
