// SPDX-License-Identifier: Zlib
// `wide` as one of the host's algorithms.

#include "gpu/host/wide/wide.h"

typedef struct WideAlgorithm
{
    cltHostAlgorithm base;
    cltWide wide;
} WideAlgorithm;

static cltWide* WideOf( cltHostAlgorithm* algorithm )
{
    return &( (WideAlgorithm*)algorithm )->wide;
}

static cltStatus BuildWide( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltScene* scene )
{
    (void)scene;
    return cltWide_Build( WideOf( algorithm ), upload );
}

static cltStatus FindWide( cltHostAlgorithm* algorithm, cltFind find, const cltScene* scene, cltPairSink* sink )
{
    return cltWide_Find( WideOf( algorithm ), find, scene, sink );
}

static void CommitWide( cltHostAlgorithm* algorithm )
{
    cltWide_Commit( WideOf( algorithm ) );
}

static cltStatus RestoreWide( cltHostAlgorithm* algorithm, const cltScene* committed )
{
    (void)committed; // the lanes hold it
    cltWide_Restore( WideOf( algorithm ) );
    return clt_ok;
}

static const cltQueryBase* ViewWide( const cltHostAlgorithm* algorithm )
{
    return cltWide_View( &( (const WideAlgorithm*)algorithm )->wide );
}

static void GetWideStats( const cltHostAlgorithm* algorithm, cltBackendStats* stats )
{
    stats->asideCount = ( (const WideAlgorithm*)algorithm )->wide.lanes.outlierCount;
}

static void DestroyWide( cltHostAlgorithm* algorithm )
{
    cltMemory* memory = WideOf( algorithm )->memory;
    cltWide_Release( WideOf( algorithm ) );
    cltMemory_Release( memory, algorithm, sizeof( WideAlgorithm ) );
}

static const cltHostAlgorithmOps wideOps = { .build = BuildWide,
                                             .find = FindWide,
                                             .commit = CommitWide,
                                             .restore = RestoreWide,
                                             .viewBoxes = ViewWide,
                                             .getStats = GetWideStats,
                                             .destroy = DestroyWide };

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
                                         .lanes.isDouble = means->def->precision == clt_precisionDouble } };
    *algorithm = &self->base;
    return clt_ok;
}
