// SPDX-License-Identifier: Zlib
// The output as bits: every candidate writes whether it is found, as one bit, and a second kernel makes keys of those
// that are (Avril, Gouranton, Arnaldi, Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function,
// 2012, table 5 and the text above it, where eight threads take turns at a byte). Here a warp votes and writes a word
// at once, and the bits stay on the device.

#include "gpu/cuda/cell_run.cuh"
#include "gpu/cuda/searches.cuh"

#define WORD_BITS 32u ///< and threads of a warp

/// What the two kernels share.
typedef struct Candidates
{
    cltLeaves leaves;
    cltCells cells;
    const uint32_t* cellCount; ///< NULL: all leaves among each other
    cltPlan* plan;
    cltFind find;
    uint32_t* words; ///< candidate k is bit k % WORD_BITS of word k / WORD_BITS
    uint64_t room;   ///< in candidates
} Candidates;

/// Takes the counts from the device and returns how many candidates there are to go through.
static __device__ uint64_t Prepare( Candidates* candidates )
{
    candidates->leaves.count = candidates->plan->leafCount;
    uint64_t count = cltPairMap_CandidateCount( &candidates->cells.map, candidates->leaves.count );
    bool isCrowded = false;
    if ( candidates->cellCount != NULL )
    {
        candidates->cells.count = *candidates->cellCount;
        count = candidates->cells.candidateStarts[candidates->cells.count];
        isCrowded = cltPlan_IsCrowded( candidates->plan, count );
    }
    if ( cltThreadIndex() == 0 )
    {
        candidates->plan->candidateCount = count; // both kernels write the same
    }
    return isCrowded || count > candidates->room ? 0u : count;
}

/// \param cell  that candidate k lies in, if there are cells
static __device__ uint64_t KeyOf( const Candidates* candidates, uint32_t cell, uint64_t k )
{
    if ( candidates->cellCount != NULL )
    {
        const cltGrid grid = candidates->plan->grid;
        return cltCells_TestStep( &candidates->cells, &grid, &candidates->leaves, candidates->find, cell, k );
    }
    uint32_t i;
    uint32_t j;
    const bool isPair = cltPairMap_Pair( &candidates->cells.map, candidates->leaves.count, k, &i, &j );
    return isPair ? cltLeaves_Key( &candidates->leaves, candidates->find, i, j ) : CLT_NO_KEY;
}

static __global__ void MarkCandidatesKernel( Candidates candidates )
{
    __shared__ uint32_t ends[2];
    const uint64_t count = Prepare( &candidates );
    const uint64_t stride = (uint64_t)gridDim.x * CLT_RUN_SIZE;
    for ( uint64_t first = (uint64_t)blockIdx.x * CLT_RUN_SIZE; first < count; first += stride )
    {
        const uint64_t end = count - first < CLT_RUN_SIZE ? count : first + CLT_RUN_SIZE;
        if ( candidates.cellCount != NULL )
        {
            cltCells_FindEnds( &candidates.cells, first, end - 1u, ends );
        }
        // to vote, a warp must be whole: so to the end of the run, whatever there is of it
        for ( uint64_t k = first + threadIdx.x; k < first + CLT_RUN_SIZE; k += blockDim.x )
        {
            const bool inCells = candidates.cellCount != NULL && k < end;
            const uint32_t cell = inCells ? cltCells_FindBetween( &candidates.cells, ends[0], ends[1] + 1u, k ) : 0u;
            const uint32_t word = __ballot_sync( 0xffffffffu, k < end && KeyOf( &candidates, cell, k ) != CLT_NO_KEY );
            if ( k < end && k % WORD_BITS == 0 )
            {
                candidates.words[k / WORD_BITS] = word;
            }
        }
        __syncthreads(); // before the ends of the next run overwrite those of this one
    }
}

static __global__ void KeysOfMarksKernel( Candidates candidates, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint64_t count = Prepare( &candidates );
    const uint64_t wordCount = ( count + WORD_BITS - 1u ) / WORD_BITS;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for ( uint64_t i = cltThreadIndex(); i < wordCount; i += stride )
    {
        for ( uint32_t word = candidates.words[i]; word != 0; word &= word - 1u )
        {
            const uint64_t k = i * WORD_BITS + (uint32_t)__ffs( (int)word ) - 1u;
            const uint32_t cell = candidates.cellCount != NULL ? cltCells_Find( &candidates.cells, k ) : 0u;
            cltBlockKeys_Add( &block, &sink, KeyOf( &candidates, cell, k ) );
        }
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDevice_FindByBits( const cltDeviceSearch* search, const cltCells* cells, const uint32_t* cellCount )
{
    Candidates candidates = {};
    candidates.leaves = search->leaves->view;
    if ( cells != NULL )
    {
        candidates.cells = *cells;
    }
    candidates.cells.map = search->map;
    candidates.cellCount = cellCount;
    candidates.plan = cltDeviceLeaves_Plan( search->leaves );
    candidates.find = search->find;
    candidates.words = (uint32_t*)search->bits->data;
    candidates.room = (uint64_t)search->bits->bytes * 8u;
    const uint32_t blockCount = cltBlocksToGoRound( search->device );
    CLT_TRY( cltLaunchBlocks( search->device, "mark candidates", blockCount, CLT_BLOCK_SIZE, MarkCandidatesKernel,
                              candidates ) );
    return cltLaunchBlocks( search->device, "keys of marks", blockCount, CLT_BLOCK_SIZE, KeysOfMarksKernel, candidates,
                            search->sink );
}
