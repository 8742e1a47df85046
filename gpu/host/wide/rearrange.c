// SPDX-License-Identifier: Zlib
// Moves the contents of lanes into a new order, one array after the other: each array moves into the memory that the
// previous array left. For a rebuild, fills all lanes from slots instead; their contents are overwritten.

#include "gpu/host/wide/gather.h"

#include <string.h>

#define MOVE_GRAIN 256u
#define LANES_AHEAD 16u

typedef struct MoveJob
{
    const cltLanes* lanes;
    const cltLanePlan* plan;
    const cltBoxLanes* boxes; ///< the current or the previous boxes
} MoveJob;

cltStatus cltLanes_ReserveScratch( cltLanes* lanes, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &lanes->scratchBoxes, memory, lanes->blockCapacity, sizeof( cltBoxLanes ) ) );
    return cltBuffer_Reserve( &lanes->scratchRefs, memory, (size_t)lanes->blockCapacity * CLT_LANE_COUNT,
                              sizeof( cltLeafRef ) );
}

static void ListBoxes( uint32_t first, uint32_t last, void* context )
{
    const cltLanes* lanes = context;
    cltAabb* boxes = lanes->scratchBoxes.data; // a buffer of blocks, each as large as sixteen boxes
    for ( uint32_t block = first; block < last; ++block )
    {
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            boxes[block * CLT_LANE_COUNT + lane] = cltLanes_AnyBox( lanes, block * CLT_LANE_COUNT + lane );
        }
    }
}

const cltAabb* cltLanes_ListBoxes( cltLanes* lanes, cltWorkerPool* pool )
{
    cltWorkerPool_Run( pool, ListBoxes, cltBlocksFor( lanes->end ), MOVE_GRAIN, lanes );
    return lanes->scratchBoxes.data;
}

static void MoveBox( const MoveJob* move, uint32_t from, uint32_t to )
{
    cltBoxLanes* spare = move->lanes->scratchBoxes.data;
    if ( from == CLT_NO_LANE )
    {
        cltLane_Clear( spare, to );
        return;
    }
    const cltAabb box = cltLane_Get( move->boxes, from );
    cltLane_Set( spare, to, &box );
}

static void MoveBoxes( uint32_t first, uint32_t last, void* context )
{
    const MoveJob* move = context;
    for ( uint32_t lane = first * CLT_LANE_COUNT; lane < last * CLT_LANE_COUNT; ++lane )
    {
        const uint32_t ahead = cltLanePlan_Place( move->plan, lane + LANES_AHEAD );
        if ( ahead != CLT_NO_LANE )
        {
            cltBlock_Prefetch( move->boxes + ahead / CLT_LANE_COUNT );
        }
        MoveBox( move, cltLanePlan_Place( move->plan, lane ), lane );
    }
}

static void MoveRefs( uint32_t first, uint32_t last, void* context )
{
    const MoveJob* move = context;
    for ( uint32_t lane = first * CLT_LANE_COUNT; lane < last * CLT_LANE_COUNT; ++lane )
    {
        const uint32_t from = cltLanePlan_Place( move->plan, lane );
        const cltLeafRef ref = from == CLT_NO_LANE ? CLT_FREE_LANE : cltLanes_Refs( move->lanes )[from];
        ( (cltLeafRef*)move->lanes->scratchRefs.data )[lane] = ref;
        if ( cltLeafRef_Kind( ref ) != CLT_LEAF_PREVIOUS )
        {
            cltLanes_OfSlots( move->lanes )[cltLeafRef_Slot( ref )] = lane;
        }
    }
}

void cltLanes_SetCountsFromPlan( cltLanes* lanes, const cltLanePlan* plan )
{
    lanes->blockCount = cltLanes_BlocksToRearrange( plan->orderedCount, plan->gapShift );
    lanes->orderedEnd = lanes->blockCount;
    lanes->end = lanes->blockCount * CLT_LANE_COUNT;
    lanes->outlierCount = (uint32_t)plan->outlierCount;
    lanes->freeCount = lanes->end - CLT_OUTLIER_LANES - plan->orderedCount;
    lanes->largestEdge = plan->largestEdge;
}

void cltLanes_Rearrange( cltLanes* lanes, const cltLanePlan* plan, cltWorkerPool* pool )
{
    const uint32_t blockCount = cltLanes_BlocksToRearrange( plan->orderedCount, plan->gapShift );
    cltBuffer* const boxes[2] = { &lanes->current, &lanes->previous };
    MoveJob move = { .lanes = lanes, .plan = plan };
    for ( int i = 0; i < 2; ++i )
    {
        move.boxes = boxes[i]->data;
        cltWorkerPool_Run( pool, MoveBoxes, blockCount, MOVE_GRAIN, &move );
        cltBuffer_Swap( boxes[i], &lanes->scratchBoxes );
    }
    cltWorkerPool_Run( pool, MoveRefs, blockCount, MOVE_GRAIN, &move );
    cltBuffer_Swap( &lanes->refs, &lanes->scratchRefs );
    cltLanes_SetCountsFromPlan( lanes, plan );
}

// ----------------------------------------------------------------------------------------------------- filling

#define NEW_BLOCK_GRAIN 256u
#define SLOTS_AHEAD 32u

typedef struct FillJob
{
    cltLanes* lanes;
    const cltLanePlan* plan;
    const cltUpload* upload;
} FillJob;

static void PrefetchSlot( const FillJob* fill, uint32_t lane )
{
    const uint32_t slot = cltLanePlan_Place( fill->plan, lane );
    if ( slot != CLT_NO_LANE )
    {
        const size_t boxSize = fill->lanes->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
        cltPrefetch( (const char*)fill->upload->boxes + slot * boxSize );
        cltPrefetch( cltLanes_OfSlots( fill->lanes ) + slot );
    }
}

static void SetRefs( const FillJob* fill, uint32_t block )
{
    cltLeafRef* refs = cltLanes_Refs( fill->lanes ) + (size_t)block * CLT_LANE_COUNT;
    for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i )
    {
        const uint32_t lane = block * CLT_LANE_COUNT + i;
        const uint32_t slot = cltLanePlan_Place( fill->plan, lane );
        PrefetchSlot( fill, lane + SLOTS_AHEAD );
        refs[i] = CLT_FREE_LANE;
        if ( slot != CLT_NO_LANE )
        {
            refs[i] = cltLeafRef_Make( slot, CLT_LEAF_STILL );
            cltLanes_OfSlots( fill->lanes )[slot] = lane;
        }
    }
}

static void FillNewBlocks( uint32_t first, uint32_t last, void* context )
{
    const FillJob* fill = context;
    for ( uint32_t block = first; block < last; ++block )
    {
        SetRefs( fill, block );
        (void)cltBlock_Gather( cltLanes_Current( fill->lanes ) + block,
                               cltLanes_Refs( fill->lanes ) + (size_t)block * CLT_LANE_COUNT, fill->upload->boxes,
                               fill->lanes->isDouble );
    }
}

void cltLanes_Fill( cltLanes* lanes, const cltLanePlan* plan, const cltUpload* upload, cltWorkerPool* pool )
{
    FillJob fill = { lanes, plan, upload };
    cltLanes_SetCountsFromPlan( lanes, plan );
    memset( cltLanes_OfSlots( lanes ), 0xff, lanes->slotCount * sizeof( uint32_t ) ); // CLT_NO_LANE
    cltWorkerPool_Run( pool, FillNewBlocks, lanes->blockCount, NEW_BLOCK_GRAIN, &fill );
    cltLanes_UniteFilters( lanes, upload, pool );
    lanes->unplacedCount = 0;
    lanes->split = false;
}
