// SPDX-License-Identifier: Zlib
// Bits and lists of movers.

#include "gpu/host/wide/movers.h"

#include <string.h>

cltStatus cltMovers_Reserve( cltMovers* movers, cltMemory* memory, uint32_t blockCapacity )
{
    cltBuffer* const lists[] = { &movers->now.blocks, &movers->before.blocks, &movers->joined.blocks };
    CLT_TRY( cltBuffer_Grow( &movers->masks, memory, blockCapacity, sizeof( uint16_t ) ) );
    for ( size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i )
    {
        // one entry more, because an entry is written before the test whether it belongs to the list
        CLT_TRY( cltBuffer_Grow( lists[i], memory, blockCapacity + 1u, sizeof( uint32_t ) ) );
    }
    return clt_ok;
}

void cltMovers_Shrink( cltMovers* movers, cltMemory* memory, uint32_t blockCount, uint32_t blockCapacity )
{
    const size_t listCapacity = blockCapacity + 1u;
    cltBuffer_Shrink( &movers->masks, memory, blockCount, blockCapacity, sizeof( uint16_t ) );
    cltBuffer_Shrink( &movers->now.blocks, memory, movers->now.count, listCapacity, sizeof( uint32_t ) );
    cltBuffer_Shrink( &movers->before.blocks, memory, movers->before.count, listCapacity, sizeof( uint32_t ) );
    cltBuffer_Shrink( &movers->joined.blocks, memory, 0, listCapacity, sizeof( uint32_t ) );
}

void cltMovers_Clear( cltMovers* movers, uint32_t first, uint32_t end )
{
    memset( cltMovers_Masks( movers ) + first, 0, ( end - first ) * sizeof( uint16_t ) );
}

void cltMovers_NextUpdate( cltMovers* movers )
{
    const cltBlockList recycled = movers->before;
    movers->before = movers->now;
    movers->now = recycled;
    movers->now.count = 0;
}

void cltMovers_AddPrevious( cltMovers* movers, uint32_t first, uint32_t end )
{
    cltBlockList* before = &movers->before;
    uint32_t* blocks = before->blocks.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < before->count; ++i )
    {
        blocks[count] = blocks[i];
        count += blocks[i] < first || blocks[i] >= end;
    }
    for ( uint32_t block = first; block < end; ++block )
    {
        blocks[count++] = block;
    }
    before->count = count;
}

void cltMovers_ClearAll( cltMovers* movers, uint32_t blockCount )
{
    cltMovers_Clear( movers, 0, blockCount );
    movers->now.count = 0;
    movers->before.count = 0;
}

void cltMovers_Add( cltMovers* movers, uint32_t lane )
{
    const uint32_t block = lane / CLT_LANE_COUNT;
    uint16_t* mask = cltMovers_Masks( movers ) + block;
    if ( *mask == 0 )
    {
        ( (uint32_t*)movers->now.blocks.data )[movers->now.count++] = block;
    }
    *mask = (uint16_t)( *mask | 1u << lane % CLT_LANE_COUNT );
}

void cltMovers_Mark( cltMovers* movers, uint32_t lane )
{
    uint16_t* mask = cltMovers_Masks( movers ) + lane / CLT_LANE_COUNT;
    __atomic_fetch_or( mask, (uint16_t)( 1u << lane % CLT_LANE_COUNT ), __ATOMIC_RELAXED );
}

void cltMovers_ListMarked( cltMovers* movers, uint32_t blockCount )
{
    const uint16_t* masks = cltMovers_Masks( movers );
    uint32_t* blocks = movers->now.blocks.data;
    uint32_t count = 0;
    for ( uint32_t block = 0; block < blockCount; ++block )
    {
        blocks[count] = block;
        count += masks[block] != 0;
    }
    movers->now.count = count;
}

cltBlockList* cltMovers_ListCurrentAndPrevious( cltMovers* movers )
{
    const uint16_t* masks = cltMovers_Masks( movers );
    const uint32_t* before = movers->before.blocks.data;
    uint32_t* blocks = movers->joined.blocks.data;
    uint32_t count = movers->now.count;
    memcpy( blocks, movers->now.blocks.data, count * sizeof *blocks );
    for ( uint32_t i = 0; i < movers->before.count; ++i )
    {
        blocks[count] = before[i];
        count += masks[before[i]] == 0; // a block with bits has current movers and is listed already
    }
    movers->joined.count = count;
    return &movers->joined;
}

cltBlockList* cltMovers_SetRange( cltMovers* movers, uint32_t first, uint32_t end )
{
    uint32_t* blocks = movers->joined.blocks.data;
    cltMovers_Clear( movers, 0, first );
    for ( uint32_t block = first; block < end; ++block )
    {
        blocks[block - first] = block;
        cltMovers_Masks( movers )[block] = (uint16_t)( ( 1u << CLT_LANE_COUNT ) - 1u );
    }
    movers->joined.count = end - first;
    return &movers->joined;
}

void cltMovers_Release( cltMovers* movers, cltMemory* memory )
{
    cltBuffer_Release( &movers->masks, memory );
    cltBuffer_Release( &movers->now.blocks, memory );
    cltBuffer_Release( &movers->before.blocks, memory );
    cltBuffer_Release( &movers->joined.blocks, memory );
}
