// SPDX-License-Identifier: Zlib
// `wide` as one of the host's algorithms.

#include "gpu/host/wide/wide.h"
#include "gpu/queries.h"

typedef struct WideAlgorithm
{
    cltHostAlgorithm base;
    cltWide wide;
    cltQueryBase queryBase; ///< as of the last committed update
} WideAlgorithm;

static cltStatus Build( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltScene* scene )
{
    (void)scene;
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    return cltWide_Build( &self->wide, upload, upload->changedCount - upload->destroyedCount );
}

static cltStatus Find( cltHostAlgorithm* algorithm, cltFind find, const cltScene* scene, cltPairSink* sink )
{
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    const bool boxesDecide = !scene->slots.isDouble && scene->filters.now == scene->filters.before;
    cltWideSearch search = { .find = find == clt_findPairs ? clt_widePairs
                                     : boxesDecide         ? clt_wideChanges
                                                           : clt_wideTouching,
                             .scene = scene,
                             .slotBits = cltIndexBits( scene->slots.count ),
                             .sink = sink };
    sink->hasSplits = find == clt_findChanges && self->wide.split;
    return cltWide_Find( &self->wide, &search );
}

static void Commit( cltHostAlgorithm* algorithm )
{
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    cltWide_Commit( &self->wide );
    self->queryBase = ( cltQueryBase ){
        .tree = &self->wide.tree, .outlierRefs = cltWide_Refs( &self->wide ), .outlierCount = self->wide.asideCount };
}

static cltStatus Restore( cltHostAlgorithm* algorithm, const cltScene* committed )
{
    (void)committed;
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    if ( self->wide.unfinished )
    {
        cltWide_Restore( &self->wide );
    }
    return clt_ok;
}

static const cltQueryBase* ViewBoxes( const cltHostAlgorithm* algorithm )
{
    const WideAlgorithm* self = (const WideAlgorithm*)algorithm;
    return self->wide.unfinished || self->wide.blockCount == 0 ? NULL : &self->queryBase;
}

static void GetStats( const cltHostAlgorithm* algorithm, cltBackendStats* stats )
{
    stats->asideCount = ( (const WideAlgorithm*)algorithm )->wide.asideCount;
}

static void Destroy( cltHostAlgorithm* algorithm )
{
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    cltMemory* memory = self->wide.memory;
    cltWide_Release( &self->wide );
    cltMemory_Release( memory, self, sizeof *self );
}

static const cltHostAlgorithmOps wideOps = { .build = Build,
                                             .find = Find,
                                             .commit = Commit,
                                             .restore = Restore,
                                             .viewBoxes = ViewBoxes,
                                             .getStats = GetStats,
                                             .destroy = Destroy };

cltStatus cltCreateWide( const cltHostMeans* means, cltHostAlgorithm** algorithm )
{
    WideAlgorithm* self = cltMemory_Allocate( means->memory, sizeof *self );
    if ( self == NULL )
    {
        return clt_hostMemory;
    }
    *self = ( WideAlgorithm ){ .base = { &wideOps },
                               .wide = { .kernels = cltWideKernels_Get( means->def->simd ),
                                         .pool = means->pool,
                                         .memory = means->memory,
                                         .isDouble = means->def->precision == clt_precisionDouble } };
    *algorithm = &self->base;
    return clt_ok;
}
