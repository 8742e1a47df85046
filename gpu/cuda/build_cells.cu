// SPDX-License-Identifier: Zlib
// Finds where the cells of the grid begin among leaves sorted by cell, and counts the candidates to test. The cell size
// is in the plan on the device; the host knows only the largest possible number of cells.

#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/searches.cuh"

/// One thread per cell, and one for the end of the last cell. Neighbouring threads search the same part of the keys.
static __global__ void WriteStartsKernel( const cltPlan* plan, const uint64_t* keys, uint32_t* starts, uint32_t room )
{
    const uint32_t cell = cltThreadIndex();
    if ( cell <= cltGrid_CellCount( &plan->grid ) && cell <= room )
    {
        starts[cell] = cltCells_FindStart( keys, plan->searchableCount, cell );
    }
}

static __global__ void CountCandidatesKernel( cltCells cells, cltLeaves leaves, cltPlan* plan )
{
    __shared__ uint64_t count; // candidates of the block
    if ( threadIdx.x == 0 )
    {
        count = 0;
    }
    __syncthreads();
    const uint32_t leaf = cltThreadIndex();
    if ( leaf < plan->searchableCount )
    {
        cells.grid = plan->grid;
        cltClaim( &count, cltCells_CountStep( &cells, &leaves, leaf ) );
    }
    __syncthreads();
    if ( threadIdx.x == 0 && count > 0 )
    {
        cltClaim( &plan->candidateCount, count );
    }
}

cltStatus cltDeviceCells_Build( cltDeviceCells* cells, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                cltPairMap map )
{
    cells->map = map;
    cltPlan* plan = cltDeviceLeaves_Plan( leaves );
    const uint32_t room = cltGrid_CellCapacity( leaves->room );
    CLT_TRY( cltCudaBuffer_Reserve( &cells->starts, device, (size_t)room + 1u, sizeof( uint32_t ) ) );
    CLT_TRY( cltLaunch( device, "write starts", room + 1u, WriteStartsKernel, (const cltPlan*)plan,
                        (const uint64_t*)leaves->keys.data, (uint32_t*)cells->starts.data, room ) );
    return cltLaunch( device, "count candidates", leaves->room, CountCandidatesKernel, cltDeviceCells_View( cells ),
                      leaves->view, plan );
}
