// SPDX-License-Identifier: Zlib
// One search through the trees of all meshes that may pair. It begins with pairs of nodes some levels below the roots,
// numbered over all pairs of meshes, so that many small meshes and two large ones make work for threads alike; from
// each of them it goes down both trees at once. What it finds is sorted at the end, so that order of discovery, and
// with it the number of threads, shows nowhere.
//
// Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection on GPUs, 2018;
// where a device goes through all pairs of a level at a time, a thread here takes one and ends it first.

#include "gpu/core/node_pair.h"
#include "gpu/host/meshes/mesh_tree.h"
#include "gpu/host/pair_sink.h"
#include "gpu/platform/system.h"

/// Pairs to begin with, if the trees are deep enough: some ten a thread where there are a hundred.
#define LEAST_ENTRIES 1024u

/// Ranges that the pairs to begin with are dealt out in.
#define MOST_TASKS 4096u

/// Both trees go down together, and leave up to three pairs a level behind.
#define MOST_VISITS ( 3u * CLT_MAX_LEVELS + 4u )

#define OUTPUT_GRAIN 4096u

struct cltMeshFinder
{
    cltMemory* memory;
    cltWorkerPool* pool;
    cltMeshScratch scratch;
    cltBuffer entries; ///< uint64_t, by pair of meshes: pairs of nodes to begin with in those before it
    cltPairSink sink;
    cltRadixSort sort;
    cltBuffer pairs; ///< cltTrianglePair
};

typedef struct TriangleSearch
{
    const cltMeshSearch* given;
    const uint64_t* entries;
    uint64_t entryCount;
    uint32_t entryLevel;
    uint32_t taskCount;
    uint32_t triangleBits;
    cltPairSink* sink;
    uint64_t candidateCount;
    uint64_t sharedCount;
} TriangleSearch;

/// One pair of meshes, for one thread.
typedef struct MeshWalk
{
    const cltLevelTree* treeA;
    const cltLevelTree* treeB;
    cltMeshView viewA;
    cltMeshView viewB;
    const uint32_t* numbersA;
    const uint32_t* numbersB;
    uint32_t firstA;
    uint32_t firstB;
    uint32_t triangleBits;
    cltMeshTest test;
    bool isSelf;
    cltPairBlock* block;
    uint64_t candidateCount;
    uint64_t sharedCount;
} MeshWalk;

typedef struct NodeVisit
{
    cltNodePair pair;
    uint32_t levelA;
    uint32_t levelB;
} NodeVisit;

// ----------------------------------------------------------------------------------------------------- down two trees

static void MeetLeaves( MeshWalk* walk, cltNodePair pair )
{
    ++walk->candidateCount;
    if ( walk->isSelf && cltMeshView_ShareVertex( &walk->viewA, pair.a, pair.b ) )
    {
        ++walk->sharedCount;
    }
    else if ( cltMeshViews_ArePair( &walk->viewA, pair.a, &walk->viewB, pair.b, walk->test ) )
    {
        const uint32_t a = walk->firstA + walk->numbersA[pair.a];
        const uint32_t b = walk->firstB + walk->numbersB[pair.b];
        cltPairBlock_Add( walk->block, cltPairKey( a, b, walk->triangleBits ) );
    }
}

/// Leaves are met at once, all else is put on the stack. \return the stack's new size
static uint32_t EnterNodes( MeshWalk* walk, NodeVisit visit, NodeVisit* stack, uint32_t count )
{
    const bool isSame = walk->isSelf && visit.pair.a == visit.pair.b;
    if ( !isSame && !cltLevelNode_Meets( walk->treeA->nodes + visit.pair.a, walk->treeB->nodes + visit.pair.b ) )
    {
        return count;
    }
    if ( ( visit.levelA | visit.levelB ) != 0u )
    {
        stack[count++] = visit;
    }
    else if ( !isSame )
    {
        MeetLeaves( walk, visit.pair );
    }
    return count;
}

static void WalkFrom( MeshWalk* walk, NodeVisit entry )
{
    NodeVisit stack[MOST_VISITS];
    uint32_t count = EnterNodes( walk, entry, stack, 0 );
    while ( count > 0 )
    {
        const NodeVisit visit = stack[--count];
        const uint32_t stepA = visit.levelA > 0u ? 1u : 0u;
        const uint32_t stepB = visit.levelB > 0u ? 1u : 0u;
        const cltNodeRun runA = cltLevels_Below( &walk->treeA->levels, visit.levelA, visit.pair.a, stepA );
        const cltNodeRun runB = cltLevels_Below( &walk->treeB->levels, visit.levelB, visit.pair.b, stepB );
        const bool isSame = walk->isSelf && visit.pair.a == visit.pair.b;
        for ( uint32_t i = 0; i < runA.count; ++i )
        {
            for ( uint32_t j = isSame ? i : 0u; j < runB.count; ++j )
            {
                const NodeVisit below = {
                    { runA.first + i, runB.first + j }, visit.levelA - stepA, visit.levelB - stepB };
                count = EnterNodes( walk, below, stack, count );
            }
        }
    }
}

// -------------------------------------------------------------------------------------------------- over many meshes

static cltNodePairs EntryPairs( const cltMeshSearch* search, uint32_t entryLevel, size_t meshPair )
{
    const cltPair pair = search->meshPairs[meshPair];
    return cltNodePairs_Entry( &search->meshes[pair.proxyA]->tree.levels, &search->meshes[pair.proxyB]->tree.levels,
                               entryLevel, pair.proxyA == pair.proxyB );
}

static MeshWalk BeginMeshWalk( const TriangleSearch* search, size_t meshPair, cltPairBlock* block )
{
    const cltMeshSearch* given = search->given;
    const cltPair pair = given->meshPairs[meshPair];
    const cltMesh* a = given->meshes[pair.proxyA];
    const cltMesh* b = given->meshes[pair.proxyB];
    return ( MeshWalk ){ .treeA = &a->tree,
                         .treeB = &b->tree,
                         .viewA = cltMesh_View( a ),
                         .viewB = cltMesh_View( b ),
                         .numbersA = a->numbers.data,
                         .numbersB = b->numbers.data,
                         .firstA = given->firstTriangles[pair.proxyA],
                         .firstB = given->firstTriangles[pair.proxyB],
                         .triangleBits = search->triangleBits,
                         .test = given->test,
                         .isSelf = pair.proxyA == pair.proxyB,
                         .block = block };
}

/// The pair of meshes that entry number `entry` belongs to: the last one that begins there or before.
static size_t MeshPairOf( const TriangleSearch* search, uint64_t entry )
{
    size_t low = 0;
    size_t high = search->given->meshPairCount;
    while ( high - low > 1u )
    {
        const size_t middle = low + ( high - low ) / 2u;
        if ( search->entries[middle] <= entry )
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

/// Walks from the entries [first, last) of one pair of meshes, counted from its first one.
static void WalkEntries( TriangleSearch* search, size_t meshPair, uint64_t first, uint64_t last, cltPairBlock* block )
{
    MeshWalk walk = BeginMeshWalk( search, meshPair, block );
    const cltNodePairs entries = EntryPairs( search->given, search->entryLevel, meshPair );
    const uint32_t topA = walk.treeA->levels.top;
    const uint32_t topB = walk.treeB->levels.top;
    for ( uint64_t entry = first; entry < last; ++entry )
    {
        const NodeVisit visit = { cltNodePairs_At( &entries, entry ),
                                  topA > search->entryLevel ? topA - search->entryLevel : 0u,
                                  topB > search->entryLevel ? topB - search->entryLevel : 0u };
        WalkFrom( &walk, visit );
    }
    cltClaim( &search->candidateCount, walk.candidateCount );
    cltClaim( &search->sharedCount, walk.sharedCount );
}

static void RunMeshTasks( uint32_t firstTask, uint32_t lastTask, void* context )
{
    TriangleSearch* search = context;
    uint64_t entry = search->entryCount * firstTask / search->taskCount;
    const uint64_t last = search->entryCount * lastTask / search->taskCount;
    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( size_t meshPair = MeshPairOf( search, entry ); entry < last; ++meshPair )
    {
        const uint64_t start = search->entries[meshPair];
        const uint64_t end = search->entries[meshPair + 1u];
        const uint64_t stop = end < last ? end : last;
        if ( entry < stop )
        {
            WalkEntries( search, meshPair, entry - start, stop - start, &block );
            entry = stop;
        }
    }
    cltPairBlock_Flush( &block );
}

// ------------------------------------------------------------------------------------------------------ the search

static cltStatus CountMeshEntries( cltMeshFinder* finder, TriangleSearch* search )
{
    const size_t pairCount = search->given->meshPairCount;
    CLT_TRY( cltBuffer_Reserve( &finder->entries, finder->memory, pairCount + 1u, sizeof( uint64_t ) ) );
    uint64_t* entries = finder->entries.data;
    search->entries = entries;
    while ( search->entryLevel < 5u && (uint64_t)pairCount << ( 2u * search->entryLevel ) < LEAST_ENTRIES )
    {
        ++search->entryLevel;
    }
    uint64_t sum = 0;
    for ( size_t i = 0; i < pairCount; ++i )
    {
        const cltNodePairs pairs = EntryPairs( search->given, search->entryLevel, i );
        entries[i] = sum;
        sum += cltNodePairs_Count( &pairs );
    }
    entries[pairCount] = sum;
    search->entryCount = sum;
    search->taskCount = sum < MOST_TASKS ? (uint32_t)sum : MOST_TASKS;
    return clt_ok;
}

/// Again and again until there is room for all that is found.
static cltStatus FindTriangleKeys( cltMeshFinder* finder, TriangleSearch* search, cltMeshStats* stats )
{
    CLT_TRY( CountMeshEntries( finder, search ) );
    for ( ;; )
    {
        finder->sink.next = 0;
        search->candidateCount = 0;
        search->sharedCount = 0;
        if ( search->taskCount > 0u )
        {
            cltWorkerPool_Run( finder->pool, RunMeshTasks, search->taskCount, 4u, search );
        }
        if ( finder->sink.next <= cltPairSink_Capacity( &finder->sink ) )
        {
            break;
        }
        ++stats->redoCount;
        CLT_TRY( cltBuffer_Reserve( &finder->sink.buffer, finder->memory, finder->sink.next, sizeof( uint64_t ) ) );
    }
    stats->candidateCount = search->candidateCount;
    stats->sharedCount = search->sharedCount;
    return clt_ok;
}

typedef struct PairOutput
{
    const cltMeshSearch* search;
    const uint64_t* keys;
    cltTrianglePair* pairs;
    uint32_t triangleBits;
} PairOutput;

/// The mesh that triangle number `triangle` of the set belongs to: the last one that begins there or before. Meshes
/// without triangles begin where the next one does.
static uint32_t MeshOf( const cltMeshSearch* search, uint32_t triangle, uint32_t guess )
{
    const uint32_t* firsts = search->firstTriangles;
    if ( firsts[guess] <= triangle && triangle < firsts[guess + 1u] )
    {
        return guess;
    }
    uint32_t low = 0;
    uint32_t high = search->meshCount;
    while ( high - low > 1u )
    {
        const uint32_t middle = low + ( high - low ) / 2u;
        low = firsts[middle] <= triangle ? middle : low;
        high = firsts[middle] <= triangle ? high : middle;
    }
    return low;
}

static void WriteTrianglePairs( uint32_t first, uint32_t last, void* context )
{
    const PairOutput* output = context;
    const uint32_t* firsts = output->search->firstTriangles;
    uint32_t a = 0;
    uint32_t b = 0;
    for ( uint32_t i = first; i < last; ++i )
    {
        const cltPair key = cltPairKey_Pair( output->keys[i], output->triangleBits );
        a = MeshOf( output->search, key.proxyA, a );
        b = MeshOf( output->search, key.proxyB, b );
        output->pairs[i] = ( cltTrianglePair ){ a, key.proxyA - firsts[a], b, key.proxyB - firsts[b] };
    }
}

/// A loop's count is of 32 bits, and pairs may be more.
static void WriteAllPairs( cltMeshFinder* finder, PairOutput output, size_t count )
{
    const size_t most = (size_t)1 << 30;
    for ( size_t done = 0; done < count; done += most )
    {
        const size_t rest = count - done;
        const PairOutput part = { output.search, output.keys + done, output.pairs + done, output.triangleBits };
        cltWorkerPool_Run( finder->pool, WriteTrianglePairs, (uint32_t)( rest < most ? rest : most ), OUTPUT_GRAIN,
                           (void*)&part );
    }
}

cltStatus cltMeshFinder_FindPairs( cltMeshFinder* finder, const cltMeshSearch* given, const cltTrianglePair** pairs,
                                   size_t* count, cltMeshStats* stats )
{
    double lap = cltNowMs();
    TriangleSearch search = { .given = given,
                              .triangleBits = cltIndexBits( given->firstTriangles[given->meshCount] ),
                              .sink = &finder->sink };
    CLT_TRY( FindTriangleKeys( finder, &search, stats ) );
    stats->findMs = cltLapMs( &lap );
    const size_t found = (size_t)finder->sink.next;
    CLT_TRY( cltRadixSort_Run( &finder->sort, finder->pool, finder->memory, &finder->sink.buffer, found, 0u,
                               2u * search.triangleBits ) );
    CLT_TRY( cltBuffer_Reserve( &finder->pairs, finder->memory, found, sizeof( cltTrianglePair ) ) );
    const PairOutput output = { given, finder->sink.buffer.data, finder->pairs.data, search.triangleBits };
    WriteAllPairs( finder, output, found );
    stats->orderMs = cltLapMs( &lap );
    stats->pairCount = found;
    *pairs = finder->pairs.data;
    *count = found;
    return clt_ok;
}

// ------------------------------------------------------------------------------------------------------- the finder

cltStatus cltCreateMeshFinder( cltMemory* memory, cltWorkerPool* pool, cltMeshFinder** result )
{
    cltMeshFinder* finder = cltMemory_Allocate( memory, sizeof *finder );
    *result = finder;
    if ( finder == NULL )
    {
        return clt_hostMemory;
    }
    *finder = ( cltMeshFinder ){ .memory = memory, .pool = pool };
    return clt_ok;
}

void cltDestroyMeshFinder( cltMeshFinder* finder, cltMemory* memory )
{
    if ( finder == NULL )
    {
        return;
    }
    cltMeshScratch_Release( &finder->scratch, memory );
    cltBuffer_Release( &finder->entries, memory );
    cltBuffer_Release( &finder->sink.buffer, memory );
    cltRadixSort_Release( &finder->sort, memory );
    cltBuffer_Release( &finder->pairs, memory );
    cltMemory_Release( memory, finder, sizeof *finder );
}

cltStatus cltMeshFinder_Fit( cltMeshFinder* finder, cltMesh* mesh, cltAabb* box, cltMeshStats* stats )
{
    bool wasSorted;
    CLT_TRY( cltMesh_MakeTree( mesh, &finder->scratch, finder->pool, finder->memory, &wasSorted ) );
    mesh->isStale = false;
    stats->sortCount += wasSorted;
    ++stats->fitCount;
    const cltLevels* levels = &mesh->tree.levels;
    const bool isEmpty = mesh->hiddenCount == mesh->triangleCount;
    *box = isEmpty ? ( cltAabb ){ { cltNan(), cltNan(), cltNan() }, { cltNan(), cltNan(), cltNan() } }
                   : mesh->tree.nodes[levels->starts[levels->top]].box;
    return clt_ok;
}
