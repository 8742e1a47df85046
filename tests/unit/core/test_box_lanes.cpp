// SPDX-License-Identifier: Zlib
// A box that is stored in a lane is read back unchanged, for boxes of every kind. tests/behaviour/bridge/
// test_cast_rays.cpp tests searches of lanes.
#include "gpu/core/box_lanes.h"
#include "tests/support/boxes.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace test;

/// Ordinary, touching, infinite, inverted and NaN boxes.
static cltAabb someBox( Random& random )
{
    cltAabbD box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = random.below( 5 );
        box.upper[axis] = box.lower[axis] + random.below( 3 );
    }
    const double odd[] = { infinity, -infinity, notANumber, -5.0, 5.0, -0.0 };
    if ( random.below( 3 ) == 0 )
    {
        ( random.below( 2 ) == 0 ? box.lower : box.upper )[random.below( 3 )] = odd[random.below( 6 )];
    }
    return toFloat( box );
}

TEST( BoxLanes, ReturnWhatWasSetAndNothingFromClearedLanes )
{
    Random random( 1 );
    for ( int repeat = 0; repeat < 5000; ++repeat )
    {
        cltAabb boxes[CLT_LANE_COUNT];
        cltBoxLanes lanes;
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            boxes[lane] = someBox( random );
            cltBoxLanes_Set( &lanes, lane, boxes + lane );
        }
        const uint32_t cleared = random.below( CLT_LANE_COUNT );
        cltBoxLanes_Clear( &lanes, cleared );
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            const cltAabb back = cltBoxLanes_Get( &lanes, lane );
            ASSERT_TRUE( lane == cleared ? cltAabb_HasNan( &back )
                                         : std::memcmp( boxes + lane, &back, sizeof back ) == 0 );
        }
    }
}
