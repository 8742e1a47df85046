// SPDX-License-Identifier: Zlib
// Creates a mesh's arrays, and moves its vertices.

#include "gpu/mesh/host/mesh_tree.h"

#include <string.h>

static size_t VertexBytes( const cltMesh* mesh )
{
    return (size_t)mesh->vertexCount * 3u * ( mesh->isDouble ? sizeof( double ) : sizeof( float ) );
}

static void CopyBytes( void* to, const void* from, size_t count )
{
    if ( count > 0 )
    {
        memcpy( to, from, count );
    }
}

static cltStatus ReserveArrays( cltMesh* mesh, cltMemory* memory )
{
    const size_t cornerCount = (size_t)mesh->triangleCount * 3u;
    CLT_TRY( cltBuffer_Reserve( &mesh->now, memory, VertexBytes( mesh ), 1u ) );
    CLT_TRY( cltBuffer_Reserve( &mesh->before, memory, mesh->isSwept ? VertexBytes( mesh ) : 0u, 1u ) );
    CLT_TRY( cltBuffer_Reserve( &mesh->corners, memory, cornerCount, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &mesh->numbers, memory, mesh->triangleCount, sizeof( uint32_t ) ) );
    return cltLevelStorage_Make( &mesh->room, memory, mesh->triangleCount, false, &mesh->tree );
}

cltStatus cltCreateMesh( cltMemory* memory, const cltMeshDef* def, cltVertices vertices, cltMesh** result )
{
    cltMesh* mesh = cltMemory_Allocate( memory, sizeof *mesh );
    *result = NULL;
    if ( mesh == NULL )
    {
        return clt_hostMemory;
    }
    *mesh = ( cltMesh ){ .vertexCount = def->vertexCount,
                         .triangleCount = def->triangleCount,
                         .thickness = def->thickness,
                         .isDouble = vertices.isDouble,
                         .isSwept = def->isSwept,
                         .selfCollides = def->selfCollision,
                         .keepsShared = def->keepShared,
                         .userData = def->userData,
                         .sortedSpread = -1.0,
                         .isStale = true };
    const cltStatus status = ReserveArrays( mesh, memory );
    if ( status != clt_ok )
    {
        cltDestroyMesh( mesh, memory );
        return status;
    }
    CopyBytes( mesh->now.data, vertices.at, VertexBytes( mesh ) );
    CopyBytes( mesh->before.data, vertices.at, mesh->isSwept ? VertexBytes( mesh ) : 0u );
    CopyBytes( mesh->corners.data, def->triangles, (size_t)def->triangleCount * 3u * sizeof( uint32_t ) );
    uint32_t* numbers = mesh->numbers.data;
    for ( uint32_t i = 0; i < mesh->triangleCount; ++i )
    {
        numbers[i] = i;
    }
    *result = mesh;
    return clt_ok;
}

void cltDestroyMesh( cltMesh* mesh, cltMemory* memory )
{
    if ( mesh == NULL )
    {
        return;
    }
    cltBuffer_Release( &mesh->now, memory );
    cltBuffer_Release( &mesh->before, memory );
    cltBuffer_Release( &mesh->given, memory );
    cltBuffer_Release( &mesh->corners, memory );
    cltBuffer_Release( &mesh->numbers, memory );
    cltBuffer_Release( &mesh->edges, memory );
    cltBuffer_Release( &mesh->edgeNumbers, memory );
    for ( int part = 0; part < clt_partCount; ++part )
    {
        cltBuffer_Release( &mesh->ownParts[part], memory );
    }
    cltLevelStorage_Release( &mesh->room, memory );
    cltMemory_Release( memory, mesh, sizeof *mesh );
}

/// Copies the current positions to the previous ones. Must be called before `now` changes.
static void KeepPrevious( cltMesh* mesh )
{
    CopyBytes( mesh->before.data, mesh->now.data, mesh->isSwept ? VertexBytes( mesh ) : 0u );
    mesh->isStale = true;
}

static bool HasNan( const cltPoint* point )
{
    return point->at[0] != point->at[0] || point->at[1] != point->at[1] || point->at[2] != point->at[2];
}

/// Replaces each previous position that has a NaN by the current position, so that the vertex's triangles are not
/// hidden. Must be called after `now` changed.
static void MendPrevious( cltMesh* mesh )
{
    const cltMeshView view = cltMesh_View( mesh );
    const uint32_t count = view.before != NULL ? mesh->vertexCount : 0u;
    const size_t size = 3u * ( mesh->isDouble ? sizeof( double ) : sizeof( float ) );
    for ( uint32_t vertex = 0; vertex < count; ++vertex )
    {
        const cltPoint from = cltMeshView_Vertex( &view, view.before, vertex );
        if ( HasNan( &from ) )
        {
            memcpy( (char*)mesh->before.data + vertex * size, (const char*)mesh->now.data + vertex * size, size );
        }
    }
}

void cltMesh_MoveVertices( cltMesh* mesh, const void* vertices )
{
    KeepPrevious( mesh );
    CopyBytes( mesh->now.data, vertices, VertexBytes( mesh ) );
    MendPrevious( mesh );
    mesh->isPlaced = false;
}

static void TransformFloats( float* now, const float* given, const float m[12], uint32_t count )
{
    for ( size_t i = 0; i < 3u * (size_t)count; i += 3u )
    {
        for ( size_t row = 0; row < 3u; ++row )
        {
            const float* r = m + 4u * row;
            now[i + row] = ( ( r[0] * given[i] + r[1] * given[i + 1u] ) + r[2] * given[i + 2u] ) + r[3];
        }
    }
}

static void TransformDoubles( double* now, const double* given, const double m[12], uint32_t count )
{
    for ( size_t i = 0; i < 3u * (size_t)count; i += 3u )
    {
        for ( size_t row = 0; row < 3u; ++row )
        {
            const double* r = m + 4u * row;
            now[i + row] = ( ( r[0] * given[i] + r[1] * given[i + 1u] ) + r[2] * given[i + 2u] ) + r[3];
        }
    }
}

cltStatus cltMesh_Place( cltMesh* mesh, cltMemory* memory, const void* matrix )
{
    if ( !mesh->isPlaced )
    {
        CLT_TRY( cltBuffer_Reserve( &mesh->given, memory, VertexBytes( mesh ), 1u ) );
        CopyBytes( mesh->given.data, mesh->now.data, VertexBytes( mesh ) );
        mesh->isPlaced = true;
    }
    KeepPrevious( mesh );
    if ( mesh->isDouble )
    {
        TransformDoubles( mesh->now.data, mesh->given.data, matrix, mesh->vertexCount );
    }
    else
    {
        TransformFloats( mesh->now.data, mesh->given.data, matrix, mesh->vertexCount );
    }
    MendPrevious( mesh );
    return clt_ok;
}

uint32_t cltMesh_PartCount( const cltMesh* mesh, cltMeshPart part )
{
    return part == clt_partTriangle ? mesh->triangleCount
           : part == clt_partVertex ? mesh->vertexCount
                                    : mesh->edgeCount;
}

uint64_t cltMesh_UserData( const cltMesh* mesh )
{
    return mesh->userData;
}

uint32_t cltMesh_HiddenCount( const cltMesh* mesh )
{
    return mesh->hiddenCount;
}

bool cltMesh_IsStale( const cltMesh* mesh )
{
    return mesh->isStale;
}

bool cltMesh_SelfCollides( const cltMesh* mesh )
{
    return mesh->selfCollides;
}

cltMeshView cltMesh_View( const cltMesh* mesh )
{
    return ( cltMeshView ){ .now = mesh->now.data,
                            .before = mesh->isSwept ? mesh->before.data : NULL,
                            .corners = mesh->corners.data,
                            .thickness = mesh->thickness,
                            .isDouble = mesh->isDouble };
}

cltMeshArrays cltMesh_Arrays( const cltMesh* mesh )
{
    return ( cltMeshArrays ){ .view = cltMesh_View( mesh ),
                              .levels = &mesh->tree.levels,
                              .triangles = mesh->numbers.data,
                              .vertexCount = mesh->vertexCount,
                              .triangleCount = mesh->triangleCount,
                              .fitStamp = mesh->fitStamp,
                              .orderStamp = mesh->orderStamp,
                              .keepsShared = mesh->keepsShared };
}
