// SPDX-License-Identifier: Zlib
// Merge sort: blocks sort tiles, then sorted runs are merged four at a time, one tile of output per block. Samples show
// which parts of the four runs make up a tile (merge_split.cuh). In shared memory the four parts are merged in pairs:
// each thread finds its part of the output where a diagonal crosses the merge path (Green, McColl, Bader, GPU Merge
// Path, 2012). No block waits for another block, and no launch waits for the host.
//
// Compared with a radix sort: this sort reads and writes a million keys in five passes, whatever the width of a key. A
// radix sort takes one pass for every eight bits of a key, which is six for the key of a pair. A pass of this sort is a
// single launch, while a radix sort must also count digits, and the host need not know the number of keys. Neither of
// the two sorts has been measured on a device.

#include "gpu/cuda/merge_sort.cuh"

#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/merge_split.cuh"

#define THREADS 512u
#define KEYS_PER_THREAD 8u
#define TILE ( THREADS * KEYS_PER_THREAD ) ///< keys in a tile

/// Shared memory is padded after every KEYS_PER_GAP keys, which fill all banks once. Without the padding, threads that
/// access KEYS_PER_THREAD consecutive keys would conflict in two of sixteen banks.
#define KEYS_PER_GAP 16u
#define TILE_ROOM ( TILE + TILE / KEYS_PER_GAP ) ///< 34 KB

static_assert( THREADS == 2u * CLT_SPLIT_THREADS, "a block finds the first and the last split of its tile" );

/// Arguments of the kernels.
typedef struct Pass
{
    const uint64_t* from;
    uint64_t* to;
    uint64_t room;
    uint64_t knownCount;
    const uint64_t* more;
} Pass;

/// The key at index `place` of a tile in padded shared memory.
static __device__ uint64_t& KeyAt( uint64_t* tile, uint32_t place )
{
    return tile[place + place / KEYS_PER_GAP];
}

/// How many keys of the sorted run first .. split-1 are among the first `diagonal` keys of its merge with the sorted
/// run split .. end-1.
template <bool isOfLeaves>
static __device__ uint32_t CrossingOf( uint64_t* tile, uint32_t first, uint32_t split, uint32_t end, uint32_t diagonal )
{
    uint32_t low = diagonal > end - split ? diagonal - ( end - split ) : 0u;
    for ( uint32_t high = cltLeast( diagonal, split - first ); low < high; )
    {
        const uint32_t middle = ( low + high ) / 2u;
        const bool isBefore = cltMergeRank<isOfLeaves>( KeyAt( tile, first + middle ) ) <=
                              cltMergeRank<isOfLeaves>( KeyAt( tile, split + diagonal - 1u - middle ) );
        low = isBefore ? middle + 1u : low;
        high = isBefore ? high : middle;
    }
    return low;
}

/// Merges KEYS_PER_THREAD keys of a thread, from output index `place` on. The output is the merge of the sorted runs
/// first .. split-1 and split .. end-1, followed by the merge of end .. nextSplit-1 and nextSplit .. TILE-1.
template <bool isOfLeaves>
static __device__ void MergePart( uint64_t* tile, uint32_t first, uint32_t split, uint32_t end, uint32_t nextSplit,
                                  uint32_t place, uint64_t part[KEYS_PER_THREAD] )
{
    uint32_t a = first + CrossingOf<isOfLeaves>( tile, first, split, end, place - first );
    uint32_t b = split + place - a;
    for ( uint32_t i = 0; i < KEYS_PER_THREAD; ++i )
    {
        if ( a == split && b == end ) // go on with the next two runs
        {
            a = end;
            split = b = nextSplit;
            end = TILE;
        }
        const bool takesA = b == end || ( a < split && cltMergeRank<isOfLeaves>( KeyAt( tile, a ) ) <=
                                                           cltMergeRank<isOfLeaves>( KeyAt( tile, b ) ) );
        part[i] = KeyAt( tile, takesA ? a : b );
        a += takesA ? 1u : 0u;
        b += takesA ? 0u : 1u;
    }
}

/// Sorts a thread's keys by odd-even transposition (Knuth, The Art of Computer Programming 3, 5.3.4): all indices are
/// constants, so the keys stay in registers.
template <bool isOfLeaves>
static __device__ void SortPart( uint64_t part[KEYS_PER_THREAD] )
{
    for ( uint32_t round = 0; round < KEYS_PER_THREAD; ++round )
    {
        for ( uint32_t i = round % 2u; i + 1u < KEYS_PER_THREAD; i += 2u )
        {
            const uint64_t first = part[i];
            const uint64_t second = part[i + 1u];
            const bool isPlaced = cltMergeRank<isOfLeaves>( first ) <= cltMergeRank<isOfLeaves>( second );
            part[i] = isPlaced ? first : second;
            part[i + 1u] = isPlaced ? second : first;
        }
    }
}

/// Writes each thread's keys to the tile, after all threads have read from it.
static __device__ void PutPart( uint64_t* tile, const uint64_t part[KEYS_PER_THREAD] )
{
    __syncthreads();
    for ( uint32_t i = 0; i < KEYS_PER_THREAD; ++i )
    {
        KeyAt( tile, threadIdx.x * KEYS_PER_THREAD + i ) = part[i];
    }
    __syncthreads();
}

static __device__ void WriteTile( uint64_t* tile, uint64_t* to, uint64_t count )
{
    for ( uint32_t i = threadIdx.x; i < TILE && i < count; i += THREADS )
    {
        to[i] = KeyAt( tile, i );
    }
}

static __device__ uint64_t CountOf( const Pass* pass )
{
    return cltLeast( pass->knownCount + *pass->more, pass->room );
}

template <bool isOfLeaves>
static __global__ void SortTilesKernel( Pass pass )
{
    __shared__ uint64_t tile[TILE_ROOM];
    const uint64_t count = CountOf( &pass );
    const uint64_t first = (uint64_t)blockIdx.x * TILE;
    if ( first >= count )
    {
        return;
    }
    for ( uint32_t i = threadIdx.x; i < TILE; i += THREADS )
    {
        KeyAt( tile, i ) = first + i < count ? pass.from[first + i] : CLT_NO_KEY; // sorts last
    }
    __syncthreads();
    uint64_t part[KEYS_PER_THREAD];
    for ( uint32_t i = 0; i < KEYS_PER_THREAD; ++i )
    {
        part[i] = KeyAt( tile, threadIdx.x * KEYS_PER_THREAD + i );
    }
    SortPart<isOfLeaves>( part );
    PutPart( tile, part );
    for ( uint32_t width = KEYS_PER_THREAD; width < TILE && width < count - first; width *= 2u )
    {
        const uint32_t place = threadIdx.x * KEYS_PER_THREAD;
        const uint32_t begin = place & ~( 2u * width - 1u );
        MergePart<isOfLeaves>( tile, begin, begin + width, begin + 2u * width, TILE, place, part );
        PutPart( tile, part );
    }
    WriteTile( tile, pass.to + first, count - first );
}

/// Initializes both splits of a tile, before its first key and after its last key: one thread per run and split.
static __device__ void BeginSplits( cltMergeSplit splits[2], uint64_t first, uint64_t begin, uint64_t width,
                                    uint64_t count )
{
    if ( threadIdx.x < 2u * CLT_MERGE_RUNS )
    {
        const uint32_t which = threadIdx.x / CLT_MERGE_RUNS;
        const uint32_t run = threadIdx.x % CLT_MERGE_RUNS;
        const uint64_t end = cltLeast( begin + CLT_MERGE_RUNS * width, count );
        const uint64_t runCount = cltLeast( begin + ( run + 1u ) * width, end ) - cltLeast( begin + run * width, end );
        cltMergeSplit_Begin( splits + which, run, runCount, end - begin - runCount,
                             cltLeast( first + which * TILE, end ) - begin );
    }
}

/// The parts of the four runs that make up a tile, run after run.
typedef struct Parts
{
    uint32_t ends[CLT_MERGE_RUNS];
    uint64_t offsets[CLT_MERGE_RUNS]; ///< offset from an index in the tile to the index of its key, modulo 2^64
} Parts;

static __device__ void ListParts( Parts* parts, const cltMergeSplit splits[2], uint64_t begin, uint64_t width )
{
    uint32_t end = 0;
    for ( uint32_t run = 0; run < CLT_MERGE_RUNS; ++run )
    {
        parts->offsets[run] = begin + run * width + splits[0].low[run] - end;
        end += (uint32_t)( splits[1].low[run] - splits[0].low[run] );
        parts->ends[run] = end;
    }
}

static __device__ void ReadParts( const Parts* parts, const uint64_t* from, uint64_t* tile )
{
    for ( uint32_t i = threadIdx.x; i < TILE; i += THREADS )
    {
        const uint32_t run =
            ( i >= parts->ends[0] ? 1u : 0u ) + ( i >= parts->ends[1] ? 1u : 0u ) + ( i >= parts->ends[2] ? 1u : 0u );
        KeyAt( tile, i ) = i < parts->ends[CLT_MERGE_RUNS - 1u] ? from[parts->offsets[run] + i] : CLT_NO_KEY;
    }
    __syncthreads();
}

/// Merges the parts in pairs: the first with the second, the third with the fourth, then the two results.
template <bool isOfLeaves>
static __device__ void MergeParts( const Parts* parts, uint64_t* tile )
{
    const uint32_t place = threadIdx.x * KEYS_PER_THREAD;
    const uint32_t* ends = parts->ends;
    const bool isBehind = place >= ends[1];
    uint64_t part[KEYS_PER_THREAD];
    MergePart<isOfLeaves>( tile, isBehind ? ends[1] : 0u, isBehind ? ends[2] : ends[0], isBehind ? TILE : ends[1],
                           ends[2], place, part );
    PutPart( tile, part );
    MergePart<isOfLeaves>( tile, 0, ends[1], TILE, TILE, place, part );
    PutPart( tile, part );
}

template <bool isOfLeaves>
static __global__ void MergeRunsKernel( Pass pass, uint64_t width )
{
    __shared__ uint64_t tile[TILE_ROOM];
    __shared__ cltMergeSplit splits[2];
    __shared__ Parts parts;
    const uint64_t count = CountOf( &pass );
    const uint64_t first = (uint64_t)blockIdx.x * TILE;
    if ( first >= count )
    {
        return;
    }
    const uint64_t begin = first & ~( CLT_MERGE_RUNS * width - 1u );
    BeginSplits( splits, first, begin, width, count );
    cltMergeSplit_FindBoth<isOfLeaves>( splits, tile, pass.from + begin, width );
    if ( threadIdx.x == 0 )
    {
        ListParts( &parts, splits, begin, width );
    }
    __syncthreads();
    ReadParts( &parts, pass.from, tile );
    if ( parts.ends[0] < parts.ends[CLT_MERGE_RUNS - 1u] ) // otherwise all keys are of the first run
    {
        MergeParts<isOfLeaves>( &parts, tile );
    }
    WriteTile( tile, pass.to + first, parts.ends[CLT_MERGE_RUNS - 1u] );
}

static uint64_t TileCount( uint64_t room )
{
    return ( room + TILE - 1u ) / TILE;
}

uint32_t cltMergeSort_MergeCount( uint64_t room )
{
    uint32_t count = 0;
    for ( uint64_t runs = TileCount( room ); runs > 1u; runs = ( runs + CLT_MERGE_RUNS - 1u ) / CLT_MERGE_RUNS )
    {
        ++count;
    }
    return count;
}

template <bool isOfLeaves>
static cltStatus Run( const cltMergeSort* sort, cltCudaDevice* device )
{
    const uint64_t tileCount = TileCount( sort->room );
    if ( tileCount > INT32_MAX ) // exceeds the grid size limit and the memory of any device
    {
        return clt_deviceMemory;
    }
    uint32_t mergeCount = cltMergeSort_MergeCount( sort->room );
    uint64_t* to = mergeCount % 2u == 0 ? sort->keys : sort->spare; // so that the last pass writes to `keys`
    Pass pass = { sort->keys, to, sort->room, sort->knownCount, sort->more };
    CLT_TRY( cltLaunchBlocks( device, "sort tiles", (uint32_t)tileCount, THREADS, SortTilesKernel<isOfLeaves>, pass ) );
    for ( uint64_t width = TILE; mergeCount > 0; --mergeCount, width *= CLT_MERGE_RUNS )
    {
        pass.from = to;
        to = to == sort->keys ? sort->spare : sort->keys;
        pass.to = to;
        CLT_TRY( cltLaunchBlocks( device, "merge runs", (uint32_t)tileCount, THREADS, MergeRunsKernel<isOfLeaves>, pass,
                                  width ) );
    }
    return clt_ok;
}

cltStatus cltMergeSort_Run( const cltMergeSort* sort, cltCudaDevice* device )
{
    return sort->isOfLeaves ? Run<true>( sort, device ) : Run<false>( sort, device );
}
