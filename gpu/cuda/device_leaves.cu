// SPDX-License-Identifier: Zlib
// Gathers the leaves: copies the boxes of slots to leaves, in the order of the keys.

#include "gpu/cuda/device_leaves.cuh"

#include "gpu/core/atomic.h"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/sort_keys.cuh"

/// Initial capacity for second leaves, which bodies with a large displacement have. If there are more, the build is
/// repeated once.
#define MIN_EXTRA_CAPACITY 1024u

/// Arguments of the gather kernels.
typedef struct Gathering
{
    cltSlots slots;
    const uint64_t* keys; ///< sorted in this update or an earlier one
    cltPlan* plan;
    cltLeaves leaves; ///< output
    float* freshEdges;
    uint32_t knownOutsideCount;
} Gathering;

/// Returns the number of leaves that are not outliers; these leaves come first. With a kept region, the number follows
/// from the counts of the kernel that wrote the keys. Returns 0 if too many leaves are outside the region: the host
/// then sorts again over a new region.
template <cltLeafOrder order>
static __device__ uint32_t SearchableCount( const Gathering* gathering )
{
    const cltPlan* plan = gathering->plan;
    if ( order != clt_orderLastRegion )
    {
        return plan->searchableCount;
    }
    const uint32_t* counts = plan->placeCounts;
    const bool isRefused = cltPlan_TooManyLeftRegion( plan, gathering->knownOutsideCount, CLT_OUTSIDE_RESORT_LIMIT );
    return isRefused ? 0u : counts[CLT_PLACE_INSIDE] + counts[CLT_PLACE_BORDER];
}

template <cltLeafOrder order>
static __device__ uint32_t LeafCount( const Gathering* gathering )
{
    const cltPlan* plan = gathering->plan;
    if ( order != clt_orderLastRegion )
    {
        return plan->leafCount;
    }
    const bool isRefused = cltPlan_TooManyLeftRegion( plan, gathering->knownOutsideCount, CLT_OUTSIDE_RESORT_LIMIT );
    return isRefused ? 0u : SearchableCount<order>( gathering ) + plan->placeCounts[CLT_PLACE_OUTLIER];
}

/// Writes leaf i with its boxes. True if it is an outlier.
template <cltLeafOrder order>
static __device__ bool GatherLeaf( const Gathering* gathering, uint32_t i )
{
    if ( order == clt_orderNewRegion )
    {
        cltLeaves_GatherStep( &gathering->leaves, i, gathering->keys, &gathering->slots );
        return i >= gathering->plan->searchableCount;
    }
    const uint32_t outlierBin = gathering->plan->outlierBin;
    return cltLeaves_RegatherStep( &gathering->leaves, i, gathering->keys[i], outlierBin, &gathering->slots );
}

/// Computes the longest edge of the bounds of every CLT_GROWTH_GROUP neighbouring leaves, one thread for each such
/// group. After a sort, stores the edge; in a kept order, adds its growth since the sort to the plan.
template <cltLeafOrder order>
static __device__ void NoteGrowth( const Gathering* gathering, const cltAabb covers[CLT_BLOCK_SIZE] )
{
    const uint32_t group = blockIdx.x * ( CLT_BLOCK_SIZE / CLT_GROWTH_GROUP ) + threadIdx.x;
    if ( threadIdx.x >= CLT_BLOCK_SIZE / CLT_GROWTH_GROUP ||
         group * CLT_GROWTH_GROUP >= SearchableCount<order>( gathering ) )
    {
        return;
    }
    cltAabb bounds = cltAabb_Empty();
    for ( uint32_t i = 0; i < CLT_GROWTH_GROUP; ++i )
    {
        bounds = cltAabb_Union( &bounds, covers + threadIdx.x * CLT_GROWTH_GROUP + i );
    }
    const float edge = cltAabb_LongestEdge( &bounds );
    if ( order != clt_orderKept )
    {
        gathering->freshEdges[group] = edge;
    }
    else
    {
        cltClaim( &gathering->plan->growthSum, cltGrowth( edge, gathering->freshEdges[group] ) );
    }
}

template <cltLeafOrder order>
static __global__ void GatherKernel( Gathering gathering )
{
    __shared__ cltAabb covers[CLT_BLOCK_SIZE];
    const uint32_t i = cltThreadIndex();
    cltPlan* plan = gathering.plan;
    covers[threadIdx.x] = cltAabb_Empty();
    if ( order == clt_orderLastRegion && i == 0 ) // later kernels read the counts in the plan
    {
        plan->leafCount = LeafCount<order>( &gathering );
        plan->searchableCount = SearchableCount<order>( &gathering );
    }
    if ( i < LeafCount<order>( &gathering ) )
    {
        if ( GatherLeaf<order>( &gathering, i ) )
        {
            const uint32_t place = atomicAdd( &plan->outlierCount, 1u );
            if ( place < CLT_OUTLIER_CAPACITY )
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
    NoteGrowth<order>( &gathering, covers );
}

template <cltLeafOrder order>
static cltStatus Gather( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    static const char* const names[] = { "gather", "gather in region", "gather again" };
    leaves->order = order;
    const Gathering gathering = { *slots,       (const uint64_t*)leaves->keys.data, cltDeviceLeaves_Plan( leaves ),
                                  leaves->view, (float*)leaves->freshEdges.data,    leaves->knownOutsideCount };
    return cltLaunch( device, names[order], leaves->room, GatherKernel<order>, gathering );
}

/// Reserves memory for a new order.
static cltStatus ReserveLeaves( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    leaves->extraRoom = leaves->extraRoom > MIN_EXTRA_CAPACITY ? leaves->extraRoom : MIN_EXTRA_CAPACITY;
    leaves->room = slots->count + ( leaves->extraRoom < slots->count ? leaves->extraRoom : slots->count );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->bins, device, 1, sizeof( cltBins ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->keys, device, leaves->room, sizeof( uint64_t ) ) );
    CLT_TRY( cltReserveSort( device, &leaves->scratch, leaves->room ) );
    const size_t groupCount = leaves->room / CLT_GROWTH_GROUP + 1u;
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->freshEdges, device, groupCount, sizeof( float ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->records, device, leaves->room, cltLeaf_Size( slots->isDouble ) ) );
    leaves->view.records = leaves->records.data;
    leaves->view.isDouble = slots->isDouble;
    return clt_ok;
}

/// New memory is set to 0, because the plan is read back with its padding, and with memory for more keys than there
/// are.
cltStatus cltDeviceLeaves_ReserveFound( cltDeviceLeaves* leaves, cltCudaDevice* device, uint64_t keyCount )
{
    if ( keyCount > UINT64_MAX / 16u )
    {
        return clt_deviceMemory;
    }
    const size_t bytes = CLT_PLAN_KEYS_OFFSET + (size_t)keyCount * sizeof( uint64_t );
    const size_t known = leaves->found.bytes;
    const size_t kept = known > 0 ? CLT_PLAN_KEYS_OFFSET : 0u;
    CLT_TRY( cltCudaBuffer_Reserve( &leaves->found, device, bytes, 1, kept ) );
    const size_t fresh = leaves->found.bytes > known ? leaves->found.bytes - kept : 0u;
    return cltCudaFill( device, (char*)leaves->found.data + kept, 0, fresh );
}

cltStatus cltDeviceLeaves_Make( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots, bool inCells )
{
    leaves->ownRegions -= leaves->ownRegions > 0 ? 1u : 0u;
    CLT_TRY( ReserveLeaves( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_Count( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_Decide( leaves, device, slots, inCells ) );
    CLT_TRY( cltDeviceLeaves_Sort( leaves, device, slots, inCells ) );
    return Gather<clt_orderNewRegion>( leaves, device, slots );
}

cltStatus cltDeviceLeaves_MakeInRegion( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    --leaves->regionUses;
    CLT_TRY( ReserveLeaves( leaves, device, slots ) );
    CLT_TRY( cltDeviceLeaves_SortInRegion( leaves, device, slots ) );
    return Gather<clt_orderLastRegion>( leaves, device, slots );
}

cltStatus cltDeviceLeaves_Keep( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots )
{
    return Gather<clt_orderKept>( leaves, device, slots );
}

bool cltDeviceLeaves_IsStale( const cltDeviceLeaves* leaves, const cltPlan* plan )
{
    const uint64_t groupCount = ( plan->searchableCount + CLT_GROWTH_GROUP - 1u ) / CLT_GROWTH_GROUP;
    return leaves->order == clt_orderKept && groupCount > 0 && plan->growthSum >= CLT_STALE_GROWTH * groupCount;
}

/// True if the next sort may use the plan's region: not too many leaves are outside, and the region has an extent on
/// each axis. Codes ignore an axis without extent, however far bodies move along it.
static bool MayReuseRegion( const cltDeviceLeaves* leaves, const cltPlan* plan )
{
    const float* scales = plan->curve.cellsPerUnit;
    return scales[0] > 0.0f && scales[1] > 0.0f && scales[2] > 0.0f &&
           !cltPlan_TooManyLeftRegion( plan, leaves->knownOutsideCount, CLT_OUTSIDE_NEXT_REGION_LIMIT );
}

/// Records how many leaves are outside the region. True if too many are: the leaves are then sorted over a new region.
static bool RecordLeavesOutsideRegion( cltDeviceLeaves* leaves, const cltPlan* plan )
{
    const bool isNew = leaves->order == clt_orderNewRegion;
    const uint32_t outsideCount = plan->placeCounts[CLT_PLACE_BORDER];
    const bool isRefused =
        !isNew && cltPlan_TooManyLeftRegion( plan, leaves->knownOutsideCount, CLT_OUTSIDE_RESORT_LIMIT );
    if ( isNew )
    {
        leaves->knownOutsideCount = outsideCount;
        leaves->regionUses = leaves->ownRegions > 0 ? 0u : CLT_REGION_USES;
    }
    leaves->regionUses = MayReuseRegion( leaves, plan ) ? leaves->regionUses : 0u;
    // the known count never rises, because leaves that leave the region later must count as newly outside
    leaves->knownOutsideCount = outsideCount < leaves->knownOutsideCount ? outsideCount : leaves->knownOutsideCount;
    leaves->ownRegions = isRefused ? CLT_REGION_USES : leaves->ownRegions;
    return isRefused;
}

bool cltDeviceLeaves_RecordCounts( cltDeviceLeaves* leaves, const cltPlan* plan )
{
    const uint32_t extra = plan->neededExtraCount;
    const bool fits = extra <= leaves->extraRoom;
    const uint32_t wanted = extra + extra / 2u; // with a margin for the next update
    leaves->extraRoom = (uint32_t)cltNextCapacity( leaves->extraRoom, extra, wanted );
    const bool isRefused = leaves->order != clt_orderKept && RecordLeavesOutsideRegion( leaves, plan );
    return !fits || isRefused;
}
