// SPDX-License-Identifier: Zlib
/// \file merge_split.cuh
/// Splits four sorted runs at a diagonal: finds how many keys of each run are among the first `diagonal` keys of all
/// four runs merged. For two runs this is a point of the merge path (Green, McColl, Bader, GPU Merge Path, 2012), for
/// more runs it is a selection from sorted sequences (Varman, Scheufler, Iyer, Ricard, Merging Multiple Lists on
/// Hierarchical-Memory Multiprocessors, 1991).
///
/// The threads of a block read samples of all runs at once, in steps of some keys. The samples of another run tell how
/// many of its keys are before a given sample, up to one step. So after a round, two steps of the run itself and one
/// step of each other run remain open: a million keys take four rounds of reads, at worst five.
#ifndef CLT_CUDA_MERGE_SPLIT_CUH
#define CLT_CUDA_MERGE_SPLIT_CUH

#include "gpu/core/pair_key.h"
#include "gpu/cuda/cuda_buffer.cuh"

#define CLT_MERGE_RUNS 4u

/// Samples per run; one thread reads one sample.
#define CLT_MERGE_SAMPLES 64u
#define CLT_SPLIT_THREADS ( CLT_MERGE_RUNS * CLT_MERGE_SAMPLES )

/// The state of the search for a split. Of each run, keys before index `low` are among the first `diagonal` keys, keys
/// from low + openCount on are not, and the keys from `low` to low + openCount are undecided (open).
typedef struct cltMergeSplit
{
    uint64_t diagonal; ///< the number of keys before the split, over all runs
    uint64_t low[CLT_MERGE_RUNS];
    uint64_t openCount[CLT_MERGE_RUNS];
    uint64_t step[CLT_MERGE_RUNS];        ///< distance between samples of the open keys
    uint32_t surelyCount[CLT_MERGE_RUNS]; ///< samples that are surely among the first keys
    uint32_t maybeCount[CLT_MERGE_RUNS];  ///< samples that may be among the first keys
} cltMergeSplit;

static __device__ inline uint64_t cltLeast( uint64_t a, uint64_t b )
{
    return a < b ? a : b;
}

/// A number that orders as the keys do. A leaf's reference stores the kind above the slot, but the two leaves of a slot
/// sort next to each other.
template <bool isOfLeaves>
static __device__ uint64_t cltMergeRank( uint64_t key )
{
    const uint32_t ref = (uint32_t)key;
    return isOfLeaves ? ( key >> 32 << 32 ) | ( ref << 2 ) | ( ref >> 30 ) : key;
}

/// Sets the open range of a run and clears the votes on its samples.
static __device__ inline void cltMergeSplit_Open( cltMergeSplit* split, uint32_t run, uint64_t low, uint64_t high )
{
    split->low[run] = low;
    split->openCount[run] = high - low;
    split->step[run] = ( high - low + CLT_MERGE_SAMPLES - 1u ) / CLT_MERGE_SAMPLES;
    split->surelyCount[run] = split->maybeCount[run] = 0;
}

/// Initializes the split for one run.
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

/// The number of a run's samples that come before `rank`.
/// \param areEqualBefore  samples equal to `rank` count, because the key of an earlier run comes before an equal key
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

/// Votes with sample `number` of a run on how many of the run's samples are among the first `diagonal` keys. Between
/// `least` and `most` open keys are before the sample. For another run, its last sample before this sample and all keys
/// up to it are surely before, and keys up to its next sample may be. Missing samples hold the greatest rank: only a
/// key of that rank counts them, and never more than the run's open keys.
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

/// Narrows the open range of a run by the votes. If a sample is surely among the first keys, so are the keys before it;
/// if it surely is not, neither are the keys after it.
static __device__ inline void cltMergeSplit_Narrow( cltMergeSplit* split, uint32_t run )
{
    const uint64_t low = split->low[run];
    const uint64_t step = split->step[run];
    const uint32_t surelyCount = split->surelyCount[run];
    cltMergeSplit_Open( split, run, surelyCount == 0 ? low : low + ( surelyCount - 1u ) * step + 1u,
                        low + cltLeast( split->openCount[run], split->maybeCount[run] * step ) );
}

/// Finds both splits of a block, each with CLT_SPLIT_THREADS threads. The loop ends: the first of all open keys is a
/// sample with no open key before it, so each round decides at least one key.
/// \param[in,out] splits  initialized by the caller; no key is open at the return
/// \param samples  shared memory for one sample per thread
/// \param runs  the keys of all runs; a run begins every `width` keys
/// \return the number of rounds of reads
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
