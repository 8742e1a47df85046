// SPDX-License-Identifier: Zlib
// The last step of an update: changes of near pairs, and rest boxes for the movers (gpu/rest/rest.h). While rest boxes
// are kept, the lane of a proxy holds its rest box instead of its box.

#include "gpu/host/wide/wide.h"

#include <math.h>

/// Blocks per task in which movers are marked, about 20 microseconds of work.
#define MARK_GRAIN 1024u

/// Blocks per task in which movers are measured.
#define MEASURE_GRAIN 16u

/// With at most this many bodies, rest boxes are not kept: a search takes no time, and rest boxes would need memory.
#define FEW_BODIES 32u

/// The number of blocks from which displacements in the last step are sampled.
#define SAMPLE_BLOCKS ( CLT_STEP_SAMPLE_SIZE / CLT_LANE_COUNT )

static void MarkMoved( uint32_t first, uint32_t last, void* context )
{
    const cltWide* wide = context;
    for ( uint32_t block = first; block < last; ++block )
    {
        cltMovers_Masks( &wide->movers )[block] = (uint16_t)wide->kernels->findMoved(
            cltLanes_Current( &wide->lanes ) + block, cltLanes_Previous( &wide->lanes ) + block );
    }
}

/// The largest distance from the origin to a bound of a box in the tree; may be infinite.
static float FurthestInTree( const cltWide* wide )
{
    const cltBoxTree* tree = &wide->tree.levels;
    const cltAabb all = wide->kernels->bound( tree->levels[tree->levelCount - 1u], NULL );
    float furthest = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        furthest = fmaxf( furthest, fmaxf( fabsf( all.lower[axis] ), fabsf( all.upper[axis] ) ) );
    }
    return furthest;
}

typedef struct MeasureJob
{
    const cltWideKernels* kernels;
    const cltWideSearch* search;
    const uint32_t* blocks;
} MeasureJob;

static void MeasureListed( uint32_t first, uint32_t last, void* context )
{
    const MeasureJob* job = context;
    job->kernels->measureMovers( job->search, job->blocks + first, last - first );
}

static cltStatus MeasureMovers( cltWide* wide, const cltSearchInput* input )
{
    cltRest* rest = wide->rest;
    if ( wide->lanes.isDouble )
    {
        cltRest_NoteFurthest( rest, FurthestInTree( wide ) );
    }
    CLT_TRY( cltRest_SetSlotCount( rest, wide->lanes.slotCount, wide->memory ) );
    cltWideSearch search = cltWide_SearchOf( wide, clt_wideMeasure, input, NULL );
    search.rest = rest;
    MeasureJob job = { wide->kernels, &search, wide->movers.now.blocks.data };
    bool isAgain = true;
    while ( isAgain )
    {
        cltWorkerPool_Run( wide->activePool, MeasureListed, wide->movers.now.count, MEASURE_GRAIN, &job );
        CLT_TRY( cltNearPairs_Grow( &rest->nearPairs, wide->memory, &isAgain ) );
    }
    CLT_TRY( cltNearPairs_TestAdded( &rest->nearPairs, &input->slots, wide->memory ) );
    cltRest_MarkNear( rest );
    return clt_ok;
}

/// Samples how far boxes of evenly spaced blocks moved in the last step.
/// \param listed  the blocks to choose from; NULL: all blocks
static cltStepSample SampleSteps( const cltLanes* lanes, const cltBlockList* listed )
{
    cltStepSample sample;
    sample.count = 0;
    sample.inverseEdges = 0.0f;
    const uint32_t blockCount = listed != NULL ? listed->count : lanes->blockCount;
    const uint32_t sampleCount = blockCount < SAMPLE_BLOCKS ? blockCount : SAMPLE_BLOCKS;
    for ( uint32_t i = 0; i < sampleCount; ++i )
    {
        const uint32_t place = (uint32_t)( (uint64_t)i * blockCount / sampleCount );
        const uint32_t block = listed != NULL ? ( (const uint32_t*)listed->blocks.data )[place] : place;
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            const cltAabb current = cltBoxLanes_Get( cltLanes_Current( lanes ) + block, lane );
            const cltAabb previous = cltBoxLanes_Get( cltLanes_Previous( lanes ) + block, lane );
            cltStepSample_Add( &sample, &current, &previous );
        }
    }
    return sample;
}

/// Begins to keep rest boxes if most displacements are small. If there is no memory for rest boxes, none are kept.
static void ConsiderRest( cltWide* wide, const cltSearchInput* input )
{
    const cltLanes* lanes = &wide->lanes;
    const bool few = cltWide_IsFew( wide );
    if ( lanes->end - CLT_OUTLIER_LANES + lanes->outlierCount <= FEW_BODIES || !cltRest_IsDue( wide->rest ) )
    {
        return;
    }
    const cltStepSample sample = SampleSteps( lanes, few ? &wide->movers.now : NULL );
    cltRest_TurnOnIfStepsAreSmall( wide->rest, &sample, lanes->isDouble );
    if ( wide->rest->isOn && !few )
    {
        cltWorkerPool_Run( wide->activePool, MarkMoved, lanes->blockCount, MARK_GRAIN, wide );
        cltMovers_ListMarked( &wide->movers, lanes->blockCount );
    }
    if ( wide->rest->isOn && MeasureMovers( wide, input ) != clt_ok )
    {
        cltNearPairs_DropAdded( &wide->rest->nearPairs );
        cltRest_TurnOff( wide->rest );
    }
}

cltStatus cltWide_KeepRest( cltWide* wide, const cltUpload* upload, const cltSearchInput* input )
{
    cltRest* rest = wide->rest;
    if ( rest == NULL )
    {
        return clt_ok;
    }
    CLT_TRY( cltNearPairs_Test( &rest->nearPairs, &input->slots, !rest->isOn, wide->pool, wide->memory ) );
    if ( rest->isOn )
    {
        cltRest_CheckBenefit( rest, upload->changedCount, wide->lanes.end );
        return MeasureMovers( wide, input );
    }
    ConsiderRest( wide, input );
    return clt_ok;
}
