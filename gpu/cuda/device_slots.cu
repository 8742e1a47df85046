// SPDX-License-Identifier: Zlib
// What staging.cu brings across is spread to the slots by a kernel, and becomes the previous state by another.

#include "gpu/cuda/device_slots.cuh"

#include "gpu/cuda/launch.cuh"

/// The arrays by slot, for kernels.
typedef struct Arrays
{
    void* now;
    void* before;
    cltFilter* filtersNow;
    cltFilter* filtersBefore;
    uint8_t* states;
    bool isDouble;
} Arrays;

static Arrays ArraysOf( const cltDeviceSlots* slots )
{
    const Arrays arrays = { slots->now.data,
                            slots->before.data,
                            (cltFilter*)slots->filtersNow.data,
                            (cltFilter*)slots->filtersBefore.data,
                            (uint8_t*)slots->states.data,
                            slots->isDouble };
    return arrays;
}

static __device__ void CopyBox( void* to, uint32_t toIndex, const void* from, uint32_t fromIndex, bool isDouble )
{
    if ( isDouble )
    {
        ( (cltAabbD*)to )[toIndex] = ( (const cltAabbD*)from )[fromIndex];
    }
    else
    {
        ( (cltAabb*)to )[toIndex] = ( (const cltAabb*)from )[fromIndex];
    }
}

/// Each slot is named once, so that every thread writes where no other does.
static __global__ void SpreadKernel( Arrays arrays, cltStaged staged, uint32_t knownCount )
{
    const uint32_t i = cltThreadIndex();
    if ( i >= staged.count )
    {
        return;
    }
    const uint32_t slot = staged.slots[i] & ~CLT_STAGED_DESTROYED;
    CopyBox( arrays.now, slot, staged.boxes, i, arrays.isDouble );
    const bool destroyed = ( staged.slots[i] & CLT_STAGED_DESTROYED ) != 0;
    arrays.states[slot] = (uint8_t)( CLT_SLOT_CHANGED | ( destroyed ? CLT_SLOT_DESTROYED : 0 ) );
    if ( staged.filters != NULL )
    {
        arrays.filtersNow[slot] = staged.filters[i];
        if ( slot >= knownCount ) // one that was never seen had any filter
        {
            arrays.filtersBefore[slot] = staged.filters[i];
        }
    }
}

static __global__ void CommitKernel( Arrays arrays, cltStaged staged )
{
    const uint32_t i = cltThreadIndex();
    if ( i >= staged.count )
    {
        return;
    }
    const uint32_t slot = staged.slots[i] & ~CLT_STAGED_DESTROYED;
    CopyBox( arrays.before, slot, arrays.now, slot, arrays.isDouble );
    arrays.states[slot] = 0;
    if ( staged.filters != NULL )
    {
        arrays.filtersBefore[slot] = arrays.filtersNow[slot];
    }
}

static size_t BoxSize( const cltDeviceSlots* slots )
{
    return slots->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

/// Makes room for `count` items, if these are not fewer than before; those of slots that were never seen are made of
/// the byte `unseen`.
static cltStatus GrowArray( const cltDeviceSlots* slots, cltCudaDevice* device, cltCudaBuffer* array, uint32_t count,
                            size_t itemSize, int unseen )
{
    const size_t known = slots->count;
    if ( count <= known )
    {
        return clt_ok;
    }
    CLT_TRY( cltCudaBuffer_Reserve( array, device, count, itemSize, known ) );
    return cltCudaFill( device, (char*)array->data + known * itemSize, unseen, ( count - known ) * itemSize );
}

/// Slots that were never seen have no box, which is a NaN, and a filter that nothing passes.
static cltStatus GrowSlots( cltDeviceSlots* slots, cltCudaDevice* device, uint32_t count )
{
    CLT_TRY( GrowArray( slots, device, &slots->now, count, BoxSize( slots ), 0xff ) );
    CLT_TRY( GrowArray( slots, device, &slots->before, count, BoxSize( slots ), 0xff ) );
    CLT_TRY( GrowArray( slots, device, &slots->states, count, sizeof( uint8_t ), 0 ) );
    if ( slots->hasFilters )
    {
        CLT_TRY( GrowArray( slots, device, &slots->filtersNow, count, sizeof( cltFilter ), 0 ) );
        CLT_TRY( GrowArray( slots, device, &slots->filtersBefore, count, sizeof( cltFilter ), 0 ) );
    }
    return clt_ok;
}

cltStatus cltDeviceSlots_Upload( cltDeviceSlots* slots, cltCudaDevice* device, cltWorkerPool* pool,
                                 const cltUpload* upload )
{
    slots->hasFilters = upload->filters != NULL;
    slots->nobodyRefuses = upload->nobodyRefuses;
    const uint32_t knownCount = slots->count;
    CLT_TRY( GrowSlots( slots, device, upload->slotCount ) );
    CLT_TRY( cltStaging_Send( &slots->staging, device, pool, upload, slots->isDouble ) );
    CLT_TRY( cltCudaDevice_Mark( device, clt_markArrived ) );
    const cltStaged* arrived = &slots->staging.arrived;
    CLT_TRY( cltLaunch( device, "spread", arrived->count, SpreadKernel, ArraysOf( slots ), *arrived, knownCount ) );
    slots->count = upload->slotCount;
    return clt_ok;
}

cltStatus cltDeviceSlots_Commit( const cltDeviceSlots* slots, cltCudaDevice* device )
{
    const cltStaged* arrived = &slots->staging.arrived;
    return cltLaunch( device, "commit", arrived->count, CommitKernel, ArraysOf( slots ), *arrived );
}

cltSlots cltDeviceSlots_View( const cltDeviceSlots* slots, bool committedOnly )
{
    cltSlots view;
    view.now = committedOnly ? slots->before.data : slots->now.data;
    view.before = slots->before.data;
    view.states = committedOnly ? NULL : (const uint8_t*)slots->states.data;
    view.isDouble = slots->isDouble;
    view.count = slots->count;
    return view;
}
