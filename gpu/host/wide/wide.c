// SPDX-License-Identifier: Zlib
// `wide` as one of the host's algorithms. Its build is in update.c; its search takes all ordered blocks one-sided and
// the unsorted lanes on their own, or the movers alone.

#include "gpu/host/wide/wide.h"

#include <string.h>

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

static cltWideSearch SearchOf( const cltWide* wide, cltFind find, const cltSearchInput* input, cltPairSink* sink )
{
    const cltLanes* lanes = &wide->lanes;
    const bool boxesDecide = !input->slots.isDouble && input->filters.now == input->filters.before;
    return ( cltWideSearch ){ .now = cltLanes_Now( lanes ),
                              .before = cltLanes_Before( lanes ),
                              .movers = cltMovers_Masks( &wide->movers ),
                              .refs = cltLanes_Refs( lanes ),
                              .tree = &wide->tree.levels,
                              .filters = wide->tree.hasFilters ? wide->tree.filterLevels : NULL,
                              .blockFilters = cltBlockFilters_Unions( &lanes->filters ),
                              .outlierBlockCount = cltBlocksFor( lanes->outlierCount ),
                              .orderedEnd = lanes->orderedEnd,
                              .blockCount = lanes->blockCount,
                              .onlyMoversDiffer = cltWide_IsFew( wide ),
                              .find = find == clt_findPairs ? clt_widePairs
                                      : boxesDecide         ? clt_wideChanges
                                                            : clt_wideTouching,
                              .input = input,
                              .slotBits = cltIndexBits( input->slots.count ),
                              .sink = sink };
}

static cltStatus FindWide( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input, cltPairSink* sink )
{
    cltWide* wide = (cltWide*)algorithm;
    const cltLanes* lanes = &wide->lanes;
    const cltWideSearch search = SearchOf( wide, find, input, sink );
    if ( lanes->blockCount == 0 )
    {
        return clt_ok; // no update yet
    }
    if ( find == clt_findPairs )
    {
        cltWide_WakePool( wide, lanes->end ); // whatever the update had to look at
    }
    SearchPass pass = { wide->kernels, &search, wide->movers.now.blocks.data };
    if ( cltWide_IsFew( wide ) && find == clt_findChanges )
    {
        cltWorkerPool_Run( wide->activePool, SearchListed, wide->movers.now.count, MOVER_GRAIN, &pass );
    }
    else
    {
        const cltBlockList* unsorted = cltMovers_Only( &wide->movers, lanes->orderedEnd, lanes->blockCount );
        pass.blocks = unsorted->blocks.data;
        cltWorkerPool_Run( wide->activePool, SearchOrdered, lanes->orderedEnd - CLT_OUTLIER_BLOCKS, ORDERED_GRAIN,
                           &pass );
        cltWorkerPool_Run( wide->activePool, SearchListed, unsorted->count, UNSORTED_GRAIN, &pass );
        wide->kernels->searchBlocks( &search, 0, search.outlierBlockCount );
    }
    sink->hasSplits = find == clt_findChanges && lanes->split;
    return clt_ok;
}

static void CommitWide( cltHostAlgorithm* algorithm )
{
    cltWide* wide = (cltWide*)algorithm;
    const cltLanes* lanes = &wide->lanes;
    cltBoxTree* tree = &wide->tree.levels;
    tree->levels[0] = cltLanes_Now( lanes ) + CLT_OUTLIER_BLOCKS;
    tree->refs = cltLanes_Refs( lanes ) + CLT_OUTLIER_LANES;
    tree->counts[0] = ( lanes->blockCount - CLT_OUTLIER_BLOCKS ) * CLT_LANE_COUNT;
    wide->queryBase =
        ( cltQueryBase ){ .tree = tree, .outlierRefs = cltLanes_Refs( lanes ), .outlierCount = lanes->outlierCount };
    wide->phase = cltWide_IsFew( wide ) ? clt_wideFewCommitted : clt_wideAllCommitted;
}

static cltStatus RestoreWide( cltHostAlgorithm* algorithm, const cltSearchInput* committed )
{
    (void)committed; // the lanes hold it
    cltWide* wide = (cltWide*)algorithm;
    cltLanes* lanes = &wide->lanes;
    if ( cltWide_IsBegun( wide ) )
    {
        memcpy( lanes->now.data, lanes->before.data, lanes->blockCount * sizeof( cltBoxLanes ) );
        cltWide_WakePool( wide, lanes->end );
        cltWideTree_SetBlockCount( &wide->tree, lanes->blockCount );
        wide->tree.isFitted = false;
        cltWide_FitTree( wide );
    }
    return clt_ok;
}

static const cltQueryBase* ViewWide( const cltHostAlgorithm* algorithm )
{
    const cltWide* wide = (const cltWide*)algorithm;
    return cltWide_IsBegun( wide ) || wide->lanes.blockCount == 0 ? NULL : &wide->queryBase;
}

static void GetWideStats( const cltHostAlgorithm* algorithm, cltStats* stats )
{
    stats->asideCount = ( (const cltWide*)algorithm )->lanes.outlierCount;
}

static void DestroyWide( cltHostAlgorithm* algorithm )
{
    cltWide* wide = (cltWide*)algorithm;
    cltMemory* memory = wide->memory;
    cltLanes_Release( &wide->lanes, memory );
    cltMovers_Release( &wide->movers, memory );
    cltWideTree_Release( &wide->tree, memory );
    cltOrder_Release( &wide->order, memory );
    cltMemory_Release( memory, wide, sizeof *wide );
}

static const cltHostAlgorithmOps wideOps = { .build = cltWide_Build,
                                             .find = FindWide,
                                             .commit = CommitWide,
                                             .restore = RestoreWide,
                                             .viewBoxes = ViewWide,
                                             .getStats = GetWideStats,
                                             .destroy = DestroyWide };

cltStatus cltCreateWide( const cltHostResources* resources, cltHostAlgorithm** algorithm )
{
    const cltWideKernels* kernels = cltWideKernels_Get( resources->def->simd );
    cltWide* wide = cltMemory_Allocate( resources->memory, sizeof *wide );
    if ( wide == NULL )
    {
        return clt_hostMemory;
    }
    *wide = ( cltWide ){ .base = { &wideOps },
                         .kernels = kernels,
                         .tree.kernels = kernels,
                         .pool = resources->pool,
                         .memory = resources->memory,
                         .lanes.isDouble = resources->def->precision == clt_precisionDouble };
    *algorithm = &wide->base;
    return clt_ok;
}
