// SPDX-License-Identifier: Zlib
// Searching the grid: the candidates of all cells are one range of indices, which blocks take in runs, so that a
// crowded cell weighs no more on one thread than many empty ones (Avril, Gouranton, Arnaldi, Fast Collision Culling in
// Large-Scale Environments Using GPU Mapping Function, 2012). Index -> cell by search in the prefix sums, -> pair by
// the map.

#include "gpu/cuda/cell_run.cuh"
#include "gpu/cuda/searches.cuh"

static __global__ void FindInCellsKernel( cltCells cells, const uint32_t* cellCount, cltLeaves leaves, cltPlan* plan,
                                          cltFind find, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    __shared__ uint32_t ends[2];
    cltBlockKeys_Begin( &block );
    cells.count = *cellCount;
    const cltGrid grid = plan->grid;
    uint64_t candidateCount = cells.candidateStarts[cells.count];
    if ( cltThreadIndex() == 0 )
    {
        plan->candidateCount = candidateCount;
    }
    if ( cltPlan_IsCrowded( plan, candidateCount ) )
    {
        candidateCount = 0;
    }
    const uint64_t stride = (uint64_t)gridDim.x * CLT_RUN_SIZE;
    for ( uint64_t first = (uint64_t)blockIdx.x * CLT_RUN_SIZE; first < candidateCount; first += stride )
    {
        const uint64_t end = candidateCount - first < CLT_RUN_SIZE ? candidateCount : first + CLT_RUN_SIZE;
        cltCells_FindEnds( &cells, first, end - 1u, ends );
        for ( uint64_t k = first + threadIdx.x; k < end; k += blockDim.x )
        {
            const uint32_t cell = cltCells_FindBetween( &cells, ends[0], ends[1] + 1u, k );
            const uint64_t key = cltCells_TestStep( &cells, &grid, &leaves, find, cell, k );
            cltBlockKeys_Add( &block, &sink, key );
        }
        __syncthreads(); // before the ends of the next run overwrite those of this one
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDeviceCells_Find( const cltDeviceCells* cells, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    cltCells view;
    view.entries = (const uint64_t*)cells->entries.data;
    view.starts = (const uint32_t*)cells->starts.data;
    view.candidateStarts = (const uint64_t*)cells->candidateStarts.data;
    view.count = 0; // the prefix sums know
    view.map = search->map;
    const uint32_t* cellCount = (const uint32_t*)cells->cellsBefore.data + cells->room;
    if ( search->bits != NULL )
    {
        CLT_TRY( cltDevice_FindByBits( search, &view, cellCount ) );
    }
    else
    {
        CLT_TRY( cltLaunchBlocks( search->device, "find in cells", cltBlocksToGoRound( search->device ), CLT_BLOCK_SIZE,
                                  FindInCellsKernel, view, cellCount, leaves->view, cltDeviceLeaves_Plan( leaves ),
                                  search->find, search->sink ) );
    }
    return cltDevice_FindOutliers( search, (const uint32_t*)cells->outliers.data );
}
