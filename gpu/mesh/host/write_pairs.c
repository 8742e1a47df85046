// SPDX-License-Identifier: Zlib
// Converts a search's keys to pairs: a key has numbers in the whole set, a pair names meshes and numbers within them.

#include "gpu/mesh/host/write_pairs.h"

#define OUTPUT_GRAIN 4096u

typedef struct PairOutput
{
    const cltMeshSearch* search;
    const uint64_t* keys;
    void* pairs;
    uint32_t bitsB;
} PairOutput;

/// The mesh that contains part `number`: the last one that begins at it or before. `guess` is tried first, because
/// consecutive keys mostly have the same meshes. Empty meshes begin where the next one does.
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

void cltMeshSearch_ReadKey( const cltMeshSearch* search, uint64_t key, uint32_t bitsB, cltKeyParts* parts )
{
    const uint32_t* firstsA = search->firsts[search->partA];
    const uint32_t* firstsB = search->firsts[search->partB];
    const uint32_t a = (uint32_t)( key >> bitsB );
    const uint32_t b = (uint32_t)( key & ( ( (uint64_t)1 << bitsB ) - 1u ) );
    parts->meshA = MeshOf( search, firstsA, a, parts->meshA );
    parts->meshB = MeshOf( search, firstsB, b, parts->meshB );
    parts->numberA = a - firstsA[parts->meshA];
    parts->numberB = b - firstsB[parts->meshB];
}

static void WriteTrianglePairs( uint32_t first, uint32_t last, void* context )
{
    const PairOutput* output = context;
    cltTrianglePair* pairs = output->pairs;
    cltKeyParts parts = { 0 };
    for ( uint32_t i = first; i < last; ++i )
    {
        cltMeshSearch_ReadKey( output->search, output->keys[i], output->bitsB, &parts );
        pairs[i] = ( cltTrianglePair ){ parts.meshA, parts.numberA, parts.meshB, parts.numberB };
    }
}

static void WriteVertexFaces( uint32_t first, uint32_t last, void* context )
{
    const PairOutput* output = context;
    cltVertexFace* pairs = output->pairs;
    cltKeyParts parts = { 0 };
    for ( uint32_t i = first; i < last; ++i )
    {
        cltMeshSearch_ReadKey( output->search, output->keys[i], output->bitsB, &parts );
        pairs[i] = ( cltVertexFace ){ parts.meshA, parts.numberA, parts.meshB, parts.numberB };
    }
}

static void WriteEdgePairs( uint32_t first, uint32_t last, void* context )
{
    const PairOutput* output = context;
    cltEdgePair* pairs = output->pairs;
    cltKeyParts parts = { 0 };
    for ( uint32_t i = first; i < last; ++i )
    {
        cltMeshSearch_ReadKey( output->search, output->keys[i], output->bitsB, &parts );
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
    return search->partA == clt_partEdge     ? sizeof( cltEdgePair )
           : search->partA == clt_partVertex ? sizeof( cltVertexFace )
                                             : sizeof( cltTrianglePair );
}

/// A loop's count has 32 bits, and there may be more pairs.
void cltMeshSearch_WritePairs( const cltMeshSearch* search, const uint64_t* keys, size_t count, uint32_t bitsB,
                               cltWorkerPool* pool, void* pairs )
{
    cltTask* const write = search->partA == clt_partEdge     ? WriteEdgePairs
                           : search->partA == clt_partVertex ? WriteVertexFaces
                                                             : WriteTrianglePairs;
    const size_t most = (size_t)1 << 30;
    for ( size_t done = 0; done < count; done += most )
    {
        const size_t rest = count - done;
        PairOutput part = { search, keys + done, (char*)pairs + done * cltMeshSearch_PairBytes( search ), bitsB };
        cltWorkerPool_Run( pool, write, (uint32_t)( rest < most ? rest : most ), OUTPUT_GRAIN, &part );
    }
}
