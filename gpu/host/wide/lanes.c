// SPDX-License-Identifier: Zlib
// Who has which lane: bodies that come, go, hide, or stray from where they were.

#include "gpu/host/wide/wide.h"

static void SetAbsent( cltBoxLanes* blocks, uint32_t lane )
{
    cltBoxLanes_Clear( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
}

static bool IsAbsent( const cltBoxLanes* blocks, uint32_t lane )
{
    const cltAabb box = cltBoxLanes_Get( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
    return cltAabb_HasNan( &box );
}

static void FreeLane( cltWide* wide, uint32_t lane )
{
    cltWide_Refs( wide )[lane] = CLT_FREE_LANE;
    __atomic_fetch_add( &wide->freeCount, 1u, __ATOMIC_RELAXED );
}

void cltWide_DetachLane( cltWide* wide, uint32_t lane, uint32_t slot )
{
    SetAbsent( cltWide_Now( wide ), lane );
    cltWide_Refs( wide )[lane] = cltLeafRef_Make( slot, CLT_LEAF_BEFORE );
    cltWide_LaneOf( wide )[slot] = CLT_NO_LANE;
    ( (uint32_t*)wide->strays.data )[cltClaim( &wide->strayCount, 1u )] = slot;
    __atomic_store_n( &wide->split, true, __ATOMIC_RELAXED );
}

void cltWide_FreeEmptyLanes( cltWide* wide, uint32_t block, uint32_t absentLanes, const cltUpload* upload )
{
    for ( ; absentLanes != 0; absentLanes &= absentLanes - 1u )
    {
        const uint32_t lane = block * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( absentLanes );
        const cltLeafRef ref = cltWide_Refs( wide )[lane];
        if ( ref == CLT_FREE_LANE )
        {
            continue;
        }
        const uint32_t slot = cltLeafRef_Slot( ref );
        if ( ( upload->states[slot] & CLT_SLOT_LIVE ) == 0 )
        {
            SetAbsent( cltWide_Before( wide ), lane ); // destroyed: its pairs ended then
        }
        if ( IsAbsent( cltWide_Before( wide ), lane ) )
        {
            if ( cltLeafRef_Kind( ref ) != CLT_LEAF_BEFORE )
            {
                cltWide_LaneOf( wide )[slot] = CLT_NO_LANE;
            }
            FreeLane( wide, lane );
        }
    }
}

void cltWide_AddMover( cltWide* wide, uint32_t lane )
{
    const uint32_t block = lane / CLT_LANE_COUNT;
    uint16_t* movers = (uint16_t*)wide->movers.data + block;
    if ( *movers == 0 )
    {
        ( (uint32_t*)wide->moved.blocks.data )[wide->moved.count++] = block;
    }
    *movers = (uint16_t)( *movers | 1u << lane % CLT_LANE_COUNT );
}

void cltWide_MarkMover( cltWide* wide, uint32_t lane )
{
    uint16_t* movers = (uint16_t*)wide->movers.data + lane / CLT_LANE_COUNT;
    __atomic_fetch_or( movers, (uint16_t)( 1u << lane % CLT_LANE_COUNT ), __ATOMIC_RELAXED );
}

// ----------------------------------------------------------------------------------------------- coming and going

void cltWide_ComeAndGo( cltWide* wide, const cltUpload* upload )
{
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        const uint32_t slot = upload->changed[i];
        uint32_t* laneOf = cltWide_LaneOf( wide ) + slot;
        const bool appeared = ( upload->states[slot] & CLT_SLOT_APPEARED ) != 0;
        const bool destroyed = ( upload->states[slot] & CLT_SLOT_DESTROYED ) != 0;
        if ( !appeared && !destroyed )
        {
            continue;
        }
        if ( *laneOf != CLT_NO_LANE )
        {
            // from where it was hidden, or from an update that was not finished; or its pairs ended when it was destroyed
            SetAbsent( cltWide_Now( wide ), *laneOf );
            if ( destroyed )
            {
                SetAbsent( cltWide_Before( wide ), *laneOf );
            }
            cltWide_AddMover( wide, *laneOf );
            cltWide_Refs( wide )[*laneOf] = cltLeafRef_Make( slot, CLT_LEAF_BEFORE );
            *laneOf = CLT_NO_LANE;
            wide->split = wide->split || !destroyed; // hidden and shown again within the step: its pairs may go on
        }
        if ( appeared && !destroyed )
        {
            ( (uint32_t*)wide->strays.data )[wide->strayCount++] = slot;
        }
    }
}

// --------------------------------------------------------------------------------------------------------- strays

void cltWide_ListLaneless( cltWide* wide, const cltUpload* upload )
{
    wide->strayCount = 0;
    for ( uint32_t slot = 0; slot < upload->slotCount; ++slot )
    {
        if ( cltWide_LaneOf( wide )[slot] == CLT_NO_LANE && ( upload->states[slot] & CLT_SLOT_LIVE ) != 0 )
        {
            ( (uint32_t*)wide->strays.data )[wide->strayCount++] = slot;
        }
    }
}

static uint32_t TakeLane( cltWide* wide, const cltAabb* box )
{
    if ( cltAabb_LongestEdge( box ) > wide->largest && wide->asideCount < CLT_OUTLIER_LIMIT )
    {
        return wide->asideCount++;
    }
    return wide->laneEnd++;
}

/// Brings the strays into the order of the curve, so that those that landed near each other share a block.
static cltStatus OrderStrays( cltWide* wide, const cltUpload* upload, uint32_t* slots, uint32_t count )
{
    CLT_TRY( cltBuffer_Reserve( &wide->keys, wide->memory, count, sizeof( uint64_t ) ) );
    uint64_t* keys = wide->keys.data;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = cltCoverBox( upload->boxes, wide->isDouble, slots[i] );
        keys[i] = (uint64_t)cltCurve_Key( &wide->curve, &box ) << 32 | slots[i];
    }
    CLT_TRY( cltRadixSort_Run( &wide->sort, wide->pool, wide->memory, &wide->keys, count, 0, 32u + CLT_CURVE_BITS ) );
    keys = wide->keys.data;
    for ( uint32_t i = 0; i < count; ++i )
    {
        slots[i] = (uint32_t)keys[i];
    }
    return clt_ok;
}

cltStatus cltWide_PlaceStrays( cltWide* wide, const cltUpload* upload )
{
    const uint32_t strayCount = (uint32_t)wide->strayCount;
    const uint32_t blocksNeeded = ( wide->laneEnd + strayCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT;
    if ( strayCount == 0 )
    {
        return clt_ok;
    }
    CLT_TRY( cltWide_AddBlocks( wide, blocksNeeded ) );
    if ( !cltWide_HasManyStrays( wide, wide->laneEnd + strayCount ) ) // else everything is sorted anew anyway
    {
        CLT_TRY( OrderStrays( wide, upload, wide->strays.data, strayCount ) );
    }
    for ( uint32_t i = 0; i < strayCount; ++i )
    {
        const uint32_t slot = ( (const uint32_t*)wide->strays.data )[i];
        const cltAabb box = cltCoverBox( upload->boxes, wide->isDouble, slot );
        if ( cltAabb_HasNan( &box ) )
        {
            continue; // created without a place
        }
        const uint32_t lane = TakeLane( wide, &box );
        cltBoxLanes_Set( cltWide_Now( wide ) + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT, &box );
        SetAbsent( cltWide_Before( wide ), lane );
        cltWide_Refs( wide )[lane] = cltLeafRef_Make( slot, CLT_LEAF_STILL );
        cltWide_LaneOf( wide )[slot] = lane;
        cltWide_AddMover( wide, lane );
    }
    return clt_ok;
}
