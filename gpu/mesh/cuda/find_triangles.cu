// SPDX-License-Identifier: Zlib
// Bulk-synchronous simultaneous traversal of many pairs of trees: one kernel per pass, one thread per pair of nodes. A
// thread tests the sixteen pairs of the two nodes' descendants two levels below, four and four (Chitalu, Dubach,
// Komura, 2018). All trees reach their leaves in the same pass: of two trees, the higher tree descends first. So a pass
// tests nodes of one level in all trees that are high enough, and the root in lower trees. A pass reads on the device
// how many pairs the previous pass found, so the host launches all passes without waiting.
//
// Two more passes test pairs of leaves. The first pass tests for shared vertices, and boxes and 18-DOPs, which leaves
// few pairs. The second pass tests the intersection of triangles. So neighbouring threads do similar work, and only the
// last kernel needs the integer arithmetic of exact.h.

#include "gpu/mesh/cuda/find_triangles.cuh"

#define DEPTH_STEP CLT_TILE_BITS

typedef struct TrianglePass
{
    cltTriangleSearch search;
    const cltNodePair* from;
    const uint64_t* fromCount; ///< the number of pairs in `from`; NULL in the first pass, which reads the entries
    uint32_t above;            ///< the level of the nodes in `from`, in trees that are high enough
    uint32_t level;            ///< the level of the nodes that the pass tests, in trees that are high enough
} TrianglePass;

/// A mesh and a node in it.
typedef struct MeshNode
{
    const cltDeviceMesh* mesh;
    uint32_t node;
} MeshNode;

static __device__ MeshNode FindMeshNode( const cltDeviceMeshesView* meshes, uint32_t node )
{
    MeshNode found;
    found.mesh = meshes->meshes + cltFindRange( meshes->firstNodes, meshes->meshCount, node );
    found.node = node - found.mesh->firstNode;
    return found;
}

/// Returns the number of pairs that a pass reads: 0 if the previous pass overflowed, because the search is repeated.
static __device__ uint64_t PassPairCount( const TrianglePass* pass )
{
    const uint64_t count = pass->fromCount != NULL ? *pass->fromCount : pass->search.entryCount;
    return pass->fromCount != NULL && count > pass->search.pairCapacity ? 0u : count;
}

// ------------------------------------------------------------------------------------------------------ down the trees

static __device__ uint32_t LeastOf( uint32_t a, uint32_t b )
{
    return a < b ? a : b;
}

static __device__ cltNodeRun NodesBelow( const TrianglePass* pass, const MeshNode* above )
{
    const cltLevels* levels = &above->mesh->tree.levels;
    const uint32_t level = LeastOf( pass->above, levels->top );
    return cltLevels_Below( levels, level, above->node, level - LeastOf( pass->level, levels->top ) );
}

static __device__ void TestBelow( const TrianglePass* pass, cltNodePair pair, cltBlockKeys* block,
                                  const cltKeySink* sink )
{
    const MeshNode a = FindMeshNode( &pass->search.meshes, pair.a );
    const MeshNode b = FindMeshNode( &pass->search.meshes, pair.b );
    cltNodePairs tile;
    tile.a = NodesBelow( pass, &a );
    tile.b = NodesBelow( pass, &b );
    tile.isTriangle = pair.a == pair.b;
    uint32_t meeting = cltNodePairs_Meeting( &tile, &a.mesh->tree, &b.mesh->tree );
    if ( pass->level == 0 && tile.isTriangle )
    {
        meeting &= ~CLT_TILE_DIAGONAL; // removes each leaf paired with itself
    }
    for ( ; meeting != 0; meeting &= meeting - 1u )
    {
        const cltNodePair below = cltNodePairs_OfBit( &tile, (uint32_t)__ffs( (int)meeting ) - 1u );
        cltBlockKeys_Add( block, sink,
                          ( below.a + a.mesh->firstNode ) | (uint64_t)( below.b + b.mesh->firstNode ) << 32 );
    }
}

static __global__ void TrianglePassKernel( TrianglePass pass, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    const uint64_t count = PassPairCount( &pass );
    for ( uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < count; first += (uint64_t)gridDim.x * blockDim.x )
    {
        cltBlockKeys_Begin( &block );
        if ( first + threadIdx.x < count )
        {
            TestBelow( &pass, pass.from[first + threadIdx.x], &block, &sink );
        }
        cltBlockKeys_End( &block, &sink );
    }
}

// -------------------------------------------------------------------------------------------------------------- leaves

static __device__ uint64_t KeyOfLeaves( const TrianglePass* pass, const MeshNode* a, const MeshNode* b )
{
    return cltPairKey( a->mesh->firstTriangle + a->mesh->leaves[a->node].triangle,
                       b->mesh->firstTriangle + b->mesh->leaves[b->node].triangle, pass->search.triangleBits );
}

/// Applies all tests but the intersection of triangles. \return true if the leaves share a vertex and so are no pair
static __device__ bool TestLeaves( const TrianglePass* pass, cltNodePair pair, cltBlockKeys* block,
                                   const cltKeySink* sink )
{
    const cltMeshTest test = pass->search.test;
    const MeshNode a = FindMeshNode( &pass->search.meshes, pair.a );
    const MeshNode b = FindMeshNode( &pass->search.meshes, pair.b );
    const cltMeshLeaf leafA = a.mesh->leaves[a.node];
    const cltMeshLeaf leafB = b.mesh->leaves[b.node];
    if ( a.mesh == b.mesh && a.mesh->keepsShared == 0 && cltCornersShareVertex( leafA.corners, leafB.corners ) )
    {
        return true;
    }
    if ( cltMeshViews_AreNear( &a.mesh->view, leafA.corners, &b.mesh->view, leafB.corners, test ) )
    {
        cltBlockKeys_Add( block, sink,
                          test == clt_meshTriangles ? pair.a | (uint64_t)pair.b << 32 : KeyOfLeaves( pass, &a, &b ) );
    }
    return false;
}

static __global__ void TriangleLeavesKernel( TrianglePass pass, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    const uint64_t count = PassPairCount( &pass );
    uint64_t sharedCount = 0;
    for ( uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < count; first += (uint64_t)gridDim.x * blockDim.x )
    {
        cltBlockKeys_Begin( &block );
        if ( first + threadIdx.x < count )
        {
            sharedCount += TestLeaves( &pass, pass.from[first + threadIdx.x], &block, &sink ) ? 1u : 0u;
        }
        cltBlockKeys_End( &block, &sink );
    }
    if ( sharedCount > 0 )
    {
        cltClaim( &pass.search.plan->sharedCount, sharedCount );
    }
}

static __global__ void MeetTrianglesKernel( TrianglePass pass, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    const uint64_t count = PassPairCount( &pass );
    for ( uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < count; first += (uint64_t)gridDim.x * blockDim.x )
    {
        cltBlockKeys_Begin( &block );
        if ( first + threadIdx.x < count )
        {
            const cltNodePair pair = pass.from[first + threadIdx.x];
            const MeshNode a = FindMeshNode( &pass.search.meshes, pair.a );
            const MeshNode b = FindMeshNode( &pass.search.meshes, pair.b );
            if ( cltMeshViews_FacetsMeet( &a.mesh->view, a.mesh->leaves[a.node].corners, &b.mesh->view,
                                          b.mesh->leaves[b.node].corners ) )
            {
                cltBlockKeys_Add( &block, &sink, KeyOfLeaves( &pass, &a, &b ) );
            }
        }
        cltBlockKeys_End( &block, &sink );
    }
}

// ------------------------------------------------------------------------------------------------------------ launches

/// Returns the number of blocks: no more than fill the device, because blocks loop until all pairs are tested.
static uint32_t BlockCount( const cltCudaDevice* device, const TrianglePass* pass )
{
    const uint64_t most = pass->fromCount != NULL ? pass->search.pairCapacity : pass->search.entryCount;
    const uint64_t blocks = most / CLT_BLOCK_SIZE + 1u;
    const uint32_t fullBlocks = 16u * device->multiprocessorCount;
    return blocks < fullBlocks ? (uint32_t)blocks : fullBlocks;
}

static cltStatus LaunchPass( cltCudaDevice* device, const char* name, void ( *kernel )( TrianglePass, cltKeySink ),
                             const TrianglePass* pass, const cltKeySink* sink )
{
    return cltLaunchBlocks( device, name, BlockCount( device, pass ), CLT_BLOCK_SIZE, kernel, *pass, *sink );
}

/// The output of a pass: the buffer that the pass does not read.
static cltKeySink SinkOfPass( const cltTriangleSearch* search, uint32_t number )
{
    const cltKeySink sink = { (uint64_t*)search->pairs[number % 2u], search->pairCapacity,
                              search->plan->pairCounts + number };
    return sink;
}

/// Makes the output of pass `number` the input of `pass`, the next pass.
static void SetPassInput( TrianglePass* pass, uint32_t number )
{
    pass->from = pass->search.pairs[number % 2u];
    pass->fromCount = pass->search.plan->pairCounts + number;
}

cltStatus cltDevice_FindTriangles( const cltTriangleSearch* search, cltCudaDevice* device, uint32_t* candidates )
{
    TrianglePass pass = { *search, search->entries, NULL, search->top, search->top };
    uint32_t number = 0;
    for ( ;; ++number )
    {
        const cltKeySink found = SinkOfPass( search, number );
        CLT_TRY( LaunchPass( device, "triangle pass", TrianglePassKernel, &pass, &found ) );
        SetPassInput( &pass, number );
        if ( pass.level == 0 )
        {
            break;
        }
        pass.above = pass.level;
        pass.level -= pass.level < DEPTH_STEP ? pass.level : DEPTH_STEP;
    }
    *candidates = number;
    const cltKeySink keys = { cltMeshPlan_Keys( search->plan ), search->keyCapacity, &search->plan->keyCount };
    if ( search->test != clt_meshTriangles )
    {
        return LaunchPass( device, "triangle leaves", TriangleLeavesKernel, &pass, &keys );
    }
    ++number;
    const cltKeySink near = SinkOfPass( search, number );
    CLT_TRY( LaunchPass( device, "triangle leaves", TriangleLeavesKernel, &pass, &near ) );
    SetPassInput( &pass, number );
    return LaunchPass( device, "triangles that meet", MeetTrianglesKernel, &pass, &keys );
}
