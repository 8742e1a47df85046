// SPDX-License-Identifier: Zlib
/// \file lanes.h
/// The lane of each body. A lane holds the body's current box, and the previous one, as of the last update.
///
/// A body keeps its lane while it moves little. If it jumps (wide.h) or becomes as large as an outlier, it is detached:
/// the lane keeps only the previous box, for one more update. The body is unplaced until it gets another lane, behind
/// the ordered ones.
#ifndef CLT_HOST_WIDE_LANES_H
#define CLT_HOST_WIDE_LANES_H

#include "gpu/backend.h"
#include "gpu/core/atomic.h"
#include "gpu/core/leaf.h"
#include "gpu/host/wide/blocks.h"
#include "gpu/host/wide/filters.h"
#include "gpu/platform/worker_pool.h"

#define CLT_NO_LANE UINT32_MAX

/// The reference of a lane without a body. Its kind is CLT_LEAF_PREVIOUS: the lane has no current box.
#define CLT_FREE_LANE UINT32_MAX

/// Lanes are numbers below 2^30, which leaves two bits for flags. All CLT_MAX_PROXIES may jump and have two lanes each.
#define CLT_LANE_LIMIT ( 1u << 30u )

/// Bodies are sorted into lanes by keys of 64 bits. The place in a key is the body's lane before the sort, or its slot:
///
///     bit  63 .. 60    59 .. 30    29 .. 0
///          class       code        place
#define CLT_PLACE_BITS 30u

static inline uint32_t cltPlaceKey_Place( uint64_t key )
{
    return (uint32_t)key & ( ( 1u << CLT_PLACE_BITS ) - 1u );
}

/// Gaps after a sort: one in 2^CLT_GAP_SHIFT ordered lanes is free. A body that appears later gets a lane near its
/// neighbours, and as bodies are destroyed, other lanes become free. So steady creation and destruction need hardly
/// another sort. The number of bodies in the 33 blocks that are near varies by about 23; there are 33 gaps. But gaps
/// make a search of all lanes slower, by four percent with one in 32. So lanes are sorted with gaps only if bodies
/// appeared in a world in which few bodies move.
#define CLT_GAP_SHIFT 4u
#define CLT_NO_GAPS 31u ///< a shift with which no lane is a gap

typedef struct cltLanes
{
    cltBuffer current;       ///< cltBoxLanes, by block; NaN in lanes without a box
    cltBuffer previous;      ///< cltBoxLanes, by block
    cltBuffer refs;          ///< cltLeafRef, by lane
    cltBuffer laneOf;        ///< uint32_t, by slot
    cltBuffer unplaced;      ///< uint32_t, slots that need a lane
    cltBuffer jumped;        ///< uint16_t, by block: lanes of bodies that jumped, as bits (cltGather_All)
    cltBuffer scratchBoxes;  ///< scratch of rearrange.c: cltBoxLanes
    cltBuffer scratchRefs;   ///< scratch of rearrange.c: cltLeafRef
    cltBlockFilters filters; ///< by block
    uint64_t unplacedCount;
    uint32_t slotCount;     ///< entries of laneOf
    uint32_t blockCapacity; ///< blocks that the buffers can hold
    uint32_t blockCount;
    uint32_t orderedEnd;   ///< blocks from here on hold unsorted lanes
    uint32_t end;          ///< the next unsorted lane
    uint32_t outlierCount; ///< lanes used in the outliers' blocks
    uint32_t freeCount;    ///< lanes without a body, except those in the outliers' blocks
    float largestEdge;     ///< bodies larger than this become outliers while the outliers' blocks have free lanes
    bool isDouble;         ///< boxes are given as cltAabbD
    bool split;            ///< some body has two lanes, one with its current and one with its previous box
} cltLanes;

/// A plan of a new order of lanes: the place, an old lane or a slot, from which each lane is filled.
typedef struct cltLanePlan
{
    const uint64_t* keys;  ///< a key for each old lane or slot, in the new order; see CLT_PLACE_BITS
    uint32_t orderedCount; ///< the number of keys to use; later keys are ignored
    uint64_t outlierCount;
    uint32_t outliers[CLT_OUTLIER_LANES]; ///< old lanes or slots of bodies that become outliers
    float largestEdge;                    ///< no ordered body is larger
    uint32_t gapShift;                    ///< CLT_GAP_SHIFT or CLT_NO_GAPS
} cltLanePlan;

/// The number of the key of an ordered lane, counted without the outliers' lanes. A gap has the key of the next lane.
static inline uint32_t cltLanePlan_Key( const cltLanePlan* plan, uint32_t orderedLane )
{
    return orderedLane - ( orderedLane >> plan->gapShift );
}

/// The place from which a lane is filled; CLT_NO_LANE if the lane stays empty.
static inline uint32_t cltLanePlan_Place( const cltLanePlan* plan, uint32_t lane )
{
    if ( lane < CLT_OUTLIER_LANES )
    {
        return lane < plan->outlierCount ? plan->outliers[lane] : CLT_NO_LANE;
    }
    const uint32_t ordered = lane - CLT_OUTLIER_LANES;
    const uint32_t key = cltLanePlan_Key( plan, ordered );
    const bool isGap = ( ordered + 1u ) % ( 1u << plan->gapShift ) == 0;
    return key < plan->orderedCount && !isGap ? cltPlaceKey_Place( plan->keys[key] ) : CLT_NO_LANE;
}

static inline cltBoxLanes* cltLanes_Current( const cltLanes* lanes )
{
    return (cltBoxLanes*)lanes->current.data;
}

static inline cltBoxLanes* cltLanes_Previous( const cltLanes* lanes )
{
    return (cltBoxLanes*)lanes->previous.data;
}

static inline cltLeafRef* cltLanes_Refs( const cltLanes* lanes )
{
    return (cltLeafRef*)lanes->refs.data;
}

static inline uint32_t* cltLanes_OfSlots( const cltLanes* lanes )
{
    return (uint32_t*)lanes->laneOf.data;
}

static inline uint16_t* cltLanes_Jumped( const cltLanes* lanes )
{
    return (uint16_t*)lanes->jumped.data;
}

/// The current box, or the previous one if there is no current one.
static inline cltAabb cltLanes_AnyBox( const cltLanes* lanes, uint32_t lane )
{
    const cltAabb now = cltLane_Get( cltLanes_Current( lanes ), lane );
    return cltAabb_HasNan( &now ) ? cltLane_Get( cltLanes_Previous( lanes ), lane ) : now;
}

/// Grows the buffers to `blockCapacity` blocks; keeps their contents.
cltStatus cltLanes_Reserve( cltLanes* lanes, cltMemory* memory, uint32_t blockCapacity );

/// Shrinks the buffers to `blockCapacity` blocks, no less than blockCount, and frees the scratch buffers.
/// \return false if there is no memory for smaller buffers; nothing has then changed
bool cltLanes_Shrink( cltLanes* lanes, cltMemory* memory, uint32_t blockCapacity );

/// Makes laneOf and `unplaced` fit `slotCount` slots. New slots have no lane. Slots from `slotCount` on no longer
/// exist, and must have no lane.
cltStatus cltLanes_EnsureSlotCapacity( cltLanes* lanes, cltMemory* memory, uint32_t slotCount );

/// Sets the number of blocks, which must fit the capacity; new blocks are empty.
void cltLanes_AddBlocks( cltLanes* lanes, uint32_t blockCount );

/// Detaches a body: its lane keeps only the previous box, and the body is listed as unplaced. Callable from any thread.
void cltLanes_Detach( cltLanes* lanes, uint32_t lane, uint32_t slot );

/// Removes a slot's body from its lane, because the proxy was destroyed, or appeared and will get a new lane.
void cltLanes_RemoveBody( cltLanes* lanes, uint32_t slot, bool destroyed );

/// Frees the lanes of a block that have neither a current nor a previous box. Callable from any thread.
/// \param emptyLanes  the lanes without a current box, as bits
void cltLanes_FreeEmpty( cltLanes* lanes, uint32_t block, uint32_t emptyLanes, const uint8_t* states );

static inline void cltLanes_AddUnplaced( cltLanes* lanes, uint32_t slot )
{
    ( (uint32_t*)lanes->unplaced.data )[lanes->unplacedCount++] = slot;
}

/// Lists every live slot without a lane as unplaced. A failed update may have left live slots without a lane.
void cltLanes_ListUnplaced( cltLanes* lanes, const cltUpload* upload );

/// Adds edited filters to the unions of their blocks. A lane that has only a previous box keeps the previous filter.
void cltLanes_Refilter( cltLanes* lanes, const cltUpload* upload );

/// Computes the filters of blocks [first, end) from their bodies. The upload must have filters. From any thread.
void cltLanes_UniteFiltersOf( cltLanes* lanes, const cltUpload* upload, uint32_t first, uint32_t end );

/// Computes the filters of each block from its bodies.
void cltLanes_UniteFilters( cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool );

/// Assigns a lane to every unplaced body that has a box: a lane in the outliers' blocks, or one from `end` on. The
/// blocks of these lanes must exist.
void cltLanes_AssignLanes( cltLanes* lanes, const cltUpload* upload );

/// Puts a body with this box into a lane without one.
void cltLanes_Place( cltLanes* lanes, uint32_t lane, uint32_t slot, const cltAabb* box, const cltUpload* upload );

// rearrange.c

/// Blocks that `bodyCount` bodies may need: all bodies, outliers included, may become ordered, and the outliers' blocks
/// remain.
static inline uint32_t cltLanes_BlocksToRearrange( uint32_t bodyCount, uint32_t gapShift )
{
    const uint32_t gapCount = bodyCount > 0 ? ( bodyCount - 1u ) / ( ( 1u << gapShift ) - 1u ) : 0;
    return cltBlocksFor( bodyCount + gapCount ) + CLT_OUTLIER_BLOCKS;
}

/// Reserves the scratch buffers of cltLanes_Rearrange, for all blocks of the capacity.
cltStatus cltLanes_ReserveScratch( cltLanes* lanes, cltMemory* memory );

/// For each lane up to `end`, the current box, else the previous box, else NaN. The result is in a scratch buffer, and
/// is valid until lanes are rearranged.
const cltAabb* cltLanes_ListBoxes( cltLanes* lanes, cltWorkerPool* pool );

/// Moves bodies to the lanes of the plan. Afterwards every lane is ordered or an outlier's.
/// \param plan  a plan with lanes as places
void cltLanes_Rearrange( cltLanes* lanes, const cltLanePlan* plan, cltWorkerPool* pool );

/// Replaces the contents of all lanes by current boxes and filters. Previous boxes are not set. Afterwards every lane
/// is ordered or an outlier's. The capacity must be cltLanes_BlocksToRearrange or more.
/// \param plan  a plan with slots as places
void cltLanes_Fill( cltLanes* lanes, const cltLanePlan* plan, const cltUpload* upload, cltWorkerPool* pool );

/// Sets the counts of blocks and outliers, and largestEdge, to the values of a plan.
void cltLanes_SetCountsFromPlan( cltLanes* lanes, const cltLanePlan* plan );

void cltLanes_Release( cltLanes* lanes, cltMemory* memory );

#endif
