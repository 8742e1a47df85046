// SPDX-License-Identifier: Zlib
/// \file boxes.h
/// Operations on single blocks of `wide`, written with the operations of simd.h: bounds, copies, lanes that moved or
/// jumped, and the tests of queries.
#ifndef CLT_HOST_WIDE_BOXES_H
#define CLT_HOST_WIDE_BOXES_H

#include "gpu/core/slabs.h"
#include "gpu/host/wide/simd.h"

#include <math.h>

/// The bounds of the boxes added so far, by lane of a vector. At the end, JoinBounds joins the lanes to one box.
typedef struct cltBounds
{
    cltFloats lower[3];
    cltFloats upper[3];
} cltBounds;

static inline cltBounds BoundNothing( void )
{
    cltBounds bounds;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bounds.lower[axis] = cltFloats_Splat( INFINITY );
        bounds.upper[axis] = cltFloats_Splat( -INFINITY );
    }
    return bounds;
}

static inline void BoundBoxes( cltBounds* bounds, const cltBoxes* boxes )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        bounds->lower[axis] = cltFloats_Min( boxes->rows[axis], bounds->lower[axis] );
        bounds->upper[axis] = cltFloats_Max( boxes->rows[axis + 3], bounds->upper[axis] );
    }
}

static inline cltAabb JoinBounds( const cltBounds* lanes )
{
    cltAabb bounds;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bounds.lower[axis] = cltFloats_Lowest( lanes->lower[axis] );
        bounds.upper[axis] = cltFloats_Highest( lanes->upper[axis] );
    }
    return bounds;
}

static inline cltAabb Bound( const cltBoxLanes* now, const cltBoxLanes* before )
{
    cltBounds lanes = BoundNothing();
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes boxes = cltBoxes_Load( now, part );
        BoundBoxes( &lanes, &boxes );
        if ( before != NULL )
        {
            const cltBoxes boxesBefore = cltBoxes_Load( before, part );
            BoundBoxes( &lanes, &boxesBefore );
        }
    }
    return JoinBounds( &lanes );
}

/// Copies the current boxes to the previous ones. Returns the lanes without a box, as bits.
static inline uint32_t CopyCurrentToPrevious( const cltBoxLanes* now, cltBoxLanes* before )
{
    uint32_t filled = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes boxes = cltBoxes_Load( now, part );
        for ( int row = 0; row < 6; ++row )
        {
            cltFloats_Store( (float*)cltRow( before, row ) + part * CLT_WIDTH, boxes.rows[row] );
        }
        const cltFloats lower = boxes.rows[0]; // a float is equal to itself unless it is a NaN
        filled |= cltFlags_Bits( cltFloats_LessEqual( lower, lower ) ) << ( part * CLT_WIDTH );
    }
    return ~filled & CLT_ALL_LANES;
}

/// Lanes with different current and previous boxes, or with only one of the two boxes, as bits.
static inline uint32_t FindMoved( const cltBoxLanes* now, const cltBoxLanes* before )
{
    uint32_t moved = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes is = cltBoxes_Load( now, part );
        const cltBoxes was = cltBoxes_Load( before, part );
        const cltFlags present = cltFloats_LessEqual( is.rows[0], is.rows[0] );
        cltFlags same = present;
        for ( int row = 0; row < 6; ++row )
        {
            same = cltFlags_And( same, cltFloats_LessEqual( is.rows[row], was.rows[row] ) );
            same = cltFlags_And( same, cltFloats_GreaterEqual( is.rows[row], was.rows[row] ) );
        }
        const uint32_t isThere = cltFlags_Bits( present );
        const uint32_t wasThere = cltFlags_Bits( cltFloats_LessEqual( was.rows[0], was.rows[0] ) );
        moved |= ( ~cltFlags_Bits( same ) & ( isThere | wasThere ) ) << ( part * CLT_WIDTH );
    }
    return moved;
}

static inline cltFloats LongestEdges( const cltBoxes* boxes )
{
    cltFloats longest = cltFloats_Subtract( boxes->rows[3], boxes->rows[0] );
    for ( int axis = 1; axis < 3; ++axis )
    {
        longest = cltFloats_Max( cltFloats_Subtract( boxes->rows[axis + 3], boxes->rows[axis] ), longest );
    }
    return longest;
}

/// The lanes that jumped (cltIsLargeDisplacement) or are larger than `largest`, as bits. A lane without a current or
/// previous box has not jumped: the sum of its edges is NaN, and any comparison with NaN is false.
static inline uint32_t JumpedLanes( const cltBoxes* now, const cltBoxes* before, const cltBoxes* both, float largest )
{
    const cltFloats edge = LongestEdges( now );
    const cltFloats room = cltFloats_Add( edge, LongestEdges( before ) );
    const cltFlags far = cltFloats_Less( cltFloats_Add( room, room ), LongestEdges( both ) );
    const cltFlags large = cltFloats_Less( cltFloats_Splat( largest ), edge );
    return cltFlags_Bits( far ) | cltFlags_Bits( large );
}

/// The lanes of a block that jumped or are larger than `largest`, as bits. `bounds` is around both boxes of all lanes.
static inline uint32_t FindUnsorted( const cltBoxLanes* now, const cltBoxLanes* before, float largest, cltAabb* bounds )
{
    uint32_t unsorted = 0;
    cltBounds all = BoundNothing();
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes boxesNow = cltBoxes_Load( now, part );
        const cltBoxes boxesBefore = cltBoxes_Load( before, part );
        cltBoxes both;
        for ( int axis = 0; axis < 3; ++axis )
        {
            both.rows[axis] = cltFloats_Min( boxesNow.rows[axis], boxesBefore.rows[axis] );
            both.rows[axis + 3] = cltFloats_Max( boxesNow.rows[axis + 3], boxesBefore.rows[axis + 3] );
        }
        unsorted |= JumpedLanes( &boxesNow, &boxesBefore, &both, largest ) << ( part * CLT_WIDTH );
        BoundBoxes( &all, &boxesNow );
        BoundBoxes( &all, &boxesBefore );
    }
    *bounds = JoinBounds( &all );
    return unsorted;
}

// Tests of queries, both of type cltLanesFcn: lanes that overlap a box, or that a ray meets.

/// \param context  a cltAabb
static uint32_t MeetBox( const cltBoxLanes* block, void* context )
{
    return cltBlock_Overlap( block, context );
}

/// See cltMeetBlocksFcn.
static uint64_t MeetBlocks( const cltBoxLanes* blocks, uint32_t count, const cltAabb* box )
{
    uint64_t lanes = 0;
    for ( uint32_t block = 0; block < count; ++block )
    {
        lanes |= (uint64_t)cltBlock_Overlap( blocks + block, box ) << ( block * CLT_LANE_COUNT );
    }
    return lanes;
}

static inline cltFloats SlabCrossings( const cltSlabPlane* plane, cltFloats coordinates )
{
    const cltFloats grown = cltFloats_Add( coordinates, cltFloats_Splat( plane->grow ) );
    return cltFloats_Multiply( cltFloats_Subtract( grown, cltFloats_Splat( plane->from ) ),
                               cltFloats_Splat( plane->inverse ) );
}

/// cltSlabs_Meet for a vector of lanes, with the same comparisons, so that a NaN has the same result.
static inline uint32_t MeetRayInPart( const cltBoxLanes* block, uint32_t part, const cltSlabs* slabs )
{
    cltFloats first = cltFloats_Splat( 0.0f );
    cltFloats last = first;
    cltFlags missed = cltFloats_Less( first, first );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const cltSlab* slab = slabs->axes + axis;
        const float* nearer = cltRow( block, slab->backwards ? axis + 3 : axis ) + part * CLT_WIDTH;
        const float* farther = cltRow( block, slab->backwards ? axis : axis + 3 ) + part * CLT_WIDTH;
        const cltFloats enter = SlabCrossings( &slab->enter, cltFloats_Load( nearer ) );
        const cltFloats leave = SlabCrossings( &slab->leave, cltFloats_Load( farther ) );
        if ( axis == 0 )
        {
            first = enter;
            last = leave;
            continue;
        }
        missed = cltFlags_Or( missed, cltFlags_Or( cltFloats_Less( leave, first ), cltFloats_Less( last, enter ) ) );
        first = cltFloats_Max( enter, first );
        last = cltFloats_Min( leave, last );
    }
    const cltFlags ahead = cltFlags_And( cltFloats_Less( first, cltFloats_Splat( slabs->length ) ),
                                         cltFloats_Less( cltFloats_Splat( slabs->minExit ), last ) );
    return cltFlags_Bits( ahead ) & ~cltFlags_Bits( missed );
}

/// \param context  a cltSlabs
static uint32_t MeetRay( const cltBoxLanes* block, void* context )
{
    uint32_t hits = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        hits |= MeetRayInPart( block, part, context ) << ( part * CLT_WIDTH );
    }
    return hits;
}

#endif
