// SPDX-License-Identifier: Zlib
// Making leaves: statistics of the slots, write keys, sort them, bring the boxes into their order.

#include "gpu/cuda/device_leaves.cuh"

#include "gpu/core/atomic.h"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/merge_sort.cuh"

/// Extra leaves to begin with; when they are too few the build is redone once.
#define MIN_EXTRA_ROOM 1024u

/// A slot's first leaf has the slot's place, and a second one the next that is free behind them. Places without a leaf
/// get a key of all ones, which sorts behind all others.
template <bool inCells>
static __global__ void WriteKeysKernel( cltSlots slots, cltPlan* plan, uint64_t* keys, uint32_t room )
{
    const uint32_t slot = cltThreadIndex();
    if ( slot >= slots.count )
    {
        return;
    }
    const cltCurve curve = plan->curve;
    const cltGrid cells = plan->grid;
    const cltGrid* grid = inCells ? &cells : NULL;
    cltLeafSeed seeds[2];
    const uint32_t count = cltSlots_Seed( &slots, slot, seeds );
    keys[slot] = count > 0u ? cltLeafSeed_Key( &seeds[0], slot, &curve, grid, plan->outlierBin ) : CLT_NO_KEY;
    if ( count > 1u )
    {
        const uint64_t place = slots.count + cltClaim( &plan->extraCount, 1u );
        if ( place < room )
        {
            keys[place] = cltLeafSeed_Key( &seeds[1], slot, &curve, grid, plan->outlierBin );
        }
    }
}

/// What the gathering kernels share.
typedef struct Gathering
{
    cltSlots slots;
    const uint64_t* keys; ///< sorted, in this update or before
    cltPlan* plan;
    cltLeaves leaves; ///< to be
    float* freshEdges;
} Gathering;

/// Leaf i with its boxes. True if it is an outlier.
template <bool isKept>
static __device__ bool GatherLeaf( const Gathering* gathering, uint32_t i )
{
    if ( isKept )
    {
        const uint32_t outlierBin = gathering->plan->outlierBin;
        return cltLeaves_RegatherStep( &gathering->leaves, i, gathering->keys[i], outlierBin, &gathering->slots );
    }
    cltLeaves_GatherStep( &gathering->leaves, i, gathering->keys, &gathering->slots );
    return i >= gathering->plan->searchableCount;
}

/// Of the block's groups, each by one thread, how far their leaves reach, and how much further than when they were
/// sorted.
template <bool isKept>
static __device__ void NoteGrowth( const Gathering* gathering, const cltAabb covers[CLT_BLOCK_SIZE] )
{
    const uint32_t group = blockIdx.x * ( CLT_BLOCK_SIZE / CLT_GROWTH_GROUP ) + threadIdx.x;
    if ( threadIdx.x >= CLT_BLOCK_SIZE / CLT_GROWTH_GROUP ||
         group * CLT_GROWTH_GROUP >= gathering->plan->searchableCount )
    {
        return;
    }
    cltAabb bounds = cltAabb_Nothing();
    for ( uint32_t i = 0; i < CLT_GROWTH_GROUP; ++i )
    {
        bounds = cltAabb_Union( &bounds, covers + threadIdx.x * CLT_GROWTH_GROUP + i );
    }
    const float edge = cltAabb_LongestEdge( &bounds );
    if ( !isKept )
    {
        gathering->freshEdges[group] = edge;
    }
    else
    {
        cltClaim( &gathering->plan->growthSum, cltGrowth( edge, gathering->freshEdges[group] ) );
    }
}

template <bool isKept>
static __global__ void GatherKernel( Gathering gathering )
{
    __shared__ cltAabb covers[CLT_BLOCK_SIZE];
    const uint32_t i = cltThreadIndex();
    cltPlan* plan = gathering.plan;
    covers[threadIdx.x] = cltAabb_Nothing();
    if ( i < plan->leafCount )
    {
        if ( GatherLeaf<isKept>( &gathering, i ) )
        {
            const uint32_t place = atomicAdd( &plan->outlierCount, 1u );
            if ( place < CLT_OUTLIER_ROOM )
            {
                plan->outliers[place] = i;
            }
        }
        else if ( !cltLeaves_IsOutlier( &gathering.leaves, i ) )
        {
            covers[threadIdx.x] = cltLeaves_Cover( &gathering.leaves, i );
        }
    }
    __syncthreads();
    NoteGrowth<isKept>( &gathering, covers );
}

template <bool isKept>
static cltStatus Gather( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    const Gathering gathering = { *slots, (const uint64_t*)leaves->keys.data, cltDeviceLeaves_Plan( leaves ),
                                  leaves->view, (float*)leaves->freshEdges.data };
    return cltLaunch( device, isKept ? "gather again" : "gather", leaves->room, GatherKernel<isKept>, gathering );
}

static cltStatus ReserveLeaves( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->bins, device, 1, sizeof( cltBins ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->keys, device, leaves->room, sizeof( uint64_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->spare, device, leaves->room, sizeof( uint64_t ) ) );
    const size_t groupCount = leaves->room / CLT_GROWTH_GROUP + 1u;
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->freshEdges, device, groupCount, sizeof( float ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->records, device, leaves->room, cltLeaf_Size( slots->isDouble ) ) );
    leaves->view.records = leaves->records.data;
    leaves->view.isDouble = slots->isDouble;
    return clt_ok;
}

/// Writes and sorts the keys of all leaves.
static cltStatus SortLeaves( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots, bool inCells )
{
    cltPlan* plan = cltDeviceLeaves_Plan( leaves );
    uint64_t* keys = (uint64_t*)leaves->keys.data;
    CLT_TRY( cltLaunch( device, "write keys", slots->count, inCells ? WriteKeysKernel<true> : WriteKeysKernel<false>,
                        *slots, plan, keys, leaves->room ) );
    const cltMergeSort sort = { keys, (uint64_t*)leaves->spare.data, leaves->room, slots->count, &plan->extraCount,
                                true };
    return cltMergeSort_Run( &sort, device );
}

/// The plan is read back as a whole, padding too, so that none of it may be what memory happens to hold.
cltStatus cltDeviceLeaves_ReserveFound( cltDeviceLeaves* leaves, cltCudaDevice* device, uint64_t keyCount )
{
    if ( keyCount > UINT64_MAX / 16u )
    {
        return clt_deviceMemory;
    }
    const size_t bytes = CLT_PLAN_ROOM + (size_t)keyCount * sizeof( uint64_t );
    if ( leaves->found.bytes == 0 )
    {
        return cltCudaBuffer_ReserveFilled( &leaves->found, device, bytes, 1, 0 );
    }
    return cltCudaBuffer_Reserve( &leaves->found, device, bytes, 1, CLT_PLAN_ROOM );
}

cltStatus cltDeviceLeaves_Make( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots, bool inCells )
{
    leaves->isKept = false;
    leaves->extraRoom = leaves->extraRoom > MIN_EXTRA_ROOM ? leaves->extraRoom : MIN_EXTRA_ROOM;
    leaves->room = slots->count + ( leaves->extraRoom < slots->count ? leaves->extraRoom : slots->count );
    CLT_TRY( ReserveLeaves( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_Count( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_Decide( leaves, device, slots, inCells ) );
    CLT_TRY( SortLeaves( leaves, device, slots, inCells ) );
    return Gather<false>( leaves, device, slots );
}

cltStatus cltDeviceLeaves_Remake( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    leaves->isKept = true;
    return Gather<true>( leaves, device, slots );
}

bool cltDeviceLeaves_IsStale( const cltPlan* plan )
{
    const uint64_t groupCount = ( plan->searchableCount + CLT_GROWTH_GROUP - 1u ) / CLT_GROWTH_GROUP;
    return groupCount > 0 && plan->growthSum >= CLT_STALE_GROWTH * groupCount;
}

bool cltDeviceLeaves_Learn( cltDeviceLeaves* leaves, const cltPlan* plan )
{
    const uint32_t extra = plan->neededExtraCount;
    const bool fits = extra <= leaves->extraRoom;
    const uint32_t wanted = extra + extra / 2u; // the next update will not have exactly as many
    leaves->extraRoom = (uint32_t)cltNextRoom( leaves->extraRoom, extra, wanted );
    return !fits;
}
