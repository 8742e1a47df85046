// SPDX-License-Identifier: Zlib
/// \file device_leaves.cuh
/// All leaves of an update on the device, in the order of the curve or of cells, with their boxes beside them: what
/// every search reads. Over a region that was just found, the same leaves in the same order as
/// gpu/host/reference/leaves.c makes them, from the same scene statistics (gpu/core/scene_statistics.h), which are two
/// kernels here; over one of an update before, and where the order is kept, the order is another one.
#ifndef CLT_CUDA_DEVICE_LEAVES_CUH
#define CLT_CUDA_DEVICE_LEAVES_CUH

#include "gpu/core/scene_statistics.h"
#include "gpu/cuda/last_region.cuh"

/// A thread a bin of sizes, and a thread a sample.
#define CLT_BIN_THREADS CLT_SIZE_BIN_COUNT

/// Leaves of each size, added to by many threads at once. All zero: none was counted yet.
typedef struct cltBins
{
    uint32_t counts[CLT_SIZE_BIN_COUNT];
    uint32_t longest[CLT_SIZE_BIN_COUNT];    ///< bits of the longest edge
    uint32_t reaches[6][CLT_SIZE_BIN_COUNT]; ///< each way, the largest cltReach of a centre
    uint32_t extraCount;                     ///< second leaves
} cltBins;

/// How far a leaf's centre reaches along an axis (ways 0 to 2) or against it (3 to 5), as a number that orders as the
/// float does (gpu/core/bits.h) and is above 0.
static __device__ inline uint32_t cltReach( const cltAabb* box, int way )
{
    const float center = cltAabb_Center( box, way % 3 );
    return cltOrderOfFloat( way < 3 ? center : -center );
}

/// Where the leaves' order is from.
typedef enum cltLeafOrder
{
    clt_orderNewRegion,  ///< new, and so is the region
    clt_orderLastRegion, ///< new, over the region that there was
    clt_orderKept        ///< of an update before
} cltLeafOrder;

typedef struct cltDeviceLeaves
{
    cltCudaBuffer bins;  ///< one cltBins
    cltCudaBuffer found; ///< one cltPlan, and behind it the keys that a search found
    cltCudaBuffer keys;  ///< sorted: code of the curve or cell above, reference below
    cltCudaBuffer spare;
    cltCudaBuffer freshEdges; ///< float, of each group: its longest edge when it was sorted
    cltCudaBuffer records;    ///< cltLeaf or cltLeafD
    uint32_t room;            ///< leaves that there is room for
    uint32_t extraRoom;       ///< of these, beyond one a slot: bodies that jump have two
    cltLeafOrder order;
    uint32_t regionUses;        ///< orders that may still be made over the region that there is
    uint32_t ownRegions;        ///< orders that have one of their own yet, because one was refused
    uint32_t knownOutsideCount; ///< leaves outside of the region that it left out when it was found
    cltLeaves view;             ///< of the buffers above; kernels find the count in the plan
} cltDeviceLeaves;

/// Makes the leaves of all slots, as many as there is room for, in a new order over a region that is found before.
/// The caller has set `view.filters` and `slotBits` and made room for the plan.
/// \param inCells  in the order of the grid's cells; else of the curve
cltStatus cltDeviceLeaves_Make( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots, bool inCells );

/// Makes them in a new order over the region that there is, three operations fewer: one leaf a slot, as the next
/// function does. The plan is one that has begun since.
cltStatus cltDeviceLeaves_MakeInRegion( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Makes them in the order that they were in: of the same slots, none of which appeared since.
cltStatus cltDeviceLeaves_Keep( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// True if neighbours in the order have drifted apart so far that a new one pays.
bool cltDeviceLeaves_IsStale( const cltDeviceLeaves* leaves, const cltPlan* plan );

/// The first part of making them: fills `bins`.
cltStatus cltDeviceLeaves_Count( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// The second part: makes the plan of what was counted.
cltStatus cltDeviceLeaves_Decide( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                  bool inCells );

/// The last one: keys, sorted. Of the plan's region the second.
cltStatus cltDeviceLeaves_Sort( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots,
                                bool inCells );
cltStatus cltDeviceLeaves_SortInRegion( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Takes note of how many leaves there were, and where. True if they must be made by cltDeviceLeaves_Make: they did not
/// fit, or too many lay outside of the region.
bool cltDeviceLeaves_Learn( cltDeviceLeaves* leaves, const cltPlan* plan );

/// Room for so many keys behind the plan, which stays.
cltStatus cltDeviceLeaves_ReserveFound( cltDeviceLeaves* leaves, cltCudaDevice* device, uint64_t keyCount );

static inline cltPlan* cltDeviceLeaves_Plan( const cltDeviceLeaves* leaves )
{
    return (cltPlan*)leaves->found.data;
}

#endif
