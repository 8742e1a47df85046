// SPDX-License-Identifier: Zlib
// Merge sort: blocks sort tiles, then runs are merged by two, every block a tile of the result. Which parts of two runs
// make up a tile, and which part of a tile a thread's keys, is where a diagonal crosses the path of the merge (Green,
// McColl, Bader, GPU Merge Path, 2012). No block waits for another one, and no launch for the host.
//
// Against a radix sort: more passes where there are many keys, 8 for a million instead of 4, each of the same bytes;
// but one launch a pass where that has two and four before, and the host need not know how many keys there are. Neither
// is measured on a device.

#include "gpu/cuda/merge_sort.cuh"

#include "gpu/core/pair_key.h"
#include "gpu/cuda/launch.cuh"

#define THREADS 512u
#define KEYS_PER_THREAD 8u
#define TILE ( THREADS * KEYS_PER_THREAD ) ///< keys, 32 KB

/// Threads that look for one end of a block's parts.
#define PROBES ( THREADS / 2u )

/// What the kernels share.
typedef struct Pass
{
    const uint64_t* from;
    uint64_t* to;
    uint64_t room;
    uint64_t knownCount;
    const uint64_t* more;
} Pass;

static __device__ uint64_t Least( uint64_t a, uint64_t b )
{
    return a < b ? a : b;
}

/// A number that orders as the keys do. A leaf's reference has the kind above the slot, and two leaves of one slot are
/// neighbours.
template <bool isOfLeaves>
static __device__ uint64_t Rank( uint64_t key )
{
    const uint32_t ref = (uint32_t)key;
    return isOfLeaves ? ( key >> 32 << 32 ) | ( ref << 2 ) | ( ref >> 30 ) : key;
}

/// The keys from `diagonal` on of what the sorted runs 0 .. split-1 and split .. end-1 merge to.
template <bool isOfLeaves>
static __device__ void MergePart( const uint64_t* keys, uint32_t split, uint32_t end, uint32_t diagonal,
                                  uint64_t part[KEYS_PER_THREAD] )
{
    uint32_t a = diagonal > end - split ? diagonal - ( end - split ) : 0u;
    for ( uint32_t high = diagonal < split ? diagonal : split; a < high; )
    {
        const uint32_t middle = ( a + high ) / 2u;
        const bool isBefore =
            Rank<isOfLeaves>( keys[middle] ) <= Rank<isOfLeaves>( keys[split + diagonal - 1u - middle] );
        a = isBefore ? middle + 1u : a;
        high = isBefore ? high : middle;
    }
    uint32_t b = split + diagonal - a;
    for ( uint32_t i = 0; i < KEYS_PER_THREAD; ++i )
    {
        const bool takesA = b >= end || ( a < split && Rank<isOfLeaves>( keys[a] ) <= Rank<isOfLeaves>( keys[b] ) );
        part[i] = keys[takesA ? a : b];
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
            const bool isPlaced = Rank<isOfLeaves>( first ) <= Rank<isOfLeaves>( second );
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
        tile[threadIdx.x * KEYS_PER_THREAD + i] = part[i];
    }
    __syncthreads();
}

static __device__ void WriteTile( const uint64_t* tile, uint64_t* to, uint64_t count )
{
    for ( uint32_t i = threadIdx.x; i < TILE && i < count; i += THREADS )
    {
        to[i] = tile[i];
    }
}

static __device__ uint64_t CountOf( const Pass* pass )
{
    return Least( pass->knownCount + *pass->more, pass->room );
}

template <bool isOfLeaves>
static __global__ void SortTilesKernel( Pass pass )
{
    __shared__ uint64_t tile[TILE];
    const uint64_t count = CountOf( &pass );
    const uint64_t first = (uint64_t)blockIdx.x * TILE;
    if ( first >= count )
    {
        return;
    }
    for ( uint32_t i = threadIdx.x; i < TILE; i += THREADS )
    {
        tile[i] = first + i < count ? pass.from[first + i] : CLT_NO_KEY; // sorts behind all others
    }
    __syncthreads();
    uint64_t part[KEYS_PER_THREAD];
    for ( uint32_t i = 0; i < KEYS_PER_THREAD; ++i )
    {
        part[i] = tile[threadIdx.x * KEYS_PER_THREAD + i];
    }
    SortPart<isOfLeaves>( part );
    PutPart( tile, part );
    for ( uint32_t width = KEYS_PER_THREAD; width < TILE && width < count - first; width *= 2u )
    {
        const uint32_t place = threadIdx.x * KEYS_PER_THREAD;
        const uint32_t begin = place / ( 2u * width ) * ( 2u * width );
        MergePart<isOfLeaves>( tile + begin, width, 2u * width, place - begin, part );
        PutPart( tile, part );
    }
    WriteTile( tile, pass.to + first, count - first );
}

/// Two runs, and how many keys of the first one are among so many of both: between low and high.
typedef struct Crossing
{
    uint64_t diagonal;
    uint64_t low;
    uint64_t high;
    unsigned long long found;
} Crossing;

/// Finds both crossings, each by half of the block's threads, which look at as many places at once: a million keys take
/// three looks at memory instead of twenty.
template <bool isOfLeaves>
static __device__ void FindCrossings( Crossing crossings[2], const uint64_t* a, const uint64_t* b )
{
    Crossing* mine = crossings + threadIdx.x / PROBES;
    const uint32_t number = threadIdx.x % PROBES;
    __syncthreads();
    while ( crossings[0].low < crossings[0].high || crossings[1].low < crossings[1].high )
    {
        const uint64_t step = ( mine->high - mine->low + PROBES - 1u ) / PROBES;
        const uint64_t probe = mine->low + number * step;
        if ( probe < mine->high && Rank<isOfLeaves>( a[probe] ) <= Rank<isOfLeaves>( b[mine->diagonal - 1u - probe] ) )
        {
            atomicMax( &mine->found, (unsigned long long)( probe + 1u ) );
        }
        __syncthreads();
        if ( number == 0 )
        {
            mine->high = mine->found > mine->low ? Least( mine->high, mine->found + step - 1u ) : mine->low;
            mine->low = mine->found;
        }
        __syncthreads();
    }
}

template <bool isOfLeaves>
static __global__ void MergeRunsKernel( Pass pass, uint64_t width )
{
    __shared__ uint64_t tile[TILE];
    __shared__ Crossing crossings[2];
    const uint64_t count = CountOf( &pass );
    const uint64_t first = (uint64_t)blockIdx.x * TILE;
    if ( first >= count )
    {
        return;
    }
    const uint64_t begin = first / ( 2u * width ) * ( 2u * width );
    const uint64_t split = Least( begin + width, count );
    const uint64_t end = Least( begin + 2u * width, count );
    if ( threadIdx.x < 2u )
    {
        Crossing* crossing = crossings + threadIdx.x;
        crossing->diagonal = Least( first + threadIdx.x * TILE, end ) - begin;
        crossing->low = crossing->diagonal > end - split ? crossing->diagonal - ( end - split ) : 0u;
        crossing->high = Least( crossing->diagonal, split - begin );
        crossing->found = crossing->low;
    }
    FindCrossings<isOfLeaves>( crossings, pass.from + begin, pass.from + split );
    const uint64_t* a = pass.from + begin + crossings[0].low;
    const uint64_t* b = pass.from + split + ( crossings[0].diagonal - crossings[0].low );
    const uint32_t aCount = (uint32_t)( crossings[1].low - crossings[0].low );
    const uint32_t keyCount = (uint32_t)( crossings[1].diagonal - crossings[0].diagonal );
    for ( uint32_t i = threadIdx.x; i < TILE; i += THREADS )
    {
        tile[i] = i < aCount ? a[i] : i < keyCount ? b[i - aCount] : CLT_NO_KEY;
    }
    __syncthreads();
    uint64_t part[KEYS_PER_THREAD];
    MergePart<isOfLeaves>( tile, aCount, TILE, threadIdx.x * KEYS_PER_THREAD, part );
    PutPart( tile, part );
    WriteTile( tile, pass.to + first, keyCount );
}

template <bool isOfLeaves>
static cltStatus Run( const cltMergeSort* sort, cltCudaDevice* device )
{
    const uint64_t tileCount = ( sort->room + TILE - 1u ) / TILE;
    if ( tileCount > INT32_MAX ) // more blocks than a launch may have, of more keys than any device holds
    {
        return clt_deviceMemory;
    }
    uint32_t mergeCount = 0;
    for ( uint64_t runs = tileCount; runs > 1u; runs = ( runs + 1u ) / 2u )
    {
        ++mergeCount;
    }
    uint64_t* to = mergeCount % 2u == 0 ? sort->keys : sort->spare; // so that the last pass writes to `keys`
    Pass pass = { sort->keys, to, sort->room, sort->knownCount, sort->more };
    CLT_TRY( cltLaunchBlocks( device, "sort tiles", (uint32_t)tileCount, THREADS, SortTilesKernel<isOfLeaves>, pass ) );
    for ( uint64_t width = TILE; mergeCount > 0; --mergeCount, width *= 2u )
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
