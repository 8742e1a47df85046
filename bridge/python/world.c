// SPDX-License-Identifier: Zlib
// Changes and updates of a world. Its queries are in queries.c.

#include "world.h"

#include <stdlib.h>
#include <string.h>

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
    cltWorld_Enter( world );
    cltDestroyBroadphase( world->broadphase );
    world->broadphase = NULL;
    cltWorld_Leave( world, clt_ok );
}

void cltWorld_AfterFork( cltWorld* world )
{
    if ( pthread_rwlock_trywrlock( &world->lock ) == 0 )
    {
        cltWorld_Leave( world, clt_ok );
        return;
    }
    pthread_rwlock_init( &world->lock, NULL ); // the thread that held it does not exist in this process
    world->broadphase = NULL;
    world->isLost = true;
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

int cltArray_Copy( cltArray* array, const void* data, size_t count, size_t size )
{
    *array = ( cltArray ){ NULL, count };
    if ( count == 0 )
    {
        return clt_ok;
    }
    array->data = malloc( count * size );
    if ( array->data == NULL )
    {
        return clt_hostMemory;
    }
    memcpy( array->data, data, count * size );
    return clt_ok;
}

// ------------------------------------------------------------------------------------------------------------- proxies

int cltWorld_Add( cltWorld* world, size_t count, const void* boxes, const cltFilter* filters, cltProxyId* ids )
{
    int status = cltWorld_Enter( world );
    if ( status == clt_ok )
    {
        status = (int)( world->precision == clt_precisionDouble
                            ? cltBroadphase_CreateProxiesD( world->broadphase, count, boxes, filters, NULL, ids )
                            : cltBroadphase_CreateProxies( world->broadphase, count, boxes, filters, NULL, ids ) );
    }
    for ( size_t i = 0; i < count && status == clt_ok; ++i )
    {
        world->idCount = ids[i] < world->idCount ? world->idCount : ids[i] + (size_t)1;
    }
    return cltWorld_Leave( world, status );
}

int cltWorld_Move( cltWorld* world, size_t count, const cltProxyId* ids, const void* boxes )
{
    int status = cltWorld_Enter( world );
    if ( status == clt_ok && ids == NULL && count != world->idCount )
    {
        status = CLT_WORLD_NOT_ALL;
    }
    if ( status == clt_ok )
    {
        status = (int)( world->precision == clt_precisionDouble
                            ? cltBroadphase_MoveProxiesD( world->broadphase, count, ids, boxes )
                            : cltBroadphase_MoveProxies( world->broadphase, count, ids, boxes ) );
    }
    return cltWorld_Leave( world, status );
}

int cltWorld_Filter( cltWorld* world, size_t count, const cltProxyId* ids, const cltFilter* filters )
{
    int status = cltWorld_Enter( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_SetFilters( world->broadphase, count, ids, filters );
    }
    return cltWorld_Leave( world, status );
}

int cltWorld_Remove( cltWorld* world, size_t count, const cltProxyId* ids )
{
    int status = cltWorld_Enter( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_DestroyProxies( world->broadphase, count, ids );
    }
    return cltWorld_Leave( world, status );
}

int cltWorld_GetBoxes( cltWorld* world, size_t count, const cltProxyId* ids, cltAabbD* boxes )
{
    int status = cltWorld_EnterShared( world );
    for ( size_t i = 0; i < count && status == clt_ok; ++i )
    {
        status = cltBroadphase_GetBoxD( world->broadphase, ids[i], boxes + i );
    }
    return cltWorld_Leave( world, status );
}

// --------------------------------------------------------------------------------------------------------------- pairs

/// Updates the world, unless the result of the last update was not returned yet.
static int UpdateIfNeeded( cltWorld* world )
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
    int status = cltArray_Copy( began, changes->began, changes->beganCount, sizeof( cltPair ) );
    if ( status == clt_ok )
    {
        status = cltArray_Copy( ended, changes->ended, changes->endedCount, sizeof( cltPair ) );
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
    int status = cltWorld_Enter( world );
    if ( status == clt_ok )
    {
        status = UpdateIfNeeded( world );
    }
    if ( status == clt_ok )
    {
        status = CopyChanges( world, began, ended );
    }
    return cltWorld_Leave( world, status );
}

int cltWorld_GetPairs( cltWorld* world, cltArray* pairs )
{
    const cltPair* all = NULL;
    size_t count = 0;
    int status = cltWorld_Enter( world );
    if ( status == clt_ok )
    {
        status = cltBroadphase_GetPairs( world->broadphase, &all, &count );
    }
    if ( status == clt_ok )
    {
        status = cltArray_Copy( pairs, all, count, sizeof *all );
    }
    return cltWorld_Leave( world, status );
}

// ---------------------------------------------------------------------------------------------------------- statistics

int cltWorld_GetStats( cltWorld* world, cltWorldStats* stats )
{
    int status = cltWorld_EnterShared( world );
    if ( status == clt_ok )
    {
        cltBroadphase_GetStats( world->broadphase, &stats->update );
        cltBroadphase_GetResearchStats( world->broadphase, &stats->research );
        stats->beganCount = world->changes.beganCount;
        stats->endedCount = world->changes.endedCount;
    }
    return cltWorld_Leave( world, status );
}

size_t cltWorld_StatsSize( void )
{
    return sizeof( cltWorldStats );
}

size_t cltWorld_DeviceReportSize( void )
{
    return sizeof( cltDeviceReport );
}
