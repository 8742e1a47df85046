// SPDX-License-Identifier: Zlib
// The leaves set aside, against everything and against each other: a thread takes one leaf through all of them. They are
// the same for all threads of a warp, so that reading them costs as if there were one thread.

#include "gpu/cuda/searches.cuh"

static __global__ void FindAsideKernel( cltLeaves slotLeaves, const cltPlan* plan, const uint32_t* aside, cltFind find,
                                        cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const cltLeaves leaves = cltLeavesOfPlan( slotLeaves, plan );
    const uint32_t j = cltThreadIndex();
    uint32_t asideCount = leaves.count - plan->searchableCount;
    if ( aside != NULL )
    {
        asideCount = cltPlan_IsCrowded( plan, plan->candidateCount ) ? 0u : plan->cellAsideCount;
    }
    for ( uint32_t a = 0; a < asideCount && j < leaves.count; ++a )
    {
        const uint32_t i = aside != NULL ? aside[a] : plan->searchableCount + a;
        const uint64_t key = cltLeaves_AsideKey( &leaves, find, i, j );
        cltBlockKeys_Add( &block, &sink, key );
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDevice_FindAside( const cltDeviceSearch* search, const uint32_t* aside )
{
    return cltLaunch( search->device, "find aside", search->leaves->room, FindAsideKernel, search->leaves->view,
                      (const cltPlan*)cltDeviceLeaves_Plan( search->leaves ), aside, search->find, search->sink );
}
