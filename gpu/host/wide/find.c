// SPDX-License-Identifier: Zlib
// Searching: all ordered blocks one-sided and the strays on their own, or the movers alone.

#include "gpu/host/wide/wide.h"

#include <string.h>

/// 10 to 20 microseconds of work: the last thread is not waited for longer than that.
#define BLOCK_GRAIN 16u
#define MOVER_GRAIN 32u
#define STRAY_GRAIN 8u

typedef struct Find
{
    const cltWideKernels* kernels;
    const cltWideSearch* search;
    const uint32_t* blocks;
} Find;

static void SearchBlocks( uint32_t first, uint32_t last, void* context )
{
    const Find* find = context;
    find->kernels->searchBlocks( find->search, first + CLT_ASIDE_BLOCKS, last + CLT_ASIDE_BLOCKS );
}

static void SearchMovers( uint32_t first, uint32_t last, void* context )
{
    const Find* find = context;
    find->kernels->searchMovers( find->search, find->blocks + first, last - first );
}

/// Every block; strays as movers, all others as what stands still.
static cltStatus SearchAll( cltWide* wide, Find* find )
{
    const uint32_t strayBlocks = wide->blockCount - wide->orderedEnd;
    CLT_TRY( cltBuffer_Reserve( &wide->scratch, wide->memory, strayBlocks, sizeof( uint32_t ) ) );
    uint16_t* movers = wide->movers.data;
    memset( movers, 0, wide->orderedEnd * sizeof *movers );
    for ( uint32_t i = 0; i < strayBlocks; ++i )
    {
        ( (uint32_t*)wide->scratch.data )[i] = wide->orderedEnd + i;
        movers[wide->orderedEnd + i] = (uint16_t)( ( 1u << CLT_LANE_COUNT ) - 1u );
    }
    find->blocks = wide->scratch.data;
    cltWorkerPool_Run( wide->crew, SearchBlocks, wide->orderedEnd - CLT_ASIDE_BLOCKS, BLOCK_GRAIN, find );
    cltWorkerPool_Run( wide->crew, SearchMovers, strayBlocks, STRAY_GRAIN, find );
    find->kernels->searchBlocks( find->search, 0, find->search->asideBlockCount );
    return clt_ok;
}

cltStatus cltWide_Find( cltWide* wide, cltWideSearch* search )
{
    if ( wide->blockCount == 0 )
    {
        return clt_ok; // no update yet
    }
    search->now = cltWide_Now( wide );
    search->before = cltWide_Before( wide );
    search->movers = wide->movers.data;
    search->refs = cltWide_Refs( wide );
    search->tree = &wide->tree;
    search->asideBlockCount = ( wide->asideCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT;
    search->orderedEnd = wide->orderedEnd;
    search->blockCount = wide->blockCount;
    search->onlyMoversDiffer = wide->oneByOne;
    Find find = { wide->kernels, search, wide->moved.blocks.data };
    if ( search->find == clt_widePairs )
    {
        cltWide_CallCrew( wide, wide->laneEnd ); // whatever the update had to look at
    }
    if ( !wide->oneByOne || search->find == clt_widePairs )
    {
        return SearchAll( wide, &find );
    }
    cltWorkerPool_Run( wide->crew, SearchMovers, wide->moved.count, MOVER_GRAIN, &find );
    return clt_ok;
}
