// SPDX-License-Identifier: Zlib
// One search through the trees of all meshes that may pair. It begins with pairs of nodes some levels below the roots,
// the entries. These are numbered over all pairs of meshes, so that many small meshes and two large meshes both make
// work for all threads. From each entry the search descends both trees at once. Results are sorted at the end, so that
// they do not depend on the number of threads.

#include "gpu/mesh/host/mesh_keys.h"
#include "gpu/mesh/host/mesh_walk.h"
#include "gpu/platform/system.h"

#include <string.h>

/// The smallest number of node pairs at which walks start, if trees are deep enough: ten a thread with a hundred
/// threads.
#define LEAST_ENTRIES 1024u

/// The largest number of tasks that these node pairs are split into.
#define MOST_TASKS 4096u

struct cltMeshFinder
{
    cltMemory* memory;
    cltWorkerPool* pool;
    cltMeshScratch scratch;
    cltBuffer entries;               ///< uint64_t, by pair of meshes: the number of its first entry; then the total
    cltBuffer walked;                ///< cltPair: the pairs of meshes to search
    cltKeptKeys kept[clt_partCount]; ///< by partA, the keys of the last search of this kind
    cltRadixSort sort;
    cltBuffer pairs; ///< the pairs of the last search
    uint64_t fitCount;
};

typedef struct PartSearch
{
    const cltMeshSearch* given;
    const uint64_t* entries;
    uint64_t entryCount;
    uint32_t entryLevel;
    uint32_t taskCount;
    uint32_t bitsB; ///< the number of bits of partB's number in a key
    cltPairSink* sink;
    uint64_t keptCount; ///< keys in the sink before the search, kept from the last search
    uint64_t candidateCount;
    uint64_t sharedCount;
} PartSearch;

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

static cltMeshWalk BeginMeshWalk( const PartSearch* search, size_t meshPair, cltPairBlock* block )
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

/// The index of the pair of meshes to which an entry belongs, by binary search.
static size_t MeshPairOf( const PartSearch* search, uint64_t entry )
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

/// Searches from entries [first, last) of one pair of meshes.
static void WalkEntries( PartSearch* search, size_t meshPair, uint64_t first, uint64_t last, cltPairBlock* block )
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
    PartSearch* search = context;
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

static cltStatus CountMeshEntries( cltMeshFinder* finder, PartSearch* search )
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

/// Repeats the search with larger buffers until all keys fit.
static cltStatus CollectKeys( cltMeshFinder* finder, PartSearch* search, cltMeshStats* stats )
{
    CLT_TRY( CountMeshEntries( finder, search ) );
    for ( ;; )
    {
        search->sink->next = search->keptCount;
        search->candidateCount = 0;
        search->sharedCount = 0;
        if ( search->taskCount > 0u )
        {
            cltWorkerPool_Run( finder->pool, RunMeshTasks, search->taskCount, 4u, search );
        }
        if ( search->sink->next <= cltPairSink_Capacity( search->sink ) )
        {
            break;
        }
        ++stats->redoCount;
        CLT_TRY( cltPairSink_Grow( search->sink, finder->memory, (size_t)search->sink->next ) );
    }
    stats->candidateCount = search->candidateCount;
    stats->sharedCount = search->sharedCount;
    return clt_ok;
}

/// Adds the keys that a device finds, which are in ascending order.
static cltStatus AddDeviceKeys( cltMeshFinder* finder, cltMeshDevice* device, PartSearch* search, cltMeshStats* stats )
{
    cltMeshKeys found;
    CLT_TRY( device->find( device, search->given, &found, stats ) );
    cltPairSink* sink = search->sink;
    const size_t keptCount = (size_t)search->keptCount;
    if ( found.count > 0 )
    {
        CLT_TRY( cltBuffer_Grow( &sink->buffer, finder->memory, keptCount + found.count, sizeof *found.keys ) );
        memcpy( (uint64_t*)sink->buffer.data + keptCount, found.keys, found.count * sizeof *found.keys );
    }
    sink->next = keptCount + found.count;
    return clt_ok;
}

/// Sorts kept and new keys together.
static cltStatus SortFound( cltMeshFinder* finder, const PartSearch* search, const cltMeshSearch* given,
                            bool isFoundSorted )
{
    const size_t count = (size_t)search->sink->next;
    if ( count == search->keptCount || ( isFoundSorted && search->keptCount == 0u ) )
    {
        return clt_ok;
    }
    return cltRadixSort_Run( &finder->sort, finder->pool, finder->memory, &search->sink->buffer, count, 0u,
                             cltMeshSearch_Bits( given, given->partA ) + search->bitsB );
}

/// Finds all keys, in ascending order.
static cltStatus FindKeys( cltMeshFinder* finder, cltMeshDevice* device, const cltMeshSearch* given, cltMeshKeys* keys,
                           cltMeshStats* stats )
{
    double lap = cltNowMs();
    CLT_TRY( cltBuffer_Reserve( &finder->walked, finder->memory, given->meshPairCount, sizeof( cltPair ) ) );
    cltKeptKeys* kept = &finder->kept[given->partA];
    cltMeshSearch walked = *given;
    walked.meshPairs = finder->walked.data;
    walked.meshPairCount = cltKeptKeys_Begin( kept, given, finder->fitCount, finder->walked.data );
    PartSearch search = { .given = &walked,
                          .bitsB = cltMeshSearch_Bits( given, given->partB ),
                          .sink = &kept->sink,
                          .keptCount = kept->sink.next };
    const bool isDevices = device != NULL && given->partA == clt_partTriangle;
    CLT_TRY( isDevices ? AddDeviceKeys( finder, device, &search, stats ) : CollectKeys( finder, &search, stats ) );
    stats->findMs = cltLapMs( &lap );
    CLT_TRY( SortFound( finder, &search, given, isDevices ) );
    cltKeptKeys_End( kept, given, finder->fitCount );
    stats->orderMs = cltLapMs( &lap );
    *keys = ( cltMeshKeys ){ kept->sink.buffer.data, (size_t)kept->sink.next };
    return clt_ok;
}

cltStatus cltMeshFinder_FindPairs( cltMeshFinder* finder, cltMeshDevice* device, const cltMeshSearch* search,
                                   const void** pairs, size_t* count, cltMeshStats* stats )
{
    cltMeshKeys keys;
    CLT_TRY( FindKeys( finder, device, search, &keys, stats ) );
    double lap = cltNowMs();
    CLT_TRY( cltBuffer_Reserve( &finder->pairs, finder->memory, keys.count, cltMeshSearch_PairBytes( search ) ) );
    cltMeshSearch_WritePairs( search, keys.keys, keys.count, finder->pool, finder->pairs.data );
    stats->orderMs += cltLapMs( &lap );
    stats->pairCount = keys.count;
    *pairs = finder->pairs.data;
    *count = keys.count;
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
    cltBuffer_Release( &finder->walked, memory );
    for ( int part = 0; part < clt_partCount; ++part )
    {
        cltBuffer_Release( &finder->kept[part].sink.buffer, memory );
    }
    cltRadixSort_Release( &finder->sort, memory );
    cltBuffer_Release( &finder->pairs, memory );
    cltMemory_Release( memory, finder, sizeof *finder );
}

cltStatus cltMeshFinder_Fit( cltMeshFinder* finder, cltMesh* mesh, cltAabb* box, cltMeshStats* stats )
{
    bool wasSorted;
    CLT_TRY( cltMesh_MakeTree( mesh, &finder->scratch, finder->pool, finder->memory, &wasSorted ) );
    mesh->isStale = false;
    mesh->fitStamp = ++finder->fitCount;
    mesh->orderStamp = wasSorted ? mesh->fitStamp : mesh->orderStamp;
    stats->sortCount += wasSorted;
    ++stats->fitCount;
    const cltLevels* levels = &mesh->tree.levels;
    const bool isEmpty = mesh->hiddenCount == mesh->triangleCount;
    *box = isEmpty ? cltAabb_Nan() : mesh->tree.nodes[levels->starts[levels->top]].box;
    return clt_ok;
}

cltStatus cltMeshFinder_AssignParts( cltMeshFinder* finder, cltMesh* mesh, cltMeshPart part )
{
    return cltMesh_AssignParts( mesh, part, &finder->scratch, finder->pool, finder->memory );
}
