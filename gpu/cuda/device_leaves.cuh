// SPDX-License-Identifier: Zlib
/// \file device_leaves.cuh
/// All leaves of an update on the device, sorted along the curve or by cell, with their boxes: the input of every
/// search. After a sort over a new region, leaves and their order equal those of gpu/host/reference/leaves.c, because
/// two kernels compute the same scene statistics (gpu/core/scene_statistics.h). With a kept order or region, the order
/// differs from the host's.
#ifndef CLT_CUDA_DEVICE_LEAVES_CUH
#define CLT_CUDA_DEVICE_LEAVES_CUH

#include "gpu/core/scene_statistics.h"
#include "gpu/cuda/plan.cuh"

/// Histogram of leaf sizes, filled by many threads. Empty if all members are zero.
typedef struct cltBins
{
    uint32_t counts[CLT_SIZE_BIN_COUNT];
    uint32_t longest[CLT_SIZE_BIN_COUNT];    ///< by bin, the bits of the longest edge
    uint32_t reaches[6][CLT_SIZE_BIN_COUNT]; ///< by direction and bin, the largest cltOrderedCoordinate of a centre
    uint32_t extraCount;                     ///< bodies with a second leaf
} cltBins;

/// Returns how far a leaf's centre lies in a direction: its coordinate on axis 0 to 2 for directions 0 to 2, and the
/// negated coordinate for 3 to 5. The result is an unsigned number above 0 that orders as the float does
/// (gpu/core/bits.h).
static __device__ inline uint32_t cltOrderedCoordinate( const cltAabb* box, int direction )
{
    const float center = cltAabb_Center( box, direction % 3 );
    return cltOrderOfFloat( direction < 3 ? center : -center );
}

/// How the order of the leaves was made.
typedef enum cltLeafOrder
{
    clt_orderNewRegion,  ///< sorted over a new region
    clt_orderLastRegion, ///< sorted over the kept region
    clt_orderKept        ///< kept from an earlier update
} cltLeafOrder;

typedef struct cltDeviceLeaves
{
    cltCudaBuffer bins;       ///< one cltBins
    cltCudaBuffer found;      ///< one cltPlan, followed by the keys found by a search
    cltCudaBuffer keys;       ///< sorted: curve code or cell in the high word, reference in the low word
    cltCudaBuffer scratch;    ///< scratch memory for sorts of leaves and of the keys found
    cltCudaBuffer freshEdges; ///< float per group of neighbouring leaves: the longest edge of its bounds at the sort
    cltCudaBuffer records;    ///< cltLeaf or cltLeafD
    uint32_t room;            ///< capacity in leaves
    uint32_t extraRoom;       ///< the part of `room` for second leaves: a body with a large displacement has two leaves
    cltLeafOrder order;
    uint32_t regionUses;        ///< how many more sorts may use the current region
    uint32_t ownRegions;        ///< how many more sorts must each find a new region; see CLT_REGION_USES (plan.cuh)
    uint32_t knownOutsideCount; ///< leaves that were outside the region when it was found
    cltLeaves view;             ///< a view of the buffers above; kernels read the count from the plan
} cltDeviceLeaves;

/// Makes the leaves of all slots, up to the capacity, in a new order over a new region. The caller has set
/// `view.filters` and `slotBits` and reserved the plan.
/// \param inCells  sorts by grid cell instead of along the curve
cltStatus cltDeviceLeaves_Make( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots, bool inCells );

/// Makes one leaf per slot, in a new order over the kept region, with three operations fewer than cltDeviceLeaves_Make.
/// cltPlan_Begin must have reset the plan.
cltStatus cltDeviceLeaves_MakeInRegion( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Makes one leaf per slot, in the kept order. No slot may have appeared since the sort.
cltStatus cltDeviceLeaves_Keep( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// True if neighbours have moved apart so far that a new sort pays.
bool cltDeviceLeaves_IsStale( const cltDeviceLeaves* leaves, const cltPlan* plan );

/// First part of cltDeviceLeaves_Make: fills `bins`.
cltStatus cltDeviceLeaves_Count( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Second part of cltDeviceLeaves_Make: computes the plan from the bins, with a grid only if `inCells`.
cltStatus cltDeviceLeaves_Decide( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                  bool inCells );

/// Both functions write and sort the keys: the first over the region in the new plan, the second over the kept region.
cltStatus cltDeviceLeaves_Sort( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                bool inCells );
cltStatus cltDeviceLeaves_SortInRegion( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Records the counts of an update. True if the leaves must be made again by cltDeviceLeaves_Make, because they did not
/// fit or too many are outside the region.
bool cltDeviceLeaves_RecordCounts( cltDeviceLeaves* leaves, const cltPlan* plan );

/// Reserves memory for keys after the plan, and preserves the plan.
cltStatus cltDeviceLeaves_ReserveFound( cltDeviceLeaves* leaves, cltCudaDevice* device, uint64_t keyCount );

static inline cltPlan* cltDeviceLeaves_Plan( const cltDeviceLeaves* leaves )
{
    return (cltPlan*)leaves->found.data;
}

#endif
