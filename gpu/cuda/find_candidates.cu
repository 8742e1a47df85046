// SPDX-License-Identifier: Zlib
// Searching by number: the candidates of all cells, or all pairs of leaves, are one range of numbers, and a number says
// which two leaves to test: the cell by search in the prefix sums, the pair by the map. Blocks take runs of numbers, so
// that a crowded cell weighs no more on one thread than many empty ones (Avril, Gouranton, Arnaldi, Fast Collision
// Culling in Large-Scale Environments Using GPU Mapping Function, 2012).
//
// What is found is written as keys at once or, if that is asked for, as bits: every candidate writes whether it is
// found, as one bit, and a second kernel makes keys of those that are (table 5 there and the text above it, where eight
// threads take turns at a byte). Here a warp votes and writes a word at once, and the bits stay on the device.

#include "gpu/cuda/searches.cuh"

#define WORD_BITS 32u ///< and threads of a warp

/// Candidates of a run: eight a thread. The two searches for its first and last cell cost all threads about as much as
/// two candidates each, and leave a few cells for each candidate's own search.
#define RUN_SIZE ( 8u * CLT_BLOCK_SIZE )

/// What the kernels share.
typedef struct Candidates
{
    cltLeaves leaves;
    cltCells cells;
    const uint32_t* cellCount; ///< on the device; unset if all leaves are searched
    cltGrid grid;
    cltPlan* plan;
    cltFind find;
    uint32_t* words; ///< candidate k is bit k % WORD_BITS of word k / WORD_BITS
    uint64_t room;   ///< in candidates
} Candidates;

/// Takes from the device what the host does not know. Returns how many candidates there are to go through.
template <bool inCells>
static __device__ uint64_t Prepare( Candidates* candidates )
{
    cltPlan* plan = candidates->plan;
    candidates->leaves.count = plan->leafCount;
    uint64_t count = cltPairMap_CandidateCount( &candidates->cells.map, plan->leafCount );
    if ( inCells )
    {
        candidates->grid = plan->grid;
        candidates->cells.count = *candidates->cellCount;
        count = candidates->cells.candidateStarts[candidates->cells.count];
    }
    if ( cltThreadIndex() == 0 )
    {
        plan->candidateCount = count; // every kernel writes the same
    }
    return count > candidates->room || ( inCells && cltPlan_IsCrowded( plan, count ) ) ? 0u : count;
}

/// \param cell  that candidate k lies in, if there are cells
template <bool inCells>
static __device__ uint64_t KeyOf( const Candidates* candidates, uint32_t cell, uint64_t k )
{
    const cltLeaves* leaves = &candidates->leaves;
    if ( inCells )
    {
        return cltCells_TestStep( &candidates->cells, &candidates->grid, leaves, candidates->find, cell, k );
    }
    uint32_t i;
    uint32_t j;
    const bool isPair = cltPairMap_Pair( &candidates->cells.map, leaves->count, k, &i, &j );
    return isPair ? cltLeaves_Key( leaves, candidates->find, i, j ) : CLT_NO_KEY;
}

/// Calls `take` with each candidate of the block's runs and its key. Numbers past the last one are taken too, to the
/// end of their run, without a key: so all warps are whole.
template <bool inCells, typename Take>
static __device__ void TakeRuns( const Candidates* candidates, uint64_t count, const Take& take )
{
    __shared__ uint32_t ends[2]; // the cells of a run's first and last candidate
    const uint64_t stride = (uint64_t)gridDim.x * RUN_SIZE;
    for ( uint64_t first = (uint64_t)blockIdx.x * RUN_SIZE; first < count; first += stride )
    {
        if ( inCells && threadIdx.x < 2 )
        {
            const uint64_t last = ( count - first < RUN_SIZE ? count : first + RUN_SIZE ) - 1u;
            ends[threadIdx.x] = cltCells_Find( &candidates->cells, threadIdx.x == 0 ? first : last );
        }
        __syncthreads();
        for ( uint64_t k = first + threadIdx.x; k < first + RUN_SIZE; k += blockDim.x )
        {
            uint64_t key = CLT_NO_KEY;
            if ( k < count )
            {
                const uint32_t cell =
                    inCells ? cltCells_FindBetween( &candidates->cells, ends[0], ends[1] + 1u, k ) : 0u;
                key = KeyOf<inCells>( candidates, cell, k );
            }
            take( k, key );
        }
        __syncthreads(); // before the ends of the next run overwrite those of this one
    }
}

template <bool inCells>
static __global__ void FindCandidatesKernel( Candidates candidates, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint64_t count = Prepare<inCells>( &candidates );
    TakeRuns<inCells>( &candidates, count, [&]( uint64_t, uint64_t key ) { cltBlockKeys_Add( &block, &sink, key ); } );
    cltBlockKeys_End( &block, &sink );
}

template <bool inCells>
static __global__ void MarkCandidatesKernel( Candidates candidates )
{
    const uint64_t count = Prepare<inCells>( &candidates );
    TakeRuns<inCells>( &candidates, count,
                       [&]( uint64_t k, uint64_t key )
                       {
                           const uint32_t word = __ballot_sync( 0xffffffffu, key != CLT_NO_KEY );
                           if ( k < count && k % WORD_BITS == 0 )
                           {
                               candidates.words[k / WORD_BITS] = word;
                           }
                       } );
}

template <bool inCells>
static __global__ void KeysOfMarksKernel( Candidates candidates, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint64_t count = Prepare<inCells>( &candidates );
    const uint64_t wordCount = ( count + WORD_BITS - 1u ) / WORD_BITS;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for ( uint64_t i = cltThreadIndex(); i < wordCount; i += stride )
    {
        for ( uint32_t word = candidates.words[i]; word != 0; word &= word - 1u )
        {
            const uint64_t k = i * WORD_BITS + (uint32_t)__ffs( (int)word ) - 1u;
            const uint32_t cell = inCells ? cltCells_Find( &candidates.cells, k ) : 0u;
            cltBlockKeys_Add( &block, &sink, KeyOf<inCells>( &candidates, cell, k ) );
        }
    }
    cltBlockKeys_End( &block, &sink );
}

/// \param candidates  with `cells` and `cellCount`, if there are any; the rest is filled in
template <bool inCells>
static cltStatus Find( const cltDeviceSearch* search, Candidates candidates )
{
    candidates.leaves = search->leaves->view;
    candidates.cells.map = search->map;
    candidates.plan = cltDeviceLeaves_Plan( search->leaves );
    candidates.find = search->find;
    candidates.words = search->bits != NULL ? (uint32_t*)search->bits->data : NULL;
    candidates.room = search->bits != NULL ? (uint64_t)search->bits->bytes * 8u : UINT64_MAX;
    cltCudaDevice* device = search->device;
    const uint32_t blockCount = 16u * device->multiprocessorCount; // enough to keep every processor busy
    if ( search->bits == NULL )
    {
        return cltLaunchBlocks( device, "find candidates", blockCount, CLT_BLOCK_SIZE, FindCandidatesKernel<inCells>,
                                candidates, search->sink );
    }
    CLT_TRY( cltLaunchBlocks( device, "mark candidates", blockCount, CLT_BLOCK_SIZE, MarkCandidatesKernel<inCells>,
                              candidates ) );
    return cltLaunchBlocks( device, "keys of marks", blockCount, CLT_BLOCK_SIZE, KeysOfMarksKernel<inCells>, candidates,
                            search->sink );
}

cltStatus cltDevice_FindAmongAll( const cltDeviceSearch* search )
{
    return Find<false>( search, Candidates() );
}

cltStatus cltDeviceCells_Find( const cltDeviceCells* cells, const cltDeviceSearch* search )
{
    Candidates candidates = {};
    candidates.cells.entries = (const uint64_t*)cells->entries.data;
    candidates.cells.starts = (const uint32_t*)cells->starts.data;
    candidates.cells.candidateStarts = (const uint64_t*)cells->candidateStarts.data;
    candidates.cellCount = (const uint32_t*)cells->cellsBefore.data + cells->room; // the prefix sums know
    CLT_TRY( Find<true>( search, candidates ) );
    return cltDevice_FindOutliers( search, (const uint32_t*)cells->outliers.data );
}
