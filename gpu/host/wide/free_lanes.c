// SPDX-License-Identifier: Zlib
// A body belongs into the last block whose first body preceded it in the last sort, however bodies have moved since.

#include "gpu/host/wide/free_lanes.h"

/// How many blocks before or behind its own a body may get a lane. With fewer, more bodies find no lane. With more,
/// blocks become larger.
#define REACH 16u

cltStatus cltFreeLanes_NoteOrder( cltFreeLanes* free, const cltCurve* curve, const cltFilterClasses* classes,
                                  const cltLanePlan* plan, cltMemory* memory )
{
    const uint32_t blockCount = cltLanes_BlocksToRearrange( plan->orderedCount, plan->gapShift ) - CLT_OUTLIER_BLOCKS;
    free->blockCount = 0; // nothing is found if memory runs out
    free->curve = *curve;
    free->hasClasses = classes->count > 1u;
    if ( free->hasClasses )
    {
        CLT_TRY( cltBuffer_Reserve( &free->classes, memory, 1, sizeof *classes ) );
        *(cltFilterClasses*)free->classes.data = *classes;
    }
    CLT_TRY( cltBuffer_Reserve( &free->blockCodes, memory, blockCount, sizeof( uint64_t ) ) );
    for ( uint32_t block = 0; block < blockCount; ++block )
    {
        const uint32_t key = cltLanePlan_Key( plan, block * CLT_LANE_COUNT );
        ( (uint64_t*)free->blockCodes.data )[block] = plan->keys[key] >> CLT_PLACE_BITS;
    }
    free->blockCount = blockCount;
    return clt_ok;
}

/// The filter class that the body would have had in the last sort.
static uint32_t ClassOf( const cltFreeLanes* free, const cltUpload* upload, uint32_t slot )
{
    cltFilterClasses* classes = free->classes.data;
    if ( !free->hasClasses )
    {
        return 0;
    }
    classes->filters = upload->filters;
    return cltFilterClasses_Of( classes, slot );
}

uint64_t cltFreeLanes_CodeOf( const cltFreeLanes* free, const cltUpload* upload, uint32_t slot, const cltAabb* box )
{
    return (uint64_t)ClassOf( free, upload, slot ) << CLT_CURVE_BITS | cltCurve_Key( &free->curve, box );
}

uint32_t cltFreeLanes_BlockOf( const cltFreeLanes* free, uint64_t code )
{
    const uint64_t* codes = free->blockCodes.data;
    uint32_t first = 0;
    for ( uint32_t count = free->blockCount; count > 1u; )
    {
        const uint32_t half = count / 2u;
        first = codes[first + half] <= code ? first + half : first;
        count -= half;
    }
    return CLT_OUTLIER_BLOCKS + first;
}

static uint32_t FreeLaneIn( const cltLanes* lanes, uint32_t block )
{
    for ( uint32_t lane = block * CLT_LANE_COUNT; lane < ( block + 1u ) * CLT_LANE_COUNT; ++lane )
    {
        if ( cltLanes_Refs( lanes )[lane] == CLT_FREE_LANE )
        {
            return lane;
        }
    }
    return CLT_NO_LANE;
}

uint32_t cltFreeLanes_Find( const cltFreeLanes* free, const cltLanes* lanes, const cltUpload* upload, uint32_t slot,
                            const cltAabb* box )
{
    if ( !cltFreeLanes_AreNoted( free, lanes ) )
    {
        return CLT_NO_LANE;
    }
    const uint64_t* codes = free->blockCodes.data;
    const uint64_t code = cltFreeLanes_CodeOf( free, upload, slot, box );
    const uint32_t own = cltFreeLanes_BlockOf( free, code ) - CLT_OUTLIER_BLOCKS;
    uint32_t lane = CLT_NO_LANE;
    for ( uint32_t i = 0; i <= 2u * REACH && lane == CLT_NO_LANE; ++i )
    {
        const uint32_t block = i % 2u == 0 ? own + i / 2u : own - ( i + 1u ) / 2u; // wraps around below 0
        if ( block < free->blockCount && codes[block] >> CLT_CURVE_BITS == code >> CLT_CURVE_BITS )
        {
            lane = FreeLaneIn( lanes, CLT_OUTLIER_BLOCKS + block );
        }
    }
    return lane;
}

void cltFreeLanes_Release( cltFreeLanes* free, cltMemory* memory )
{
    cltBuffer_Release( &free->classes, memory );
    cltBuffer_Release( &free->blockCodes, memory );
    free->blockCount = 0;
}
