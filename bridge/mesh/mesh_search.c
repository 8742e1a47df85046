// SPDX-License-Identifier: Zlib
// One search of a set: update the meshes that moved, get pairs of meshes from the broadphase, then find the pairs of
// their parts. The parts of a mesh are its triangles, vertices or edges (cltMeshPart).

#include "bridge/mesh/mesh_set.h"
#include "gpu/platform/system.h"

#include <stdio.h>
#include <string.h>

/// Updates the tree and proxy of each mesh that moved, and assigns each vertex or edge to one of its triangles.
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
        CLT_TRY( cltMeshFinder_AssignParts( set->finder, mesh, part ) );
        ++stats->meshCount;
        stats->triangleCount += cltMesh_PartCount( mesh, clt_partTriangle );
        stats->hiddenCount += cltMesh_HiddenCount( mesh );
    }
    return clt_ok;
}

/// Numbers the parts of all meshes consecutively. \return the number of each mesh's first part, then the total
static const uint32_t* NumberParts( cltMeshSet* set, cltMeshPart part )
{
    uint32_t* firsts = set->firsts[part].data;
    uint32_t sum = 0;
    for ( uint32_t id = 0; id < set->meshCount; ++id )
    {
        const cltMesh* mesh = cltMeshSet_Find( set, id );
        firsts[id] = sum;
        sum += mesh != NULL ? cltMesh_PartCount( mesh, part ) : 0u;
    }
    firsts[set->meshCount] = sum;
    return firsts;
}

/// Finds pairs of meshes. Meshes with selfCollision follow, each paired with itself.
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
        const cltMesh* mesh = cltMeshSet_Find( set, id );
        if ( mesh != NULL && cltMesh_SelfCollides( mesh ) )
        {
            all[count++] = ( cltPair ){ id, id };
        }
    }
    search->meshPairs = all;
    search->meshPairCount = count;
    return clt_ok;
}

/// Destroys a device that failed, with one line for the log. The CPU finds the same pairs, in this search and all later
/// ones: it has every mesh and its tree, so nothing must be copied back.
static void DropDevice( cltMeshSet* set, cltStatus failure )
{
    if ( set->log != NULL )
    {
        const char* said = set->device->failure;
        char line[320];
        snprintf( line, sizeof line, "%s: %s; from this search on the CPU finds the pairs of this set, the same ones",
                  cltDeviceName( clt_deviceCuda ), said[0] != '\0' ? said : cltStatusName( failure ) );
        set->log( failure, line, set->userContext );
    }
    set->device->destroy( set->device );
    set->device = NULL;
    ++set->deviceFailureCount;
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
    const cltStatus status = cltMeshFinder_FindPairs( set->finder, set->device, search, pairs, count, &set->stats );
    if ( status != clt_deviceMemory && status != clt_deviceFailed && status != clt_noDevice )
    {
        return status;
    }
    DropDevice( set, status );
    return cltMeshFinder_FindPairs( set->finder, NULL, search, pairs, count, &set->stats );
}

/// \param[out] pairs  array of cltTrianglePair, cltVertexFace or cltEdgePair, as partA and partB require
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
    cltMeshSearch search = { .layout = set->layout, .partA = partA, .partB = partB, .test = test };
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
    stats->device = set->device != NULL ? clt_deviceCuda : clt_deviceCpu;
    stats->deviceFailureCount = set->deviceFailureCount;
    stats->deviceBytes = set->device != NULL ? set->device->bytes : 0u;
    return clt_ok;
}
