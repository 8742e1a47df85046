// SPDX-License-Identifier: Zlib
// The searches, shared among threads.

#include "gpu/host/wide/search.h"

/// 10 to 20 microseconds of work: the last thread is not waited for longer than that.
#define ORDERED_GRAIN 16u
#define MOVER_GRAIN 32u
#define UNSORTED_GRAIN 8u

typedef struct SearchPass
{
    const cltWideKernels* kernels;
    const cltWideSearch* search;
    const uint32_t* blocks;
} SearchPass;

static void SearchOrdered( uint32_t first, uint32_t last, void* context )
{
    const SearchPass* pass = context;
    pass->kernels->searchBlocks( pass->search, first + CLT_OUTLIER_BLOCKS, last + CLT_OUTLIER_BLOCKS );
}

static void SearchListed( uint32_t first, uint32_t last, void* context )
{
    const SearchPass* pass = context;
    pass->kernels->searchMovers( pass->search, pass->blocks + first, last - first );
}

void cltWideSearch_All( const cltWideSearch* search, const cltWideKernels* kernels, const cltBlockList* unsorted,
                        cltWorkerPool* pool )
{
    SearchPass pass = { kernels, search, unsorted->blocks.data };
    cltWorkerPool_Run( pool, SearchOrdered, search->orderedEnd - CLT_OUTLIER_BLOCKS, ORDERED_GRAIN, &pass );
    cltWorkerPool_Run( pool, SearchListed, unsorted->count, UNSORTED_GRAIN, &pass );
    kernels->searchBlocks( search, 0, search->outlierBlockCount );
}

void cltWideSearch_Movers( const cltWideSearch* search, const cltWideKernels* kernels, const cltBlockList* moved,
                           cltWorkerPool* pool )
{
    SearchPass pass = { kernels, search, moved->blocks.data };
    cltWorkerPool_Run( pool, SearchListed, moved->count, MOVER_GRAIN, &pass );
}
