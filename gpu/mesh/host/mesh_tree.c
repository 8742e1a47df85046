// SPDX-License-Identifier: Zlib
// A mesh's tree: its triangles' boxes in the order of a curve, and the levels above them. The order is kept while the
// mesh deforms, because neighbours in a mesh stay neighbours. If boxes have grown too much, triangles are sorted again.

#include "gpu/mesh/host/mesh_tree.h"

#include "gpu/core/atomic.h"
#include "gpu/core/curve.h"
#include "gpu/host/scene_statistics.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TRIANGLE_GRAIN 1024u

/// Triangles are sorted again if the boxes of level 4, of sixteen triangles each, have grown by half in sum. If a mesh
/// only deforms, they do not grow that much; if it is torn or scrambled, they do at once.
#define SPREAD_LEVEL 4u
#define MOST_SPREAD 1.5

typedef struct TreeMaking
{
    cltMesh* mesh;
    cltMeshView view;
    cltCurve curve;
    uint64_t* keys;
    uint32_t* corners; ///< three vertices per triangle, in the new order
    uint32_t* numbers; ///< triangle numbers, in the new order
    uint64_t hiddenCount;
} TreeMaking;

static void WriteTriangleLeaves( uint32_t first, uint32_t last, void* context )
{
    TreeMaking* making = context;
    cltLevelNode* nodes = making->mesh->tree.nodes;
    uint64_t hiddenCount = 0;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        nodes[leaf] = cltMeshView_Leaf( &making->view, cltMeshView_Corners( &making->view, leaf ) );
        hiddenCount += nodes[leaf].filter.mask == 0;
    }
    cltClaim( &making->hiddenCount, hiddenCount );
}

static void JoinTree( TreeMaking* making, cltWorkerPool* pool )
{
    cltMesh* mesh = making->mesh;
    making->view = cltMesh_View( mesh );
    making->hiddenCount = 0;
    cltWorkerPool_Run( pool, WriteTriangleLeaves, mesh->triangleCount, TRIANGLE_GRAIN, making );
    cltLevelTree_ComputeInnerNodes( &mesh->tree, pool );
    if ( mesh->hiddenCount != 0u || making->hiddenCount != 0u )
    {
        mesh->hasOwnParts[clt_partVertex] = mesh->hasOwnParts[clt_partEdge] =
            false; // vertices and edges of a triangle that is now hidden may need another triangle
    }
    mesh->hiddenCount = (uint32_t)making->hiddenCount;
}

/// The sum of the longest edges of the boxes of SPREAD_LEVEL. Empty and infinite boxes are not counted.
static double Spread( const cltLevelTree* tree )
{
    const uint32_t level = tree->levels.top < SPREAD_LEVEL ? tree->levels.top : SPREAD_LEVEL;
    const cltLevelNode* nodes = tree->nodes + tree->levels.starts[level];
    const uint32_t count = cltLevels_Count( &tree->levels, level );
    double sum = 0.0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const float edge = cltAabb_LongestEdge( &nodes[i].box );
        sum += edge >= 0.0f && edge <= FLT_MAX ? (double)edge : 0.0;
    }
    return sum;
}

// -------------------------------------------------------------------------------------------------------- their order

static void WriteTriangleKeys( uint32_t first, uint32_t last, void* context )
{
    const TreeMaking* making = context;
    const cltLevelNode* nodes = making->mesh->tree.nodes;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        making->keys[leaf] = (uint64_t)cltCurve_Key( &making->curve, &nodes[leaf].box ) << 32 | leaf;
    }
}

static void MoveTriangles( uint32_t first, uint32_t last, void* context )
{
    const TreeMaking* making = context;
    const uint32_t* corners = making->mesh->corners.data;
    const uint32_t* numbers = making->mesh->numbers.data;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        const size_t from = (uint32_t)making->keys[leaf];
        for ( size_t i = 0; i < 3u; ++i )
        {
            making->corners[3u * (size_t)leaf + i] = corners[3u * from + i];
        }
        making->numbers[leaf] = numbers[from];
    }
}

/// A curve over the region of nearly all triangles, so that one distant vertex does not put all others into one cell.
/// Triangles are sampled in steps of the golden ratio: even steps might sample a single column of a grid.
static cltCurve CurveOverTriangles( const cltMesh* mesh )
{
    const cltAabb* root = &mesh->tree.nodes[mesh->tree.levels.starts[mesh->tree.levels.top]].box;
    cltCenterSample sample = { .count = 0 };
    for ( uint32_t i = 0; i < CLT_SAMPLE_SIZE; ++i )
    {
        const uint64_t part = (uint32_t)( i * 2654435769u ); // a fraction of all triangles, in units of 2^-32
        cltCenterSample_Add( &sample, &mesh->tree.nodes[part * mesh->triangleCount >> 32].box );
    }
    cltAabb region = *root;
    for ( int axis = 0; axis < 3; ++axis )
    {
        float lower;
        float upper;
        if ( cltCenterSample_Region( &sample, axis, &lower, &upper ) )
        {
            region.lower[axis] = fmaxf( root->lower[axis], lower );
            region.upper[axis] = fminf( root->upper[axis], upper );
        }
    }
    return cltCurve_Make( region.lower, region.upper );
}

static cltStatus SortTriangles( TreeMaking* making, cltMeshScratch* scratch, cltWorkerPool* pool, cltMemory* memory )
{
    cltMesh* mesh = making->mesh;
    const uint32_t count = mesh->triangleCount;
    CLT_TRY( cltBuffer_Reserve( &scratch->keys, memory, count, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &scratch->sorted, memory, count, 4u * sizeof( uint32_t ) ) );
    making->curve = CurveOverTriangles( mesh );
    making->keys = scratch->keys.data;
    cltWorkerPool_Run( pool, WriteTriangleKeys, count, TRIANGLE_GRAIN, making );
    CLT_TRY( cltRadixSort_Run( &scratch->sort, pool, memory, &scratch->keys, count, 32u, 32u + CLT_CURVE_BITS ) );
    making->corners = scratch->sorted.data;
    making->numbers = making->corners + 3u * (size_t)count;
    cltWorkerPool_Run( pool, MoveTriangles, count, TRIANGLE_GRAIN, making );
    memcpy( mesh->corners.data, making->corners, 3u * (size_t)count * sizeof( uint32_t ) );
    memcpy( mesh->numbers.data, making->numbers, (size_t)count * sizeof( uint32_t ) );
    return clt_ok;
}

cltStatus cltMesh_MakeTree( cltMesh* mesh, cltMeshScratch* scratch, cltWorkerPool* pool, cltMemory* memory,
                            bool* wasSorted )
{
    *wasSorted = false;
    if ( mesh->triangleCount == 0 )
    {
        return clt_ok;
    }
    TreeMaking making = { .mesh = mesh };
    JoinTree( &making, pool );
    const double spread = Spread( &mesh->tree );
    if ( mesh->sortedSpread < 0.0 || spread > MOST_SPREAD * mesh->sortedSpread )
    {
        CLT_TRY( SortTriangles( &making, scratch, pool, memory ) );
        JoinTree( &making, pool );
        mesh->sortedSpread = Spread( &mesh->tree );
        *wasSorted = true;
    }
    else if ( 2.0 * spread < mesh->sortedSpread ) // a distant vertex returned, or the mesh shrank
    {
        mesh->sortedSpread = spread;
    }
    return clt_ok;
}

void cltMeshScratch_Release( cltMeshScratch* scratch, cltMemory* memory )
{
    cltRadixSort_Release( &scratch->sort, memory );
    cltBuffer_Release( &scratch->keys, memory );
    cltBuffer_Release( &scratch->sorted, memory );
    cltBuffer_Release( &scratch->given, memory );
}
