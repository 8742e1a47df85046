// SPDX-License-Identifier: Zlib
// Lanes of bodies that appear, are destroyed, become hidden, or jump.

#include "gpu/host/wide/lanes.h"

#define UNITE_GRAIN 512u

cltStatus cltLanes_Reserve( cltLanes* lanes, cltMemory* memory, uint32_t blockCapacity )
{
    CLT_TRY( cltBuffer_Grow( &lanes->current, memory, blockCapacity, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Grow( &lanes->previous, memory, blockCapacity, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Grow( &lanes->refs, memory, (size_t)blockCapacity * CLT_LANE_COUNT, sizeof( cltLeafRef ) ) );
    CLT_TRY( cltBuffer_Grow( &lanes->filters.blocks, memory, blockCapacity, sizeof( cltBlockFilter ) ) );
    CLT_TRY( cltBuffer_Grow( &lanes->jumped, memory, blockCapacity, sizeof( uint16_t ) ) );
    lanes->blockCapacity = blockCapacity;
    return clt_ok;
}

bool cltLanes_Shrink( cltLanes* lanes, cltMemory* memory, uint32_t blockCapacity )
{
    const size_t count = lanes->blockCount;
    if ( !cltBuffer_Shrink( &lanes->current, memory, count, blockCapacity, sizeof( cltBoxLanes ) ) )
    {
        return false;
    }
    cltBuffer_Shrink( &lanes->previous, memory, count, blockCapacity, sizeof( cltBoxLanes ) );
    cltBuffer_Shrink( &lanes->refs, memory, count * CLT_LANE_COUNT, (size_t)blockCapacity * CLT_LANE_COUNT,
                      sizeof( cltLeafRef ) );
    cltBuffer_Shrink( &lanes->filters.blocks, memory, count, blockCapacity, sizeof( cltBlockFilter ) );
    cltBuffer_Shrink( &lanes->jumped, memory, count, blockCapacity, sizeof( uint16_t ) );
    cltBuffer_Release( &lanes->scratchBoxes, memory );
    cltBuffer_Release( &lanes->scratchRefs, memory );
    lanes->blockCapacity = blockCapacity;
    return true;
}

/// Frees the lanes of slots that the proxy table has given back. Their bodies were destroyed in an earlier update, but
/// nothing may have changed since, so that no update has freed the lanes.
static void FreeLanesBeyond( cltLanes* lanes, uint32_t slotCount )
{
    for ( uint32_t lane = 0; lane < lanes->blockCount * CLT_LANE_COUNT; ++lane )
    {
        cltLeafRef* ref = cltLanes_Refs( lanes ) + lane;
        if ( *ref != CLT_FREE_LANE && cltLeafRef_Slot( *ref ) >= slotCount )
        {
            cltLane_Clear( cltLanes_Current( lanes ), lane );
            cltLane_Clear( cltLanes_Previous( lanes ), lane );
            *ref = CLT_FREE_LANE;
            ++lanes->freeCount;
        }
    }
}

/// Shrinks the buffers that have an entry for each slot. No delay is needed: the proxy table has delayed already.
static void ShrinkSlotBuffers( cltLanes* lanes, cltMemory* memory, uint32_t slotCount )
{
    const size_t room = cltShrinkPolicy_Capacity( slotCount );
    cltBuffer_Shrink( &lanes->laneOf, memory, slotCount, room, sizeof( uint32_t ) );
    cltBuffer_Shrink( &lanes->unplaced, memory, 0, room, sizeof( uint32_t ) );
    lanes->slotCount = slotCount;
}

cltStatus cltLanes_EnsureSlotCapacity( cltLanes* lanes, cltMemory* memory, uint32_t slotCount )
{
    if ( slotCount < lanes->slotCount )
    {
        FreeLanesBeyond( lanes, slotCount );
        ShrinkSlotBuffers( lanes, memory, slotCount );
    }
    CLT_TRY( cltBuffer_Reserve( &lanes->unplaced, memory, slotCount, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Grow( &lanes->laneOf, memory, slotCount, sizeof( uint32_t ) ) );
    for ( ; lanes->slotCount < slotCount; ++lanes->slotCount )
    {
        cltLanes_OfSlots( lanes )[lanes->slotCount] = CLT_NO_LANE;
    }
    return clt_ok;
}

void cltLanes_AddBlocks( cltLanes* lanes, uint32_t blockCount )
{
    for ( ; lanes->blockCount < blockCount; ++lanes->blockCount )
    {
        cltBlockFilters_Blocks( &lanes->filters )[lanes->blockCount] = cltBlockFilter_Empty();
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            cltBoxLanes_Clear( cltLanes_Current( lanes ) + lanes->blockCount, lane );
            cltBoxLanes_Clear( cltLanes_Previous( lanes ) + lanes->blockCount, lane );
            cltLanes_Refs( lanes )[lanes->blockCount * CLT_LANE_COUNT + lane] = CLT_FREE_LANE;
        }
    }
}

// --------------------------------------------------------------------------------------------------------- leaving

void cltLanes_Detach( cltLanes* lanes, uint32_t lane, uint32_t slot )
{
    cltLane_Clear( cltLanes_Current( lanes ), lane );
    cltLanes_Refs( lanes )[lane] = cltLeafRef_Make( slot, CLT_LEAF_PREVIOUS );
    cltLanes_OfSlots( lanes )[slot] = CLT_NO_LANE;
    ( (uint32_t*)lanes->unplaced.data )[cltClaim( &lanes->unplacedCount, 1u )] = slot;
    __atomic_store_n( &lanes->split, true, __ATOMIC_RELAXED );
}

void cltLanes_RemoveBody( cltLanes* lanes, uint32_t slot, bool destroyed )
{
    uint32_t* laneOf = cltLanes_OfSlots( lanes ) + slot;
    cltLane_Clear( cltLanes_Current( lanes ), *laneOf );
    if ( destroyed )
    {
        cltLane_Clear( cltLanes_Previous( lanes ), *laneOf ); // the pairs ended when the proxy was destroyed
    }
    cltLanes_Refs( lanes )[*laneOf] = cltLeafRef_Make( slot, CLT_LEAF_PREVIOUS );
    *laneOf = CLT_NO_LANE;
    lanes->split = lanes->split || !destroyed; // pairs of a body that was hidden and shown in one step may persist
}

void cltLanes_FreeEmpty( cltLanes* lanes, uint32_t block, uint32_t emptyLanes, const uint8_t* states )
{
    for ( ; emptyLanes != 0; emptyLanes &= emptyLanes - 1u )
    {
        const uint32_t lane = block * CLT_LANE_COUNT + cltLowestBit( emptyLanes );
        const cltLeafRef ref = cltLanes_Refs( lanes )[lane];
        if ( ref == CLT_FREE_LANE )
        {
            continue;
        }
        const uint32_t slot = cltLeafRef_Slot( ref );
        const cltAabb before = cltLane_Get( cltLanes_Previous( lanes ), lane );
        const bool destroyed = ( states[slot] & CLT_SLOT_DESTROYED ) != 0;
        if ( destroyed )
        {
            cltLane_Clear( cltLanes_Previous( lanes ), lane ); // the pairs ended when the proxy was destroyed
        }
        if ( destroyed || cltAabb_HasNan( &before ) )
        {
            if ( cltLeafRef_Kind( ref ) != CLT_LEAF_PREVIOUS )
            {
                cltLanes_OfSlots( lanes )[slot] = CLT_NO_LANE;
            }
            cltLanes_Refs( lanes )[lane] = CLT_FREE_LANE;
            __atomic_fetch_add( &lanes->freeCount, 1u, __ATOMIC_RELAXED );
        }
    }
}

// --------------------------------------------------------------------------------------------------------- placing

void cltLanes_ListUnplaced( cltLanes* lanes, const cltUpload* upload )
{
    lanes->unplacedCount = 0;
    for ( uint32_t slot = 0; slot < upload->slotCount; ++slot )
    {
        if ( cltLanes_OfSlots( lanes )[slot] == CLT_NO_LANE && ( upload->states[slot] & CLT_SLOT_LIVE ) != 0 )
        {
            cltLanes_AddUnplaced( lanes, slot );
        }
    }
}

static uint32_t TakeLane( cltLanes* lanes, const cltAabb* box )
{
    const bool isOutlier = cltAabb_LongestEdge( box ) > lanes->largestEdge && lanes->outlierCount < CLT_OUTLIER_LANES;
    return isOutlier ? lanes->outlierCount++ : lanes->end++;
}

void cltLanes_Place( cltLanes* lanes, uint32_t lane, uint32_t slot, const cltAabb* box, const cltUpload* upload )
{
    cltLane_Set( cltLanes_Current( lanes ), lane, box );
    cltLane_Clear( cltLanes_Previous( lanes ), lane );
    cltLanes_Refs( lanes )[lane] = cltLeafRef_Make( slot, CLT_LEAF_STILL );
    cltLanes_OfSlots( lanes )[slot] = lane;
    if ( upload->filters != NULL )
    {
        cltBlockFilters_Add( &lanes->filters, lane / CLT_LANE_COUNT, upload->filters + slot );
    }
}

void cltLanes_AssignLanes( cltLanes* lanes, const cltUpload* upload )
{
    const uint32_t* slots = lanes->unplaced.data;
    for ( uint32_t i = 0; i < lanes->unplacedCount; ++i )
    {
        const cltAabb box = cltCoverBox( upload->boxes, lanes->isDouble, slots[i] );
        if ( cltAabb_HasNan( &box ) )
        {
            continue; // no box, as of a proxy that was created with a NaN
        }
        cltLanes_Place( lanes, TakeLane( lanes, &box ), slots[i], &box, upload );
    }
}

// --------------------------------------------------------------------------------------------------------- filters

void cltLanes_Refilter( cltLanes* lanes, const cltUpload* upload )
{
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        const uint32_t slot = upload->changed[i];
        const uint32_t lane = cltLanes_OfSlots( lanes )[slot];
        if ( lane != CLT_NO_LANE )
        {
            cltBlockFilters_Add( &lanes->filters, lane / CLT_LANE_COUNT, upload->filters + slot );
        }
    }
    lanes->filters.editCount += upload->refilteredCount;
}

void cltLanes_UniteFiltersOf( cltLanes* lanes, const cltUpload* upload, uint32_t first, uint32_t end )
{
    cltBlockFilters* filters = &lanes->filters;
    int32_t anyGroup = 0;
    int32_t everyMask = -1;
    for ( uint32_t block = first; block < end; ++block )
    {
        cltBlockFilter united = cltBlockFilter_Empty();
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            const cltLeafRef ref = cltLanes_Refs( lanes )[block * CLT_LANE_COUNT + lane];
            if ( ref != CLT_FREE_LANE )
            {
                cltBlockFilter_Add( &united, upload->filters + cltLeafRef_Slot( ref ) );
                cltBlockFilter_Add( &united, upload->filtersBefore + cltLeafRef_Slot( ref ) );
            }
        }
        cltBlockFilters_Blocks( filters )[block] = united;
        anyGroup |= united.any.group;
        everyMask &= united.every.mask;
    }
    __atomic_fetch_or( &filters->anyGroup, anyGroup, __ATOMIC_RELAXED );
    __atomic_fetch_and( &filters->everyMask, everyMask, __ATOMIC_RELAXED );
}

typedef struct UniteJob
{
    cltLanes* lanes;
    const cltUpload* upload;
} UniteJob;

static void UniteFiltersOfBlocks( uint32_t first, uint32_t last, void* context )
{
    const UniteJob* unite = context;
    cltLanes_UniteFiltersOf( unite->lanes, unite->upload, first, last );
}

void cltLanes_UniteFilters( cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool )
{
    UniteJob unite = { lanes, upload };
    cltBlockFilters_Clear( &lanes->filters );
    if ( upload->filters != NULL )
    {
        cltWorkerPool_Run( pool, UniteFiltersOfBlocks, lanes->blockCount, UNITE_GRAIN, &unite );
    }
}

void cltLanes_Release( cltLanes* lanes, cltMemory* memory )
{
    cltBuffer* const buffers[] = { &lanes->current,     &lanes->previous,       &lanes->refs,
                                   &lanes->laneOf,      &lanes->unplaced,       &lanes->scratchBoxes,
                                   &lanes->scratchRefs, &lanes->filters.blocks, &lanes->jumped };
    for ( size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i )
    {
        cltBuffer_Release( buffers[i], memory );
    }
}
