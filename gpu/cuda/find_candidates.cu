// SPDX-License-Identifier: Zlib
// Brute force: all pairs of leaves are one range of numbers, and the index-to-pair map turns a number into two leaves
// (Avril, Gouranton, Arnaldi, Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function, 2012).
//
// Results are written as keys at once or, with clt_outputBits, as one bit per candidate; a second kernel then writes
// the keys of the set bits (table 5 in that paper and the text above it). In the paper eight threads share a byte. Here
// a warp writes a word by one ballot, and the bits stay on the device.

#include "gpu/cuda/searches.cuh"

#define WORD_BITS 32u ///< the number of threads in a warp, too

/// Candidates in a run of a block: eight per thread, interleaved, so that the candidates of a warp are consecutive.
#define RUN_SIZE ( 8u * CLT_BLOCK_SIZE )

/// Candidates per launch. A card that drives a display aborts kernels after about two seconds; a small card tests a few
/// thousand million candidates in that time. Up to 65,000 bodies take one launch. Not measured yet.
#if !defined( CLT_SLICE_SIZE ) // the tests use smaller slices
#define CLT_SLICE_SIZE ( UINT64_C( 1 ) << 31 )
#endif
static_assert( CLT_SLICE_SIZE % RUN_SIZE == 0, "a run, and so a word, lies in one slice" );

/// Arguments of the kernels.
typedef struct Candidates
{
    cltLeaves leaves;
    cltPairMap map;
    cltPlan* plan;
    cltFind find;
    uint32_t* words; ///< candidate k is bit k % WORD_BITS of word k / WORD_BITS
    uint64_t room;   ///< the capacity of `words` in candidates
    uint64_t first;  ///< the first candidate of the slice
    uint64_t end;    ///< the end of the slice, possibly beyond the last candidate
} Candidates;

/// Reads the leaf count from the plan. Returns the end of the slice's candidates, or 0 if the bits do not fit.
static __device__ uint64_t PrepareSlice( Candidates* candidates )
{
    cltPlan* plan = candidates->plan;
    candidates->leaves.count = plan->leafCount;
    const uint64_t count = cltPairMap_CandidateCount( &candidates->map, plan->leafCount );
    if ( cltThreadIndex() == 0 )
    {
        plan->candidateCount = count; // every kernel writes the same value
    }
    const uint64_t end = count < candidates->end ? count : candidates->end;
    return count > candidates->room ? 0u : end;
}

static __device__ uint64_t KeyOf( const Candidates* candidates, uint64_t k )
{
    const cltLeaves* leaves = &candidates->leaves;
    uint32_t i;
    uint32_t j;
    const bool isPair = cltPairMap_Pair( &candidates->map, leaves->count, k, &i, &j );
    return isPair ? cltLeaves_Key( leaves, candidates->find, i, j ) : CLT_NO_KEY;
}

/// Calls `take` with each candidate of the block's runs and the candidate's key. The last run is completed with numbers
/// past the end and CLT_NO_KEY, so that all warps are full.
template <typename Take>
static __device__ void TakeRuns( const Candidates* candidates, uint64_t end, const Take& take )
{
    const uint64_t stride = (uint64_t)gridDim.x * RUN_SIZE;
    for ( uint64_t first = candidates->first + (uint64_t)blockIdx.x * RUN_SIZE; first < end; first += stride )
    {
        for ( uint64_t k = first + threadIdx.x; k < first + RUN_SIZE; k += blockDim.x )
        {
            take( k, k < end ? KeyOf( candidates, k ) : CLT_NO_KEY );
        }
    }
}

static __global__ void FindCandidatesKernel( Candidates candidates, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint64_t end = PrepareSlice( &candidates );
    TakeRuns( &candidates, end, [&]( uint64_t, uint64_t key ) { cltBlockKeys_Add( &block, &sink, key ); } );
    cltBlockKeys_End( &block, &sink );
}

static __global__ void MarkCandidatesKernel( Candidates candidates )
{
    const uint64_t end = PrepareSlice( &candidates );
    TakeRuns( &candidates, end,
              [&]( uint64_t k, uint64_t key )
              {
                  const uint32_t word = __ballot_sync( 0xffffffffu, key != CLT_NO_KEY );
                  if ( k < end && k % WORD_BITS == 0 )
                  {
                      candidates.words[k / WORD_BITS] = word;
                  }
              } );
}

static __global__ void KeysOfMarksKernel( Candidates candidates, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint64_t end = PrepareSlice( &candidates );
    const uint64_t endWord = ( end + WORD_BITS - 1u ) / WORD_BITS;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for ( uint64_t i = candidates.first / WORD_BITS + cltThreadIndex(); i < endWord; i += stride )
    {
        for ( uint32_t word = candidates.words[i]; word != 0; word &= word - 1u )
        {
            const uint64_t k = i * WORD_BITS + (uint32_t)__ffs( (int)word ) - 1u;
            cltBlockKeys_Add( &block, &sink, KeyOf( &candidates, k ) );
        }
    }
    cltBlockKeys_End( &block, &sink );
}

static cltStatus FindSlice( const cltDeviceSearch* search, const Candidates& candidates )
{
    cltCudaDevice* device = search->device;
    const uint64_t runs = ( candidates.end - candidates.first ) / RUN_SIZE;
    const uint32_t full = 16u * device->multiprocessorCount; // enough to fill every multiprocessor
    const uint32_t blockCount = runs < full ? (uint32_t)runs : full;
    if ( search->bits == NULL )
    {
        return cltLaunchBlocks( device, "find candidates", blockCount, CLT_BLOCK_SIZE, FindCandidatesKernel, candidates,
                                search->sink );
    }
    CLT_TRY(
        cltLaunchBlocks( device, "mark candidates", blockCount, CLT_BLOCK_SIZE, MarkCandidatesKernel, candidates ) );
    return cltLaunchBlocks( device, "keys of marks", blockCount, CLT_BLOCK_SIZE, KeysOfMarksKernel, candidates,
                            search->sink );
}

static Candidates CandidatesOf( const cltDeviceSearch* search )
{
    Candidates candidates = {};
    candidates.leaves = search->leaves->view;
    candidates.map = search->map;
    candidates.plan = cltDeviceLeaves_Plan( search->leaves );
    candidates.find = search->find;
    candidates.words = search->bits != NULL ? (uint32_t*)search->bits->data : NULL;
    candidates.room = search->bits != NULL ? (uint64_t)search->bits->bytes * 8u : UINT64_MAX;
    return candidates;
}

/// Launches one kernel for each slice of all pairs of `room` leaves, because the host does not know the leaf count.
cltStatus cltDevice_FindAmongAll( const cltDeviceSearch* search )
{
    Candidates candidates = CandidatesOf( search );
    const uint64_t most = cltPairMap_CandidateCount( &search->map, search->leaves->room );
    do
    {
        candidates.end = candidates.first + CLT_SLICE_SIZE;
        CLT_TRY( FindSlice( search, candidates ) );
        candidates.first = candidates.end;
    } while ( candidates.first < most );
    return clt_ok;
}
