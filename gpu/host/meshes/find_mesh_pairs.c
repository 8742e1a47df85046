// SPDX-License-Identifier: Zlib
// One search through the trees of all meshes that may pair. It begins with pairs of nodes some levels below the roots,
// numbered over all pairs of meshes, so that many small meshes and two large ones make work for threads alike; from
// each of them it goes down both trees at once. What it finds is sorted at the end, so that order of discovery, and
// with it the number of threads, shows nowhere.

#include "gpu/host/meshes/mesh_walk.h"
#include "gpu/host/meshes/write_pairs.h"
#include "gpu/platform/system.h"

/// Pairs to begin with, if the trees are deep enough: some ten a thread where there are a hundred.
#define LEAST_ENTRIES 1024u

/// Ranges that the pairs to begin with are dealt out in.
#define MOST_TASKS 4096u

struct cltMeshFinder
{
    cltMemory* memory;
    cltWorkerPool* pool;
    cltMeshScratch scratch;
    cltBuffer entries; ///< uint64_t, by pair of meshes: pairs of nodes to begin with in those before it
    cltPairSink sink;
    cltRadixSort sort;
    cltBuffer pairs; ///< of the last search's kind
};

typedef struct TriangleSearch
{
    const cltMeshSearch* given;
    const uint64_t* entries;
    uint64_t entryCount;
    uint32_t entryLevel;
    uint32_t taskCount;
    uint32_t bitsA; ///< of a key: those of the numbers that partA has in the set
    uint32_t bitsB;
    cltPairSink* sink;
    uint64_t candidateCount;
    uint64_t sharedCount;
} TriangleSearch;

// -------------------------------------------------------------------------------------------------- over many meshes

static cltNodePairs EntryPairs( const cltMeshSearch* search, uint32_t entryLevel, size_t meshPair )
{
    const cltPair pair = search->meshPairs[meshPair];
    return cltNodePairs_Entry( &search->meshes[pair.proxyA]->tree.levels, &search->meshes[pair.proxyB]->tree.levels,
                               entryLevel, pair.proxyA == pair.proxyB );
}

static cltMeshSide BeginSide( const cltMeshSearch* search, uint32_t id )
{
    const cltMesh* mesh = search->meshes[id];
    cltMeshSide side = { .mesh = mesh, .view = cltMesh_View( mesh ), .triangles = mesh->numbers.data };
    for ( int part = 0; part < clt_partCount; ++part )
    {
        side.firsts[part] = search->firsts[part][id];
    }
    return side;
}

static cltMeshWalk BeginMeshWalk( const TriangleSearch* search, size_t meshPair, cltPairBlock* block )
{
    const cltMeshSearch* given = search->given;
    const cltPair pair = given->meshPairs[meshPair];
    const bool isSelf = pair.proxyA == pair.proxyB;
    return ( cltMeshWalk ){ .sides = { BeginSide( given, pair.proxyA ), BeginSide( given, pair.proxyB ) },
                            .partA = given->partA,
                            .partB = given->partB,
                            .bitsB = search->bitsB,
                            .test = given->test,
                            .isSelf = isSelf,
                            .skipsShared = isSelf && !given->meshes[pair.proxyA]->keepsShared,
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
    cltMeshWalk walk = BeginMeshWalk( search, meshPair, block );
    const cltNodePairs entries = EntryPairs( search->given, search->entryLevel, meshPair );
    const uint32_t topA = walk.sides[0].mesh->tree.levels.top;
    const uint32_t topB = walk.sides[1].mesh->tree.levels.top;
    for ( uint64_t entry = first; entry < last; ++entry )
    {
        const cltNodeVisit visit = { cltNodePairs_At( &entries, entry ),
                                     topA > search->entryLevel ? topA - search->entryLevel : 0u,
                                     topB > search->entryLevel ? topB - search->entryLevel : 0u };
        cltMeshWalk_From( &walk, visit );
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

static uint32_t PartBits( const cltMeshSearch* search, cltMeshPart part )
{
    return cltIndexBits( search->firsts[part][search->meshCount] );
}

cltStatus cltMeshFinder_FindPairs( cltMeshFinder* finder, const cltMeshSearch* given, const void** pairs, size_t* count,
                                   cltMeshStats* stats )
{
    double lap = cltNowMs();
    TriangleSearch search = { .given = given,
                              .bitsA = PartBits( given, given->partA ),
                              .bitsB = PartBits( given, given->partB ),
                              .sink = &finder->sink };
    CLT_TRY( FindTriangleKeys( finder, &search, stats ) );
    stats->findMs = cltLapMs( &lap );
    const size_t found = (size_t)finder->sink.next;
    CLT_TRY( cltRadixSort_Run( &finder->sort, finder->pool, finder->memory, &finder->sink.buffer, found, 0u,
                               search.bitsA + search.bitsB ) );
    CLT_TRY( cltBuffer_Reserve( &finder->pairs, finder->memory, found, cltMeshSearch_PairBytes( given ) ) );
    cltMeshSearch_WritePairs( given, finder->sink.buffer.data, found, search.bitsB, finder->pool, finder->pairs.data );
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

cltStatus cltMeshFinder_GiveOut( cltMeshFinder* finder, cltMesh* mesh, cltMeshPart part )
{
    return cltMesh_GiveOut( mesh, part, &finder->scratch, finder->pool, finder->memory );
}
