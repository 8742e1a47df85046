// SPDX-License-Identifier: Zlib
// `frontier` with a front: the order of leaves is kept from update to update, the tree has spare leaves so that its
// shape stays the same, and a search begins where the last one stopped.

#include "gpu/host/reference/reference.h"

cltStatus cltReference_ArrangeLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount )
{
    cltFrontier* frontier = &reference->frontier;
    const bool mayStay = frontier->isOrdered && !cltFrontRent_IsDue( &frontier->front.rent );
    if ( mayStay && cltReference_KeepLeaves( reference, slots, appearedCount ) )
    {
        return clt_ok;
    }
    frontier->isOrdered = false;
    frontier->isNewOrder = true;
    CLT_TRY( cltReference_MakeLeaves( reference, slots, false ) );
    frontier->isOrdered = true;
    return clt_ok;
}

cltStatus cltReference_BuildUnderFront( cltReference* reference )
{
    cltFrontier* frontier = &reference->frontier;
    frontier->leafRoom = cltFront_LeafCapacity( reference->table.searchableCount, frontier->leafRoom );
    CLT_TRY( cltLevelStorage_Make( &frontier->room, reference->resources.memory, frontier->leafRoom, false,
                                   &frontier->tree ) );
    cltReference_FillLevels( reference );
    return clt_ok;
}

static cltFrontScene SceneOf( const cltReference* reference )
{
    return ( cltFrontScene ){ &reference->frontier.tree, &reference->table.leaves, reference->table.searchableCount };
}

void cltReference_BeginFront( cltReference* reference )
{
    cltFrontier* frontier = &reference->frontier;
    const cltFrontScene scene = SceneOf( reference );
    cltFront_BeginUpdate( &frontier->front, &scene, !frontier->isNewOrder, reference->resources.pool );
    frontier->isNewOrder = false;
}

cltStatus cltReference_FollowFront( cltReference* reference, cltPairSink* sink )
{
    cltFrontier* frontier = &reference->frontier;
    const cltFrontScene scene = SceneOf( reference );
    CLT_TRY( cltFront_FindChanges( &frontier->front, &scene, sink, reference->resources.pool,
                                   reference->resources.memory ) );
    frontier->testCount = frontier->front.testCount;
    frontier->passCount = 1;
    frontier->peak = 0;
    return clt_ok;
}
