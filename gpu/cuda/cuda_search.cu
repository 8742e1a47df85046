// SPDX-License-Identifier: Zlib
// Building and searching, whatever the algorithm: with more room until nothing is lost, then into canonical order.

#include "gpu/cuda/cuda_backend.cuh"
#include "gpu/cuda/sort.cuh"

static cltPairMap MapOf( const cltCudaBackend* cuda )
{
    const cltPairMap map = { cuda->def->root, cuda->def->rootSteps };
    return map;
}

/// What runs in this update.
static cltAlgorithm Running( const cltCudaBackend* cuda )
{
    return cuda->crowdedUpdates > 0 ? clt_algorithmLbvh : cuda->algorithm;
}

/// Has the tree take the place of the grid.
static void LeaveGrid( cltCudaBackend* cuda )
{
    cuda->crowdedUpdates = CLT_GRID_CROWDED_UPDATES;
    cuda->cells = cltDeviceCells(); // crowded ones are large
}

static cltPairFilters FiltersOf( const cltCudaBackend* cuda, bool committedOnly )
{
    const cltFilter* now = (const cltFilter*)cuda->slots.filtersNow.data;
    const cltFilter* before = (const cltFilter*)cuda->slots.filtersBefore.data;
    cltPairFilters filters = { NULL, NULL };
    if ( cuda->slots.hasFilters && !cuda->slots.nobodyRefuses )
    {
        filters.now = committedOnly ? before : now;
        filters.before = committedOnly || cuda->filtersChanged ? before : now;
    }
    return filters;
}

cltStatus cltCudaBackend_Build( cltCudaBackend* cuda, bool committedOnly )
{
    const cltSlots slots = cltDeviceSlots_View( &cuda->slots, committedOnly );
    cuda->leaves.view.filters = FiltersOf( cuda, committedOnly );
    cuda->leaves.view.slotBits = cltIndexBits( slots.count );
    cuda->committedOnly = committedOnly;
    cuda->current = false; // until whoever asked has got what they wanted
    cuda->stats.algorithm = Running( cuda );
    cuda->stats.reason = cuda->crowdedUpdates > 0 ? CLT_GRID_CROWDED_REASON : cuda->reason;

    CLT_TRY( cltDeviceLeaves_Make( &cuda->leaves, &cuda->device, &slots ) );
    if ( Running( cuda ) == clt_algorithmLbvh )
    {
        const uint32_t changedCount = committedOnly ? 0u : cuda->liveChangeCount;
        return cltDeviceTree_Build( &cuda->tree, &cuda->device, &cuda->leaves, slots.count, changedCount );
    }
    if ( Running( cuda ) == clt_algorithmGrid )
    {
        const cltPairMap map = MapOf( cuda );
        return cltDeviceCells_Build( &cuda->cells, &cuda->device, &cuda->leaves, &map );
    }
    return clt_ok;
}

static const cltPlan* PlanOf( const cltCudaBackend* cuda )
{
    return (const cltPlan*)cuda->plan.data;
}

/// Keys that there is room for in both arrays that the sort needs: when the second could not grow with the first, the
/// smaller one counts.
static uint64_t KeyRoom( const cltCudaBackend* cuda )
{
    const size_t bytes = cuda->keys.bytes < cuda->spareKeys.bytes ? cuda->keys.bytes : cuda->spareKeys.bytes;
    return bytes / sizeof( uint64_t );
}

/// Has the device search, and waits until it is known how much it found.
static cltStatus SearchOnce( cltCudaBackend* cuda, cltFind find )
{
    cltPlan* plan = cltDeviceLeaves_Plan( &cuda->leaves );
    cltDeviceSearch search;
    search.device = &cuda->device;
    search.leaves = &cuda->leaves;
    search.sink.keys = (uint64_t*)cuda->keys.data;
    search.sink.room = KeyRoom( cuda );
    search.sink.count = &plan->keyCount;
    search.find = find;
    search.map = MapOf( cuda );
    search.bits = cuda->def->output == clt_outputBits ? &cuda->bits : NULL;
    CLT_TRY( cltCudaFill( &cuda->device, search.sink.count, 0, sizeof( uint64_t ) ) );
    switch ( Running( cuda ) )
    {
    case clt_algorithmLbvh:
        CLT_TRY( cltDeviceTree_Find( &cuda->tree, &search ) );
        break;
    case clt_algorithmGrid:
        CLT_TRY( cltDeviceCells_Find( &cuda->cells, &search ) );
        break;
    default:
        CLT_TRY( cltDevice_FindAmongAll( &search ) );
        break;
    }
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markFound ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->plan, &cuda->device, 1, sizeof( cltPlan ) ) );
    CLT_TRY( cltCudaCopy( &cuda->device, cuda->plan.data, plan, sizeof( cltPlan ) ) );
    return cltCudaDevice_Wait( &cuda->device ); // the first of an update's two waits
}

static cltStatus ReserveKeys( cltCudaBackend* cuda, uint64_t count )
{
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->keys, &cuda->device, count, sizeof( uint64_t ) ) );
    return cltCudaBuffer_Reserve( &cuda->spareKeys, &cuda->device, count, sizeof( uint64_t ) );
}

/// True if something did not fit, after making room for it; then all must be searched again.
static cltStatus MakeRoom( cltCudaBackend* cuda, bool* again )
{
    const cltPlan* plan = PlanOf( cuda );
    *again = true;
    if ( cltDeviceLeaves_Learn( &cuda->leaves, plan, cuda->slots.count ) || cltDeviceCells_Learn( &cuda->cells, plan ) )
    {
        return cltCudaBackend_Build( cuda, cuda->committedOnly );
    }
    if ( Running( cuda ) == clt_algorithmGrid && cltPlan_IsCrowded( plan, plan->candidateCount ) )
    {
        LeaveGrid( cuda );
        return cltCudaBackend_Build( cuda, cuda->committedOnly );
    }
    // the next update will not find exactly as many
    if ( cuda->def->output == clt_outputBits && plan->candidateCount > 8u * (uint64_t)cuda->bits.bytes )
    {
        const uint64_t bytes = plan->candidateCount / 8u + 1u;
        return cltCudaBuffer_Reserve( &cuda->bits, &cuda->device, bytes + bytes / 8u, 1 );
    }
    if ( plan->keyCount > KeyRoom( cuda ) )
    {
        return ReserveKeys( cuda, plan->keyCount + plan->keyCount / 8u );
    }
    *again = false;
    return clt_ok;
}

static void NoteCounts( cltCudaBackend* cuda )
{
    const cltPlan* plan = PlanOf( cuda );
    const bool isTree = Running( cuda ) == clt_algorithmLbvh;
    cuda->keyCount = plan->keyCount;
    cuda->stats.outlierCount = isTree ? plan->leafCount - plan->searchableCount : plan->cellOutlierCount;
    cuda->stats.candidateCount = plan->candidateCount;
}

/// Sorts the keys by the bits that they use and has them copied.
static cltStatus OrderKeys( cltCudaBackend* cuda )
{
    const uint32_t bits = 2u * cuda->leaves.view.slotBits + 1u;
    const size_t bytes = cuda->keyCount * sizeof( uint64_t );
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markCounted ) );
    CLT_TRY( cltSort_Run( &cuda->device, &cuda->scratch, &cuda->keys, &cuda->spareKeys, cuda->keyCount, 0, bits ) );
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markOrdered ) );
    CLT_TRY( cltCudaBuffer_Reserve( &cuda->result, &cuda->device, cuda->keyCount, sizeof( uint64_t ) ) );
    return cltCudaCopy( &cuda->device, cuda->result.data, cuda->keys.data, bytes );
}

cltStatus cltCudaBackend_Search( cltCudaBackend* cuda, cltFind find )
{
    const uint64_t guess = 256u + 2u * (uint64_t)cuda->slots.count; // typical of a first update
    CLT_TRY( ReserveKeys( cuda, guess ) );
    bool again;
    do
    {
        CLT_TRY( SearchOnce( cuda, find ) );
        CLT_TRY( MakeRoom( cuda, &again ) );
        cuda->stats.redoCount += again ? 1u : 0u;
    } while ( again );
    NoteCounts( cuda );
    return OrderKeys( cuda );
}
