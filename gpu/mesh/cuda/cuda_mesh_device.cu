// SPDX-License-Identifier: Zlib
// Pairs of triangles on a CUDA device: meshes that changed go there, trees are made and searched, keys come back in
// ascending order. All of it is put into the stream at once, with room for what there was last time; the host waits
// once. What there turns out to be no room for was counted, never written: the room is made larger, and the search,
// not the trees, is done again.

#include "gpu/cuda/merge_sort.cuh"
#include "gpu/mesh/cuda/find_triangles.cuh"

#include <new>

typedef struct CudaMeshDevice
{
    cltMeshDevice base;
    cltMemory* memory;
    cltCudaDevice device;
    cltDeviceMeshes meshes;
    cltCudaBuffer pinnedEntries{ clt_placePinned }; ///< cltNodePair
    cltCudaBuffer entries;
    cltCudaBuffer pairs[2]; ///< of nodes
    cltCudaBuffer found;    ///< the plan, and keys behind it
    cltCudaBuffer spareKeys;
    cltCudaBuffer result{ clt_placePinned }; ///< the host's copy
    uint64_t pairRoom;
    uint64_t keyRoom;
} CudaMeshDevice;

/// Pairs to expect of a first search, a triangle, and at the least.
#define TYPICAL_PAIRS 2u
#define LEAST_PAIRS 1024u

// ---------------------------------------------------------------------------------------------------------- one search

/// Roots of the trees of each pair of meshes, numbered through all meshes. \return how many; none has no leaves
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
    const size_t bytes = CLT_MESH_PLAN_ROOM + cuda->keyRoom * sizeof( uint64_t );
    for ( uint32_t i = 0; i < 2u; ++i )
    {
        CLT_TRY( cltCudaBuffer_Reserve( cuda->pairs + i, device, cuda->pairRoom, sizeof( cltNodePair ) ) );
        search->pairs[i] = (cltNodePair*)cuda->pairs[i].data;
    }
    CLT_TRY( cltCudaBuffer_ReserveFilled( &cuda->found, device, bytes, 1u, 0 ) ); // copied back as a whole
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->spareKeys, device, cuda->keyRoom, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->result, device, bytes, 1u ) );
    search->pairRoom = cuda->pairRoom;
    search->keyRoom = cuda->keyRoom;
    search->plan = (cltMeshPlan*)cuda->found.data;
    return clt_ok;
}

/// Searches once, with the room that there is, and waits.
static cltStatus SearchOnce( CudaMeshDevice* cuda, cltTriangleSearch* search, uint32_t* candidates )
{
    cltCudaDevice* device = &cuda->device;
    CLT_TRY( ReserveSearch( cuda, search ) );
    CLT_TRY( cltCudaFill( device, search->plan, 0, sizeof *search->plan ) );
    CLT_TRY( cltDevice_FindTriangles( search, device, candidates ) );
    const cltMergeSort sort = { cltMeshPlan_Keys( search->plan ),
                                (uint64_t*)cuda->spareKeys.data,
                                search->keyRoom,
                                0,
                                &search->plan->keyCount,
                                false };
    CLT_TRY( cltMergeSort_Run( &sort, device ) );
    CLT_TRY( cltCudaCopy( device, cuda->result.data, search->plan,
                          CLT_MESH_PLAN_ROOM + search->keyRoom * sizeof( uint64_t ) ) );
    return cltCudaDevice_Wait( device ); // a search's only wait
}

/// Room for the next search after one that needed `needed`: some more of it, and never less than there was.
static uint64_t RoomFor( uint64_t room, uint64_t needed )
{
    return needed > room ? needed + needed / 8u : room;
}

/// Takes note of what was found. True if something did not fit.
static bool LearnRooms( CudaMeshDevice* cuda )
{
    const cltMeshPlan* plan = (const cltMeshPlan*)cuda->result.data;
    uint64_t peak = 0;
    for ( const uint64_t count : plan->pairCounts )
    {
        peak = count > peak ? count : peak;
    }
    const bool isTooSmall = peak > cuda->pairRoom || plan->keyCount > cuda->keyRoom;
    cuda->pairRoom = RoomFor( cuda->pairRoom, peak );
    cuda->keyRoom = RoomFor( cuda->keyRoom, plan->keyCount );
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
    if ( cuda->pairRoom == 0 )
    {
        cuda->pairRoom = cuda->keyRoom = LEAST_PAIRS + TYPICAL_PAIRS * triangleCount;
    }
    uint32_t candidates;
    uint32_t redoCount = 0;
    CLT_TRY( SearchOnce( cuda, &search, &candidates ) );
    for ( ; LearnRooms( cuda ); ++redoCount )
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
    const cltCudaVisit visit( &cuda->device, "cullet triangles" );
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
