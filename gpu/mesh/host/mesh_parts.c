// SPDX-License-Identifier: Zlib
// Numbers a mesh's edges, and assigns each vertex and edge to one triangle. Several triangles share a vertex, but a
// search must find it once, so only the assigned triangle tests it (Curtis, Tamstorf, Manocha, Fast Collision Detection
// for Deformable Models Using Representative-Triangles, 2008). No pair is missed, because a triangle's box contains the
// boxes of its vertices and edges.

#include "gpu/mesh/host/mesh_tree.h"

#include <string.h>

#define EDGE_GRAIN 1024u

typedef struct EdgeNumbering
{
    const cltMesh* mesh;
    uint64_t* sides; ///< three edges per triangle
    uint32_t* numbers;
} EdgeNumbering;

static uint64_t EdgeOf( const uint32_t* corners, uint32_t side )
{
    const uint32_t a = corners[side];
    const uint32_t b = corners[side == 2u ? 0u : side + 1u];
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void WriteTriangleEdges( uint32_t first, uint32_t last, void* context )
{
    const EdgeNumbering* numbering = context;
    const uint32_t* corners = numbering->mesh->corners.data;
    for ( size_t leaf = first; leaf < last; ++leaf )
    {
        for ( uint32_t side = 0; side < 3u; ++side )
        {
            numbering->sides[3u * leaf + side] = EdgeOf( corners + 3u * leaf, side );
        }
    }
}

/// The index of an edge in the sorted array of edges.
static uint32_t EdgeNumber( const cltMesh* mesh, uint64_t edge )
{
    const uint64_t* edges = mesh->edges.data;
    uint32_t low = 0;
    uint32_t high = mesh->edgeCount;
    while ( high - low > 1u )
    {
        const uint32_t middle = low + ( high - low ) / 2u;
        low = edges[middle] <= edge ? middle : low;
        high = edges[middle] <= edge ? high : middle;
    }
    return low;
}

static void NumberTriangleEdges( uint32_t first, uint32_t last, void* context )
{
    const EdgeNumbering* numbering = context;
    const uint32_t* corners = numbering->mesh->corners.data;
    const uint32_t* triangles = numbering->mesh->numbers.data;
    for ( size_t leaf = first; leaf < last; ++leaf )
    {
        for ( uint32_t side = 0; side < 3u; ++side )
        {
            numbering->numbers[3u * (size_t)triangles[leaf] + side] =
                EdgeNumber( numbering->mesh, EdgeOf( corners + 3u * leaf, side ) );
        }
    }
}

/// Removes duplicates from sorted edges. \return the number of edges that remain
static size_t DropRepeatedEdges( uint64_t* edges, size_t count )
{
    size_t kept = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        edges[kept] = edges[i];
        kept += i + 1u == count || edges[i] != edges[i + 1u];
    }
    return kept;
}

static cltStatus CollectEdges( cltMesh* mesh, EdgeNumbering* numbering, cltBuffer* sides, cltRadixSort* sort,
                               cltWorkerPool* pool, cltMemory* memory )
{
    const size_t sideCount = 3u * (size_t)mesh->triangleCount;
    CLT_TRY( cltBuffer_Reserve( sides, memory, sideCount, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &mesh->edgeNumbers, memory, sideCount, sizeof( uint32_t ) ) );
    numbering->sides = sides->data;
    numbering->numbers = mesh->edgeNumbers.data;
    cltWorkerPool_Run( pool, WriteTriangleEdges, mesh->triangleCount, EDGE_GRAIN, numbering );
    CLT_TRY( cltRadixSort_Run( sort, pool, memory, sides, sideCount, 0u, 64u ) );
    const size_t edgeCount = DropRepeatedEdges( sides->data, sideCount );
    CLT_TRY( cltBuffer_Reserve( &mesh->edges, memory, edgeCount, sizeof( uint64_t ) ) );
    memcpy( mesh->edges.data, sides->data, edgeCount * sizeof( uint64_t ) );
    mesh->edgeCount = (uint32_t)edgeCount;
    return clt_ok;
}

/// Numbers a mesh's edges. Runs once per mesh, so its scratch memory is freed at the end.
static cltStatus NumberEdges( cltMesh* mesh, cltWorkerPool* pool, cltMemory* memory )
{
    EdgeNumbering numbering = { .mesh = mesh };
    cltBuffer sides = { 0 };
    cltRadixSort sort = { 0 };
    const cltStatus status = CollectEdges( mesh, &numbering, &sides, &sort, pool, memory );
    cltRadixSort_Release( &sort, memory );
    cltBuffer_Release( &sides, memory );
    CLT_TRY( status );
    cltWorkerPool_Run( pool, NumberTriangleEdges, mesh->triangleCount, EDGE_GRAIN, &numbering );
    return clt_ok;
}

// ------------------------------------------------------------------------------------------------------- assigning

/// Whether a leaf's triangle is hidden: the leaf then has the inverted box of cltLevelNode_Empty.
static bool IsHidden( const cltMesh* mesh, uint32_t leaf )
{
    return mesh->tree.nodes[leaf].box.lower[0] > mesh->tree.nodes[leaf].box.upper[0];
}

/// Assigns each vertex or edge to the first visible triangle that has it, in the order of leaves.
/// \param given  by vertex or edge: 1 if it is assigned to a triangle; all 0 at the call
static void AssignToTriangles( cltMesh* mesh, cltMeshPart part, uint8_t* given )
{
    const uint32_t* triangles = mesh->numbers.data;
    const uint32_t* edgeNumbers = mesh->edgeNumbers.data;
    uint8_t* own = mesh->ownParts[part].data;
    for ( uint32_t leaf = 0; leaf < mesh->triangleCount; ++leaf )
    {
        const uint32_t* corners = (const uint32_t*)mesh->corners.data + 3u * (size_t)leaf;
        unsigned bits = 0;
        for ( uint32_t i = 0; i < 3u && !IsHidden( mesh, leaf ); ++i )
        {
            const bool isEdge = part == clt_partEdge;
            const bool isNone =
                isEdge &&
                corners[i] == corners[i == 2u ? 0u : i + 1u]; // a degenerate edge: both ends are the same vertex
            uint8_t* was = given + ( isEdge ? edgeNumbers[3u * (size_t)triangles[leaf] + i] : corners[i] );
            bits |= (unsigned)( !isNone && *was == 0u ) << i;
            *was = 1;
        }
        own[triangles[leaf]] = (uint8_t)bits;
    }
}

cltStatus cltMesh_AssignParts( cltMesh* mesh, cltMeshPart part, cltMeshScratch* scratch, cltWorkerPool* pool,
                               cltMemory* memory )
{
    if ( part == clt_partTriangle || mesh->triangleCount == 0u || mesh->hasOwnParts[part] )
    {
        return clt_ok;
    }
    if ( part == clt_partEdge && mesh->edgeCount == 0u )
    {
        CLT_TRY( NumberEdges( mesh, pool, memory ) );
    }
    const uint32_t count = cltMesh_PartCount( mesh, part );
    CLT_TRY( cltBuffer_Reserve( &mesh->ownParts[part], memory, mesh->triangleCount, sizeof( uint8_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &scratch->given, memory, count, sizeof( uint8_t ) ) );
    memset( scratch->given.data, 0, count );
    AssignToTriangles( mesh, part, scratch->given.data );
    mesh->hasOwnParts[part] = true;
    return clt_ok;
}
