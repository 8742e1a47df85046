// SPDX-License-Identifier: Zlib
// Spread copies the staged upload to its slots, and Commit makes it the previous state. TakeBoxes replaces both, if all
// boxes are in an array on the device: previous and current boxes then change places.

#include "gpu/cuda/device_slots.cuh"

#include "gpu/cuda/launch.cuh"

/// Arrays indexed by slot, for kernels.
typedef struct Arrays
{
    void* now;
    void* before;
    cltFilter* filtersNow;
    cltFilter* filtersBefore;
    uint8_t* states;
} Arrays;

static Arrays ArraysOf( const cltDeviceSlots* slots )
{
    const Arrays arrays = { slots->now.data, slots->before.data, (cltFilter*)slots->filtersNow.data,
                            (cltFilter*)slots->filtersBefore.data, (uint8_t*)slots->states.data };
    return arrays;
}

/// Each slot occurs once in the upload, so no two threads write to the same element.
template <typename Box>
static __global__ void SpreadKernel( Arrays arrays, cltStaged staged, cltPlan* plan )
{
    const uint32_t i = cltThreadIndex();
    if ( i >= staged.count )
    {
        return;
    }
    if ( i == 0 && plan != NULL ) // in this kernel, to save a launch
    {
        cltPlan_Begin( plan );
    }
    const cltStagedSlot<Box> from = ( (const cltStagedSlot<Box>*)staged.slots )[i];
    const uint32_t slot = from.slot & ~CLT_STAGED_DESTROYED;
    ( (Box*)arrays.now )[slot] = from.box;
    const bool destroyed = ( from.slot & CLT_STAGED_DESTROYED ) != 0;
    arrays.states[slot] = (uint8_t)( CLT_SLOT_CHANGED | ( destroyed ? CLT_SLOT_DESTROYED : 0 ) );
    if ( staged.filters != NULL )
    {
        arrays.filtersNow[slot] = staged.filters[i];
        const Box before = ( (const Box*)arrays.before )[slot];
        if ( before.lower[0] != before.lower[0] ) // without a previous box there is no previous filter
        {
            arrays.filtersBefore[slot] = staged.filters[i];
        }
    }
}

/// Reads the staged upload, which is contiguous, instead of the slots.
template <typename Box>
static __global__ void CommitKernel( Arrays arrays, cltStaged staged )
{
    const uint32_t i = cltThreadIndex();
    if ( i >= staged.count )
    {
        return;
    }
    const cltStagedSlot<Box> from = ( (const cltStagedSlot<Box>*)staged.slots )[i];
    const uint32_t slot = from.slot & ~CLT_STAGED_DESTROYED;
    ( (Box*)arrays.before )[slot] = from.box;
    arrays.states[slot] = 0;
    if ( staged.filters != NULL )
    {
        arrays.filtersBefore[slot] = staged.filters[i];
    }
}

static size_t BoxSize( const cltDeviceSlots* slots )
{
    return slots->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

/// Grows an array to `count` items; new items are filled with the byte `unseen`.
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

/// Grows all arrays. A new slot has a NaN box, which overlaps nothing, and a filter that accepts nothing.
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
                                 const cltUpload* upload, cltPlan* plan )
{
    slots->hasFilters = upload->filters != NULL;
    slots->allFiltersAccept = upload->allFiltersAccept;
    CLT_TRY( GrowSlots( slots, device, upload->slotCount ) );
    CLT_TRY( cltStaging_Send( &slots->staging, device, pool, upload, slots->isDouble ) );
    CLT_TRY( cltCudaDevice_Mark( device, clt_markArrived ) );
    const cltStaged* arrived = &slots->staging.arrived;
    CLT_TRY( cltLaunch( device, "spread", arrived->count,
                        slots->isDouble ? SpreadKernel<cltAabbD> : SpreadKernel<cltAabb>, ArraysOf( slots ), *arrived,
                        plan ) );
    slots->count = upload->slotCount;
    return clt_ok;
}

cltStatus cltDeviceSlots_Commit( const cltDeviceSlots* slots, cltCudaDevice* device )
{
    const cltStaged* arrived = &slots->staging.arrived;
    return cltLaunch( device, "commit", arrived->count,
                      slots->isDouble ? CommitKernel<cltAabbD> : CommitKernel<cltAabb>, ArraysOf( slots ), *arrived );
}

// ------------------------------------------------------------------------------------------------------------ arrays

static __device__ bool HasNan( const cltAabb* box )
{
    return cltAabb_HasNan( box );
}

static __device__ bool HasNan( const cltAabbD* box )
{
    return cltAabbD_HasNan( box );
}

template <typename Box>
static __device__ Box NanBox( void )
{
    Box box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = box.upper[axis] = cltNan();
    }
    return box;
}

template <typename Box>
static __device__ bool IsSame( const Box* a, const Box* b )
{
    bool same = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        same = same && a->lower[axis] == b->lower[axis] && a->upper[axis] == b->upper[axis];
    }
    return same;
}

/// Slots from `count` on get a box of NaN. Filters are compared if the arrays have them.
template <typename Box>
static __global__ void TakeBoxesKernel( Arrays arrays, const Box* boxes, uint32_t count, uint32_t slotCount,
                                        cltPlan* plan )
{
    const uint32_t slot = cltThreadIndex();
    if ( slot >= slotCount )
    {
        return;
    }
    if ( slot == 0 )
    {
        cltPlan_Begin( plan );
    }
    const Box box = slot < count ? boxes[slot] : NanBox<Box>();
    const Box before = ( (const Box*)arrays.before )[slot];
    const bool isVisible = !HasNan( &box );
    const bool wasVisible = !HasNan( &before );
    bool isChanged = ( isVisible || wasVisible ) && !IsSame( &box, &before );
    if ( arrays.filtersNow != NULL )
    {
        const cltFilter filter = arrays.filtersNow[slot];
        const cltFilter last = arrays.filtersBefore[slot];
        isChanged = isChanged || filter.group != last.group || filter.mask != last.mask;
    }
    ( (Box*)arrays.now )[slot] = box;
    arrays.states[slot] = isChanged ? CLT_SLOT_CHANGED : 0;
    if ( isVisible && !wasVisible )
    {
        atomicAdd( &plan->appearedCount, 1u );
    }
}

/// Copies the filters of the slots of the array. Without an array, all filters accept all.
static cltStatus TakeFilters( cltDeviceSlots* slots, cltCudaDevice* device, const cltArrayInput* input )
{
    const size_t size = sizeof( cltFilter );
    slots->allFiltersAccept = input->filters == NULL && !slots->tookFilters;
    if ( !slots->hasFilters )
    {
        return clt_ok;
    }
    return input->filters != NULL ? cltCudaCopy( device, slots->filtersNow.data, input->filters, input->count * size )
                                  : cltCudaFill( device, slots->filtersNow.data, 0xff, slots->count * size );
}

cltStatus cltDeviceSlots_Take( cltDeviceSlots* slots, cltCudaDevice* device, const cltArrayInput* input, cltPlan* plan )
{
    if ( input->filters != NULL && !slots->hasFilters )
    {
        // an array shorter than the last one leaves filters unset
        CLT_TRY( cltCudaBuffer_ReserveFilled( &slots->filtersNow, device, slots->count, sizeof( cltFilter ), 0xff ) );
        CLT_TRY(
            cltCudaBuffer_ReserveFilled( &slots->filtersBefore, device, slots->count, sizeof( cltFilter ), 0xff ) );
        slots->hasFilters = true;
    }
    const uint32_t slotCount = input->count > slots->count ? input->count : slots->count;
    CLT_TRY( GrowSlots( slots, device, slotCount ) );
    slots->count = slotCount;
    CLT_TRY( TakeFilters( slots, device, input ) );
    CLT_TRY( cltCudaFill( device, &plan->appearedCount, 0, sizeof plan->appearedCount ) );
    Arrays arrays = ArraysOf( slots );
    arrays.filtersNow = slots->allFiltersAccept ? NULL : arrays.filtersNow;
    return slots->isDouble ? cltLaunch( device, "take boxes", slotCount, TakeBoxesKernel<cltAabbD>, arrays,
                                        (const cltAabbD*)input->boxes, input->count, slotCount, plan )
                           : cltLaunch( device, "take boxes", slotCount, TakeBoxesKernel<cltAabb>, arrays,
                                        (const cltAabb*)input->boxes, input->count, slotCount, plan );
}

/// The assignments swap the buffers.
void cltDeviceSlots_CommitTaken( cltDeviceSlots* slots, bool hasFilters )
{
    slots->now = std::move( slots->before );
    slots->filtersNow = std::move( slots->filtersBefore );
    slots->tookFilters = hasFilters;
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
