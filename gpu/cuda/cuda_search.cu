// SPDX-License-Identifier: Zlib
// Build and search for all algorithms. Capacities are estimated from the last update; everything up to the copy of the
// sorted keys is enqueued; the host waits once. After an overflow the capacity is raised and the work repeated.

#include "gpu/cuda/cuda_backend.cuh"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/sort_keys.cuh"
#include "gpu/cuda/sort_pairs.cuh"

static cltPairMap PairMapOf( const cltCudaBackend* cuda )
{
    const cltPairMap map = { cuda->def->research->root, cuda->def->research->rootSteps };
    return map;
}

/// The algorithm of this update.
static cltAlgorithm AlgorithmOfUpdate( const cltCudaBackend* cuda )
{
    return cuda->crowdedUpdates > 0 ? clt_algorithmLbvh : cuda->algorithm;
}

/// True if this update searches a tree. Trees hold all leaves except the outliers listed in the plan.
static bool SearchesTree( const cltCudaBackend* cuda )
{
    return AlgorithmOfUpdate( cuda ) == clt_algorithmLbvh || AlgorithmOfUpdate( cuda ) == clt_algorithmWide ||
           AlgorithmOfUpdate( cuda ) == clt_algorithmFrontier;
}

/// True if the search writes one bit per pair first.
static bool WritesBits( const cltCudaBackend* cuda )
{
    return AlgorithmOfUpdate( cuda ) == clt_algorithmBruteForce && cuda->def->research->output == clt_outputBits;
}

static cltPairFilters FiltersOf( const cltCudaBackend* cuda, bool committedOnly )
{
    const cltFilter* now = (const cltFilter*)cuda->slots.filtersNow.data;
    const cltFilter* before = (const cltFilter*)cuda->slots.filtersBefore.data;
    cltPairFilters filters = { NULL, NULL };
    if ( cuda->slots.hasFilters && !cuda->slots.allFiltersAccept )
    {
        filters.now = committedOnly ? before : now;
        filters.before = committedOnly || cuda->filtersChanged ? before : now;
    }
    return filters;
}

/// After too many large displacements in an update, this many updates sort all leaves over a new region: such
/// displacements mostly recur.
#define SORTED_UPDATES 16u

/// Chooses whether to keep the last order of the leaves, to sort over the kept region, or to sort over a new region.
static cltLeafOrder ChooseOrder( const cltCudaBackend* cuda, bool committedOnly )
{
    if ( !SearchesTree( cuda ) || committedOnly || cuda->sortedUpdates > 0 )
    {
        return clt_orderNewRegion;
    }
    if ( cuda->keepsOrder && !cuda->isStale )
    {
        return clt_orderKept;
    }
    return cuda->keepsRegion && cuda->leaves.regionUses > 0 ? clt_orderLastRegion : clt_orderNewRegion;
}

static cltStatus MakeLeaves( cltCudaBackend* cuda, const cltSlots* slots, bool committedOnly )
{
    const cltLeafOrder order = ChooseOrder( cuda, committedOnly );
    cuda->keepsOrder = false;
    cuda->keepsRegion = false;
    cuda->isStale = false;
    switch ( order )
    {
    case clt_orderKept:
        return cltDeviceLeaves_Keep( &cuda->leaves, &cuda->device, slots );
    case clt_orderLastRegion:
        return cltDeviceLeaves_MakeInRegion( &cuda->leaves, &cuda->device, slots );
    default:
        return cltDeviceLeaves_Make( &cuda->leaves, &cuda->device, slots,
                                     AlgorithmOfUpdate( cuda ) == clt_algorithmGrid );
    }
}

/// The smallest capacity in keys. Unused capacity costs less than a repeated update.
#define MIN_KEY_CAPACITY 1024u

/// Reserves memory for the expected keys on the device and in pinned memory.
static cltStatus ReserveKeys( cltCudaBackend* cuda, cltFind find )
{
    uint64_t* expected = cuda->expectedKeyCounts + find;
    const uint64_t typical = MIN_KEY_CAPACITY + 2u * (uint64_t)cuda->slots.count; // for a first update
    *expected = *expected > 0 ? *expected : typical;
    CLT_TRY( cltDeviceLeaves_ReserveFound( &cuda->leaves, &cuda->device, *expected ) );
    CLT_TRY( cltPairSort_Reserve( &cuda->pairSort, &cuda->device, cltIndexBits( cuda->slots.count ), *expected ) );
    if ( cuda->keysStay )
    {
        CLT_TRY( *expected <= UINT32_MAX ? clt_ok : clt_deviceMemory ); // as many threads as keys
        CLT_TRY( cltCudaBuffer_Reserve( cuda->pairs + find, &cuda->device, *expected, sizeof( cltPair ) ) );
        return cltCudaBuffer_Reserve( &cuda->result, &cuda->device, CLT_PLAN_KEYS_OFFSET, 1 );
    }
    const size_t bytes = CLT_PLAN_KEYS_OFFSET + (size_t)*expected * sizeof( uint64_t );
    return cltCudaBuffer_Reserve( &cuda->result, &cuda->device, bytes, 1 );
}

cltStatus cltCudaBackend_Build( cltCudaBackend* cuda, bool committedOnly )
{
    const cltSlots slots = cltDeviceSlots_View( &cuda->slots, committedOnly );
    cuda->leaves.view.filters = FiltersOf( cuda, committedOnly );
    cuda->leaves.view.slotBits = cltIndexBits( slots.count );
    cuda->committedOnly = committedOnly;
    cuda->searched = false;
    cuda->current = false; // until the caller has the result
    cuda->stats.algorithm = AlgorithmOfUpdate( cuda );
    cuda->stats.reason = cuda->crowdedUpdates > 0 ? CLT_GRID_DENSE_REASON : cuda->reason;

    CLT_TRY( ReserveKeys( cuda, clt_findChanges ) );
    CLT_TRY( MakeLeaves( cuda, &slots, committedOnly ) );
    const uint32_t changedCount = committedOnly ? 0u : cuda->liveChangeCount;
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmLbvh )
    {
        return cltDeviceTree_Build( &cuda->tree, &cuda->device, &cuda->leaves, slots.count, changedCount );
    }
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmWide )
    {
        return cltDeviceBlocks_Build( &cuda->blocks, &cuda->device, &cuda->leaves );
    }
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmFrontier )
    {
        return cltDeviceFrontier_Build( &cuda->frontier, &cuda->device, &cuda->leaves,
                                        changedCount < slots.count / CLT_FEW_MOVERS_RATIO );
    }
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmGrid )
    {
        return cltDeviceCells_Build( &cuda->cells, &cuda->device, &cuda->leaves, PairMapOf( cuda ) );
    }
    return clt_ok;
}

/// The memory for `room` keys.
static cltKeySink SinkOf( const cltCudaBackend* cuda, uint64_t room )
{
    cltPlan* plan = cltDeviceLeaves_Plan( &cuda->leaves );
    cltKeySink sink = { cltPlan_Keys( plan ), room, &plan->keyCount };
    cltPairSort_SetSink( &cuda->pairSort, &sink, cuda->leaves.view.slotBits );
    return sink;
}

/// Enqueues the search.
static cltStatus Find( cltCudaBackend* cuda, cltFind find, const cltKeySink* sink )
{
    cltDeviceSearch search;
    search.device = &cuda->device;
    search.leaves = &cuda->leaves;
    search.sink = *sink;
    search.find = find;
    search.map = PairMapOf( cuda );
    search.bits = WritesBits( cuda ) ? &cuda->bits : NULL;
    switch ( AlgorithmOfUpdate( cuda ) )
    {
    case clt_algorithmLbvh:
        return cltDeviceTree_Find( &cuda->tree, &search );
    case clt_algorithmWide:
        return cltDeviceBlocks_Find( &cuda->blocks, &search );
    case clt_algorithmFrontier:
        return cltDeviceFrontier_Find( &cuda->frontier, &search, cuda->def->research, &cuda->research.passCount );
    case clt_algorithmGrid:
        return cltDeviceCells_Find( &cuda->cells, &search );
    default:
        return cltDevice_FindAmongAll( &search );
    }
}

/// Makes pairs of the sorted keys.
static __global__ void UnpackPairsKernel( cltKeySink sink, cltPair* pairs )
{
    const uint32_t i = cltThreadIndex();
    if ( i < sink.room && i < *sink.count )
    {
        pairs[i] = cltPairKey_Pair( sink.keys[i], sink.slotBits );
    }
}

/// Enqueues the copy of the plan and of the keys in the sink or, if keys stay on the device, makes pairs of them.
/// Waits.
static cltStatus ReturnResult( cltCudaBackend* cuda, cltFind find, const cltKeySink* sink )
{
    uint64_t copiedCount = sink->room;
    if ( cuda->keysStay )
    {
        copiedCount = 0;
        CLT_TRY( cltLaunch( &cuda->device, "unpack pairs", (uint32_t)sink->room, UnpackPairsKernel, *sink,
                            (cltPair*)cuda->pairs[find].data ) );
    }
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markOrdered ) );
    CLT_TRY( cltCudaCopy( &cuda->device, cuda->result.data, cltDeviceLeaves_Plan( &cuda->leaves ),
                          CLT_PLAN_KEYS_OFFSET + (size_t)copiedCount * sizeof( uint64_t ) ) );
    return cltCudaDevice_Wait( &cuda->device ); // the only wait of an update, if nothing is repeated
}

/// Sorts all keys that were found, if one body has too many changed pairs for the usual sort. Waits once more.
static cltStatus CompleteSort( cltCudaBackend* cuda, cltFind find )
{
    if ( !cltPairSort_IsIncomplete( &cuda->pairSort, cltCudaBackend_Plan( cuda ) ) )
    {
        return clt_ok;
    }
    const cltKeySink found = SinkOf( cuda, cltCudaBackend_Plan( cuda )->keyCount );
    CLT_TRY( cltReserveSort( &cuda->device, &cuda->leaves.scratch, found.room ) );
    CLT_TRY( cltSortPairKeys( &cuda->device, &cuda->leaves.scratch, found.keys, found.room ) );
    return ReturnResult( cuda, find, &found );
}

/// Searches once with the expected capacity, and waits.
static cltStatus SearchOnce( cltCudaBackend* cuda, cltFind find )
{
    CLT_TRY( ReserveKeys( cuda, find ) );
    const uint64_t room = cuda->expectedKeyCounts[find];
    cltPlan* plan = cltDeviceLeaves_Plan( &cuda->leaves );
    if ( cuda->searched )
    {
        CLT_TRY( cltCudaFill( &cuda->device, &plan->keyCount, 0, sizeof plan->keyCount ) );
    }
    cuda->searched = true;
    const cltKeySink sink = SinkOf( cuda, room );
    cuda->pairSort.isPending = true;
    CLT_TRY( Find( cuda, find, &sink ) );
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markFound ) );
    CLT_TRY( cltPairSort_Enqueue( &cuda->pairSort, &cuda->device, &sink, plan ) );
    return ReturnResult( cuda, find, &sink );
}

/// Updates the expected number of keys by the number found. True if more keys were found than expected, so that some
/// were not stored.
static bool UpdateExpectedKeyCount( cltCudaBackend* cuda, cltFind find )
{
    uint64_t* expected = cuda->expectedKeyCounts + find;
    const uint64_t found = cltCudaBackend_Plan( cuda )->keyCount;
    const uint64_t wanted = found + found / 4u > MIN_KEY_CAPACITY ? found + found / 4u : MIN_KEY_CAPACITY;
    const bool fits = found <= *expected;
    *expected = fits && *expected > wanted ? *expected - ( *expected - wanted ) / 4u : wanted;
    return !fits;
}

/// Handles an overflow: raises the capacity that was too small.
/// \param[out] again  whether the search must be repeated
static cltStatus HandleOverflow( cltCudaBackend* cuda, cltFind find, bool* again )
{
    const cltPlan* plan = cltCudaBackend_Plan( cuda );
    *again = true;
    if ( plan->appearedCount > 0 && cuda->leaves.order == clt_orderKept ) // bodies without a leaf
    {
        return cltCudaBackend_Build( cuda, cuda->committedOnly );
    }
    if ( plan->outlierCount > CLT_OUTLIER_CAPACITY ) // possible only with a kept order or region
    {
        cuda->sortedUpdates = SORTED_UPDATES;
        return cltCudaBackend_Build( cuda, cuda->committedOnly );
    }
    if ( cltDeviceLeaves_RecordCounts( &cuda->leaves, plan ) )
    {
        return cltCudaBackend_Build( cuda, cuda->committedOnly );
    }
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmGrid && cltGrid_IsDense( plan->candidateCount, plan->leafCount ) )
    {
        cuda->crowdedUpdates = CLT_GRID_DENSE_UPDATES; // the tree replaces the grid
        return cltCudaBackend_Build( cuda, cuda->committedOnly );
    }
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmFrontier )
    {
        bool isTooSmall;
        CLT_TRY( cltDeviceFrontier_GrowQueues( &cuda->frontier, &cuda->device, plan, &isTooSmall ) );
        if ( isTooSmall )
        {
            return clt_ok;
        }
    }
    // the bits grow with a margin of an eighth, because the next update may need more
    if ( WritesBits( cuda ) && plan->candidateCount > 8u * (uint64_t)cuda->bits.bytes )
    {
        const uint64_t bytes = plan->candidateCount / 8u + 1u;
        return cltCudaBuffer_Reserve( &cuda->bits, &cuda->device, bytes + bytes / 8u, 1 );
    }
    *again = UpdateExpectedKeyCount( cuda, find );
    return clt_ok;
}

static void NoteCounts( cltCudaBackend* cuda )
{
    const cltPlan* plan = cltCudaBackend_Plan( cuda );
    cuda->keyCount = plan->keyCount;
    cuda->research.outlierCount = AlgorithmOfUpdate( cuda ) == clt_algorithmBruteForce ? 0u : plan->outlierCount;
    cuda->research.candidateCount = plan->candidateCount;
    if ( AlgorithmOfUpdate( cuda ) == clt_algorithmFrontier )
    {
        cuda->research.nodeTestCount = plan->nodeTestCount;
        cuda->research.frontierPeak = cltPlan_FrontierPeak( plan );
    }
}

cltStatus cltCudaBackend_Search( cltCudaBackend* cuda, cltFind find )
{
    bool again;
    do
    {
        CLT_TRY( SearchOnce( cuda, find ) );
        CLT_TRY( HandleOverflow( cuda, find, &again ) );
        cuda->research.redoCount += again ? 1u : 0u;
    } while ( again );
    CLT_TRY( CompleteSort( cuda, find ) );
    NoteCounts( cuda );
    cuda->isStale = cltDeviceLeaves_IsStale( &cuda->leaves, cltCudaBackend_Plan( cuda ) );
    return clt_ok;
}
