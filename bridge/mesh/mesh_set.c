// SPDX-License-Identifier: Zlib
// Creation, destruction and changes of a set and its meshes.

#include "bridge/mesh/mesh_set.h"

#include <float.h>
#include <math.h>

#define MESH_COOKIE 0x6d657368

cltMeshDef cltDefaultMeshDef( void )
{
    return ( cltMeshDef ){ .filter = { 1, -1 }, .internalValue = MESH_COOKIE };
}

// ---------------------------------------------------------------------------------------------------------------- sets

/// Creates the broadphase of the meshes' boxes, which are rounded outward. Its creation also validates the def. It
/// always runs on the CPU: meshes are few, and a device's search starts from pairs of meshes.
static cltStatus CreateMeshBroadphase( const cltBroadphaseDef* def, cltBroadphase** broadphase )
{
    const bool isKnown = def->precision == clt_precisionFloat || def->precision == clt_precisionDouble;
    cltBroadphaseDef meshDef = *def;
    meshDef.device = def->device == clt_deviceCuda ? clt_deviceCpu : def->device;
    meshDef.promoteFrom = 0;
    meshDef.precision = isKnown ? clt_precisionFloat : def->precision;
    return cltCreateBroadphase( &meshDef, broadphase );
}

static cltStatus CreateSetParts( cltMeshSet* set, const cltBroadphaseDef* def )
{
    CLT_TRY( cltCreateWorkerPool( def, &set->memory, &set->pool ) );
    CLT_TRY( cltCreateMeshFinder( &set->memory, set->pool, &set->finder ) );
    return def->device == clt_deviceCuda ? cltCreateCudaMeshDevice( def, &set->memory, &set->device ) : clt_ok;
}

cltStatus cltCreateMeshSet( const cltBroadphaseDef* def, cltMeshSet** result )
{
    if ( result == NULL || def == NULL )
    {
        return clt_invalidArgument;
    }
    *result = NULL;
    cltBroadphase* broadphase;
    CLT_TRY( CreateMeshBroadphase( def, &broadphase ) );
    cltMemory memory;
    cltMemory_Init( &memory, def );
    cltMeshSet* set = cltMemory_Allocate( &memory, sizeof *set );
    if ( set == NULL )
    {
        cltDestroyBroadphase( broadphase );
        return clt_hostMemory;
    }
    *set = ( cltMeshSet ){ .memory = memory,
                           .broadphase = broadphase,
                           .precision = def->precision,
                           .log = def->hooks.log,
                           .userContext = def->hooks.userContext };
    const cltStatus status = CreateSetParts( set, def );
    if ( status != clt_ok )
    {
        cltDestroyMeshSet( set );
        return status;
    }
    *result = set;
    return clt_ok;
}

void cltDestroyMeshSet( cltMeshSet* set )
{
    if ( set == NULL )
    {
        return;
    }
    cltMesh** meshes = set->meshes.data;
    for ( uint32_t id = 0; id < set->meshCount; ++id )
    {
        cltDestroyMesh( meshes[id], &set->memory );
    }
    if ( set->device != NULL )
    {
        set->device->destroy( set->device );
    }
    cltDestroyMeshFinder( set->finder, &set->memory );
    cltDestroyWorkerPool( set->pool, &set->memory );
    cltDestroyBroadphase( set->broadphase );
    cltBuffer_Release( &set->meshes, &set->memory );
    for ( int part = 0; part < clt_partCount; ++part )
    {
        cltBuffer_Release( &set->firsts[part], &set->memory );
    }
    cltBuffer_Release( &set->meshPairs, &set->memory );
    cltMemory memory = set->memory; // the hooks are stored in the memory that is freed
    cltMemory_Release( &memory, set, sizeof *set );
}

// -------------------------------------------------------------------------------------------------------------- meshes

static bool AreInRange( const uint32_t* triangles, uint32_t triangleCount, uint32_t vertexCount )
{
    bool good = true;
    for ( size_t i = 0; i < 3u * (size_t)triangleCount; ++i )
    {
        good = good && triangles[i] < vertexCount;
    }
    return good;
}

static cltStatus CheckMeshDef( const cltMeshSet* set, const cltMeshDef* def )
{
    if ( def->internalValue != MESH_COOKIE )
    {
        return clt_invalidArgument;
    }
    const bool isDouble = set->precision == clt_precisionDouble;
    if ( isDouble ? def->vertices != NULL : def->verticesD != NULL )
    {
        return clt_wrongPrecision;
    }
    const bool hasVertices = isDouble ? def->verticesD != NULL : def->vertices != NULL;
    const bool good = ( hasVertices || def->vertexCount == 0 ) &&
                      ( def->triangles != NULL || def->triangleCount == 0 ) && def->thickness >= 0.0f &&
                      def->thickness <= FLT_MAX &&
                      set->triangleCount + (uint64_t)def->triangleCount <= CLT_MAX_TRIANGLES &&
                      set->vertexCount + (uint64_t)def->vertexCount <= CLT_MAX_VERTICES &&
                      AreInRange( def->triangles, def->triangleCount, def->vertexCount );
    return good ? clt_ok : clt_invalidArgument;
}

/// Grows the arrays that are indexed by mesh id, so that they include `id`.
static cltStatus EnsureMeshCapacity( cltMeshSet* set, uint32_t id )
{
    if ( id < set->meshCount )
    {
        return clt_ok;
    }
    CLT_TRY( cltBuffer_Grow( &set->meshes, &set->memory, (size_t)id + 1u, sizeof( cltMesh* ) ) );
    for ( int part = 0; part < clt_partCount; ++part )
    {
        CLT_TRY( cltBuffer_Grow( &set->firsts[part], &set->memory, (size_t)id + 2u, sizeof( uint32_t ) ) );
    }
    cltMesh** meshes = set->meshes.data;
    for ( ; set->meshCount <= id; ++set->meshCount )
    {
        meshes[set->meshCount] = NULL;
    }
    return clt_ok;
}

static cltStatus EnterMesh( cltMeshSet* set, const cltFilter* filter, cltMesh* mesh, cltMeshId* id )
{
    const cltAabb nowhere = { { NAN, NAN, NAN }, { NAN, NAN, NAN } }; // no overlap before the first search
    CLT_TRY( cltBroadphase_CreateProxy( set->broadphase, &nowhere, filter, 0, id ) );
    const cltStatus status = EnsureMeshCapacity( set, *id );
    if ( status != clt_ok )
    {
        cltBroadphase_DestroyProxy( set->broadphase, *id );
        return status;
    }
    ( (cltMesh**)set->meshes.data )[*id] = mesh;
    ++set->layout;
    set->triangleCount += cltMesh_PartCount( mesh, clt_partTriangle );
    set->vertexCount += cltMesh_PartCount( mesh, clt_partVertex );
    return clt_ok;
}

cltStatus cltMeshSet_CreateMesh( cltMeshSet* set, const cltMeshDef* def, cltMeshId* id )
{
    if ( set == NULL || def == NULL || id == NULL )
    {
        return clt_invalidArgument;
    }
    CLT_TRY( CheckMeshDef( set, def ) );
    const bool isDouble = set->precision == clt_precisionDouble;
    const cltVertices vertices = { isDouble ? (const void*)def->verticesD : def->vertices, isDouble };
    cltMesh* mesh;
    CLT_TRY( cltCreateMesh( &set->memory, def, vertices, &mesh ) );
    const cltStatus status = EnterMesh( set, &def->filter, mesh, id );
    if ( status != clt_ok )
    {
        cltDestroyMesh( mesh, &set->memory );
    }
    return status;
}

cltStatus cltMeshSet_DestroyMesh( cltMeshSet* set, cltMeshId id )
{
    if ( set == NULL )
    {
        return clt_invalidArgument;
    }
    cltMesh* mesh = cltMeshSet_Find( set, id );
    if ( mesh == NULL )
    {
        return clt_unknownProxy;
    }
    CLT_TRY( cltBroadphase_DestroyProxy( set->broadphase, id ) );
    set->triangleCount -= cltMesh_PartCount( mesh, clt_partTriangle );
    set->vertexCount -= cltMesh_PartCount( mesh, clt_partVertex );
    ( (cltMesh**)set->meshes.data )[id] = NULL;
    ++set->layout;
    cltDestroyMesh( mesh, &set->memory );
    return clt_ok;
}

// -------------------------------------------------------------------------------------------------------------- moving

static cltStatus CheckMove( const cltMeshSet* set, cltMeshId id, const void* given, cltPrecision precision,
                            cltMesh** mesh )
{
    if ( set == NULL || given == NULL )
    {
        return clt_invalidArgument;
    }
    *mesh = cltMeshSet_Find( set, id );
    return *mesh == NULL ? clt_unknownProxy : set->precision != precision ? clt_wrongPrecision : clt_ok;
}

static cltStatus MoveMesh( cltMeshSet* set, cltMeshId id, const void* vertices, cltPrecision precision )
{
    cltMesh* mesh;
    CLT_TRY( CheckMove( set, id, vertices, precision, &mesh ) );
    cltMesh_MoveVertices( mesh, vertices );
    return clt_ok;
}

cltStatus cltMeshSet_MoveVertices( cltMeshSet* set, cltMeshId id, const float* vertices )
{
    return MoveMesh( set, id, vertices, clt_precisionFloat );
}

cltStatus cltMeshSet_MoveVerticesD( cltMeshSet* set, cltMeshId id, const double* vertices )
{
    return MoveMesh( set, id, vertices, clt_precisionDouble );
}

static cltStatus PlaceMesh( cltMeshSet* set, cltMeshId id, const void* matrix, cltPrecision precision )
{
    cltMesh* mesh;
    CLT_TRY( CheckMove( set, id, matrix, precision, &mesh ) );
    return cltMesh_Place( mesh, &set->memory, matrix );
}

cltStatus cltMeshSet_Place( cltMeshSet* set, cltMeshId id, const float matrix[12] )
{
    return PlaceMesh( set, id, matrix, clt_precisionFloat );
}

cltStatus cltMeshSet_PlaceD( cltMeshSet* set, cltMeshId id, const double matrix[12] )
{
    return PlaceMesh( set, id, matrix, clt_precisionDouble );
}

cltStatus cltMeshSet_SetFilter( cltMeshSet* set, cltMeshId id, const cltFilter* filter )
{
    if ( set == NULL )
    {
        return clt_invalidArgument;
    }
    ++set->layout;
    return cltBroadphase_SetFilter( set->broadphase, id, filter );
}

cltStatus cltMeshSet_GetUserData( const cltMeshSet* set, cltMeshId id, uint64_t* userData )
{
    if ( set == NULL || userData == NULL )
    {
        return clt_invalidArgument;
    }
    const cltMesh* mesh = cltMeshSet_Find( set, id );
    if ( mesh == NULL )
    {
        return clt_unknownProxy;
    }
    *userData = cltMesh_UserData( mesh );
    return clt_ok;
}
