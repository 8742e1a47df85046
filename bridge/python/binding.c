// SPDX-License-Identifier: Zlib
// The world as Python sees it: a broadphase, its lock, and what the last update left to be read.

#include "binding.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cltWorld
{
    pthread_rwlock_t lock;
    cltBroadphase* broadphase; ///< NULL when closed
    cltPrecision precision;
    size_t idCount;         ///< ids that were ever given out: 0 to idCount - 1
    cltPairChanges changes; ///< of the last update, while `hasChanges`: nobody has got them yet
    bool hasChanges;
};

/// From here to Leave the world belongs to the caller.
static int Enter( cltWorld* world )
{
    pthread_rwlock_wrlock( &world->lock );
    return world->broadphase != NULL ? clt_ok : CLT_WORLD_CLOSED;
}

/// From here to Leave nothing changes the world.
static int EnterShared( cltWorld* world )
{
    pthread_rwlock_rdlock( &world->lock );
    return world->broadphase != NULL ? clt_ok : CLT_WORLD_CLOSED;
}

static int Leave( cltWorld* world, int status )
{
    pthread_rwlock_unlock( &world->lock );
    return status;
}

// ------------------------------------------------------------------------------------------------------------ lifetime

int cltWorld_Create( const cltWorldOptions* options, cltWorld** world )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.device = (cltDevice)options->device;
    def.algorithm = (cltAlgorithm)options->algorithm;
    def.precision = (cltPrecision)options->precision;
    def.threadCount = options->threadCount;
    def.reportDestroyed = options->reportRemoved;
    *world = calloc( 1, sizeof **world );
    if ( *world == NULL )
    {
        return clt_hostMemory;
    }
    cltStatus status = cltCreateBroadphase( &def, &( *world )->broadphase );
    if ( status != clt_ok )
    {
        free( *world );
        *world = NULL;
        return status;
    }
    ( *world )->precision = def.precision;
    pthread_rwlock_init( &( *world )->lock, NULL );
    return clt_ok;
}

void cltWorld_Close( cltWorld* world )
{
    Enter( world );
    cltDestroyBroadphase( world->broadphase );
    world->broadphase = NULL;
    Leave( world, clt_ok );
}

void cltWorld_Destroy( cltWorld* world )
{
    cltDestroyBroadphase( world->broadphase );
    pthread_rwlock_destroy( &world->lock );
    free( world );
}

// -------------------------------------------------------------------------------------------------------------- arrays

void cltArray_Release( void* data )
{
    free( data );
}

static int CopyPairs( cltArray* array, const cltPair* pairs, size_t count )
{
    *array = ( cltArray ){ NULL, count };
    if ( count == 0 )
    {
        return clt_ok;
    }
    array->data = malloc( count * sizeof *pairs );
    if ( array->data == NULL )
    {
        return clt_hostMemory;
    }
    memcpy( array->data, pairs, count * sizeof *pairs );
    return clt_ok;
}

/// An array that grows while a query runs.
typedef struct Hits
{
    cltArray array;
    size_t capacity;
    bool hasFailed; ///< for want of memory; the query ends then
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

/// \param[out] array  what was found, if all of it was
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

// ------------------------------------------------------------------------------------------------------------- proxies

int cltWorld_Add( cltWorld* world, size_t count, const void* boxes, const cltFilter* filters, cltProxyId* ids )
{
    int status = Enter( world );
    if ( status == clt_ok )
    {
        status = world->precision == clt_precisionDouble
                     ? cltBroadphase_CreateProxiesD( world->broadphase, count, boxes, filters, NULL, ids )
                     : cltBroadphase_CreateProxies( world->broadphase, count, boxes, filters, NULL, ids );
    }
    for ( size_t i = 0; i < count && status == clt_ok; ++i )
    {
        world->idCount = ids[i] < world->idCount ? world->idCount : ids[i] + (size_t)1;
    }
    return Leave( world, status );
}

int cltWorld_Move( cltWorld* world, size_t count, const cltProxyId* ids, const void* boxes )
{
    int status = Enter( world );
    if ( status == clt_ok && ids == NULL && count != world->idCount )
    {
        status = CLT_WORLD_NOT_ALL;
    }
    if ( status == clt_ok )
    {
        status = world->precision == clt_precisionDouble
                     ? cltBroadphase_MoveProxiesD( world->broadphase, count, ids, boxes )
                     : cltBroadphase_MoveProxies( world->broadphase, count, ids, boxes );
    }
    return Leave( world, status );
}

int cltWorld_Filter( cltWorld* world, size_t count, const cltProxyId* ids, const cltFilter* filters )
{
    int status = Enter( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_SetFilters( world->broadphase, count, ids, filters );
    }
    return Leave( world, status );
}

int cltWorld_Remove( cltWorld* world, size_t count, const cltProxyId* ids )
{
    int status = Enter( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_DestroyProxies( world->broadphase, count, ids );
    }
    return Leave( world, status );
}

int cltWorld_GetBoxes( cltWorld* world, size_t count, const cltProxyId* ids, cltAabbD* boxes )
{
    int status = EnterShared( world );
    for ( size_t i = 0; i < count && status == clt_ok; ++i )
    {
        status = cltBroadphase_GetBoxD( world->broadphase, ids[i], boxes + i );
    }
    return Leave( world, status );
}

// --------------------------------------------------------------------------------------------------------------- pairs

/// What the last update changed, if that was not read yet, or else what this one does.
static int Change( cltWorld* world )
{
    if ( world->hasChanges )
    {
        return clt_ok;
    }
    const int status = cltBroadphase_Update( world->broadphase, &world->changes );
    world->hasChanges = status == clt_ok;
    return status;
}

static int CopyChanges( cltWorld* world, cltArray* began, cltArray* ended )
{
    const cltPairChanges* changes = &world->changes;
    int status = CopyPairs( began, changes->began, changes->beganCount );
    if ( status == clt_ok )
    {
        status = CopyPairs( ended, changes->ended, changes->endedCount );
        if ( status != clt_ok )
        {
            free( began->data );
        }
    }
    world->hasChanges = status != clt_ok;
    return status;
}

int cltWorld_Update( cltWorld* world, cltArray* began, cltArray* ended )
{
    int status = Enter( world );
    if ( status == clt_ok )
    {
        status = Change( world );
    }
    if ( status == clt_ok )
    {
        status = CopyChanges( world, began, ended );
    }
    return Leave( world, status );
}

int cltWorld_GetPairs( cltWorld* world, cltArray* pairs )
{
    const cltPair* all = NULL;
    size_t count = 0;
    int status = Enter( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_GetPairs( world->broadphase, &all, &count );
    }
    if ( status == clt_ok )
    {
        status = CopyPairs( pairs, all, count );
    }
    return Leave( world, status );
}

// ------------------------------------------------------------------------------------------------------------- queries

typedef struct BoxQuery
{
    Hits hits;
    uint64_t box;
} BoxQuery;

static bool TakeOverlap( cltProxyId proxy, uint64_t userData, void* context )
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
    int status = EnterShared( world );
    while ( query.box < count && status == clt_ok && !query.hits.hasFailed )
    {
        status = cltBroadphase_QueryBoxD( world->broadphase, boxes + query.box, TakeOverlap, &query );
        ++query.box;
    }
    return Leave( world, Hits_Finish( &query.hits, status, hits ) );
}

typedef struct SegmentQuery
{
    Hits ids;
    Hits fractions;
} SegmentQuery;

static double TakeMet( cltProxyId proxy, uint64_t userData, double fraction, double maxFraction, void* context )
{
    (void)userData;
    SegmentQuery* query = context;
    cltProxyId* id = Hits_Append( &query->ids, sizeof *id );
    double* where = Hits_Append( &query->fractions, sizeof *where );
    if ( id == NULL || where == NULL )
    {
        return 0.0; // the end
    }
    *id = proxy;
    *where = fraction;
    return maxFraction;
}

int cltWorld_CastRay( cltWorld* world, const double from[3], const double to[3], cltArray* ids, cltArray* fractions )
{
    SegmentQuery query = { .ids.capacity = 0 };
    int status = EnterShared( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_CastRay( world->broadphase, from, to, TakeMet, &query );
    }
    Leave( world, status );
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

/// Goes on with a ray that is a trifle longer than where it got in, so that others that it enters there are met too:
/// whom a search meets first is up to the algorithm, whom it reports is not.
static double TakeFirst( size_t ray, cltProxyId proxy, uint64_t userData, double enter, double length, void* context )
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
    cltRay* rays = malloc( count * sizeof *rays + 1 ); // of no size NULL might come
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
    int status = EnterShared( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_CastRays( world->broadphase, count, rays, TakeFirst, &hits );
    }
    free( rays );
    return Leave( world, status );
}

// ---------------------------------------------------------------------------------------------------------- statistics

int cltWorld_GetStats( cltWorld* world, cltStats* stats )
{
    int status = EnterShared( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_GetStats( world->broadphase, stats );
    }
    return Leave( world, status );
}

size_t cltWorld_StatsSize( void )
{
    return sizeof( cltStats );
}

size_t cltWorld_DeviceReportSize( void )
{
    return sizeof( cltDeviceReport );
}
