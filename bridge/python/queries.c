// SPDX-License-Identifier: Zlib
// Queries. The number of hits is not known in advance, so they are collected in growing arrays.

#include "world.h"

#include <math.h>
#include <stdlib.h>

/// An array that grows while a query runs.
typedef struct Hits
{
    cltArray array;
    size_t capacity;
    bool hasFailed; ///< there was no memory, and the query stopped
} Hits;

static void* Hits_Append( Hits* hits, size_t itemSize )
{
    if ( hits->array.count == hits->capacity )
    {
        const size_t capacity = hits->capacity + hits->capacity / 2 + 64;
        void* data = realloc( hits->array.data, capacity * itemSize );
        if ( data == NULL )
        {
            hits->hasFailed = true;
            return NULL;
        }
        hits->array.data = data;
        hits->capacity = capacity;
    }
    return (char*)hits->array.data + itemSize * hits->array.count++;
}

/// \param[out] array  the hits, or none on a failure
static int Hits_Finish( Hits* hits, int status, cltArray* array )
{
    if ( hits->hasFailed && status == clt_ok )
    {
        status = clt_hostMemory;
    }
    if ( status != clt_ok )
    {
        free( hits->array.data );
        hits->array = ( cltArray ){ NULL, 0 };
    }
    *array = hits->array;
    return status;
}

// --------------------------------------------------------------------------------------------------------------- boxes

typedef struct BoxQuery
{
    Hits hits;
    uint64_t box;
} BoxQuery;

static bool AppendOverlap( cltProxyId proxy, uint64_t userData, void* context )
{
    (void)userData;
    BoxQuery* query = context;
    uint64_t* hit = Hits_Append( &query->hits, sizeof *hit );
    if ( hit == NULL )
    {
        return false;
    }
    *hit = query->box << 32 | proxy;
    return true;
}

int cltWorld_QueryBoxes( cltWorld* world, size_t count, const cltAabbD* boxes, cltArray* hits )
{
    BoxQuery query = { .box = 0 };
    int status = cltWorld_EnterShared( world );
    while ( query.box < count && status == clt_ok && !query.hits.hasFailed )
    {
        status = cltBroadphase_QueryBoxD( world->broadphase, boxes + query.box, AppendOverlap, &query );
        ++query.box;
    }
    return cltWorld_Leave( world, Hits_Finish( &query.hits, status, hits ) );
}

// ---------------------------------------------------------------------------------------------------------------- rays

typedef struct SegmentQuery
{
    Hits ids;
    Hits fractions;
} SegmentQuery;

static double AppendHit( cltProxyId proxy, uint64_t userData, double fraction, double maxFraction, void* context )
{
    (void)userData;
    SegmentQuery* query = context;
    cltProxyId* id = Hits_Append( &query->ids, sizeof *id );
    double* where = Hits_Append( &query->fractions, sizeof *where );
    if ( id == NULL || where == NULL )
    {
        return 0.0; // ends the ray
    }
    *id = proxy;
    *where = fraction;
    return maxFraction;
}

int cltWorld_CastRay( cltWorld* world, const double from[3], const double to[3], cltArray* ids, cltArray* fractions )
{
    SegmentQuery query = { .ids.capacity = 0 };
    int status = cltWorld_EnterShared( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_CastRay( world->broadphase, from, to, AppendHit, &query );
    }
    cltWorld_Leave( world, status );
    query.fractions.hasFailed |= query.ids.hasFailed;
    query.ids.hasFailed = query.fractions.hasFailed;
    Hits_Finish( &query.ids, status, ids );
    return Hits_Finish( &query.fractions, status, fractions );
}

typedef struct FirstHits
{
    int64_t* ids;
    double* fractions;
} FirstHits;

/// Returns a length slightly beyond the hit, so that the ray also hits other boxes at the same distance. The order of
/// hits depends on the algorithm; the result must not.
static double KeepFirst( size_t ray, cltProxyId proxy, uint64_t userData, double enter, double length, void* context )
{
    (void)userData;
    const FirstHits* hits = context;
    if ( enter < hits->fractions[ray] || ( enter == hits->fractions[ray] && (int64_t)proxy < hits->ids[ray] ) )
    {
        hits->fractions[ray] = enter;
        hits->ids[ray] = proxy;
    }
    return fmin( nextafter( hits->fractions[ray], INFINITY ), length );
}

int cltWorld_CastRays( cltWorld* world, size_t count, const double* from, const double* to, int64_t* ids,
                       double* fractions )
{
    FirstHits hits = { ids, fractions };
    cltRay* rays = malloc( count * sizeof *rays + 1 ); // malloc( 0 ) may return NULL
    if ( rays == NULL )
    {
        return clt_hostMemory;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        rays[i] = cltRayBetween( from + 3 * i, to + 3 * i );
        ids[i] = -1;
        fractions[i] = INFINITY;
    }
    int status = cltWorld_EnterShared( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_CastRays( world->broadphase, count, rays, KeepFirst, &hits );
    }
    free( rays );
    return cltWorld_Leave( world, status );
}
