// SPDX-License-Identifier: Zlib
// Which structure to build and which search to run: lbvh, grid or bruteForce.

#include "gpu/host/reference/reference.h"

static cltAlgorithm AlgorithmOf( const cltReference* reference )
{
    return reference->means.def->algorithm;
}

static cltPairMap MapOf( const cltReference* reference )
{
    return ( cltPairMap ){ reference->means.def->root, reference->means.def->rootSteps };
}

static cltStatus MakeStructure( cltReference* reference, const cltSearchInput* input, uint32_t changedCount )
{
    cltMemory* memory = reference->means.memory;
    cltWorkerPool* pool = reference->means.pool;
    cltLeafTable* table = &reference->table;
    table->leaves.filters = input->filters;
    CLT_TRY( cltLeafTable_Make( table, &input->slots, pool, memory ) );
    if ( AlgorithmOf( reference ) == clt_algorithmLbvh )
    {
        return cltLeafTree_Build( &reference->tree, table, input->slots.count, changedCount, pool, memory );
    }
    if ( AlgorithmOf( reference ) == clt_algorithmGrid )
    {
        const cltPairMap map = MapOf( reference );
        return cltGridCells_Build( &reference->cells, table, &map, pool, memory );
    }
    return clt_ok;
}

/// Where only proxies were destroyed there is nothing to find.
static cltStatus ReferenceBuild( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltSearchInput* input )
{
    cltReference* reference = (cltReference*)algorithm;
    const uint32_t changedCount = upload->changedCount - upload->destroyedCount;
    reference->isBuilt = changedCount > 0;
    reference->isCurrent = false;
    return reference->isBuilt ? MakeStructure( reference, input, changedCount ) : clt_ok;
}

static cltStatus ReferenceFind( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input,
                                cltPairSink* sink )
{
    cltReference* reference = (cltReference*)algorithm;
    reference->table.leaves.filters = input->filters;
    reference->table.leaves.slotBits = cltIndexBits( input->slots.count );
    const cltSearch search = { .table = &reference->table,
                               .pool = reference->means.pool,
                               .sink = sink,
                               .find = find,
                               .map = MapOf( reference ) };
    if ( AlgorithmOf( reference ) == clt_algorithmLbvh )
    {
        cltLeafTree_Find( &reference->tree, &search );
    }
    else if ( AlgorithmOf( reference ) == clt_algorithmGrid )
    {
        cltGridCells_Find( &reference->cells, &search );
    }
    else
    {
        cltBruteForce_Find( &search );
    }
    return clt_ok;
}

static void ReferenceCommit( cltHostAlgorithm* algorithm )
{
    cltReference* reference = (cltReference*)algorithm;
    reference->isCurrent = reference->isBuilt;
}

static cltStatus ReferenceRestore( cltHostAlgorithm* algorithm, const cltSearchInput* committed )
{
    cltReference* reference = (cltReference*)algorithm;
    if ( !reference->isCurrent )
    {
        CLT_TRY( MakeStructure( reference, committed, 0 ) );
        reference->isCurrent = true;
    }
    return clt_ok;
}

static const cltQueryBase* ReferenceViewBoxes( const cltHostAlgorithm* algorithm )
{
    (void)algorithm;
    return NULL; // as on a device
}

static void ReferenceGetStats( const cltHostAlgorithm* algorithm, cltStats* stats )
{
    const cltReference* reference = (const cltReference*)algorithm;
    const cltLeafTable* table = &reference->table;
    const cltPairMap map = MapOf( reference );
    if ( !reference->isBuilt )
    {
        return;
    }
    switch ( AlgorithmOf( reference ) )
    {
    case clt_algorithmLbvh:
        stats->asideCount = table->leaves.count - table->searchableCount;
        break;
    case clt_algorithmGrid:
        stats->asideCount = reference->cells.outlierCount;
        stats->candidateCount = reference->cells.cells.candidateStarts[reference->cells.cells.count];
        break;
    default:
        stats->candidateCount = cltPairMap_CandidateCount( &map, table->leaves.count );
        break;
    }
}

static void ReferenceDestroy( cltHostAlgorithm* algorithm )
{
    cltReference* reference = (cltReference*)algorithm;
    cltMemory* memory = reference->means.memory;
    cltLeafTable_Release( &reference->table, memory );
    cltLeafTree_Release( &reference->tree, memory );
    cltGridCells_Release( &reference->cells, memory );
    cltMemory_Release( memory, reference, sizeof *reference );
}

static const cltHostAlgorithmOps referenceOps = { .build = ReferenceBuild,
                                                  .find = ReferenceFind,
                                                  .commit = ReferenceCommit,
                                                  .restore = ReferenceRestore,
                                                  .viewBoxes = ReferenceViewBoxes,
                                                  .getStats = ReferenceGetStats,
                                                  .destroy = ReferenceDestroy };

cltStatus cltCreateReference( const cltHostMeans* means, cltHostAlgorithm** algorithm )
{
    cltReference* reference = cltMemory_Allocate( means->memory, sizeof *reference );
    if ( reference == NULL )
    {
        return clt_hostMemory;
    }
    *reference = ( cltReference ){ .base = { &referenceOps }, .means = *means };
    *algorithm = &reference->base;
    return clt_ok;
}
