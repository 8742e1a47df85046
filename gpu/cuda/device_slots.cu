// SPDX-License-Identifier: Zlib
// From the proxy table to the device: gathered into pinned memory, copied once, spread to the slots by a kernel.

#include "gpu/cuda/device_slots.cuh"

#include "gpu/cuda/launch.cuh"

/// Where the arrays in a block of staging memory begin.
#define STAGING_ALIGNMENT 64u

/// The arrays by slot, for kernels.
typedef struct Arrays
{
    void* now;
    void* before;
    cltFilter* filtersNow;
    cltFilter* filtersBefore;
    uint8_t* changed;
    bool isDouble;
} Arrays;

static Arrays ArraysOf( const cltDeviceSlots* slots )
{
    const Arrays arrays = { slots->now.data,
                            slots->before.data,
                            (cltFilter*)slots->filtersNow.data,
                            (cltFilter*)slots->filtersBefore.data,
                            (uint8_t*)slots->changed.data,
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

/// A slot without a proxy holds NaN.
static __device__ void SetAbsent( void* boxes, uint32_t slot, bool isDouble )
{
    const float nan = cltNan();
    const cltAabb absent = { { nan, nan, nan }, { nan, nan, nan } };
    if ( isDouble )
    {
        ( (cltAabbD*)boxes )[slot] = cltAabb_ToDouble( &absent );
    }
    else
    {
        ( (cltAabb*)boxes )[slot] = absent;
    }
}

/// Slots that were never seen have no box.
static __global__ void ClearSlotsKernel( Arrays arrays, uint32_t first, uint32_t count )
{
    const uint32_t i = cltThreadIndex();
    if ( i < count )
    {
        SetAbsent( arrays.now, first + i, arrays.isDouble );
        SetAbsent( arrays.before, first + i, arrays.isDouble );
        arrays.changed[first + i] = 0;
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
    arrays.changed[slot] = 1;
    if ( ( staged.slots[i] & CLT_STAGED_DESTROYED ) != 0 )
    {
        SetAbsent( arrays.before, slot, arrays.isDouble ); // its pairs ended when it was destroyed
    }
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
    arrays.changed[slot] = 0;
    if ( staged.filters != NULL )
    {
        arrays.filtersBefore[slot] = arrays.filtersNow[slot];
    }
}

static size_t BoxSize( const cltDeviceSlots* slots )
{
    return slots->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

static cltStatus GrowSlots( cltDeviceSlots* slots, cltCudaDevice* device, uint32_t count )
{
    const uint32_t known = slots->count; // behind these nothing was ever written
    CLT_TRY( cltCudaBuffer_Grow( &slots->now, device, known, count, BoxSize( slots ) ) );
    CLT_TRY( cltCudaBuffer_Grow( &slots->before, device, known, count, BoxSize( slots ) ) );
    CLT_TRY( cltCudaBuffer_Grow( &slots->changed, device, known, count, sizeof( uint8_t ) ) );
    if ( slots->hasFilters )
    {
        CLT_TRY( cltCudaBuffer_Grow( &slots->filtersNow, device, known, count, sizeof( cltFilter ) ) );
        CLT_TRY( cltCudaBuffer_Grow( &slots->filtersBefore, device, known, count, sizeof( cltFilter ) ) );
    }
    return clt_ok;
}

static size_t Aligned( size_t bytes )
{
    return ( bytes + STAGING_ALIGNMENT - 1u ) / STAGING_ALIGNMENT * STAGING_ALIGNMENT;
}

/// Where the arrays lie in a block of memory at `base`, and in `bytes` how large it must be.
static cltStaged LayOut( const cltDeviceSlots* slots, void* base, uint32_t count, size_t* bytes )
{
    const size_t boxBytes = Aligned( count * BoxSize( slots ) );
    const size_t filterBytes = slots->hasFilters ? Aligned( count * sizeof( cltFilter ) ) : 0;
    *bytes = boxBytes + filterBytes + count * sizeof( uint32_t );
    char* place = (char*)base;
    cltStaged staged;
    staged.boxes = place;
    staged.filters = slots->hasFilters && place != NULL ? (cltFilter*)( place + boxBytes ) : NULL;
    staged.slots = place != NULL ? (uint32_t*)( place + boxBytes + filterBytes ) : NULL;
    staged.count = count;
    return staged;
}

static void Gather( const cltDeviceSlots* slots, const cltUpload* upload, const cltStaged* staging )
{
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        const uint32_t slot = upload->changed[i];
        if ( slots->isDouble )
        {
            ( (cltAabbD*)staging->boxes )[i] = ( (const cltAabbD*)upload->boxes )[slot];
        }
        else
        {
            ( (cltAabb*)staging->boxes )[i] = ( (const cltAabb*)upload->boxes )[slot];
        }
        const bool destroyed = ( upload->states[slot] & CLT_SLOT_DESTROYED ) != 0;
        staging->slots[i] = destroyed ? slot | CLT_STAGED_DESTROYED : slot;
    }
    for ( uint32_t i = 0; slots->hasFilters && i < upload->changedCount; ++i )
    {
        staging->filters[i] = upload->filters[upload->changed[i]];
    }
}

/// Gathers and sends the changed slots.
static cltStatus Send( cltDeviceSlots* slots, cltCudaDevice* device, const cltUpload* upload )
{
    size_t bytes;
    LayOut( slots, NULL, upload->changedCount, &bytes );
    slots->staging.place = clt_placePinned;
    CLT_TRY( cltCudaBuffer_Reserve( &slots->staging, device, bytes, 1 ) );
    CLT_TRY( cltCudaBuffer_Reserve( &slots->staged, device, bytes, 1 ) );
    const cltStaged staging = LayOut( slots, slots->staging.data, upload->changedCount, &bytes );
    Gather( slots, upload, &staging );
    slots->arrived = LayOut( slots, slots->staged.data, upload->changedCount, &bytes );
    return cltCudaCopy( device, slots->staged.data, slots->staging.data, bytes );
}

cltStatus cltDeviceSlots_Upload( cltDeviceSlots* slots, cltCudaDevice* device, const cltUpload* upload )
{
    slots->hasFilters = upload->filters != NULL;
    slots->arrived.count = 0;
    const uint32_t knownCount = slots->count;
    const uint32_t newCount = upload->slotCount - knownCount;
    CLT_TRY( GrowSlots( slots, device, upload->slotCount ) );
    CLT_TRY( Send( slots, device, upload ) );
    CLT_TRY( cltCudaDevice_Mark( device, clt_markArrived ) );
    const Arrays arrays = ArraysOf( slots );
    CLT_TRY( cltLaunch( device, "clear slots", newCount, ClearSlotsKernel, arrays, knownCount, newCount ) );
    CLT_TRY( cltLaunch( device, "spread", upload->changedCount, SpreadKernel, arrays, slots->arrived, knownCount ) );
    slots->count = upload->slotCount;
    return clt_ok;
}

cltStatus cltDeviceSlots_Commit( const cltDeviceSlots* slots, cltCudaDevice* device )
{
    return cltLaunch( device, "commit", slots->arrived.count, CommitKernel, ArraysOf( slots ), slots->arrived );
}

cltSlots cltDeviceSlots_View( const cltDeviceSlots* slots, bool committedOnly )
{
    cltSlots view;
    view.now = committedOnly ? slots->before.data : slots->now.data;
    view.before = slots->before.data;
    view.changed = committedOnly ? NULL : (const uint8_t*)slots->changed.data;
    view.changedMask = 1;
    view.isDouble = slots->isDouble;
    view.count = slots->count;
    return view;
}

void cltDeviceSlots_Release( cltDeviceSlots* slots, cltCudaDevice* device )
{
    cltCudaBuffer_Release( &slots->now, device );
    cltCudaBuffer_Release( &slots->before, device );
    cltCudaBuffer_Release( &slots->filtersNow, device );
    cltCudaBuffer_Release( &slots->filtersBefore, device );
    cltCudaBuffer_Release( &slots->changed, device );
    cltCudaBuffer_Release( &slots->staging, device );
    cltCudaBuffer_Release( &slots->staged, device );
}
