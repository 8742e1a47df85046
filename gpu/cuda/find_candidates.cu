// SPDX-License-Identifier: Zlib
// Searching by number: all pairs of leaves are one range of numbers, and the map says which two leaves to test (Avril,
// Gouranton, Arnaldi, Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function, 2012).
//
// What is found is written as keys at once or, if that is asked for, as bits: every candidate writes whether it is
// found, as one bit, and a second kernel makes keys of those that are (table 5 there and the text above it, where eight
// threads take turns at a byte). Here a warp votes and writes a word at once, and the bits stay on the device.

#include "gpu/cuda/searches.cuh"

#define WORD_BITS 32u ///< and threads of a warp

/// Candidates of a run: eight a thread, which take turns, so that a warp's are side by side.
#define RUN_SIZE ( 8u * CLT_BLOCK_SIZE )

/// Candidates of a launch among all leaves: a card that shows a desktop, too, ends kernels after some two seconds, and
/// a small one tests a few thousand millions in one. Of 65,000 bodies there is one launch. Not measured yet.
#if !defined( CLT_SLICE_SIZE ) // the tests have smaller ones
#define CLT_SLICE_SIZE ( UINT64_C( 1 ) << 31 )
#endif
static_assert( CLT_SLICE_SIZE % RUN_SIZE == 0, "a run, and with it a word, is of one slice" );

/// What the kernels share.
typedef struct Candidates
{
    cltLeaves leaves;
    cltPairMap map;
    cltPlan* plan;
    cltFind find;
    uint32_t* words; ///< candidate k is bit k % WORD_BITS of word k / WORD_BITS
    uint64_t room;   ///< in candidates
    uint64_t first;  ///< of the slice
    uint64_t end;    ///< of the slice, beyond what there is perhaps
} Candidates;

/// Takes from the device what the host does not know. Returns where the slice's candidates end: at 0 if there is
/// nothing to go through.
static __device__ uint64_t Prepare( Candidates* candidates )
{
    cltPlan* plan = candidates->plan;
    candidates->leaves.count = plan->leafCount;
    const uint64_t count = cltPairMap_CandidateCount( &candidates->map, plan->leafCount );
    if ( cltThreadIndex() == 0 )
    {
        plan->candidateCount = count; // every kernel writes the same
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

/// Calls `take` with each candidate of the block's runs in the slice and its key. Numbers past the last one are taken
/// too, to the end of their run, without a key: so all warps are whole.
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
    const uint64_t end = Prepare( &candidates );
    TakeRuns( &candidates, end, [&]( uint64_t, uint64_t key ) { cltBlockKeys_Add( &block, &sink, key ); } );
    cltBlockKeys_End( &block, &sink );
}

static __global__ void MarkCandidatesKernel( Candidates candidates )
{
    const uint64_t end = Prepare( &candidates );
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
    const uint64_t end = Prepare( &candidates );
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
    const uint32_t full = 16u * device->multiprocessorCount; // enough to keep every processor busy
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

/// As many slices as all leaves that there is room for have, for how many there are only the device knows.
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
