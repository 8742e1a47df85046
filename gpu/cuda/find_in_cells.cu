// SPDX-License-Identifier: Zlib
// Searches the grid with one thread per leaf, in the order of cells, so that the threads of a warp mostly read the same
// leaves. (In Green, Particle Simulation using CUDA, 2010, each body tests all surrounding cells; here only one of the
// two leaves of a pair finds it.) The pairs within the cells of a block are numbered as one range, and the
// index-to-pair map turns a number into a pair. So a dense cell occupies all threads of a block (Avril, Gouranton,
// Arnaldi, Fast Collision Culling in Large-Scale Environments Using GPU Mapping Function, 2012).

#include "gpu/cuda/searches.cuh"

/// The cells that begin among the leaves of a block.
typedef struct BlockCells
{
    uint32_t counts[CLT_BLOCK_SIZE]; ///< by leaf, the number of leaves in the cell that begins at it; 0 if none does
    uint64_t ends[CLT_BLOCK_SIZE];   ///< by leaf, the end of this cell's range of candidate numbers
} BlockCells;

/// Numbers the candidates of the block's cells: an inclusive prefix sum in doubling steps.
static __device__ void NumberCandidates( BlockCells* block, const cltPairMap* map, uint32_t count )
{
    const uint32_t self = threadIdx.x;
    block->counts[self] = count;
    block->ends[self] = cltPairMap_CandidateCount( map, count );
    __syncthreads();
    for ( uint32_t step = 1; step < CLT_BLOCK_SIZE; step *= 2u )
    {
        const uint64_t before = self >= step ? block->ends[self - step] : 0u;
        __syncthreads();
        block->ends[self] += before;
        __syncthreads();
    }
}

/// Returns the leaf of the block at which the cell of candidate k begins: the first leaf with a range ending after k.
static __device__ uint32_t FindCell( const BlockCells* block, uint64_t k )
{
    uint32_t low = 0;
    for ( uint32_t high = CLT_BLOCK_SIZE - 1u; low < high; )
    {
        const uint32_t middle = ( low + high ) / 2u;
        const bool isBehind = block->ends[middle] > k;
        low = isBehind ? low : middle + 1u;
        high = isBehind ? middle : high;
    }
    return low;
}

static __global__ void FindInCellsKernel( cltCells cells, cltLeaves leaves, const cltPlan* plan, cltFind find,
                                          cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    __shared__ BlockCells blockCells;
    cltBlockKeys_Begin( &block );
    const uint32_t i = cltThreadIndex();
    const bool searches = i < plan->searchableCount && !cltGrid_IsDense( plan->candidateCount, plan->leafCount );
    cells.grid = plan->grid;
    cltCellWalk walk;
    uint32_t inCell = 0;
    if ( searches )
    {
        const cltAabb cover = cltLeaves_Cover( &leaves, i );
        walk = cltCellWalk_Begin( &cells.grid, &cover );
        inCell = cltCells_CountFrom( &cells, i, walk.cell );
    }
    NumberCandidates( &blockCells, &cells.map, inCell );
    for ( uint64_t k = threadIdx.x; k < blockCells.ends[CLT_BLOCK_SIZE - 1u]; k += CLT_BLOCK_SIZE )
    {
        const uint32_t cell = FindCell( &blockCells, k );
        const uint32_t count = blockCells.counts[cell];
        const uint64_t first = blockCells.ends[cell] - cltPairMap_CandidateCount( &cells.map, count );
        const uint32_t leaf = i - threadIdx.x + cell;
        cltBlockKeys_Add( &block, &sink, cltCells_TestStep( &cells, &leaves, find, leaf, count, k - first ) );
    }
    if ( searches )
    {
        for ( uint32_t j, end; cltCellWalk_Next( &walk, &cells, &j, &end ); )
        {
            for ( ; j < end; ++j )
            {
                cltBlockKeys_Add( &block, &sink, cltLeaves_Key( &leaves, find, i, j ) );
            }
        }
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDeviceCells_Find( const cltDeviceCells* cells, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    CLT_TRY( cltLaunch( search->device, "find in cells", leaves->room, FindInCellsKernel, cltDeviceCells_View( cells ),
                        leaves->view, (const cltPlan*)cltDeviceLeaves_Plan( leaves ), search->find, search->sink ) );
    return cltDevice_FindOutliers( search );
}
