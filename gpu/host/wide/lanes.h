// SPDX-License-Identifier: Zlib
/// \file lanes.h
/// The lane of each body, and its two boxes: the current one, and the previous one, as of the last update.
///
/// A body keeps its lane while it moves little. If it jumps or grows to an outlier, it is detached: the lane keeps its
/// previous box for one more update. The body is unplaced until it gets another lane, behind the ordered ones.
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

/// Lanes are numbers below 2^30, which leaves room for two flags: as many as if all CLT_MAX_PROXIES jumped at once.
#define CLT_LANE_LIMIT ( 1u << 30u )

/// What goes into lanes is sorted by keys of 64 bits. A place is the lane that it is in, or its slot:
///
///     bit  63 .. 60    59 .. 30    29 .. 0
///          class       code        place
#define CLT_PLACE_BITS 30u

static inline uint32_t cltPlaceKey_Place( uint64_t key )
{
    return (uint32_t)key & ( ( 1u << CLT_PLACE_BITS ) - 1u );
}

typedef struct cltLanes
{
    cltBuffer current;       ///< cltBoxLanes, by block; NaN in lanes without a box
    cltBuffer previous;      ///< cltBoxLanes, by block
    cltBuffer refs;          ///< cltLeafRef, by lane
    cltBuffer laneOf;        ///< uint32_t, by slot
    cltBuffer unplaced;      ///< uint32_t, slots that need a lane
    cltBuffer jumped;        ///< uint16_t, by block: lanes of bodies that jumped, as bits (cltGather_All)
    cltBuffer scratchBoxes;  ///< scratch of rearrange.c: cltBoxLanes
    cltBuffer scratchRefs;   ///< and cltLeafRef
    cltBlockFilters filters; ///< what each block may pair by
    uint64_t unplacedCount;
    uint32_t slotCount;     ///< slots that laneOf knows
    uint32_t blockCapacity; ///< blocks that there is room for
    uint32_t blockCount;
    uint32_t orderedEnd;   ///< blocks from here on hold unsorted lanes
    uint32_t end;          ///< the next unsorted lane
    uint32_t outlierCount; ///< lanes used in the outliers' blocks
    uint32_t freeCount;    ///< lanes without a body among all others
    float largestEdge;     ///< bodies larger than this become outliers while there is room
    bool isDouble;         ///< boxes are given as cltAabbD
    bool split;            ///< some body has a lane for each of its boxes
} cltLanes;

/// What goes into which lane: places in their new order.
typedef struct cltLanePlan
{
    const uint64_t* keys;  ///< in this order
    uint32_t orderedCount; ///< keys that count
    uint64_t outlierCount;
    uint32_t outliers[CLT_OUTLIER_LANES]; ///< places that become outliers
    float largestEdge;                    ///< of bodies that do not
} cltLanePlan;

/// The place that a lane is filled from; CLT_NO_LANE if nothing goes there.
static inline uint32_t cltLanePlan_Place( const cltLanePlan* plan, uint32_t lane )
{
    if ( lane < CLT_OUTLIER_LANES )
    {
        return lane < plan->outlierCount ? plan->outliers[lane] : CLT_NO_LANE;
    }
    return lane - CLT_OUTLIER_LANES < plan->orderedCount ? cltPlaceKey_Place( plan->keys[lane - CLT_OUTLIER_LANES] )
                                                         : CLT_NO_LANE;
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

/// Room for so many blocks; keeps what is there.
cltStatus cltLanes_Reserve( cltLanes* lanes, cltMemory* memory, uint32_t blockCapacity );

/// Gives back room beyond so many blocks, which are enough for those there are, and all spare room.
/// \return false if there is no memory for that: then nothing is done
bool cltLanes_Shrink( cltLanes* lanes, cltMemory* memory, uint32_t blockCapacity );

/// Room to list and find so many slots; new ones have no lane. Slots from there on are there no more, and had none.
cltStatus cltLanes_EnsureSlotCapacity( cltLanes* lanes, cltMemory* memory, uint32_t slotCount );

/// Makes it so many blocks, which must fit; new ones are empty.
void cltLanes_AddBlocks( cltLanes* lanes, uint32_t blockCount );

/// Detaches a body: its lane keeps only the previous box, and the body is listed as unplaced. From any thread.
void cltLanes_Detach( cltLanes* lanes, uint32_t lane, uint32_t slot );

/// Takes its lane from a slot after its proxy was destroyed, or if it appears elsewhere.
void cltLanes_Leave( cltLanes* lanes, uint32_t slot, bool destroyed );

/// Of lanes that hold no box now, as bits: those that hold none before either are free from now on. From any thread.
void cltLanes_FreeEmpty( cltLanes* lanes, uint32_t block, uint32_t emptyLanes, const uint8_t* states );

static inline void cltLanes_AddUnplaced( cltLanes* lanes, uint32_t slot )
{
    ( (uint32_t*)lanes->unplaced.data )[lanes->unplacedCount++] = slot;
}

/// Lists every live slot without a lane: an update that failed may have left some.
void cltLanes_ListUnplaced( cltLanes* lanes, const cltUpload* upload );

/// Adds edited filters to the unions of their blocks. A lane that has only a previous box keeps the previous filter.
void cltLanes_Refilter( cltLanes* lanes, const cltUpload* upload );

/// Computes the filters of each block from its bodies.
void cltLanes_UniteFilters( cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool );

/// Gives every unplaced body that has a box a lane: among the outliers or from `end` on, where blocks must be.
void cltLanes_Place( cltLanes* lanes, const cltUpload* upload );

// rearrange.c

/// Blocks that so many bodies may need: all outliers may come into the order, and outliers' blocks stay.
static inline uint32_t cltLanes_BlocksToRearrange( uint32_t bodyCount )
{
    return cltBlocksFor( bodyCount ) + CLT_OUTLIER_BLOCKS;
}

/// Room to rearrange what is there, in the blocks that there is room for.
cltStatus cltLanes_ReserveScratch( cltLanes* lanes, cltMemory* memory );

/// The box of each lane up to `end`, now or before, NaN where there is none. Lies in the spare room: until lanes are
/// rearranged.
const cltAabb* cltLanes_ListBoxes( cltLanes* lanes, cltWorkerPool* pool );

/// All lanes are ordered afterwards, or outliers, and free ones are left out.
/// \param plan  from lanes
void cltLanes_Rearrange( cltLanes* lanes, const cltLanePlan* plan, cltWorkerPool* pool );

// fill.c

/// Forgets what lanes held, and fills them with boxes now, filters included. Boxes before are not set. All lanes are
/// ordered, or outliers. There must be room for cltLanes_BlocksToRearrange.
/// \param plan  from slots
void cltLanes_Fill( cltLanes* lanes, const cltLanePlan* plan, const cltUpload* upload, cltWorkerPool* pool );

/// As many blocks and outliers as a plan has.
void cltLanes_TakeOrder( cltLanes* lanes, const cltLanePlan* plan );

void cltLanes_Release( cltLanes* lanes, cltMemory* memory );

#endif
