// SPDX-License-Identifier: Zlib
// Converts keys to pairs. A key holds two parts' numbers in the whole set; a pair holds meshes and numbers within them.

#include "gpu/mesh/host/mesh_keys.h"

#define OUTPUT_GRAIN 4096u

typedef struct PairOutput
{
    const cltMeshSearch* search;
    const uint64_t* keys;
    void* pairs;
} PairOutput;

/// The mesh that contains part `number`: the last mesh with a first part of at most this number. `guess` is tried
/// first, because consecutive keys mostly have the same meshes. An empty mesh has the same first part as the next mesh.
static uint32_t MeshOf( const cltMeshSearch* search, const uint32_t* firsts, uint32_t number, uint32_t guess )
{
    if ( firsts[guess] <= number && number < firsts[guess + 1u] )
    {
        return guess;
    }
    uint32_t low = 0;
    uint32_t high = search->meshCount;
    while ( high - low > 1u )
    {
        const uint32_t middle = low + ( high - low ) / 2u;
        low = firsts[middle] <= number ? middle : low;
        high = firsts[middle] <= number ? high : middle;
    }
    return low;
}

/// A key as two meshes and numbers within them.
typedef struct KeyParts
{
    uint32_t numberA; ///< the number in meshA
    uint32_t numberB;
    uint32_t meshA;
    uint32_t meshB;
    uint32_t bitsB; ///< the number of bits of partB's number in a key
} KeyParts;

static KeyParts BeginParts( const cltMeshSearch* search )
{
    return ( KeyParts ){ .bitsB = cltMeshSearch_Bits( search, search->partB ) };
}

/// Reads the parts of `key`.
/// \param[in,out] parts  on entry the parts of the previous key, or those of BeginParts
static void ReadKey( const cltMeshSearch* search, uint64_t key, KeyParts* parts )
{
    const uint32_t* firstsA = search->firsts[search->partA];
    const uint32_t* firstsB = search->firsts[search->partB];
    const uint32_t a = (uint32_t)( key >> parts->bitsB );
    const uint32_t b = (uint32_t)( key & ( ( (uint64_t)1 << parts->bitsB ) - 1u ) );
    parts->meshA = MeshOf( search, firstsA, a, parts->meshA );
    parts->meshB = MeshOf( search, firstsB, b, parts->meshB );
    parts->numberA = a - firstsA[parts->meshA];
    parts->numberB = b - firstsB[parts->meshB];
}

/// Writes cltTrianglePair or cltVertexFace: four numbers each.
static void WriteNumbers( uint32_t first, uint32_t last, void* context )
{
    const PairOutput* output = context;
    KeyParts parts = BeginParts( output->search );
    for ( uint32_t i = first; i < last; ++i )
    {
        uint32_t* pair = (uint32_t*)output->pairs + 4u * (size_t)i;
        ReadKey( output->search, output->keys[i], &parts );
        pair[0] = parts.meshA;
        pair[1] = parts.numberA;
        pair[2] = parts.meshB;
        pair[3] = parts.numberB;
    }
}

static void WriteEdgePairs( uint32_t first, uint32_t last, void* context )
{
    const PairOutput* output = context;
    cltEdgePair* pairs = output->pairs;
    KeyParts parts = BeginParts( output->search );
    for ( uint32_t i = first; i < last; ++i )
    {
        ReadKey( output->search, output->keys[i], &parts );
        const uint64_t a = cltMesh_Edge( output->search->meshes[parts.meshA], parts.numberA );
        const uint64_t b = cltMesh_Edge( output->search->meshes[parts.meshB], parts.numberB );
        pairs[i] = ( cltEdgePair ){ .meshA = parts.meshA,
                                    .verticesA = { (uint32_t)( a >> 32 ), (uint32_t)a },
                                    .meshB = parts.meshB,
                                    .verticesB = { (uint32_t)( b >> 32 ), (uint32_t)b } };
    }
}

size_t cltMeshSearch_PairBytes( const cltMeshSearch* search )
{
    return search->partA == clt_partEdge ? sizeof( cltEdgePair ) : sizeof( cltTrianglePair );
}

/// Runs several loops, because a loop counts in 32 bits, and there may be more pairs.
void cltMeshSearch_WritePairs( const cltMeshSearch* search, const uint64_t* keys, size_t count, cltWorkerPool* pool,
                               void* pairs )
{
    cltTask* const write = search->partA == clt_partEdge ? WriteEdgePairs : WriteNumbers;
    const size_t most = (size_t)1 << 30;
    for ( size_t done = 0; done < count; done += most )
    {
        const size_t rest = count - done;
        PairOutput part = { search, keys + done, (char*)pairs + done * cltMeshSearch_PairBytes( search ) };
        cltWorkerPool_Run( pool, write, (uint32_t)( rest < most ? rest : most ), OUTPUT_GRAIN, &part );
    }
}

// ---------------------------------------------------------------------------------------------------------- kept keys

static bool HasMoved( const cltKeptKeys* kept, const cltMeshSearch* search, uint32_t mesh )
{
    return search->meshes[mesh]->fitStamp > kept->searchedAt;
}

/// Removes the keys of meshes that moved, and keeps the order of all other keys.
static void DropMoved( cltKeptKeys* kept, const cltMeshSearch* search )
{
    uint64_t* keys = kept->sink.buffer.data;
    const size_t count = (size_t)kept->sink.next;
    size_t stayed = 0;
    KeyParts parts = BeginParts( search );
    for ( size_t i = 0; i < count; ++i )
    {
        ReadKey( search, keys[i], &parts );
        keys[stayed] = keys[i];
        stayed += !HasMoved( kept, search, parts.meshA ) && !HasMoved( kept, search, parts.meshB );
    }
    kept->sink.next = stayed;
}

/// If neither mesh of a pair moved, the pair's kept keys are valid: new filters would have changed the layout.
size_t cltKeptKeys_Begin( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp, cltPair* walked )
{
    if ( kept->layout != search->layout || kept->test != search->test )
    {
        kept->searchedAt = 0;
    }
    size_t count = 0;
    for ( size_t i = 0; i < search->meshPairCount; ++i )
    {
        const cltPair pair = search->meshPairs[i];
        walked[count] = pair;
        count += HasMoved( kept, search, pair.proxyA ) || HasMoved( kept, search, pair.proxyB );
    }
    if ( count == search->meshPairCount )
    {
        kept->sink.next = 0;
    }
    else if ( fitStamp > kept->searchedAt ) // some mesh moved, even if only away from all others
    {
        DropMoved( kept, search );
    }
    kept->searchedAt = 0; // invalid until the search completes
    return count;
}

void cltKeptKeys_End( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp )
{
    kept->searchedAt = fitStamp;
    kept->layout = search->layout;
    kept->test = search->test;
}
