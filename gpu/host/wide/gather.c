// SPDX-License-Identifier: Zlib
// Present boxes into lanes: of all bodies when many moved, of the changed ones when few did.

#include "gpu/host/wide/wide.h"

/// About 30 microseconds of work: these are the first loops of an update, and the other threads are still waking up.
#define BLOCK_GRAIN 512u
#define BODY_GRAIN 1024u

/// Blocks that are fetched ahead: their bodies lie anywhere in the slots.
#define BLOCKS_AHEAD 2u

/// The same for single bodies.
#define BODIES_AHEAD 16u

/// Looking at so many marks costs less than what one block gains from its neighbours' having been searched before.
#define MARKS_PER_BLOCK 64u

typedef struct Gather
{
    cltWide* wide;
    const cltUpload* upload;
    bool marksOnly; ///< several threads gather: movers are marked, and the blocks listed from the marks afterwards
} Gather;

// ------------------------------------------------------------------------------------------------------- all bodies

#if defined( CLT_SSE2 )

/// Four boxes into four lanes. Both loads stay inside a box:
///     lower[0] lower[1] lower[2] upper[0] upper[1] upper[2]
///     '----------- from 0 -----------'
///                       '----------- from 2 -----------'
static void SetFour( cltBoxLanes* block, uint32_t lane, const cltAabb* const boxes[4] )
{
    __m128 a = _mm_loadu_ps( boxes[0]->lower );
    __m128 b = _mm_loadu_ps( boxes[1]->lower );
    __m128 c = _mm_loadu_ps( boxes[2]->lower );
    __m128 d = _mm_loadu_ps( boxes[3]->lower );
    _MM_TRANSPOSE4_PS( a, b, c, d );
    _mm_storeu_ps( block->lower[0] + lane, a );
    _mm_storeu_ps( block->lower[1] + lane, b );
    _mm_storeu_ps( block->lower[2] + lane, c );
    _mm_storeu_ps( block->upper[0] + lane, d );
    a = _mm_loadu_ps( boxes[0]->lower + 2 );
    b = _mm_loadu_ps( boxes[1]->lower + 2 );
    c = _mm_loadu_ps( boxes[2]->lower + 2 );
    d = _mm_loadu_ps( boxes[3]->lower + 2 );
    _MM_TRANSPOSE4_PS( a, b, c, d );
    _mm_storeu_ps( block->upper[1] + lane, c );
    _mm_storeu_ps( block->upper[2] + lane, d );
}

#else

static void SetFour( cltBoxLanes* block, uint32_t lane, const cltAabb* const boxes[4] )
{
    for ( uint32_t i = 0; i < 4; ++i )
    {
        cltBoxLanes_Set( block, lane + i, boxes[i] );
    }
}

#endif

/// Fills a block's lanes. Returns those that have no box, as bits.
static uint32_t FillBlock( const Gather* gather, uint32_t block )
{
    const float nan = cltNan();
    const cltAabb absent = { { nan, nan, nan }, { nan, nan, nan } };
    const cltLeafRef* refs = cltWide_Refs( gather->wide ) + (size_t)block * CLT_LANE_COUNT;
    uint32_t absentLanes = 0;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; lane += 4u )
    {
        const cltAabb* boxes[4];
        cltAabb covers[4];
        for ( uint32_t i = 0; i < 4u; ++i )
        {
            const cltLeafRef ref = refs[lane + i];
            boxes[i] = &absent;
            if ( cltLeafRef_Kind( ref ) != CLT_LEAF_BEFORE )
            {
                boxes[i] = (const cltAabb*)gather->upload->boxes + cltLeafRef_Slot( ref );
                if ( gather->wide->isDouble )
                {
                    covers[i] = cltCoverBox( gather->upload->boxes, true, cltLeafRef_Slot( ref ) );
                    boxes[i] = covers + i;
                }
            }
            if ( cltAabb_HasNan( boxes[i] ) )
            {
                boxes[i] = &absent;
                absentLanes |= 1u << ( lane + i );
            }
        }
        SetFour( cltWide_Now( gather->wide ) + block, lane, boxes );
    }
    return absentLanes;
}

static void PrefetchBoxes( const Gather* gather, uint32_t block )
{
    const cltLeafRef* refs = cltWide_Refs( gather->wide ) + (size_t)block * CLT_LANE_COUNT;
    const size_t size = gather->wide->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        // where there is no body, too: an address that is not there does no harm
        __builtin_prefetch( (const char*)gather->upload->boxes + cltLeafRef_Slot( refs[lane] ) * size );
    }
}

static void GatherBlocks( uint32_t first, uint32_t last, void* context )
{
    const Gather* gather = context;
    cltWide* wide = gather->wide;
    for ( uint32_t block = first; block < last; ++block )
    {
        if ( block + BLOCKS_AHEAD < last ) // others are writing theirs
        {
            PrefetchBoxes( gather, block + BLOCKS_AHEAD );
        }
        const uint32_t absentLanes = FillBlock( gather, block );
        cltWide_FreeEmptyLanes( wide, block, absentLanes, gather->upload );
        uint32_t strays = block < CLT_ASIDE_BLOCKS
                              ? 0u
                              : wide->kernels->findStrays( cltWide_Now( wide ) + block, cltWide_Before( wide ) + block,
                                                           wide->largest );
        for ( strays &= ~absentLanes; strays != 0; strays &= strays - 1u )
        {
            const uint32_t lane = block * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( strays );
            cltWide_DetachLane( wide, lane, cltLeafRef_Slot( cltWide_Refs( wide )[lane] ) );
        }
    }
}

void cltWide_GatherAll( cltWide* wide, const cltUpload* upload )
{
    Gather gather = { .wide = wide, .upload = upload };
    cltWorkerPool_Run( wide->crew, GatherBlocks, wide->blockCount, BLOCK_GRAIN, &gather );
}

// --------------------------------------------------------------------------------------------------- changed bodies

/// In the blocks that moved in the last update the two boxes are the same again.
static void SettleBlocks( uint32_t first, uint32_t last, void* context )
{
    const Gather* gather = context;
    cltWide* wide = gather->wide;
    for ( uint32_t i = first; i < last; ++i )
    {
        const uint32_t block = wide->allDiffer ? i : ( (const uint32_t*)wide->movedBefore.blocks.data )[i];
        const uint32_t absentLanes =
            wide->kernels->settle( cltWide_Now( wide ) + block, cltWide_Before( wide ) + block );
        ( (uint16_t*)wide->movers.data )[block] = 0;
        cltWide_FreeEmptyLanes( wide, block, absentLanes, gather->upload );
    }
}

static void GatherOne( const Gather* gather, uint32_t slot )
{
    cltWide* wide = gather->wide;
    const uint32_t lane = cltWide_LaneOf( wide )[slot];
    if ( lane == CLT_NO_LANE )
    {
        return; // hidden by a NaN, as before
    }
    const uint32_t block = lane / CLT_LANE_COUNT;
    const cltAabb box = cltCoverBox( gather->upload->boxes, wide->isDouble, slot );
    if ( gather->marksOnly )
    {
        cltWide_MarkMover( wide, lane );
    }
    else
    {
        cltWide_AddMover( wide, lane );
    }
    if ( cltAabb_HasNan( &box ) )
    {
        cltBoxLanes_Clear( cltWide_Now( wide ) + block, lane % CLT_LANE_COUNT );
        return;
    }
    const cltAabb before = cltBoxLanes_Get( cltWide_Now( wide ) + block, lane % CLT_LANE_COUNT ); // still
    cltBoxLanes_Set( cltWide_Now( wide ) + block, lane % CLT_LANE_COUNT, &box );
    const cltAabb both = cltAabb_Union( &before, &box );
    if ( block >= CLT_ASIDE_BLOCKS &&
         ( cltJumped( &before, &box, &both ) || cltAabb_LongestEdge( &box ) > wide->largest ) )
    {
        cltWide_DetachLane( wide, lane, slot );
    }
}

/// Fetches what the next bodies will touch: first where their lane is noted, then the lane.
static void PrefetchLane( const cltWide* wide, const cltUpload* upload, uint32_t i )
{
    if ( i + 2u * BODIES_AHEAD < upload->changedCount )
    {
        __builtin_prefetch( cltWide_LaneOf( wide ) + upload->changed[i + 2u * BODIES_AHEAD] );
    }
    if ( i + BODIES_AHEAD < upload->changedCount )
    {
        const uint32_t lane = cltWide_LaneOf( wide )[upload->changed[i + BODIES_AHEAD]];
        if ( lane != CLT_NO_LANE )
        {
            const cltBoxLanes* now = cltWide_Now( wide ) + lane / CLT_LANE_COUNT;
            for ( int axis = 0; axis < 3; ++axis )
            {
                __builtin_prefetch( now->lower[axis], 1 );
                __builtin_prefetch( now->upper[axis], 1 );
            }
        }
    }
}

static void GatherBodies( uint32_t first, uint32_t last, void* context )
{
    const Gather* gather = context;
    const cltUpload* upload = gather->upload;
    const uint8_t special = CLT_SLOT_DESTROYED | CLT_SLOT_APPEARED; // taken care of already
    for ( uint32_t i = first; i < last; ++i )
    {
        PrefetchLane( gather->wide, upload, i );
        if ( ( upload->states[upload->changed[i]] & special ) == 0 )
        {
            GatherOne( gather, upload->changed[i] );
        }
    }
}

/// Neighbours search one after the other, so that one finds in the cache what the other needed. Changed bodies come in the
/// order of their slots, which is none in space; but when many blocks moved, passing over all marks is cheap.
static void ListMoved( cltWide* wide )
{
    const uint16_t* movers = wide->movers.data;
    uint32_t* blocks = wide->moved.blocks.data;
    wide->moved.count = 0;
    for ( uint32_t block = 0; block < wide->blockCount; ++block )
    {
        blocks[wide->moved.count] = block;
        wide->moved.count += movers[block] != 0;
    }
}

void cltWide_GatherChanged( cltWide* wide, const cltUpload* upload )
{
    const uint32_t many = wide->blockCount / MARKS_PER_BLOCK;
    const bool isShared = wide->crew != NULL && upload->changedCount > BODY_GRAIN && upload->changedCount >= many;
    Gather gather = { wide, upload, isShared };
    cltWorkerPool_Run( isShared ? wide->crew : NULL, GatherBodies, upload->changedCount, BODY_GRAIN, &gather );
    if ( gather.marksOnly || wide->moved.count >= many )
    {
        ListMoved( wide );
    }
}

void cltWide_Settle( cltWide* wide, const cltUpload* upload )
{
    Gather gather = { .wide = wide, .upload = upload };
    const uint32_t count = wide->allDiffer ? wide->blockCount : wide->movedBefore.count;
    cltWorkerPool_Run( wide->crew, SettleBlocks, count, BLOCK_GRAIN, &gather );
    wide->allDiffer = false;
}
