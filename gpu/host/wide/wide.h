// SPDX-License-Identifier: Zlib
/// \file wide.h
/// The algorithm `wide`: bodies along a Hilbert curve in blocks of CLT_LANE_COUNT, an implicit tree of as many children
/// a node above them. Order, blocks and bounds are kept from update to update.
///
/// Every lane has two boxes, the present one and the one as of the last update, and a search finds the pairs of lanes
/// that overlap in one of the two only. A body that jumped, or comes into sight, gets a lane of its own behind the
/// ordered ones, as a stray; the lane where it was keeps the previous box for one more update. So a pair of a jumper that
/// it still has is found twice, ended there and begun here, and the two cancel out.
///
/// An update is told by wide.c; its search begins in find.c, and its loop is in walk.h and candidates.h.
#ifndef CLT_HOST_WIDE_H
#define CLT_HOST_WIDE_H

#include "gpu/backend.h"
#include "gpu/core/curve.h"
#include "gpu/host/radix_sort.h"
#include "gpu/host/wide/kernels.h"

#define CLT_NO_LANE UINT32_MAX

/// The reference of a lane without a body. Its kind is CLT_LEAF_BEFORE: nobody's present box.
#define CLT_FREE_LANE UINT32_MAX

/// So many strays for a lane in the order of the curve, and sorting all lanes anew costs less than another step with them.
#define CLT_STRAYS_RATIO 32u

/// Numbers of blocks, the same never twice.
typedef struct cltBlockList
{
    cltBuffer blocks; ///< uint32_t
    uint32_t count;
} cltBlockList;

typedef struct cltWide
{
    const cltWideKernels* kernels;
    cltWorkerPool* pool;
    cltWorkerPool* crew; ///< the pool while there is so much to do that waking its threads pays, or NULL
    cltMemory* memory;
    bool isDouble;

    // by block; the first CLT_ASIDE_BLOCKS hold what is set aside
    cltBuffer now;        ///< cltBoxLanes
    cltBuffer before;     ///< cltBoxLanes
    cltBuffer refs;       ///< cltLeafRef, by lane
    cltBuffer movers;     ///< uint16_t, lanes that search on their own in this update, as bits
    cltBuffer freshEdges; ///< float, longest edge when the order was new
    cltBuffer growths;    ///< uint32_t, the longest edge now in 1/256 of that one
    cltBuffer laneOf;     ///< uint32_t, by slot
    cltBuffer branches;   ///< cltBoxLanes, the levels above the blocks
    cltBoxTree tree;      ///< view of blocks and branches
    uint32_t slotCount;   ///< slots that laneOf knows
    uint32_t capacity;    ///< blocks that there is room for
    uint32_t blockCount;
    uint32_t orderedEnd; ///< blocks from here on hold strays
    uint32_t laneEnd;    ///< the next stray's lane
    uint32_t asideCount; ///< lanes used in the blocks set aside
    uint32_t freeCount;  ///< lanes without a body among all others
    uint64_t growthSum;  ///< of the ordered blocks
    uint64_t strayCost;  ///< blocks of strays that searches went through since the last sort
    float largest;       ///< bodies larger than this are set aside, while there is room
    cltCurve curve;      ///< of the last sort
    bool isStale;        ///< the blocks have grown so much that a new order pays

    // the update in progress
    bool oneByOne;            ///< few moved: movers search on their own, the others are not looked at
    bool allDiffer;           ///< any lane's two boxes may differ, not only those of the blocks in `moved`
    bool unfinished;          ///< an update began and was not committed: `before` is right, `now` is not
    bool unfitted;            ///< the levels were laid out anew and hold nothing
    bool split;               ///< some body has a lane for each of its boxes
    cltBlockList moved;       ///< blocks with movers
    cltBlockList movedBefore; ///< the same, of the last update
    cltBuffer strays;         ///< uint32_t, slots that need a lane
    uint64_t strayCount;

    // scratch
    cltSceneStatistics statistics;
    cltBuffer keys;
    cltBuffer crowd;      ///< uint64_t, keys
    cltBuffer scratch;    ///< uint32_t
    cltBuffer spareBoxes; ///< cltBoxLanes
    cltBuffer spareRefs;
    cltBuffer marks; ///< uint32_t, by node: when it was last refitted
    uint32_t mark;
    cltRadixSort sort;
} cltWide;

/// Brings lanes and tree up to date with the uploaded boxes.
/// \param liveChangeCount  changed slots that are not destroyed
cltStatus cltWide_Build( cltWide* wide, const cltUpload* upload, uint32_t liveChangeCount );

/// Puts the keys of what the search is for into its sink. Filters, exact boxes and the sink are the caller's to fill in.
cltStatus cltWide_Find( cltWide* wide, cltWideSearch* search );

/// The present boxes are the previous ones from now on.
void cltWide_Commit( cltWide* wide );

/// After an update that did not come to its end: makes lanes and tree those of the last committed one.
void cltWide_Restore( cltWide* wide );

void cltWide_Release( cltWide* wide );

// ------------------------------------------------------------------------------------------- between the files of wide

/// Few bodies are looked at by one thread: others would only come when all is done.
/// \param lanes  that there are to look at, more or less
void cltWide_CallCrew( cltWide* wide, uint64_t lanes );

static inline cltBoxLanes* cltWide_Now( const cltWide* wide )
{
    return wide->now.data;
}

static inline cltBoxLanes* cltWide_Before( const cltWide* wide )
{
    return wide->before.data;
}

static inline cltLeafRef* cltWide_Refs( const cltWide* wide )
{
    return wide->refs.data;
}

static inline uint32_t* cltWide_LaneOf( const cltWide* wide )
{
    return wide->laneOf.data;
}

/// Room for so many blocks, those set aside included; keeps what is there.
cltStatus cltWide_MakeRoom( cltWide* wide, uint32_t blockCount );

/// Blocks that sorting so many lanes may need: all that are aside may come into the order, and the blocks for such as they
/// stay.
static inline uint32_t cltWide_BlocksToSort( uint32_t laneEnd )
{
    return ( laneEnd + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT + CLT_ASIDE_BLOCKS;
}

/// Makes it so many blocks, if there are fewer, with room to sort them; the new ones are empty.
cltStatus cltWide_AddBlocks( cltWide* wide, uint32_t blockCount );

/// Room for the levels above so many blocks; what they held is lost (levels.c).
cltStatus cltWide_LayOutLevels( cltWide* wide, uint32_t capacity );

/// Says how many blocks are in use, those set aside included, and where they are.
void cltWide_SetBlockCount( cltWide* wide, uint32_t blockCount );

/// Bounds of all blocks, or of those that moved in this update or the last.
cltStatus cltWide_Refit( cltWide* wide, bool freshOrder );
void cltWide_FitAll( cltWide* wide );

/// The body gets another lane, and this one only has its previous box from now on (lanes.c). Lists it as a stray.
/// From any thread.
void cltWide_DetachLane( cltWide* wide, uint32_t lane, uint32_t slot );

/// Of the lanes of a block that have no present box, those that have no previous one either are free from now on.
void cltWide_FreeEmptyLanes( cltWide* wide, uint32_t block, uint32_t absentLanes, const cltUpload* upload );

/// The lane searches on its own in this update: its block goes into `moved`.
void cltWide_AddMover( cltWide* wide, uint32_t lane );

/// The same by any number of threads; somebody has to list the blocks afterwards.
void cltWide_MarkMover( cltWide* wide, uint32_t lane );

/// The previous box of every lane becomes what the present one was, where they may differ; lanes that hold neither are
/// free then.
void cltWide_Settle( cltWide* wide, const cltUpload* upload );

/// Takes their lanes from slots that were destroyed, and lists those that came into sight as strays.
void cltWide_ComeAndGo( cltWide* wide, const cltUpload* upload );

/// Takes the present box of every lane from the slots. Strays lose their lane and are listed.
void cltWide_GatherAll( cltWide* wide, const cltUpload* upload );

/// Takes the present boxes of the changed slots, and notes their lanes as movers.
void cltWide_GatherChanged( cltWide* wide, const cltUpload* upload );

/// Lists every body without a lane as a stray: an update that failed may have left some.
void cltWide_ListLaneless( cltWide* wide, const cltUpload* upload );

/// True if lanes up to `laneEnd` would hold so many strays that a new order costs less than searching them.
static inline bool cltWide_HasManyStrays( const cltWide* wide, uint32_t laneEnd )
{
    const uint32_t orderedLanes = wide->orderedEnd * CLT_LANE_COUNT;
    return laneEnd - orderedLanes > orderedLanes / CLT_STRAYS_RATIO + CLT_LANE_COUNT;
}

/// Gives every listed stray a lane.
cltStatus cltWide_PlaceStrays( cltWide* wide, const cltUpload* upload );

/// Sorts all lanes along the curve anew (order.c); there are no strays afterwards.
cltStatus cltWide_Sort( cltWide* wide, const cltUpload* upload );

/// Brings keys (code, lane) that share a code into an order of their own, if they are many (crowds.c). The codes are
/// those of several curves afterwards.
cltStatus cltWide_OrderCrowds( cltWide* wide, uint64_t* keys, uint32_t count );

#endif
