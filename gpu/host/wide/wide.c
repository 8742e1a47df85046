// SPDX-License-Identifier: Zlib
// `wide` as one of the host's algorithms: what comes before and after an update's build (update.c).

#include "gpu/host/wide/wide.h"
#include "gpu/host/wide/search.h"

#include <string.h>

static cltWideSearch SearchOf( const cltWide* wide, cltFind find, const cltScene* scene, cltPairSink* sink )
{
    const cltLanes* lanes = &wide->lanes;
    const bool boxesDecide = !scene->slots.isDouble && scene->filters.now == scene->filters.before;
    return ( cltWideSearch ){ .now = cltLanes_Now( lanes ),
                              .before = cltLanes_Before( lanes ),
                              .movers = cltMovers_Masks( &wide->movers ),
                              .refs = cltLanes_Refs( lanes ),
                              .tree = &wide->tree.levels,
                              .outlierBlockCount = cltBlocksFor( lanes->outlierCount ),
                              .orderedEnd = lanes->orderedEnd,
                              .blockCount = lanes->blockCount,
                              .onlyMoversDiffer = cltWide_IsFew( wide ),
                              .find = find == clt_findPairs ? clt_widePairs
                                      : boxesDecide         ? clt_wideChanges
                                                            : clt_wideTouching,
                              .scene = scene,
                              .slotBits = cltIndexBits( scene->slots.count ),
                              .sink = sink };
}

static cltStatus FindWide( cltHostAlgorithm* algorithm, cltFind find, const cltScene* scene, cltPairSink* sink )
{
    cltWide* wide = (cltWide*)algorithm;
    const cltLanes* lanes = &wide->lanes;
    const cltWideSearch search = SearchOf( wide, find, scene, sink );
    if ( lanes->blockCount == 0 )
    {
        return clt_ok; // no update yet
    }
    if ( find == clt_findPairs )
    {
        cltWide_CallCrew( wide, lanes->end ); // whatever the update had to look at
    }
    if ( cltWide_IsFew( wide ) && find == clt_findChanges )
    {
        cltWideSearch_Movers( &search, wide->kernels, &wide->movers.now, wide->crew );
    }
    else
    {
        const cltBlockList* unsorted = cltMovers_Only( &wide->movers, lanes->orderedEnd, lanes->blockCount );
        cltWideSearch_All( &search, wide->kernels, unsorted, wide->crew );
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

static cltStatus RestoreWide( cltHostAlgorithm* algorithm, const cltScene* committed )
{
    (void)committed; // the lanes hold it
    cltWide* wide = (cltWide*)algorithm;
    cltLanes* lanes = &wide->lanes;
    if ( cltWide_IsBegun( wide ) )
    {
        memcpy( lanes->now.data, lanes->before.data, lanes->blockCount * sizeof( cltBoxLanes ) );
        cltWide_CallCrew( wide, lanes->end );
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

static void GetWideStats( const cltHostAlgorithm* algorithm, cltBackendStats* stats )
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

cltStatus cltCreateWide( const cltHostMeans* means, cltHostAlgorithm** algorithm )
{
    cltWide* wide = cltMemory_Allocate( means->memory, sizeof *wide );
    if ( wide == NULL )
    {
        return clt_hostMemory;
    }
    *wide = ( cltWide ){ .base = { &wideOps },
                         .kernels = cltWideKernels_Get( means->def->simd ),
                         .pool = means->pool,
                         .memory = means->memory,
                         .lanes.isDouble = means->def->precision == clt_precisionDouble };
    *algorithm = &wide->base;
    return clt_ok;
}
