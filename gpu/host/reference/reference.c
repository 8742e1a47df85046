// SPDX-License-Identifier: Zlib
// Chooses the structure to build for lbvh, frontier, grid or bruteForce.

#include "gpu/host/reference/reference.h"

static void CountOutliers( cltReference* reference )
{
    reference->outlierCount = reference->table.leaves.count - reference->table.searchableCount;
}

/// Puts leaves into cells. If the cells are too dense, builds a tree instead, for CLT_GRID_DENSE_UPDATES updates.
static cltStatus MakeCellsOrTree( cltReference* reference, const cltSlots* slots, uint32_t changedCount )
{
    bool isCrowded = reference->crowdedUpdates > 0;
    if ( !isCrowded )
    {
        CLT_TRY( cltReference_MakeLeaves( reference, slots, true ) );
        CLT_TRY( cltReference_BuildCells( reference, &isCrowded ) );
        CountOutliers( reference );
        if ( !isCrowded )
        {
            return clt_ok;
        }
        reference->crowdedUpdates = CLT_GRID_DENSE_UPDATES;
    }
    reference->running = clt_algorithmLbvh;
    reference->candidateCount = 0;
    CLT_TRY( cltReference_MakeLeaves( reference, slots, false ) );
    CountOutliers( reference );
    return cltReference_BuildTree( reference, slots->count, changedCount );
}

/// \param appearedCount  upper bound on the number of slots with CLT_SLOT_APPEARED, which have no leaves yet
static cltStatus MakeStructure( cltReference* reference, const cltSearchInput* input, uint32_t changedCount,
                                uint32_t appearedCount )
{
    cltLeafTable* table = &reference->table;
    const bool keepsFront = cltReference_KeepsFront( reference );
    table->leaves.filters = input->filters;
    reference->running = reference->resources.def->algorithm;
    if ( reference->running == clt_algorithmGrid )
    {
        return MakeCellsOrTree( reference, &input->slots, changedCount );
    }
    CLT_TRY( keepsFront ? cltReference_ArrangeLeaves( reference, &input->slots, appearedCount )
                        : cltReference_MakeLeaves( reference, &input->slots, false ) );
    CountOutliers( reference );
    switch ( reference->running )
    {
    case clt_algorithmLbvh:
        return cltReference_BuildTree( reference, input->slots.count, changedCount );
    case clt_algorithmFrontier:
        return keepsFront ? cltReference_BuildFrontTree( reference )
                          : cltReference_BuildLevels( reference, input->slots.count, changedCount );
    default:
        reference->outlierCount = 0; // outliers are among the candidates
        reference->candidateCount = cltPairMap_CandidateCount( &reference->map, table->leaves.count );
        return clt_ok;
    }
}

/// Never: every update builds its structure from nothing anyway, and searches it for changes.
static bool ReferenceShouldRebuild( const cltHostAlgorithm* algorithm, const cltUpload* upload )
{
    (void)algorithm;
    (void)upload;
    return false;
}

/// Builds nothing if proxies were only destroyed, because a search would then find nothing.
static cltStatus ReferenceBuild( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltSearchInput* input,
                                 bool isFresh )
{
    (void)isFresh; // always false
    cltReference* reference = (cltReference*)algorithm;
    const uint32_t changedCount = upload->changedCount - upload->destroyedCount;
    reference->isBuilt = changedCount > 0;
    reference->isCurrent = false;
    reference->crowdedUpdates -= reference->crowdedUpdates > 0 ? 1u : 0u;
    if ( reference->isBuilt )
    {
        reference->frontier.frontlessUpdates -= reference->frontier.frontlessUpdates > 0 ? 1u : 0u;
        CLT_TRY( MakeStructure( reference, input, changedCount, upload->appearedCount ) );
        if ( cltReference_KeepsFront( reference ) )
        {
            cltReference_BeginFront( reference );
        }
    }
    return clt_ok;
}

static cltStatus ReferenceFind( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input,
                                cltPairSink* sink )
{
    cltReference* reference = (cltReference*)algorithm;
    reference->table.leaves.filters = input->filters;
    reference->table.leaves.slotBits = cltIndexBits( input->slots.count );
    return cltReference_Search( reference, find, sink );
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
        CLT_TRY( MakeStructure( reference, committed, 0, 0 ) );
        reference->isCurrent = true;
    }
    return clt_ok;
}

static const cltQueryBase* ReferenceViewBoxes( const cltHostAlgorithm* algorithm )
{
    (void)algorithm;
    return NULL; // as on a device
}

static void ReferenceGetStats( const cltHostAlgorithm* algorithm, cltStats* stats, cltResearchStats* research )
{
    const cltReference* reference = (const cltReference*)algorithm;
    if ( reference->isBuilt )
    {
        research->outlierCount = reference->outlierCount;
        research->candidateCount = reference->candidateCount;
        stats->algorithm = reference->running;
        research->nodeTestCount = reference->frontier.testCount;
        research->passCount = reference->frontier.passCount;
        research->frontierPeak = reference->frontier.peak;
        research->frontSize = cltFront_Size( &reference->frontier.front );
        stats->reason = reference->crowdedUpdates > 0 ? CLT_GRID_DENSE_REASON : stats->reason;
    }
}

static void ReferenceDestroy( cltHostAlgorithm* algorithm )
{
    cltReference* reference = (cltReference*)algorithm;
    cltMemory* memory = reference->resources.memory;
    cltLeafTable* table = &reference->table;
    cltLeafTree* tree = &reference->tree;
    cltBuffer* const buffers[] = { &table->starts,
                                   &table->keys,
                                   &table->records,
                                   &tree->nodes,
                                   &tree->meetings,
                                   &tree->filters,
                                   &tree->movers,
                                   &reference->cells.starts,
                                   reference->frontier.pairs,
                                   reference->frontier.pairs + 1 };
    for ( size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i )
    {
        cltBuffer_Release( buffers[i], memory );
    }
    cltLevelStorage_Release( &reference->frontier.room, memory );
    cltFront_Release( &reference->frontier.front, memory );
    cltSceneStatistics_Release( &table->statistics, memory );
    cltRadixSort_Release( &reference->sort, memory );
    cltMemory_Release( memory, reference, sizeof *reference );
}

static const cltHostAlgorithmOps referenceOps = { .shouldRebuild = ReferenceShouldRebuild,
                                                  .build = ReferenceBuild,
                                                  .find = ReferenceFind,
                                                  .commit = ReferenceCommit,
                                                  .restore = ReferenceRestore,
                                                  .viewBoxes = ReferenceViewBoxes,
                                                  .draw = cltReference_Draw,
                                                  .getStats = ReferenceGetStats,
                                                  .destroy = ReferenceDestroy };

cltStatus cltCreateReference( const cltHostResources* resources, cltHostAlgorithm** algorithm )
{
    cltReference* reference = cltMemory_Allocate( resources->memory, sizeof *reference );
    if ( reference == NULL )
    {
        return clt_hostMemory;
    }
    *reference = ( cltReference ){ .base = { .ops = &referenceOps },
                                   .resources = *resources,
                                   .map = { resources->def->research->root, resources->def->research->rootSteps } };
    *algorithm = &reference->base;
    return clt_ok;
}
