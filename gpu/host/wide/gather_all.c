// SPDX-License-Identifier: Zlib
// If many bodies moved: copies the boxes of all bodies, block by block.

#include "gpu/host/wide/gather.h"

/// Blocks per task: about 30 microseconds of work in the first loop of an update, while other threads still wake up.
#define GATHER_GRAIN 512u

/// How many blocks ahead to prefetch the boxes of a block's bodies, which lie anywhere in the slots.
#define BLOCKS_AHEAD 4u

/// Blocks to fill before the first of them is read: a wide load that soon follows narrower stores to its bytes stalls.
#define BLOCKS_TOGETHER 8u

#if defined( CLT_SSE2 )

/// Copies four boxes into four lanes. Returns the boxes with a NaN, as bits. Each box is read by two loads inside it:
///     lower[0] lower[1] lower[2] upper[0] upper[1] upper[2]
///     '----------- from 0 -----------'
///                       '----------- from 2 -----------'
static uint32_t SetFour( cltBoxLanes* block, uint32_t lane, const cltAabb* const boxes[4] )
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
    __m128 nan = _mm_or_ps( _mm_cmpunord_ps( a, b ), _mm_cmpunord_ps( c, d ) );
    a = _mm_loadu_ps( boxes[0]->lower + 2 );
    b = _mm_loadu_ps( boxes[1]->lower + 2 );
    c = _mm_loadu_ps( boxes[2]->lower + 2 );
    d = _mm_loadu_ps( boxes[3]->lower + 2 );
    _MM_TRANSPOSE4_PS( a, b, c, d );
    _mm_storeu_ps( block->upper[1] + lane, c );
    _mm_storeu_ps( block->upper[2] + lane, d );
    nan = _mm_or_ps( nan, _mm_cmpunord_ps( c, d ) );
    return (uint32_t)_mm_movemask_ps( nan );
}

#else

static uint32_t SetFour( cltBoxLanes* block, uint32_t lane, const cltAabb* const boxes[4] )
{
    uint32_t nan = 0;
    for ( uint32_t i = 0; i < 4; ++i )
    {
        cltBoxLanes_Set( block, lane + i, boxes[i] );
        nan |= (uint32_t)cltAabb_HasNan( boxes[i] ) << i;
    }
    return nan;
}

#endif

uint32_t cltBlock_Gather( cltBoxLanes* block, const cltLeafRef* refs, const void* slots, bool isDouble )
{
    const float nan = cltNan();
    const cltAabb absent = { { nan, nan, nan }, { nan, nan, nan } };
    uint32_t emptyLanes = 0;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; lane += 4u )
    {
        const cltAabb* boxes[4];
        cltAabb covers[4];
        for ( uint32_t i = 0; i < 4u; ++i )
        {
            const cltLeafRef ref = refs[lane + i];
            boxes[i] =
                cltLeafRef_Kind( ref ) == CLT_LEAF_PREVIOUS ? &absent : (const cltAabb*)slots + cltLeafRef_Slot( ref );
            if ( isDouble && boxes[i] != &absent )
            {
                covers[i] = cltCoverBox( slots, true, cltLeafRef_Slot( ref ) );
                boxes[i] = covers + i;
            }
        }
        emptyLanes |= SetFour( block, lane, boxes ) << lane;
    }
    for ( uint32_t rest = emptyLanes; rest != 0; rest &= rest - 1u )
    {
        cltBoxLanes_Clear( block, cltLowestBit( rest ) );
    }
    return emptyLanes;
}

static uint32_t FillBlock( const cltGather* gather, uint32_t block, cltBoxLanes* to )
{
    const cltLanes* lanes = gather->lanes;
    return cltBlock_Gather( to, cltLanes_Refs( lanes ) + (size_t)block * CLT_LANE_COUNT, gather->upload->boxes,
                            lanes->isDouble );
}

static void PrefetchBoxes( const cltGather* gather, uint32_t block )
{
    const cltLeafRef* refs = cltLanes_Refs( gather->lanes ) + (size_t)block * CLT_LANE_COUNT;
    const size_t size = gather->lanes->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        // also for a lane without a body, because prefetching an invalid address does no harm
        cltPrefetch( (const char*)gather->upload->boxes + cltLeafRef_Slot( refs[lane] ) * size );
    }
}

/// Results of one task.
typedef struct Gathered
{
    uint64_t jumpedCount;
    uint64_t growth;
} Gathered;

/// Marks the lanes of a block that jumped, without detaching their bodies. If none jumped, sets the block's bounds.
static void MarkJumpedLanes( const cltGather* gather, uint32_t block, uint32_t emptyLanes, Gathered* gathered )
{
    const cltLanes* lanes = gather->lanes;
    cltAabb bounds;
    uint32_t jumped = 0;
    cltLanes_FreeEmpty( gather->lanes, block, emptyLanes, gather->upload->states );
    if ( block >= CLT_OUTLIER_BLOCKS ) // outliers stay where they are
    {
        jumped = ~emptyLanes & gather->kernels->findUnsorted( cltLanes_Current( lanes ) + block,
                                                              cltLanes_Previous( lanes ) + block, lanes->largestEdge,
                                                              &bounds );
    }
    cltLanes_Jumped( lanes )[block] = (uint16_t)jumped;
    if ( jumped != 0 )
    {
        gathered->jumpedCount += cltBitCount( jumped );
    }
    else if ( block >= CLT_OUTLIER_BLOCKS && block < lanes->orderedEnd )
    {
        gathered->growth += cltWideTree_SetBounds( gather->tree, block, &bounds );
    }
}

static void GatherBlocks( uint32_t first, uint32_t last, void* context )
{
    cltGather* gather = context;
    Gathered gathered = { 0, 0 };
    for ( uint32_t start = first; start < last; start += BLOCKS_TOGETHER )
    {
        uint32_t emptyLanes[BLOCKS_TOGETHER];
        const uint32_t count = last - start < BLOCKS_TOGETHER ? last - start : BLOCKS_TOGETHER;
        for ( uint32_t i = 0; i < count; ++i )
        {
            if ( start + i + BLOCKS_AHEAD < last ) // later blocks are written by other threads
            {
                PrefetchBoxes( gather, start + i + BLOCKS_AHEAD );
            }
            cltBlock_Prefetch( cltLanes_Previous( gather->lanes ) + start + i );
            emptyLanes[i] = FillBlock( gather, start + i, cltLanes_Current( gather->lanes ) + start + i );
        }
        for ( uint32_t i = 0; i < count; ++i )
        {
            MarkJumpedLanes( gather, start + i, emptyLanes[i], &gathered );
        }
    }
    cltClaim( &gather->jumpedCount, gathered.jumpedCount );
    cltWideTree_AddGrowth( gather->tree, gathered.growth );
}

static void RefreshBlocks( uint32_t first, uint32_t last, void* context )
{
    const cltGather* gather = context;
    for ( uint32_t block = first; block < last; ++block )
    {
        (void)FillBlock( gather, block, cltLanes_Current( gather->lanes ) + block );
    }
}

void cltGather_Refresh( cltGather* gather )
{
    cltWorkerPool_Run( gather->pool, RefreshBlocks, gather->lanes->blockCount, GATHER_GRAIN, gather );
}

void cltGather_All( cltGather* gather )
{
    cltWorkerPool_Run( gather->pool, GatherBlocks, gather->lanes->blockCount, GATHER_GRAIN, gather );
    gather->tree->fittedEnd = gather->lanes->orderedEnd;
}

static void DetachInBlocks( uint32_t first, uint32_t last, void* context )
{
    cltLanes* lanes = ( (const cltGather*)context )->lanes;
    for ( uint32_t block = first; block < last; ++block )
    {
        for ( uint32_t jumped = cltLanes_Jumped( lanes )[block]; jumped != 0; jumped &= jumped - 1u )
        {
            const uint32_t lane = block * CLT_LANE_COUNT + cltLowestBit( jumped );
            cltLanes_Detach( lanes, lane, cltLeafRef_Slot( cltLanes_Refs( lanes )[lane] ) );
        }
    }
}

void cltGather_DetachJumped( cltGather* gather )
{
    if ( gather->jumpedCount > 0 )
    {
        cltWorkerPool_Run( gather->pool, DetachInBlocks, gather->lanes->blockCount, GATHER_GRAIN, gather );
    }
}

/// Fills a sampled block with the upload's boxes, and prefetches those of the next sampled block. Returns the lanes
/// without a box, as bits.
static uint32_t FillSampled( const cltGather* gather, uint32_t block, uint32_t stride, cltBoxLanes* now )
{
    if ( block + stride < gather->lanes->blockCount )
    {
        PrefetchBoxes( gather, block + stride );
    }
    return FillBlock( gather, block, now );
}

uint32_t cltGather_CountJumped( const cltGather* gather, uint32_t* seenCount )
{
    const cltLanes* lanes = gather->lanes;
    const uint32_t stride = cltSampleStride( lanes->orderedEnd );
    uint32_t jumpedCount = 0;
    *seenCount = 0;
    for ( uint32_t block = CLT_OUTLIER_BLOCKS; block < lanes->blockCount; block += stride )
    {
        cltBoxLanes now;
        cltAabb bounds;
        const uint32_t emptyLanes = FillSampled( gather, block, stride, &now );
        const uint32_t jumped =
            gather->kernels->findUnsorted( &now, cltLanes_Current( lanes ) + block, lanes->largestEdge, &bounds );
        jumpedCount += cltBitCount( jumped & ~emptyLanes );
        *seenCount += CLT_LANE_COUNT;
    }
    return jumpedCount;
}

float cltGather_Spread( const cltGather* gather )
{
    const uint32_t orderedEnd = gather->lanes->orderedEnd;
    const uint32_t stride = cltSampleStride( orderedEnd );
    cltAabb last = cltAabb_Empty();
    float spread = 0.0f;
    for ( uint32_t block = CLT_OUTLIER_BLOCKS; block < orderedEnd; block += stride )
    {
        cltBoxLanes now;
        (void)FillSampled( gather, block, stride, &now );
        const cltAabb bounds = gather->kernels->bound( &now, NULL );
        spread += cltSpreadOf( &last, &bounds );
        last = bounds;
    }
    return spread;
}
