// SPDX-License-Identifier: Zlib
/// \file merge_split.cuh
/// Where a diagonal crosses four sorted runs: how many keys of each are among the first so many of all four. For two
/// runs that is a point of a path (Green, McColl, Bader, GPU Merge Path, 2012); for more it is a selection from sorted
/// sequences (Varman, Scheufler, Iyer, Ricard, Merging Multiple Lists on Hierarchical-Memory Multiprocessors, 1991).
///
/// Here a block's threads look at samples of all runs at once. How many keys are before a sample is known but for less
/// than a step of each other run, from the samples of that run alone, so that what is left open of a run are two steps
/// of its own and one of each other: a million keys take four looks at memory, at worst five.
#ifndef CLT_CUDA_MERGE_SPLIT_CUH
#define CLT_CUDA_MERGE_SPLIT_CUH

#include "gpu/core/pair_key.h"
#include "gpu/cuda/cuda_buffer.cuh"

#define CLT_MERGE_RUNS 4u

/// Of a run, and threads that look for its part of a split.
#define CLT_MERGE_SAMPLES 64u
#define CLT_SPLIT_THREADS ( CLT_MERGE_RUNS * CLT_MERGE_SAMPLES )

/// Run by run: keys below `low` are among the first, those from low + openCount on are not, those in between are open.
typedef struct cltMergeSplit
{
    uint64_t diagonal; ///< how many the first are
    uint64_t low[CLT_MERGE_RUNS];
    uint64_t openCount[CLT_MERGE_RUNS];
    uint64_t step[CLT_MERGE_RUNS];        ///< from one sample of what is open to the next
    uint32_t surelyCount[CLT_MERGE_RUNS]; ///< samples that are among the first,
    uint32_t maybeCount[CLT_MERGE_RUNS];  ///< and those that may be
} cltMergeSplit;

static __device__ inline uint64_t cltLeast( uint64_t a, uint64_t b )
{
    return a < b ? a : b;
}

/// A number that orders as the keys do. A leaf's reference has the kind above the slot, and two leaves of one slot are
/// neighbours.
template <bool isOfLeaves>
static __device__ uint64_t cltMergeRank( uint64_t key )
{
    const uint32_t ref = (uint32_t)key;
    return isOfLeaves ? ( key >> 32 << 32 ) | ( ref << 2 ) | ( ref >> 30 ) : key;
}

/// What is open of a run, which nobody has sampled yet.
static __device__ inline void cltMergeSplit_Open( cltMergeSplit* split, uint32_t run, uint64_t low, uint64_t high )
{
    split->low[run] = low;
    split->openCount[run] = high - low;
    split->step[run] = ( high - low + CLT_MERGE_SAMPLES - 1u ) / CLT_MERGE_SAMPLES;
    split->surelyCount[run] = split->maybeCount[run] = 0;
}

/// One run's part of it, before anything was looked at.
static __device__ inline void cltMergeSplit_Begin( cltMergeSplit* split, uint32_t run, uint64_t runCount,
                                                   uint64_t otherCount, uint64_t diagonal )
{
    if ( run == 0 )
    {
        split->diagonal = diagonal;
    }
    cltMergeSplit_Open( split, run, diagonal > otherCount ? diagonal - otherCount : 0u,
                        cltLeast( diagonal, runCount ) );
}

static __device__ inline uint64_t cltSum( const uint64_t ofRuns[CLT_MERGE_RUNS] )
{
    return ofRuns[0] + ofRuns[1] + ofRuns[2] + ofRuns[3];
}

/// How many of a run's samples are before a rank. A run's keys come before equal ones of later runs.
static __device__ inline uint32_t cltSamplesBefore( const uint64_t* samples, uint64_t rank, bool areEqualBefore )
{
    uint32_t count = 0;
    for ( uint32_t step = CLT_MERGE_SAMPLES; step > 0; step /= 2u )
    {
        const uint32_t next = count + step;
        const bool isBefore = next <= CLT_MERGE_SAMPLES &&
                              ( samples[next - 1u] < rank || ( areEqualBefore && samples[next - 1u] == rank ) );
        count = isBefore ? next : count;
    }
    return count;
}

/// Votes with a sample, number `number` of its run, on how many samples are among the first. Of the open keys, `least`
/// to `most` are before it: of another run's those up to the last sample that is before it, and some of the keys from
/// there to the next one. In place of samples that a run does not have there is the greatest rank: only a key of that
/// rank itself counts them, and then no more of the run than is open.
static __device__ inline void cltMergeSplit_Vote( cltMergeSplit* split, const uint64_t* samples, uint32_t run,
                                                  uint32_t number )
{
    const uint64_t rank = samples[run * CLT_MERGE_SAMPLES + number];
    uint64_t least = number * split->step[run];
    uint64_t most = least;
    for ( uint32_t i = 1; i < CLT_MERGE_RUNS; ++i )
    {
        const uint32_t other = ( run + i ) % CLT_MERGE_RUNS;
        const uint32_t count = cltSamplesBefore( samples + other * CLT_MERGE_SAMPLES, rank, other < run );
        const uint64_t step = split->step[other];
        least += count == 0 ? 0u : cltLeast( ( count - 1u ) * step + 1u, split->openCount[other] );
        most += cltLeast( count * step, split->openCount[other] );
    }
    const uint64_t wantedCount = split->diagonal - cltSum( split->low );
    if ( most < wantedCount )
    {
        atomicMax( &split->surelyCount[run], number + 1u );
    }
    if ( least < wantedCount )
    {
        atomicMax( &split->maybeCount[run], number + 1u );
    }
}

/// What a run's samples have shown. Who is before a sample that is among the first is, too, and who is behind one that
/// is not is not.
static __device__ inline void cltMergeSplit_Narrow( cltMergeSplit* split, uint32_t run )
{
    const uint64_t low = split->low[run];
    const uint64_t step = split->step[run];
    const uint32_t surelyCount = split->surelyCount[run];
    cltMergeSplit_Open( split, run, surelyCount == 0 ? low : low + ( surelyCount - 1u ) * step + 1u,
                        low + cltLeast( split->openCount[run], split->maybeCount[run] * step ) );
}

/// Finds both splits of a block, each by CLT_SPLIT_THREADS threads. That ends: the first of all open keys is a sample,
/// it is known that no open key is before it, and so each look decides about one at least.
/// \param[in,out] splits  as much as was known before; in the end nothing is open
/// \param samples  in shared memory, one a thread
/// \param runs  one every `width` keys
/// \return looks at memory
template <bool isOfLeaves>
static __device__ uint32_t cltMergeSplit_FindBoth( cltMergeSplit splits[2], uint64_t* samples, const uint64_t* runs,
                                                   uint64_t width )
{
    cltMergeSplit* split = splits + threadIdx.x / CLT_SPLIT_THREADS;
    const uint32_t run = threadIdx.x / CLT_MERGE_SAMPLES % CLT_MERGE_RUNS;
    const uint32_t number = threadIdx.x % CLT_MERGE_SAMPLES;
    uint32_t lookCount = 0;
    __syncthreads();
    for ( ; cltSum( splits[0].openCount ) + cltSum( splits[1].openCount ) > 0; ++lookCount )
    {
        const uint64_t place = number * split->step[run];
        const bool isSample = place < split->openCount[run];
        const uint64_t* keys = runs + run * width + split->low[run];
        samples[threadIdx.x] = isSample ? cltMergeRank<isOfLeaves>( keys[place] ) : UINT64_MAX;
        __syncthreads();
        if ( isSample )
        {
            cltMergeSplit_Vote( split, samples + threadIdx.x / CLT_SPLIT_THREADS * CLT_SPLIT_THREADS, run, number );
        }
        __syncthreads();
        if ( number == 0 )
        {
            cltMergeSplit_Narrow( split, run );
        }
        __syncthreads();
    }
    return lookCount;
}

#endif
