// SPDX-License-Identifier: Zlib
// Box, ray and volume queries. gpu/queries.h finds candidates; here each is tested with its current box.

#include "bridge/broadphase.h"

#include "gpu/core/aabb.h"
#include "gpu/core/pair_change.h"
#include "gpu/core/segment.h"
#include "gpu/core/slabs.h"
#include "gpu/core/slots.h"

#include <float.h>
#include <math.h>

cltQueryView cltBroadphase_View( const cltBroadphase* broadphase )
{
    const cltProxyTable* table = &broadphase->table;
    return ( cltQueryView ){ .boxes = table->boxes.data,
                             .isDouble = table->precision == clt_precisionDouble,
                             .lanes = cltProxyTable_Lanes( table ),
                             .states = table->states.data,
                             .slotCount = table->slotCount,
                             .settledCount = table->settledCount,
                             .changed = table->changed.data,
                             .changedCount = table->changedCount,
                             .base = broadphase->backend->ops->viewBoxes( broadphase->backend ) };
}

static uint64_t UserDataOf( const cltBroadphase* broadphase, uint32_t slot )
{
    return ( (const uint64_t*)broadphase->table.userData.data )[slot];
}

// ------------------------------------------------------------------------------------------------ boxes and volumes

/// A query of a box or a volume, or of the overlaps that a proxy has now and had not at the last update (QueryNew).
typedef struct Query
{
    const cltBroadphase* broadphase;
    cltQueryFcn* fcn;
    void* context;
    cltAabbD box;     ///< of a box query
    cltProxyId proxy; ///< of QueryNew
} Query;

/// Calls the caller's function. For float boxes this is all that a visit does: the search has tested them exactly.
static bool Report( uint32_t slot, void* context )
{
    const Query* query = context;
    return query->fcn( slot, UserDataOf( query->broadphase, slot ), query->context );
}

/// Reports a box that overlaps the query's box. Works for both precisions: comparing floats with doubles is exact.
static bool VisitInBox( uint32_t slot, void* context )
{
    const Query* query = context;
    const cltAabbD stored = cltProxyTable_BoxD( &query->broadphase->table, slot );
    return !cltAabbD_Overlaps( &stored, &query->box ) || Report( slot, context );
}

static void WalkBox( Query* query, cltAabb cover, cltVisitFcn* visit )
{
    const cltBroadphase* broadphase = query->broadphase;
    if ( !cltAabb_HasNan( &cover ) )
    {
        const cltQueryView view = cltBroadphase_View( broadphase );
        cltQueries_Walk( broadphase->queries, &view, cltQueries_Box( broadphase->queries, &cover ), visit, query );
    }
}

cltStatus cltBroadphase_QueryBoxD( const cltBroadphase* broadphase, const cltAabbD* box, cltQueryFcn* fcn,
                                   void* context )
{
    if ( broadphase == NULL || box == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    Query query = { .broadphase = broadphase, .fcn = fcn, .context = context, .box = *box };
    WalkBox( &query, cltAabb_FromDouble( box ), VisitInBox );
    return clt_ok;
}

cltStatus cltBroadphase_QueryBox( const cltBroadphase* broadphase, const cltAabb* box, cltQueryFcn* fcn, void* context )
{
    if ( broadphase == NULL || box == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    Query query = { .broadphase = broadphase, .fcn = fcn, .context = context, .box = cltAabb_ToDouble( box ) };
    WalkBox( &query, *box, broadphase->table.precision == clt_precisionFloat ? Report : VisitInBox );
    return clt_ok;
}

static bool VisitOther( uint32_t slot, void* context )
{
    const Query* query = context;
    const cltProxyTable* table = &query->broadphase->table;
    const bool isDouble = table->precision == clt_precisionDouble;
    return slot == query->proxy || !cltBoxesOverlap( table->boxes.data, isDouble, slot, query->proxy ) ||
           Report( slot, context );
}

cltStatus cltBroadphase_QueryNew( cltBroadphase* broadphase, cltProxyId proxy, cltQueryFcn* fcn, void* context )
{
    if ( broadphase == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    cltProxyTable* table = &broadphase->table;
    if ( !cltProxyTable_Has( table, proxy ) )
    {
        return clt_unknownProxy;
    }
    Query query = { .broadphase = broadphase, .fcn = fcn, .context = context, .proxy = proxy };
    cltAabb cover = cltCoverBox( table->boxes.data, table->precision == clt_precisionDouble, proxy );
    if ( !cltAabb_HasNan( &cover ) )
    {
        const cltQueryView view = cltBroadphase_View( broadphase );
        const uint64_t known = broadphase->backend->ops->pairsOf( broadphase->backend, proxy );
        cltQueries_WalkNewOverlaps( broadphase->queries, &view, &table->rest, proxy, known,
                                    cltQueries_Box( broadphase->queries, &cover ), VisitOther, &query );
    }
    return clt_ok;
}

/// Skips boxes with a NaN, which the caller's function may accept.
static bool VisitInVolume( uint32_t slot, void* context )
{
    const Query* query = context;
    const cltAabbD box = cltProxyTable_BoxD( &query->broadphase->table, slot );
    return cltAabbD_HasNan( &box ) || Report( slot, context );
}

cltStatus cltBroadphase_QueryVolume( const cltBroadphase* broadphase, cltLanesFcn* touches, cltQueryFcn* fcn,
                                     void* context )
{
    if ( broadphase == NULL || touches == NULL || fcn == NULL )
    {
        return clt_invalidArgument;
    }
    Query query = { .broadphase = broadphase, .fcn = fcn, .context = context };
    const cltQueryView view = cltBroadphase_View( broadphase );
    cltQueries_Walk( broadphase->queries, &view, ( cltQueryShape ){ touches, context }, VisitInVolume, &query );
    return clt_ok;
}

// --------------------------------------------------------------------------------------------------------- segments

typedef struct SegmentQuery
{
    const cltBroadphase* broadphase;
    cltCastFcn* fcn;
    void* context;
    cltSegment segment;
    cltSlabs cover;
    double maxFraction;
} SegmentQuery;

static bool VisitOnSegment( uint32_t slot, void* context )
{
    SegmentQuery* query = context;
    const cltAabbD box = cltProxyTable_BoxD( &query->broadphase->table, slot );
    double enter;
    if ( cltSegment_Meets( &query->segment, &box, query->maxFraction, &enter ) )
    {
        const double shortened =
            query->fcn( slot, UserDataOf( query->broadphase, slot ), enter, query->maxFraction, query->context );
        query->maxFraction = fmin( query->maxFraction, shortened );
        cltSlabs_CoverLength( &query->cover, query->maxFraction );
    }
    return query->maxFraction > 0.0;
}

static bool AllFinite( const double point[3] )
{
    return fabs( point[0] ) <= DBL_MAX && fabs( point[1] ) <= DBL_MAX && fabs( point[2] ) <= DBL_MAX;
}

cltStatus cltBroadphase_CastRay( const cltBroadphase* broadphase, const double from[3], const double to[3],
                                 cltCastFcn* fcn, void* context )
{
    if ( broadphase == NULL || from == NULL || to == NULL || fcn == NULL || !AllFinite( from ) || !AllFinite( to ) )
    {
        return clt_invalidArgument;
    }
    SegmentQuery query = { .broadphase = broadphase, .fcn = fcn, .context = context, .maxFraction = 1.0 };
    query.segment = cltSegment_Make( from, to );
    query.cover = cltSegment_Cover( &query.segment );
    const cltQueryView view = cltBroadphase_View( broadphase );
    cltQueries_Walk( broadphase->queries, &view, cltQueries_Ray( broadphase->queries, &query.cover ), VisitOnSegment,
                     &query );
    return clt_ok;
}

// ------------------------------------------------------------------------------------------------------------- rays

/// Large enough to exclude boxes beside the ray, small enough for a float.
#define INVERSE_OF_ZERO 1e18

cltRay cltRayBetween( const double from[3], const double to[3] )
{
    cltRay ray = { .length = 1.0 };
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double way = to[axis] - from[axis];
        ray.from[axis] = from[axis];
        ray.inverse[axis] = way != 0.0 ? 1.0 / way : INVERSE_OF_ZERO;
    }
    return ray;
}

typedef struct RayQuery
{
    const cltBroadphase* broadphase;
    cltRayFcn* fcn;
    void* context;
    cltRay ray;
    size_t index;
    cltSlabs slabs; ///< tests float boxes exactly; meets every double box that the ray meets, and perhaps more
    double length;
} RayQuery;

static bool RayMeetsBox( const RayQuery* query, uint32_t slot, double* enter )
{
    const cltProxyTable* table = &query->broadphase->table;
    if ( table->precision == clt_precisionDouble )
    {
        const cltAabbD* box = (const cltAabbD*)table->boxes.data + slot;
        return !cltAabbD_HasNan( box ) && cltRay_Meets( &query->ray, box, query->length, enter );
    }
    const cltAabb* box = (const cltAabb*)table->boxes.data + slot;
    float entry = 0.0f;
    const bool met = !cltAabb_HasNan( box ) && cltSlabs_Meet( &query->slabs, box, &entry );
    *enter = (double)entry;
    return met;
}

static void Shorten( RayQuery* query, double length )
{
    query->length = length;
    if ( query->broadphase->table.precision == clt_precisionDouble )
    {
        cltSlabs_CoverLength( &query->slabs, length );
    }
    else
    {
        query->slabs.length = cltRoundUp( length );
    }
}

static bool VisitOnRay( uint32_t slot, void* context )
{
    RayQuery* query = context;
    double enter;
    if ( RayMeetsBox( query, slot, &enter ) )
    {
        const double length = query->fcn( query->index, slot, UserDataOf( query->broadphase, slot ),
                                          enter > 0.0 ? enter : 0.0, query->length, query->context );
        if ( length < query->length )
        {
            Shorten( query, length );
            return length >= 0.0;
        }
    }
    return true;
}

static bool RayHasNan( const cltRay* ray )
{
    bool nan = ray->length != ray->length || cltAabbD_HasNan( &ray->swept );
    for ( int axis = 0; axis < 3; ++axis )
    {
        nan = nan || ray->from[axis] != ray->from[axis] || ray->inverse[axis] != ray->inverse[axis];
    }
    return nan;
}

cltStatus cltBroadphase_CastRays( const cltBroadphase* broadphase, size_t count, const cltRay* rays, cltRayFcn* fcn,
                                  void* context )
{
    if ( broadphase == NULL || ( count > 0 && ( rays == NULL || fcn == NULL ) ) )
    {
        return clt_invalidArgument;
    }
    const cltQueryView view = cltBroadphase_View( broadphase );
    RayQuery query = { .broadphase = broadphase, .fcn = fcn, .context = context };
    const cltQueryShape shape = cltQueries_Ray( broadphase->queries, &query.slabs );
    for ( query.index = 0; query.index < count; ++query.index )
    {
        const cltRay* ray = rays + query.index;
        if ( !RayHasNan( ray ) )
        {
            query.ray = cltRay_Clamp( ray, view.isDouble ? DBL_MAX : (double)FLT_MAX );
            query.length = query.ray.length;
            query.slabs = view.isDouble ? cltSlabs_Cover( &query.ray ) : cltSlabs_Exact( &query.ray );
            cltQueries_Walk( broadphase->queries, &view, shape, VisitOnRay, &query );
        }
    }
    return clt_ok;
}
