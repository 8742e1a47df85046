// SPDX-License-Identifier: Zlib
// A set of meshes with a lock. The number of vertices of a mesh is kept as its user data.

#include "world.h"

#include <stdlib.h>

struct cltMeshes
{
    pthread_mutex_t lock;
    cltMeshSet* set; ///< NULL when closed or lost
    bool isLost;     ///< in a fork
    cltPrecision precision;
};

/// Locks the set until Leave.
static int Enter( cltMeshes* meshes )
{
    pthread_mutex_lock( &meshes->lock );
    return meshes->set != NULL ? clt_ok : meshes->isLost ? CLT_LOST_IN_FORK : CLT_MESHES_CLOSED;
}

static int Leave( cltMeshes* meshes, int status )
{
    pthread_mutex_unlock( &meshes->lock );
    return status;
}

// ------------------------------------------------------------------------------------------------------------ lifetime

int cltMeshes_Create( int precision, int threadCount, cltMeshes** meshes )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.precision = (cltPrecision)precision;
    def.threadCount = threadCount;
    *meshes = calloc( 1, sizeof **meshes );
    if ( *meshes == NULL )
    {
        return clt_hostMemory;
    }
    const cltStatus status = cltCreateMeshSet( &def, &( *meshes )->set );
    if ( status != clt_ok )
    {
        free( *meshes );
        *meshes = NULL;
        return status;
    }
    ( *meshes )->precision = def.precision;
    pthread_mutex_init( &( *meshes )->lock, NULL );
    return clt_ok;
}

void cltMeshes_Close( cltMeshes* meshes )
{
    Enter( meshes );
    cltDestroyMeshSet( meshes->set );
    meshes->set = NULL;
    Leave( meshes, clt_ok );
}

void cltMeshes_AfterFork( cltMeshes* meshes )
{
    if ( pthread_mutex_trylock( &meshes->lock ) == 0 )
    {
        Leave( meshes, clt_ok );
        return;
    }
    pthread_mutex_init( &meshes->lock, NULL ); // the thread that held it does not exist in this process
    meshes->set = NULL;
    meshes->isLost = true;
}

void cltMeshes_Destroy( cltMeshes* meshes )
{
    cltDestroyMeshSet( meshes->set );
    pthread_mutex_destroy( &meshes->lock );
    free( meshes );
}

// -------------------------------------------------------------------------------------------------------------- meshes

int cltMeshes_Add( cltMeshes* meshes, const cltMeshOptions* options, cltMeshId* mesh )
{
    if ( options->vertexCount > UINT32_MAX || options->triangleCount > UINT32_MAX )
    {
        return clt_invalidArgument;
    }
    cltMeshDef def = cltDefaultMeshDef();
    if ( meshes->precision == clt_precisionDouble )
    {
        def.verticesD = options->vertices;
    }
    else
    {
        def.vertices = options->vertices;
    }
    def.vertexCount = (uint32_t)options->vertexCount;
    def.triangles = options->triangles;
    def.triangleCount = (uint32_t)options->triangleCount;
    def.filter = options->filter;
    def.selfCollision = options->selfCollision;
    def.keepShared = options->keepShared;
    def.isSwept = options->isSwept;
    def.thickness = options->thickness;
    def.userData = options->vertexCount;
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_CreateMesh( meshes->set, &def, mesh );
    }
    return Leave( meshes, status );
}

int cltMeshes_Move( cltMeshes* meshes, cltMeshId mesh, size_t vertexCount, const void* vertices )
{
    uint64_t count = 0;
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_GetUserData( meshes->set, mesh, &count );
    }
    if ( status == clt_ok && count != vertexCount )
    {
        status = CLT_MESHES_NOT_ALL;
    }
    if ( status == clt_ok )
    {
        status =
            (int)( meshes->precision == clt_precisionDouble ? cltMeshSet_MoveVerticesD( meshes->set, mesh, vertices )
                                                            : cltMeshSet_MoveVertices( meshes->set, mesh, vertices ) );
    }
    return Leave( meshes, status );
}

int cltMeshes_Place( cltMeshes* meshes, cltMeshId mesh, const void* matrix )
{
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = (int)( meshes->precision == clt_precisionDouble ? cltMeshSet_PlaceD( meshes->set, mesh, matrix )
                                                                 : cltMeshSet_Place( meshes->set, mesh, matrix ) );
    }
    return Leave( meshes, status );
}

int cltMeshes_Filter( cltMeshes* meshes, cltMeshId mesh, const cltFilter* filter )
{
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_SetFilter( meshes->set, mesh, filter );
    }
    return Leave( meshes, status );
}

int cltMeshes_Remove( cltMeshes* meshes, cltMeshId mesh )
{
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_DestroyMesh( meshes->set, mesh );
    }
    return Leave( meshes, status );
}

// --------------------------------------------------------------------------------------------------------------- pairs

int cltMeshes_FindPairs( cltMeshes* meshes, int test, cltArray* pairs )
{
    const cltTrianglePair* found = NULL;
    size_t count = 0;
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_FindPairs( meshes->set, (cltMeshTest)test, &found, &count );
    }
    if ( status == clt_ok )
    {
        status = cltArray_Copy( pairs, found, count, sizeof *found );
    }
    return Leave( meshes, status );
}

int cltMeshes_FindVertexFaces( cltMeshes* meshes, int test, cltArray* pairs )
{
    const cltVertexFace* found = NULL;
    size_t count = 0;
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_FindVertexFaces( meshes->set, (cltMeshTest)test, &found, &count );
    }
    if ( status == clt_ok )
    {
        status = cltArray_Copy( pairs, found, count, sizeof *found );
    }
    return Leave( meshes, status );
}

int cltMeshes_FindEdgePairs( cltMeshes* meshes, int test, cltArray* pairs )
{
    const cltEdgePair* found = NULL;
    size_t count = 0;
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_FindEdgePairs( meshes->set, (cltMeshTest)test, &found, &count );
    }
    if ( status == clt_ok )
    {
        status = cltArray_Copy( pairs, found, count, sizeof *found );
    }
    return Leave( meshes, status );
}

int cltMeshes_GetStats( cltMeshes* meshes, cltMeshStats* stats )
{
    int status = Enter( meshes );
    if ( status == clt_ok )
    {
        status = cltMeshSet_GetStats( meshes->set, stats );
    }
    return Leave( meshes, status );
}

size_t cltMeshes_StatsSize( void )
{
    return sizeof( cltMeshStats );
}
