// SPDX-License-Identifier: Zlib
// `wide` as one of the host's algorithms. Its build is in update.c, its search in search.c.

#include "gpu/host/wide/wide.h"

#include <string.h>

static cltStatus BuildWide( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltSearchInput* input,
                            bool isFresh )
{
    cltWide* wide = (cltWide*)algorithm;
    wide->rest = upload->rest;
    cltRest_BeginUpdate( wide->rest );
    if ( isFresh )
    {
        return cltWide_Rebuild( wide, upload );
    }
    CLT_TRY( cltWide_ApplyChanges( wide, upload ) );
    return cltWide_KeepRest( wide, upload, input );
}

static void CommitWide( cltHostAlgorithm* algorithm )
{
    cltWide* wide = (cltWide*)algorithm;
    const cltLanes* lanes = &wide->lanes;
    cltBoxTree* tree = &wide->tree.levels;
    tree->levels[0] = cltLanes_Current( lanes ) + CLT_OUTLIER_BLOCKS;
    tree->refs = cltLanes_Refs( lanes ) + CLT_OUTLIER_LANES;
    tree->counts[0] = ( lanes->blockCount - CLT_OUTLIER_BLOCKS ) * CLT_LANE_COUNT;
    wide->queryBase = ( cltQueryBase ){ .tree = tree,
                                        .outlierRefs = cltLanes_Refs( lanes ),
                                        .outlierCount = lanes->outlierCount,
                                        .maxRestMargin = cltRest_MaxMargin( wide->rest ) };
    cltRest_Commit( wide->rest, wide->memory );
    wide->phase = cltWide_IsFew( wide ) ? clt_wideFewCommitted : clt_wideAllCommitted;
}

static cltStatus RestoreWide( cltHostAlgorithm* algorithm, const cltSearchInput* committed )
{
    (void)committed; // the lanes hold this state
    cltWide* wide = (cltWide*)algorithm;
    cltLanes* lanes = &wide->lanes;
    if ( cltWide_IsBegun( wide ) )
    {
        memcpy( lanes->current.data, lanes->previous.data, lanes->blockCount * sizeof( cltBoxLanes ) );
        cltWide_WakePool( wide, lanes->end );
        cltWideTree_SetBlockCount( &wide->tree, lanes->blockCount );
        cltWideTree_Invalidate( &wide->tree );
        cltWide_FitTree( wide );
    }
    return clt_ok;
}

static const cltQueryBase* ViewWide( const cltHostAlgorithm* algorithm )
{
    const cltWide* wide = (const cltWide*)algorithm;
    return !cltWide_IsBegun( wide ) && wide->lanes.blockCount > 0 ? &wide->queryBase : NULL;
}

static void GetWideStats( const cltHostAlgorithm* algorithm, cltStats* stats, cltResearchStats* research )
{
    (void)stats;
    const cltWide* wide = (const cltWide*)algorithm;
    research->outlierCount = wide->lanes.outlierCount;
}

static void DestroyWide( cltHostAlgorithm* algorithm )
{
    cltWide* wide = (cltWide*)algorithm;
    cltMemory* memory = wide->memory;
    cltLanes_Release( &wide->lanes, memory );
    cltMovers_Release( &wide->movers, memory );
    cltWideTree_Release( &wide->tree, memory );
    cltOrder_Release( &wide->order, memory );
    cltBuffer_Release( &wide->tasks, memory );
    cltMemory_Release( memory, wide, sizeof *wide );
}

static const cltHostAlgorithmOps wideOps = { .shouldRebuild = cltWide_ShouldRebuild,
                                             .build = BuildWide,
                                             .find = cltWide_Find,
                                             .commit = CommitWide,
                                             .restore = RestoreWide,
                                             .viewBoxes = ViewWide,
                                             .draw = cltWide_Draw,
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
    *wide = ( cltWide ){ .base = { .ops = &wideOps },
                         .kernels = kernels,
                         .tree.kernels = kernels,
                         .pool = resources->pool,
                         .memory = resources->memory,
                         .lanes.isDouble = resources->def->precision == clt_precisionDouble };
    *algorithm = &wide->base;
    return clt_ok;
}
