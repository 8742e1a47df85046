// SPDX-License-Identifier: Zlib
// Makes a new order: writes one key per leaf, and sorts keys once. Over a new region, a body with a large displacement
// has two leaves, counted by the statistics. Over a kept region, a slot has one leaf, counted by the kernel in this
// file.
//
// A code always has 30 bits: sorting fewer would save a merge sort no time.

#include "gpu/cuda/device_leaves.cuh"

#include "gpu/core/atomic.h"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/sort_keys.cuh"

static __device__ void ClearPlaces( uint32_t counts[CLT_PLACE_COUNT] )
{
    if ( threadIdx.x < CLT_PLACE_COUNT )
    {
        counts[threadIdx.x] = 0;
    }
    __syncthreads();
}

/// Adds a block's leaves to the plan's placeCounts. Each thread passes its leaf's CLT_PLACE_* value, or CLT_PLACE_COUNT
/// without a leaf. `counts` is in shared memory and zero at the call.
static __device__ void CountPlaces( cltPlan* plan, uint32_t counts[CLT_PLACE_COUNT], uint32_t place )
{
    if ( place < CLT_PLACE_COUNT )
    {
        atomicAdd( counts + place, 1u );
    }
    __syncthreads();
    if ( threadIdx.x < CLT_PLACE_COUNT && counts[threadIdx.x] > 0 )
    {
        atomicAdd( plan->placeCounts + threadIdx.x, counts[threadIdx.x] );
    }
}

/// Writes the keys. The entry at a slot's index gets the key of the slot's first leaf, or CLT_NO_KEY if it has none.
/// The keys of second leaves are stored after all slots, in entries that were cleared to CLT_NO_KEY.
template <bool inCells>
static __global__ void WriteKeysKernel( cltSlots slots, cltPlan* plan, uint64_t* keys, uint32_t room )
{
    __shared__ uint32_t counts[CLT_PLACE_COUNT];
    ClearPlaces( counts );
    const uint32_t slot = cltThreadIndex();
    const cltCurve curve = plan->curve;
    const cltGrid cells = plan->grid;
    const cltGrid* grid = inCells ? &cells : NULL;
    cltLeafSeed seeds[2];
    const uint32_t count = slot < slots.count ? cltSlots_Seed( &slots, slot, seeds ) : 0u;
    if ( slot < slots.count )
    {
        keys[slot] = count > 0u ? cltLeafSeed_Key( &seeds[0], slot, &curve, grid, plan->outlierBin ) : CLT_NO_KEY;
    }
    if ( count > 1u )
    {
        const uint64_t place = slots.count + cltClaim( &plan->extraCount, 1u );
        if ( place < room )
        {
            keys[place] = cltLeafSeed_Key( &seeds[1], slot, &curve, grid, plan->outlierBin );
        }
    }
    if ( !inCells )
    {
        uint32_t lies = CLT_PLACE_COUNT;
        if ( count > 0u )
        {
            lies = cltRegion_PlaceOf( &curve, &seeds[0].box, plan->outlierBin );
        }
        CountPlaces( plan, counts, lies );
    }
}

/// Writes the keys over the kept region, with one leaf per slot.
static __global__ void WriteKeysInRegionKernel( cltSlots slots, cltPlan* plan, uint64_t* keys )
{
    __shared__ uint32_t counts[CLT_PLACE_COUNT];
    ClearPlaces( counts );
    const uint32_t slot = cltThreadIndex();
    const cltCurve curve = plan->curve;
    uint32_t place = CLT_PLACE_COUNT;
    if ( slot < slots.count )
    {
        keys[slot] = cltSlots_SingleLeafKey( &slots, slot, &curve, plan->outlierBin, &place );
    }
    CountPlaces( plan, counts, place );
}

cltStatus cltDeviceLeaves_Sort( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                bool inCells )
{
    uint64_t* keys = (uint64_t*)leaves->keys.data;
    CLT_TRY( cltClearKeys( device, keys + slots->count, leaves->room - slots->count ) );
    CLT_TRY( cltLaunch( device, "write keys", slots->count, inCells ? WriteKeysKernel<true> : WriteKeysKernel<false>,
                        *slots, cltDeviceLeaves_Plan( leaves ), keys, leaves->room ) );
    return cltSortLeafKeys( device, &leaves->scratch, keys, leaves->room );
}

cltStatus cltDeviceLeaves_SortInRegion( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    uint64_t* keys = (uint64_t*)leaves->keys.data;
    CLT_TRY( cltLaunch( device, "write keys in region", slots->count, WriteKeysInRegionKernel, *slots,
                        cltDeviceLeaves_Plan( leaves ), keys ) );
    return cltSortLeafKeys( device, &leaves->scratch, keys, slots->count );
}
