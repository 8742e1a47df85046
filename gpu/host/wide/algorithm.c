// SPDX-License-Identifier: Zlib
// `wide` as one of the host's algorithms.

#include "gpu/host/wide/wide.h"

typedef struct WideAlgorithm
{
    cltHostAlgorithm base;
    cltWide wide;
    uint64_t generation; ///< of what queries see; another one for every build
} WideAlgorithm;

static cltStatus Build( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltScene* scene )
{
    (void)scene;
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    ++self->generation;
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
    cltWide_Commit( &( (WideAlgorithm*)algorithm )->wide );
}

static cltStatus Restore( cltHostAlgorithm* algorithm, const cltScene* committed )
{
    (void)committed;
    WideAlgorithm* self = (WideAlgorithm*)algorithm;
    if ( self->wide.unfinished )
    {
        ++self->generation;
        cltWide_Restore( &self->wide );
    }
    return clt_ok;
}

static cltLeafView ViewLeaves( const cltHostAlgorithm* algorithm )
{
    const WideAlgorithm* self = (const WideAlgorithm*)algorithm;
    const cltBoxTree* tree = &self->wide.tree;
    if ( self->wide.unfinished || self->wide.blockCount == 0 )
    {
        return ( cltLeafView ){ .generation = 0 };
    }
    return ( cltLeafView ){ .tree = tree,
                            .blocks = tree->levels[0],
                            .refs = tree->refs,
                            .blockedCount = tree->counts[0],
                            .asideRefs = cltWide_Refs( &self->wide ),
                            .asideCount = self->wide.asideCount,
                            .generation = self->generation };
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
                                             .viewLeaves = ViewLeaves,
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
