// SPDX-License-Identifier: Zlib
/// \file meet.h
/// Tests of queries on single blocks, in the operations of simd.h: lanes that overlap a box, or that a ray meets. Both
/// are of type cltLanesFcn.
#ifndef CLT_HOST_WIDE_MEET_H
#define CLT_HOST_WIDE_MEET_H

#include "gpu/core/slabs.h"
#include "gpu/host/wide/simd.h"

/// \param context  a cltAabb
static uint32_t MeetBox( const cltBoxLanes* block, void* context )
{
    return cltBlock_Overlap( block, context );
}

static inline cltFloats Crossings( const cltSlabPlane* plane, cltFloats coordinates )
{
    const cltFloats grown = cltFloats_Add( coordinates, cltFloats_Splat( plane->grow ) );
    return cltFloats_Multiply( cltFloats_Subtract( grown, cltFloats_Splat( plane->from ) ),
                               cltFloats_Splat( plane->inverse ) );
}

/// cltSlabs_Meet, lane by lane: the same comparisons, so that a NaN says the same.
static inline uint32_t MeetPart( const cltBoxLanes* block, uint32_t part, const cltSlabs* slabs )
{
    cltFloats first = cltFloats_Splat( 0.0f );
    cltFloats last = first;
    cltFlags missed = cltFloats_Less( first, first );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const cltSlab* slab = slabs->axes + axis;
        const float* nearer = cltRow( block, slab->backwards ? axis + 3 : axis ) + part * CLT_WIDTH;
        const float* farther = cltRow( block, slab->backwards ? axis : axis + 3 ) + part * CLT_WIDTH;
        const cltFloats enter = Crossings( &slab->enter, cltFloats_Load( nearer ) );
        const cltFloats leave = Crossings( &slab->leave, cltFloats_Load( farther ) );
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
                                         cltFloats_Less( cltFloats_Splat( slabs->behind ), last ) );
    return cltFlags_Bits( ahead ) & ~cltFlags_Bits( missed );
}

/// \param context  a cltSlabs
static uint32_t MeetRay( const cltBoxLanes* block, void* context )
{
    uint32_t hits = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        hits |= MeetPart( block, part, context ) << ( part * CLT_WIDTH );
    }
    return hits;
}

#endif
