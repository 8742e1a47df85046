// SPDX-License-Identifier: Zlib
// If few bodies moved: updates the previous boxes of blocks with movers, and copies the boxes of changed slots.

#include "gpu/host/wide/gather.h"

/// Blocks or bodies per task, about 30 microseconds of work: small, because other threads still wake up in these loops.
#define COPY_GRAIN 512u
#define BODY_GRAIN 1024u

/// How many bodies ahead to prefetch.
#define BODIES_AHEAD 16u

/// If at least one block in this many has movers, these blocks are listed in ascending order. That reads the bits of
/// all blocks, but a search of a block right after a search of its neighbour finds data in the cache.
#define LIST_IN_ORDER_RATIO 64u

// -------------------------------------------------------------------------------------------------- previous boxes

static void CopyBlocksToPrevious( uint32_t first, uint32_t last, void* context )
{
    const cltGather* gather = context;
    cltLanes* lanes = gather->lanes;
    for ( uint32_t i = first; i < last; ++i )
    {
        const uint32_t block = gather->blocksToCopy != NULL ? gather->blocksToCopy[i] : i;
        const uint32_t emptyLanes = gather->kernels->copyCurrentToPrevious( cltLanes_Current( lanes ) + block,
                                                                            cltLanes_Previous( lanes ) + block );
        cltMovers_Masks( gather->movers )[block] = 0;
        cltLanes_FreeEmpty( lanes, block, emptyLanes, gather->upload->states );
    }
}

void cltGather_CurrentToPrevious( cltGather* gather, bool allDiffer )
{
    const cltBlockList* moved = &gather->movers->before;
    gather->blocksToCopy = allDiffer ? NULL : moved->blocks.data;
    cltWorkerPool_Run( gather->pool, CopyBlocksToPrevious, allDiffer ? gather->lanes->blockCount : moved->count,
                       COPY_GRAIN, gather );
}

// ------------------------------------------------------------------------------------------- created and destroyed

void cltGather_ApplyCreatedAndDestroyed( cltGather* gather )
{
    const cltUpload* upload = gather->upload;
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        const uint32_t slot = upload->changed[i];
        const bool appeared = ( upload->states[slot] & CLT_SLOT_APPEARED ) != 0;
        const bool destroyed = ( upload->states[slot] & CLT_SLOT_DESTROYED ) != 0;
        if ( !appeared && !destroyed )
        {
            continue;
        }
        const uint32_t lane = cltLanes_OfSlots( gather->lanes )[slot];
        if ( lane != CLT_NO_LANE ) // its lane before it was hidden or destroyed, or its lane from a failed update
        {
            cltMovers_Add( gather->movers, lane );
            cltLanes_RemoveBody( gather->lanes, slot, destroyed );
        }
        if ( appeared )
        {
            cltLanes_AddUnplaced( gather->lanes, slot );
        }
    }
}

// -------------------------------------------------------------------------------------------------- changed bodies

static void GatherOne( const cltGather* gather, uint32_t slot, uint32_t lane )
{
    cltLanes* lanes = gather->lanes;
    const cltAabb box = cltCoverBox( gather->upload->boxes, lanes->isDouble, slot );
    if ( cltAabb_HasNan( &box ) )
    {
        cltLane_Clear( cltLanes_Current( lanes ), lane );
        return;
    }
    const cltAabb before = cltLane_Get( cltLanes_Current( lanes ), lane ); // not yet overwritten by the current box
    cltLane_Set( cltLanes_Current( lanes ), lane, &box );
    const cltAabb both = cltAabb_Union( &before, &box );
    if ( lane >= CLT_OUTLIER_LANES &&
         ( cltIsLargeDisplacement( &before, &box, &both ) || cltAabb_LongestEdge( &box ) > lanes->largestEdge ) )
    {
        cltLanes_Detach( lanes, lane, slot );
    }
}

/// Prefetches what later bodies need: first the entry of laneOf, then the lane.
/// \param last  one past the bodies of this thread; other threads may be writing the entries of later bodies
static void PrefetchLane( const cltGather* gather, uint32_t i, uint32_t last )
{
    const cltUpload* upload = gather->upload;
    if ( i + 2u * BODIES_AHEAD < last )
    {
        cltPrefetch( cltLanes_OfSlots( gather->lanes ) + upload->changed[i + 2u * BODIES_AHEAD] );
    }
    if ( i + BODIES_AHEAD < last )
    {
        const uint32_t lane = cltLanes_OfSlots( gather->lanes )[upload->changed[i + BODIES_AHEAD]];
        if ( lane != CLT_NO_LANE )
        {
            cltBlock_Prefetch( cltLanes_Current( gather->lanes ) + lane / CLT_LANE_COUNT );
        }
    }
}

/// \param note  makes a lane a mover: cltMovers_Add or, if several threads run, cltMovers_Mark
static inline void GatherRange( const cltGather* gather, uint32_t first, uint32_t last,
                                void ( *note )( cltMovers* movers, uint32_t lane ) )
{
    const cltUpload* upload = gather->upload;
    const uint8_t special = CLT_SLOT_DESTROYED | CLT_SLOT_APPEARED; // cltGather_ApplyCreatedAndDestroyed handled these
    for ( uint32_t i = first; i < last; ++i )
    {
        PrefetchLane( gather, i, last );
        const uint32_t slot = upload->changed[i];
        const uint32_t lane = cltLanes_OfSlots( gather->lanes )[slot];
        if ( ( upload->states[slot] & special ) == 0 && lane != CLT_NO_LANE ) // no lane: the box is a NaN
        {
            note( gather->movers, lane );
            GatherOne( gather, slot, lane );
        }
    }
}

static void GatherOnOneThread( uint32_t first, uint32_t last, void* context )
{
    GatherRange( context, first, last, cltMovers_Add );
}

static void GatherOnManyThreads( uint32_t first, uint32_t last, void* context )
{
    GatherRange( context, first, last, cltMovers_Mark );
}

void cltGather_Changed( cltGather* gather )
{
    const uint32_t count = gather->upload->changedCount;
    const uint32_t blockCount = gather->lanes->blockCount;
    const uint32_t many = blockCount / LIST_IN_ORDER_RATIO;
    const bool isShared = gather->pool != NULL && count > BODY_GRAIN && count >= many;
    cltWorkerPool_Run( isShared ? gather->pool : NULL, isShared ? GatherOnManyThreads : GatherOnOneThread, count,
                       BODY_GRAIN, gather );
    // Blocks are searched in the order of the list. If a block follows its neighbour, it finds in the cache what the
    // neighbour needed. Changed bodies come in the order of slots, so blocks are listed again, in ascending order.
    if ( isShared || gather->movers->now.count >= many )
    {
        cltMovers_ListMarked( gather->movers, blockCount );
    }
}
