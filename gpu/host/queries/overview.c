// SPDX-License-Identifier: Zlib
// Lists the proxies of the tree, in the order of the base if there is one.

#include "gpu/host/queries/overview.h"

/// Blocks that have grown to this since the base was built hold bodies that jumped.
#define MAX_WEAR 2.0

/// True if an entry of the base is the one of a proxy that is there, moved or not.
static bool IsHere( const cltQueryView* view, cltLeafRef ref )
{
    return cltLeafRef_Kind( ref ) != CLT_LEAF_PREVIOUS &&
           ( view->states[cltLeafRef_Slot( ref )] & ( CLT_SLOT_LIVE | CLT_SLOT_APPEARED ) ) == CLT_SLOT_LIVE;
}

/// Every proxy, those that are in the base in its order. Returns how many.
static uint32_t ListAll( const cltQueryView* view, uint32_t* slots, bool* inOrder )
{
    const cltQueryBase* base = view->base;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < base->tree->counts[0]; ++i )
    {
        slots[count] = cltLeafRef_Slot( base->tree->refs[i] );
        count += IsHere( view, base->tree->refs[i] );
    }
    const uint32_t orderedCount = count;
    for ( uint32_t i = 0; i < base->outlierCount; ++i )
    {
        slots[count] = cltLeafRef_Slot( base->outlierRefs[i] );
        count += IsHere( view, base->outlierRefs[i] );
    }
    for ( uint32_t i = 0; i < view->changedCount; ++i )
    {
        const uint8_t wanted = CLT_SLOT_LIVE | CLT_SLOT_APPEARED;
        slots[count] = view->changed[i];
        count += ( view->states[view->changed[i]] & wanted ) == wanted;
    }
    *inOrder = count - orderedCount <= orderedCount / CLT_LANE_COUNT;
    return count;
}

cltStatus cltOverview_BuildWhole( cltBoxTree* overview, const cltQueryView* view, cltBoundFcn* bound,
                                  cltBoxTreeScratch* scratch, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &scratch->slots, memory, view->slotCount + 1u, sizeof( uint32_t ) ) );
    cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = scratch->slots.data };
    list.count = ListAll( view, scratch->slots.data, &list.inOrder );
    CLT_TRY( cltBoxTree_Build( overview, &list, bound, scratch, memory ) );
    if ( list.inOrder && cltBoxTree_Wear( overview ) > MAX_WEAR * cltBoxTree_Wear( view->base->tree ) )
    {
        list.inOrder = false;
        CLT_TRY( cltBoxTree_Build( overview, &list, bound, scratch, memory ) );
    }
    return clt_ok;
}

cltStatus cltOverview_BuildLoose( cltBoxTree* overview, const cltQueryView* view, cltBoundFcn* bound,
                                  cltBoxTreeScratch* scratch, cltMemory* memory )
{
    const cltLooseSlots loose = cltQueryView_Loose( view );
    const uint32_t most = cltLooseSlots_Count( &loose );
    CLT_TRY( cltBuffer_Reserve( &scratch->slots, memory, most + 1u, sizeof( uint32_t ) ) );
    uint32_t* slots = scratch->slots.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < most; ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( &loose, i );
        slots[count] = slot;
        count += ( view->states[slot] & CLT_SLOT_LIVE ) != 0;
    }
    const cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = slots, .count = count };
    return cltBoxTree_Build( overview, &list, bound, scratch, memory );
}
