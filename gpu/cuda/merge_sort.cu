// SPDX-License-Identifier: Zlib
// Merge sort: blocks sort tiles, then runs are merged by four, every block a tile of the result. Which parts of four
// runs make up a tile is found by looking at samples (merge_split.cuh); which part of a tile a thread's keys, where a
// diagonal crosses the path of the merge of two (Green, McColl, Bader, GPU Merge Path, 2012), so that the four parts of
// a tile, once they are in shared memory, are merged by two and two. No block waits for another one, and no launch for
// the host.
//
// Against a radix sort: a million keys are read and written five times, where it does so once for every eight bits, six
// times for a pair; each is one launch, where it counts digits before; and the host need not know how many keys there
// are. Neither is measured on a device.

#include "gpu/cuda/merge_sort.cuh"

#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/merge_split.cuh"

#define THREADS 512u
#define KEYS_PER_THREAD 8u
#define TILE ( THREADS * KEYS_PER_THREAD ) ///< keys

/// In shared memory there is a gap behind so many keys, which fill all banks once: threads that read or write
/// KEYS_PER_THREAD in a row each would meet in two of sixteen otherwise.
#define KEYS_PER_GAP 16u
#define TILE_ROOM ( TILE + TILE / KEYS_PER_GAP ) ///< 34 KB

static_assert( THREADS == 2u * CLT_SPLIT_THREADS, "a block finds where its tile begins and where it ends" );

/// What the kernels share.
typedef struct Pass
{
    const uint64_t* from;
    uint64_t* to;
    uint64_t room;
    uint64_t knownCount;
    const uint64_t* more;
} Pass;

/// The key at a place of a tile.
static __device__ uint64_t& KeyAt( uint64_t* tile, uint32_t place )
{
    return tile[place + place / KEYS_PER_GAP];
}

/// How many keys of the sorted run first .. split-1 are among the first `diagonal` of it and split .. end-1.
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

/// A thread's keys, from `place` on, of what the sorted runs first .. split-1 and split .. end-1 merge to and, behind
/// them, end .. nextSplit-1 and those up to the tile's end.
template <bool isOfLeaves>
static __device__ void MergePart( uint64_t* tile, uint32_t first, uint32_t split, uint32_t end, uint32_t nextSplit,
                                  uint32_t place, uint64_t part[KEYS_PER_THREAD] )
{
    uint32_t a = first + CrossingOf<isOfLeaves>( tile, first, split, end, place - first );
    uint32_t b = split + place - a;
    for ( uint32_t i = 0; i < KEYS_PER_THREAD; ++i )
    {
        if ( a == split && b == end ) // the next two
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

/// By exchanges of neighbours (Knuth, The Art of Computer Programming 3, 5.3.4, odd-even transposition): all indices
/// are constants, so that the keys stay in registers.
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

/// Each thread's keys to their places in the tile, when all have read what was there.
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
        KeyAt( tile, i ) = first + i < count ? pass.from[first + i] : CLT_NO_KEY; // sorts behind all others
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

/// Both splits of a tile, that of its first key and that behind its last one, before anything was looked at: a thread
/// for each run of each.
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

/// The parts that make up a tile, one behind the other.
typedef struct Parts
{
    uint32_t ends[CLT_MERGE_RUNS];
    uint64_t offsets[CLT_MERGE_RUNS]; ///< what to add to a place in the tile, modulo 2^64, for where its key is
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

/// By two and two, the first with the second and the third with the fourth, then what these came to.
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
    if ( parts.ends[0] < parts.ends[CLT_MERGE_RUNS - 1u] ) // else one run has them all, as where there are few keys
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
    if ( tileCount > INT32_MAX ) // more blocks than a launch may have, of more keys than any device holds
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
