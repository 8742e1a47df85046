// SPDX-License-Identifier: Zlib
/// \file cell_run.cuh
/// Runs of candidates, which blocks take, and the cells that a run's candidates lie in.
#ifndef CLT_CUDA_CELL_RUN_CUH
#define CLT_CUDA_CELL_RUN_CUH

#include "gpu/core/grid.h"
#include "gpu/cuda/launch.cuh"

/// Candidates of a run: eight a thread. The two searches for its first and last cell cost all threads about as much as
/// two candidates each, and leave a few cells for each candidate's own search.
#define CLT_RUN_SIZE ( 8u * CLT_BLOCK_SIZE )

/// The cells of the first and the last candidate of a run. Two threads search, all wait.
/// \param ends  shared by the block
static __device__ inline void cltCells_FindEnds( const cltCells* cells, uint64_t first, uint64_t last,
                                                 uint32_t ends[2] )
{
    if ( threadIdx.x < 2 )
    {
        ends[threadIdx.x] = cltCells_Find( cells, threadIdx.x == 0 ? first : last );
    }
    __syncthreads();
}

#endif
