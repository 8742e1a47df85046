// SPDX-License-Identifier: Zlib
// Sixteen boxes at once find what sixteen single comparisons find, for boxes of every kind.
#include "gpu/core/box_lanes.h"
#include "tests/support/boxes.h"

#include <cstring>
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

TEST( BoxLanes, OverlapIsThatOfEachBoxAndWhatIsSetComesBack )
{
    Random random( 1 );
    const cltAabb everything = toFloat( span( -infinity, infinity ) );
    for ( int repeat = 0; repeat < 5000; ++repeat )
    {
        cltAabb box = someBox( random );
        cltBoxLanes lanes;
        uint32_t expected = 0;
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            cltAabb other = someBox( random );
            cltBoxLanes_Set( &lanes, lane, &other );
            cltAabb back = cltBoxLanes_Get( &lanes, lane );
            ASSERT_EQ( 0, std::memcmp( &other, &back, sizeof back ) );
            expected |= static_cast<uint32_t>( overlaps( toDouble( other ), toDouble( box ) ) ) << lane;
        }
        ASSERT_EQ( expected, cltBoxLanes_Overlap( &lanes, &box ) );
        const uint32_t cleared = random.below( CLT_LANE_COUNT );
        cltBoxLanes_Clear( &lanes, cleared );
        ASSERT_EQ( 0u, cltBoxLanes_Overlap( &lanes, &everything ) >> cleared & 1u );
        ASSERT_EQ( expected & ~( 1u << cleared ), cltBoxLanes_Overlap( &lanes, &box ) );
    }
}
