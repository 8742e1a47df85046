// SPDX-License-Identifier: Zlib
// A set of meshes: a proxy in a broadphase for each, whose id is the mesh's, and a finder for their triangles.

#include "bridge/cullet_mesh.h"
#include "gpu/meshes.h"
#include "gpu/platform/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MESH_COOKIE 0x6d657368

struct cltMeshSet
{
    cltMemory memory;
    cltWorkerPool* pool;
    cltBroadphase* broadphase;
    cltMeshFinder* finder;
    cltPrecision precision;
    cltBuffer meshes; ///< cltMesh*, by id; NULL where there is none
    uint32_t meshCount;
    cltBuffer firsts[clt_partCount]; ///< uint32_t, see cltMeshSearch
    cltBuffer meshPairs;             ///< cltPair
    uint64_t triangleCount;
    uint64_t vertexCount;
    cltMeshStats stats;
};

cltMeshDef cltDefaultMeshDef( void )
{
    return ( cltMeshDef ){ .filter = { 1, -1 }, .internalValue = MESH_COOKIE };
}

// -------------------------------------------------------------------------------------------------------- a set's life

/// A broadphase of boxes around meshes, which are rounded outward. It also says whether the def is good.
static cltStatus CreateMeshBroadphase( const cltBroadphaseDef* def, cltBroadphase** broadphase )
{
    const bool isKnown = def->precision == clt_precisionFloat || def->precision == clt_precisionDouble;
    cltBroadphaseDef meshDef = *def;
    meshDef.precision = isKnown ? clt_precisionFloat : def->precision;
    return cltCreateBroadphase( &meshDef, broadphase );
}

static cltStatus CreateSetParts( cltMeshSet* set, const cltBroadphaseDef* def )
{
    CLT_TRY( cltCreateWorkerPool( def, &set->memory, &set->pool ) );
    return cltCreateMeshFinder( &set->memory, set->pool, &set->finder );
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
    *set = ( cltMeshSet ){ .memory = memory, .broadphase = broadphase, .precision = def->precision };
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
    cltDestroyMeshFinder( set->finder, &set->memory );
    cltDestroyWorkerPool( set->pool, &set->memory );
    cltDestroyBroadphase( set->broadphase );
    cltBuffer_Release( &set->meshes, &set->memory );
    for ( int part = 0; part < clt_partCount; ++part )
    {
        cltBuffer_Release( &set->firsts[part], &set->memory );
    }
    cltBuffer_Release( &set->meshPairs, &set->memory );
    cltMemory memory = set->memory; // the set lies in what is given back
    cltMemory_Release( &memory, set, sizeof *set );
}

// ------------------------------------------------------------------------------------------------------- a mesh's life

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

/// Room for a mesh of that id.
static cltStatus MakeMeshRoom( cltMeshSet* set, uint32_t id )
{
    if ( id < set->meshCount )
    {
        return clt_ok;
    }
    CLT_TRY( cltBuffer_Grow( &set->meshes, &set->memory, (size_t)id + 1u, sizeof( cltMesh* ) ) );
    for ( int part = 0; part < clt_partCount; ++part )
    {
        CLT_TRY( cltBuffer_Reserve( &set->firsts[part], &set->memory, (size_t)id + 2u, sizeof( uint32_t ) ) );
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
    const cltAabb nowhere = { { NAN, NAN, NAN }, { NAN, NAN, NAN } }; // until its tree is made
    CLT_TRY( cltBroadphase_CreateProxy( set->broadphase, &nowhere, filter, 0, id ) );
    const cltStatus status = MakeMeshRoom( set, *id );
    if ( status != clt_ok )
    {
        cltBroadphase_DestroyProxy( set->broadphase, *id );
        return status;
    }
    ( (cltMesh**)set->meshes.data )[*id] = mesh;
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

static cltMesh* FindMesh( const cltMeshSet* set, cltMeshId id )
{
    return id < set->meshCount ? ( (cltMesh* const*)set->meshes.data )[id] : NULL;
}

cltStatus cltMeshSet_DestroyMesh( cltMeshSet* set, cltMeshId id )
{
    if ( set == NULL )
    {
        return clt_invalidArgument;
    }
    cltMesh* mesh = FindMesh( set, id );
    if ( mesh == NULL )
    {
        return clt_unknownProxy;
    }
    CLT_TRY( cltBroadphase_DestroyProxy( set->broadphase, id ) );
    set->triangleCount -= cltMesh_PartCount( mesh, clt_partTriangle );
    set->vertexCount -= cltMesh_PartCount( mesh, clt_partVertex );
    ( (cltMesh**)set->meshes.data )[id] = NULL;
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
    *mesh = FindMesh( set, id );
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
    return set == NULL ? clt_invalidArgument : cltBroadphase_SetFilter( set->broadphase, id, filter );
}

cltStatus cltMeshSet_GetUserData( const cltMeshSet* set, cltMeshId id, uint64_t* userData )
{
    if ( set == NULL || userData == NULL )
    {
        return clt_invalidArgument;
    }
    const cltMesh* mesh = FindMesh( set, id );
    if ( mesh == NULL )
    {
        return clt_unknownProxy;
    }
    *userData = cltMesh_UserData( mesh );
    return clt_ok;
}

// ---------------------------------------------------------------------------------------------------------- the search

/// Brings every mesh's tree and proxy up to date, and makes ready what is looked for.
static cltStatus FitMeshes( cltMeshSet* set, cltMeshPart part )
{
    cltMesh** meshes = set->meshes.data;
    cltMeshStats* stats = &set->stats;
    for ( uint32_t id = 0; id < set->meshCount; ++id )
    {
        cltMesh* mesh = meshes[id];
        if ( mesh == NULL )
        {
            continue;
        }
        cltAabb box;
        if ( cltMesh_IsStale( mesh ) )
        {
            CLT_TRY( cltMeshFinder_Fit( set->finder, mesh, &box, stats ) );
            CLT_TRY( cltBroadphase_MoveProxy( set->broadphase, id, &box ) );
        }
        CLT_TRY( cltMeshFinder_GiveOut( set->finder, mesh, part ) );
        ++stats->meshCount;
        stats->triangleCount += cltMesh_PartCount( mesh, clt_partTriangle );
        stats->hiddenCount += cltMesh_HiddenCount( mesh );
    }
    return clt_ok;
}

/// Numbers what meshes have, through all meshes. \return by id, and of all at the end
static const uint32_t* NumberParts( cltMeshSet* set, cltMeshPart part )
{
    uint32_t* firsts = set->firsts[part].data;
    uint32_t sum = 0;
    for ( uint32_t id = 0; id < set->meshCount; ++id )
    {
        const cltMesh* mesh = FindMesh( set, id );
        firsts[id] = sum;
        sum += mesh != NULL ? cltMesh_PartCount( mesh, part ) : 0u;
    }
    firsts[set->meshCount] = sum;
    return firsts;
}

/// Pairs of meshes, and behind them each that pairs with itself.
static cltStatus FindPairsOfMeshes( cltMeshSet* set, cltMeshSearch* search )
{
    const cltPair* pairs;
    size_t count;
    CLT_TRY( cltBroadphase_Update( set->broadphase, NULL ) );
    CLT_TRY( cltBroadphase_GetPairs( set->broadphase, &pairs, &count ) );
    CLT_TRY( cltBuffer_Reserve( &set->meshPairs, &set->memory, count + set->meshCount, sizeof( cltPair ) ) );
    cltPair* all = set->meshPairs.data;
    if ( count > 0 )
    {
        memcpy( all, pairs, count * sizeof *all );
    }
    for ( uint32_t id = 0; id < set->meshCount; ++id )
    {
        const cltMesh* mesh = FindMesh( set, id );
        if ( mesh != NULL && cltMesh_SelfCollides( mesh ) )
        {
            all[count++] = ( cltPair ){ id, id };
        }
    }
    search->meshPairs = all;
    search->meshPairCount = count;
    return clt_ok;
}

static cltStatus SearchMeshes( cltMeshSet* set, cltMeshSearch* search, const void** pairs, size_t* count )
{
    double lap = cltNowMs();
    CLT_TRY( FitMeshes( set, search->partA ) );
    set->stats.fitMs = cltLapMs( &lap );
    if ( set->meshCount == 0 )
    {
        return clt_ok;
    }
    search->meshes = set->meshes.data;
    search->meshCount = set->meshCount;
    for ( int part = 0; part < clt_partCount; ++part )
    {
        search->firsts[part] = NumberParts( set, (cltMeshPart)part );
    }
    CLT_TRY( FindPairsOfMeshes( set, search ) );
    set->stats.meshPairCount = search->meshPairCount;
    set->stats.meshMs = cltLapMs( &lap );
    return cltMeshFinder_FindPairs( set->finder, search, pairs, count, &set->stats );
}

/// \param[out] pairs  of the kind that the parts are of
static cltStatus FindParts( cltMeshSet* set, cltMeshPart partA, cltMeshPart partB, cltMeshTest test, const void** pairs,
                            size_t* count )
{
    *pairs = NULL;
    if ( count == NULL )
    {
        return clt_invalidArgument;
    }
    *count = 0;
    if ( set == NULL || (int)test < clt_meshBoxes || (int)test > clt_meshTriangles )
    {
        return clt_invalidArgument;
    }
    const double start = cltNowMs();
    set->stats = ( cltMeshStats ){ 0 };
    cltMeshSearch search = { .partA = partA, .partB = partB, .test = test };
    const cltStatus status = SearchMeshes( set, &search, pairs, count );
    set->stats.totalMs = (float)( cltNowMs() - start );
    return status;
}

cltStatus cltMeshSet_FindPairs( cltMeshSet* set, cltMeshTest test, const cltTrianglePair** pairs, size_t* count )
{
    if ( pairs == NULL )
    {
        return clt_invalidArgument;
    }
    const void* found;
    const cltStatus status = FindParts( set, clt_partTriangle, clt_partTriangle, test, &found, count );
    *pairs = found;
    return status;
}

cltStatus cltMeshSet_FindVertexFaces( cltMeshSet* set, cltMeshTest test, const cltVertexFace** pairs, size_t* count )
{
    if ( pairs == NULL )
    {
        return clt_invalidArgument;
    }
    const void* found;
    const cltStatus status = FindParts( set, clt_partVertex, clt_partTriangle, test, &found, count );
    *pairs = found;
    return status;
}

cltStatus cltMeshSet_FindEdgePairs( cltMeshSet* set, cltMeshTest test, const cltEdgePair** pairs, size_t* count )
{
    if ( pairs == NULL )
    {
        return clt_invalidArgument;
    }
    const void* found;
    const cltStatus status = FindParts( set, clt_partEdge, clt_partEdge, test, &found, count );
    *pairs = found;
    return status;
}

cltStatus cltMeshSet_GetStats( const cltMeshSet* set, cltMeshStats* stats )
{
    if ( set == NULL || stats == NULL )
    {
        return clt_invalidArgument;
    }
    cltStats meshes;
    CLT_TRY( cltBroadphase_GetStats( set->broadphase, &meshes ) );
    *stats = set->stats;
    stats->hostBytes = set->memory.bytes + meshes.hostBytes;
    return clt_ok;
}
