// SPDX-License-Identifier: Zlib
// Debug drawings: the backend draws its structure, gpu/queries.h draws queries. Here each body gets its proxy's data,
// and bodies that no structure has are added.

#include "bridge/broadphase.h"

#include "gpu/core/segment.h"
#include "gpu/drawing.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct BodyDrawing
{
    const cltProxyTable* table;
    const cltDebugDraw* draw;
    uint8_t* isDrawn; ///< by slot; NULL if it need not be known
} BodyDrawing;

/// The rest margin as of the last update.
static float DrawnRestMargin( const cltRest* rest, uint32_t slot )
{
    return slot < rest->activeCount ? cltRest_Margin( rest, slot ) : 0.0f;
}

static void DrawSlot( uint32_t slot, const cltAabb* box, cltDebugPlace place, void* context )
{
    const BodyDrawing* bodies = context;
    const cltProxyTable* table = bodies->table;
    if ( bodies->isDrawn != NULL )
    {
        bodies->isDrawn[slot] = 1;
    }
    if ( bodies->draw->drawBody != NULL )
    {
        const cltDebugBody body = { .proxy = slot,
                                    .place = place,
                                    .userData = ( (const uint64_t*)table->userData.data )[slot],
                                    .box = *box,
                                    .restMargin = DrawnRestMargin( &table->rest, slot ) };
        bodies->draw->drawBody( &body, bodies->draw->context );
    }
}

static cltDrawing DrawingOf( BodyDrawing* bodies )
{
    return ( cltDrawing ){ .callbacks = bodies->draw,
                           .states = bodies->table->states.data,
                           .slotCount = bodies->table->slotCount,
                           .drawSlot = DrawSlot,
                           .context = bodies };
}

// ----------------------------------------------------------------------------------------------------- structures

static void DrawUnplaced( BodyDrawing* bodies )
{
    const cltProxyTable* table = bodies->table;
    for ( uint32_t slot = 0; slot < table->slotCount; ++slot )
    {
        const cltAabb box = cltCoverBox( table->boxes.data, table->precision == clt_precisionDouble, slot );
        if ( bodies->isDrawn[slot] == 0 && cltProxyTable_Has( table, slot ) && !cltAabb_HasNan( &box ) )
        {
            DrawSlot( slot, &box, clt_debugUnplaced, bodies );
        }
    }
}

cltStatus cltBroadphase_DebugDraw( cltBroadphase* broadphase, const cltDebugDraw* draw )
{
    if ( broadphase == NULL || draw == NULL )
    {
        return clt_invalidArgument;
    }
    const cltProxyTable* table = &broadphase->table;
    if ( table->liveCount == 0 )
    {
        return clt_ok;
    }
    BodyDrawing bodies = { .table = table, .draw = draw };
    bodies.isDrawn = cltMemory_Allocate( &broadphase->memory, table->slotCount );
    if ( bodies.isDrawn == NULL )
    {
        return clt_hostMemory;
    }
    memset( bodies.isDrawn, 0, table->slotCount );
    const cltDrawing drawing = DrawingOf( &bodies );
    broadphase->backend->ops->draw( broadphase->backend, &drawing );
    DrawUnplaced( &bodies );
    cltMemory_Release( &broadphase->memory, bodies.isDrawn, table->slotCount );
    return clt_ok;
}

// -------------------------------------------------------------------------------------------------------- queries

static void DrawQuery( const cltBroadphase* broadphase, cltQueryShape shape, const cltDebugDraw* draw )
{
    BodyDrawing bodies = { .table = &broadphase->table, .draw = draw };
    const cltDrawing drawing = DrawingOf( &bodies );
    const cltQueryView view = cltBroadphase_View( broadphase );
    cltQueries_Draw( broadphase->queries, &view, shape, &drawing );
}

cltStatus cltBroadphase_DebugDrawQueryBox( const cltBroadphase* broadphase, const cltAabb* box,
                                           const cltDebugDraw* draw )
{
    if ( broadphase == NULL || box == NULL || draw == NULL )
    {
        return clt_invalidArgument;
    }
    cltAabb cover = *box;
    if ( !cltAabb_HasNan( &cover ) )
    {
        DrawQuery( broadphase, cltQueries_Box( broadphase->queries, &cover ), draw );
    }
    return clt_ok;
}

static bool ArePointsFinite( const double from[3], const double to[3] )
{
    bool areFinite = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        areFinite = areFinite && fabs( from[axis] ) <= DBL_MAX && fabs( to[axis] ) <= DBL_MAX;
    }
    return areFinite;
}

cltStatus cltBroadphase_DebugDrawCastRay( const cltBroadphase* broadphase, const double from[3], const double to[3],
                                          const cltDebugDraw* draw )
{
    if ( broadphase == NULL || from == NULL || to == NULL || draw == NULL || !ArePointsFinite( from, to ) )
    {
        return clt_invalidArgument;
    }
    const cltSegment segment = cltSegment_Make( from, to );
    cltSlabs cover = cltSegment_Cover( &segment );
    DrawQuery( broadphase, cltQueries_Ray( broadphase->queries, &cover ), draw );
    return clt_ok;
}
