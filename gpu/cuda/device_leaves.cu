// SPDX-License-Identifier: Zlib
// Making leaves: statistics of the slots, find each slot's place, write keys, sort them, bring the boxes into their
// order.

#include "gpu/cuda/device_leaves.cuh"

#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/sort.cuh"

/// Extra leaves to begin with; when they are too few the build is redone once.
#define MIN_EXTRA_ROOM 1024u

/// Places without a leaf keep a key of all ones, which sorts behind all others.
static __global__ void WriteKeysKernel( cltSlots slots, const uint32_t* starts, const cltPlan* plan, uint64_t* keys,
                                        uint32_t room )
{
    const uint32_t slot = cltThreadIndex();
    if ( slot >= slots.count )
    {
        return;
    }
    const cltCurve curve = plan->curve;
    cltSlots_WriteKeysStep( &slots, slot, &curve, plan->outlierBin, keys, starts[slot], room );
}

static __global__ void GatherKernel( cltSlots slots, const uint64_t* keys, const cltPlan* plan, cltLeafRef* refs,
                                     void* now, void* before )
{
    const uint32_t i = cltThreadIndex();
    if ( i < plan->leafCount )
    {
        cltSlots_GatherStep( &slots, keys, i, refs, now, before );
    }
}

static cltStatus ReserveLeaves( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    const size_t boxSize = slots->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->bins, device, 1, sizeof( cltBins ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->plan, device, 1, sizeof( cltPlan ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->starts, device, slots->count, sizeof( uint32_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->keys, device, leaves->room, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->spare, device, leaves->room, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->refs, device, leaves->room, sizeof( cltLeafRef ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->now, device, leaves->room, boxSize ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->before, device, leaves->room, boxSize ) );
    leaves->view.refs = (const cltLeafRef*)leaves->refs.data;
    leaves->view.now = leaves->now.data;
    leaves->view.before = leaves->before.data;
    leaves->view.isDouble = slots->isDouble;
    return clt_ok;
}

/// Writes and sorts the keys of all leaves.
static cltStatus SortLeaves( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    uint32_t* starts = (uint32_t*)leaves->starts.data;
    CLT_TRY( cltScan_Run( device, &leaves->scratch, starts, slots->count ) );
    CLT_TRY( cltCudaFill( device, leaves->keys.data, 0xff, leaves->room * sizeof( uint64_t ) ) );
    CLT_TRY( cltLaunch( device, "write keys", slots->count, WriteKeysKernel, *slots, (const uint32_t*)starts,
                        (const cltPlan*)cltDeviceLeaves_Plan( leaves ), (uint64_t*)leaves->keys.data, leaves->room ) );
    // the codes, the bit of outliers, and the bit above that only places without a leaf have
    return cltSort_Run( device, &leaves->scratch, &leaves->keys, &leaves->spare, leaves->room, 32u,
                        32u + CLT_CURVE_BITS + 2u );
}

cltStatus cltDeviceLeaves_Make( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    leaves->extraRoom = leaves->extraRoom > MIN_EXTRA_ROOM ? leaves->extraRoom : MIN_EXTRA_ROOM;
    leaves->room = slots->count + ( leaves->extraRoom < slots->count ? leaves->extraRoom : slots->count );
    CLT_TRY( ReserveLeaves( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_Count( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_Decide( leaves, device, slots ) );
    CLT_TRY( SortLeaves( leaves, device, slots ) );
    return cltLaunch( device, "gather", leaves->room, GatherKernel, *slots, (const uint64_t*)leaves->keys.data,
                      (const cltPlan*)cltDeviceLeaves_Plan( leaves ), (cltLeafRef*)leaves->refs.data, leaves->now.data,
                      leaves->before.data );
}

bool cltDeviceLeaves_Learn( cltDeviceLeaves* leaves, const cltPlan* plan, uint32_t slotCount )
{
    const uint32_t extra = plan->neededLeafCount > slotCount ? plan->neededLeafCount - slotCount : 0u;
    const uint32_t wanted = extra + extra / 2u; // the next update will not have exactly as many
    leaves->extraRoom = (uint32_t)cltNextRoom( leaves->extraRoom, extra, wanted );
    return plan->neededLeafCount > leaves->room;
}
