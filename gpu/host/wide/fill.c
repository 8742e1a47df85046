// SPDX-License-Identifier: Zlib
// Fills all lanes anew, in the order of a plan from slots. The previous order is not used.

#include "gpu/host/wide/gather.h"

#include <string.h>

#define NEW_BLOCK_GRAIN 256u
#define SLOTS_AHEAD 32u

typedef struct Fill
{
    cltLanes* lanes;
    const cltLanePlan* plan;
    const cltUpload* upload;
} Fill;

static void PrefetchSlot( const Fill* fill, uint32_t lane )
{
    const uint32_t slot = cltLanePlan_Place( fill->plan, lane );
    if ( slot != CLT_NO_LANE )
    {
        const size_t boxSize = fill->lanes->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
        cltPrefetch( (const char*)fill->upload->boxes + slot * boxSize );
        cltPrefetch( cltLanes_OfSlots( fill->lanes ) + slot );
    }
}

static void NameLanes( const Fill* fill, uint32_t block )
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
    const Fill* fill = context;
    for ( uint32_t block = first; block < last; ++block )
    {
        NameLanes( fill, block );
        (void)cltBlock_Gather( cltLanes_Current( fill->lanes ) + block,
                               cltLanes_Refs( fill->lanes ) + (size_t)block * CLT_LANE_COUNT, fill->upload->boxes,
                               fill->lanes->isDouble );
    }
}

void cltLanes_Fill( cltLanes* lanes, const cltLanePlan* plan, const cltUpload* upload, cltWorkerPool* pool )
{
    Fill fill = { lanes, plan, upload };
    cltLanes_TakeOrder( lanes, plan );
    memset( cltLanes_OfSlots( lanes ), 0xff, lanes->slotCount * sizeof( uint32_t ) ); // CLT_NO_LANE
    cltWorkerPool_Run( pool, FillNewBlocks, lanes->blockCount, NEW_BLOCK_GRAIN, &fill );
    cltLanes_UniteFilters( lanes, upload, pool );
    lanes->unplacedCount = 0;
    lanes->split = false;
}
