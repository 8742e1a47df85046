// SPDX-License-Identifier: Zlib
// Pairs of triangles on a CUDA device. Changed meshes are copied, trees are built and searched, and keys are returned
// in ascending order. All operations are enqueued at once, with the buffer sizes of the last search; the host waits
// once. Results that do not fit are counted, not written. If there are any, buffers grow, and the search, but not the
// build, is repeated.

#include "gpu/cuda/sort_keys.cuh"
#include "gpu/mesh/cuda/find_triangles.cuh"

#include <new>

typedef struct CudaMeshDevice
{
    cltMeshDevice base;
    cltMemory* memory;
    cltCudaDevice device;
    cltDeviceMeshes meshes;
    cltCudaBuffer pinnedEntries{ clt_memoryPinned }; ///< cltNodePair
    cltCudaBuffer entries;
    cltCudaBuffer pairs[2];                   ///< cltNodePair: alternately input and output of passes
    cltCudaBuffer found;                      ///< cltMeshPlan, followed by keys
    cltCudaBuffer scratch;                    ///< scratch memory of the sort
    cltCudaBuffer result{ clt_memoryPinned }; ///< the host's copy of `found`
    uint64_t pairCapacity;
    uint64_t keyCapacity;
} CudaMeshDevice;

/// The capacity of the first search: TYPICAL_PAIRS per triangle, and at least LEAST_PAIRS.
#define TYPICAL_PAIRS 2u
#define LEAST_PAIRS 1024u

// ---------------------------------------------------------------------------------------------------------- one search

/// Writes the pair of roots of each pair of meshes; nodes are numbered through all meshes. \return the number of pairs
/// of meshes that both have leaves
static uint64_t WriteEntries( const CudaMeshDevice* cuda, const cltMeshSearch* given, cltNodePair* entries )
{
    uint64_t count = 0;
    for ( size_t i = 0; i < given->meshPairCount; ++i )
    {
        const cltPair pair = given->meshPairs[i];
        const cltDeviceMesh* a = cltDeviceMeshes_Record( &cuda->meshes, pair.proxyA );
        const cltDeviceMesh* b = cltDeviceMeshes_Record( &cuda->meshes, pair.proxyB );
        const cltLevels* levelsA = &a->tree.levels;
        const cltLevels* levelsB = &b->tree.levels;
        if ( cltLevels_LeafCount( levelsA ) > 0 && cltLevels_LeafCount( levelsB ) > 0 )
        {
            entries[count].a = a->firstNode + levelsA->starts[levelsA->top];
            entries[count].b = b->firstNode + levelsB->starts[levelsB->top];
            ++count;
        }
    }
    return count;
}

static cltStatus SendEntries( CudaMeshDevice* cuda, const cltMeshSearch* given, cltTriangleSearch* search )
{
    cltCudaDevice* device = &cuda->device;
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->pinnedEntries, device, given->meshPairCount, sizeof( cltNodePair ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->entries, device, given->meshPairCount, sizeof( cltNodePair ) ) );
    search->entryCount = WriteEntries( cuda, given, (cltNodePair*)cuda->pinnedEntries.data );
    search->entries = (const cltNodePair*)cuda->entries.data;
    return cltCudaCopy( device, cuda->entries.data, cuda->pinnedEntries.data,
                        search->entryCount * sizeof( cltNodePair ) );
}

static cltStatus ReserveSearch( CudaMeshDevice* cuda, cltTriangleSearch* search )
{
    cltCudaDevice* device = &cuda->device;
    const size_t bytes = CLT_MESH_PLAN_BYTES + cuda->keyCapacity * sizeof( uint64_t );
    for ( uint32_t i = 0; i < 2u; ++i )
    {
        CLT_TRY( cltCudaBuffer_Reserve( cuda->pairs + i, device, cuda->pairCapacity, sizeof( cltNodePair ) ) );
        search->pairs[i] = (cltNodePair*)cuda->pairs[i].data;
    }
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->found, device, bytes, 1u ) );
    CLT_TRY( cltReserveSort( device, &cuda->scratch, cuda->keyCapacity ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->result, device, bytes, 1u ) );
    search->pairCapacity = cuda->pairCapacity;
    search->keyCapacity = cuda->keyCapacity;
    search->plan = (cltMeshPlan*)cuda->found.data;
    return clt_ok;
}

/// Searches once with the current buffers, and waits.
static cltStatus SearchOnce( CudaMeshDevice* cuda, cltTriangleSearch* search, uint32_t* candidates )
{
    cltCudaDevice* device = &cuda->device;
    CLT_TRY( ReserveSearch( cuda, search ) );
    uint64_t* keys = cltMeshPlan_Keys( search->plan );
    CLT_TRY( cltCudaFill( device, search->plan, 0, CLT_MESH_PLAN_BYTES ) ); // padding, too, because it is copied back
    CLT_TRY( cltClearKeys( device, keys, search->keyCapacity ) );
    CLT_TRY( cltDevice_FindTriangles( search, device, candidates ) );
    CLT_TRY( cltSortPairKeys( device, &cuda->scratch, keys, search->keyCapacity ) );
    CLT_TRY( cltCudaCopy( device, cuda->result.data, search->plan,
                          CLT_MESH_PLAN_BYTES + search->keyCapacity * sizeof( uint64_t ) ) );
    return cltCudaDevice_Wait( device ); // the only wait of a search
}

/// The capacity for the next search: the current one if it sufficed, otherwise an eighth more than this search needed.
static uint64_t GrowCapacity( uint64_t capacity, uint64_t needed )
{
    return needed > capacity ? needed + needed / 8u : capacity;
}

/// Updates the capacities from the results. \return true if something did not fit
static bool UpdateCapacities( CudaMeshDevice* cuda )
{
    const cltMeshPlan* plan = (const cltMeshPlan*)cuda->result.data;
    uint64_t peak = 0;
    for ( const uint64_t count : plan->pairCounts )
    {
        peak = count > peak ? count : peak;
    }
    const bool isTooSmall = peak > cuda->pairCapacity || plan->keyCount > cuda->keyCapacity;
    cuda->pairCapacity = GrowCapacity( cuda->pairCapacity, peak );
    cuda->keyCapacity = GrowCapacity( cuda->keyCapacity, plan->keyCount );
    return isTooSmall;
}

static cltStatus Search( CudaMeshDevice* cuda, const cltMeshSearch* given, cltMeshKeys* keys, cltMeshStats* stats )
{
    const uint64_t triangleCount = given->firsts[clt_partTriangle][given->meshCount];
    cltTriangleSearch search = {};
    CLT_TRY( cltDeviceMeshes_Update( &cuda->meshes, &cuda->device, cuda->memory, given ) );
    CLT_TRY( SendEntries( cuda, given, &search ) );
    search.meshes = cuda->meshes.view;
    search.top = cuda->meshes.top;
    search.triangleBits = cltMeshSearch_Bits( given, clt_partTriangle );
    search.test = given->test;
    if ( cuda->pairCapacity == 0 )
    {
        cuda->pairCapacity = cuda->keyCapacity = LEAST_PAIRS + TYPICAL_PAIRS * triangleCount;
    }
    uint32_t candidates;
    uint32_t redoCount = 0;
    CLT_TRY( SearchOnce( cuda, &search, &candidates ) );
    for ( ; UpdateCapacities( cuda ); ++redoCount )
    {
        CLT_TRY( SearchOnce( cuda, &search, &candidates ) );
    }
    cltMeshPlan* plan = (cltMeshPlan*)cuda->result.data;
    stats->redoCount = redoCount;
    stats->candidateCount = plan->pairCounts[candidates];
    stats->sharedCount = plan->sharedCount;
    *keys = { cltMeshPlan_Keys( plan ), (size_t)plan->keyCount };
    return clt_ok;
}

// ----------------------------------------------------------------------------------------------------------- its life

static cltStatus FindKeys( cltMeshDevice* base, const cltMeshSearch* given, cltMeshKeys* keys, cltMeshStats* stats )
{
    CudaMeshDevice* cuda = (CudaMeshDevice*)base;
    *keys = {};
    if ( given->meshPairCount == 0 )
    {
        return clt_ok;
    }
    const cltCudaDeviceScope visit( &cuda->device, "cullet triangles" );
    CLT_TRY( visit.status );
    const cltStatus status = Search( cuda, given, keys, stats );
    cuda->base.bytes = cuda->device.bytes;
    return status;
}

static void Destroy( cltMeshDevice* base )
{
    CudaMeshDevice* cuda = (CudaMeshDevice*)base;
    cltMemory* memory = cuda->memory;
    cltBuffer_Release( &cuda->meshes.sent, memory );
    cltDestroyOnDevice( cuda );
    cltMemory_Release( memory, cuda, sizeof *cuda );
}

cltStatus cltCreateCudaMeshDevice( const cltBroadphaseDef* def, cltMemory* memory, cltMeshDevice** result )
{
    *result = NULL;
    int ordinal;
    cltDeviceReport report;
    CLT_TRY( cltFindCudaDevice( &ordinal, &report ) );
    void* room = cltMemory_Allocate( memory, sizeof( CudaMeshDevice ) );
    if ( room == NULL )
    {
        return clt_hostMemory;
    }
    CudaMeshDevice* cuda = new ( room ) CudaMeshDevice();
    cuda->base = { FindKeys, Destroy, cuda->device.failure, 0 };
    cuda->memory = memory;
    cuda->device.ordinal = ordinal;
    cuda->device.givenStream = (cudaStream_t)def->stream;
    *result = &cuda->base;
    return clt_ok;
}
