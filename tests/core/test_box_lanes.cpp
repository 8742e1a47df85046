// SPDX-License-Identifier: Zlib
// Eight boxes at once find what eight single comparisons find, for boxes of every kind.
#include "gpu/core/box_lanes.h"
#include "tests/support/boxes.h"
#include "tests/support/oracle.h"

#include <gtest/gtest.h>

using namespace test;

/// Usual, touching, infinite, inverted and broken boxes.
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

TEST( BoxLanes, OverlapIsThatOfEachBox )
{
    Random random( 1 );
    for ( int repeat = 0; repeat < 5000; ++repeat )
    {
        cltAabb box = someBox( random );
        cltBoxLanes lanes;
        uint32_t expected = 0;
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            cltAabb other = someBox( random );
            cltBoxLanes_Set( &lanes, lane, &other );
            expected |= static_cast<uint32_t>( overlaps( toDouble( other ), toDouble( box ) ) ) << lane;
        }
        ASSERT_EQ( expected, cltBoxLanes_Overlap( &lanes, &box ) );
    }
}

TEST( BoxLanes, WhatIsSetComesBack )
{
    cltBoxLanes lanes;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        cltAabb box = { { float( lane ), 1, 2 }, { 3, 4, 5 + float( lane ) } };
        cltBoxLanes_Set( &lanes, lane, &box );
    }
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        cltAabb box = cltBoxLanes_Get( &lanes, lane );
        EXPECT_EQ( float( lane ), box.lower[0] );
        EXPECT_EQ( 2.0f, box.lower[2] );
        EXPECT_EQ( 4.0f, box.upper[1] );
        EXPECT_EQ( 5 + float( lane ), box.upper[2] );
    }
}

TEST( BoxLanes, AClearedLaneOverlapsNothing )
{
    cltBoxLanes lanes;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        cltBoxLanes_Clear( &lanes, lane );
    }
    cltAabb everything = toFloat( span( -infinity, infinity ) );
    EXPECT_EQ( 0u, cltBoxLanes_Overlap( &lanes, &everything ) );
}
