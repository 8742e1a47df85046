// SPDX-License-Identifier: Zlib
// Scene statistics: outlier sizes against a simple loop, merged size bins, and the region that curve codes cover, which
// is found from a sample of centres. Also the leaves that a slot gives.
#include "gpu/core/scene_statistics.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace test;

namespace
{

using Counts = std::vector<uint32_t>;

/// Finds the lowest bin of outliers: goes down from the largest size while outliers are few and far above the median.
uint32_t outlierBinByLoop( const Counts& counts, uint32_t binsAboveMedian )
{
    const uint64_t sized = std::accumulate( counts.begin(), counts.end() - 1, uint64_t( 0 ) );
    uint32_t median = 0;
    for ( uint64_t below = counts[0]; median < CLT_NO_SIZE_BIN && 2 * below < sized; )
    {
        below += counts[++median];
    }
    const uint32_t lowest = std::min( median + binsAboveMedian, CLT_NO_SIZE_BIN );
    uint32_t bin = CLT_SIZE_BIN_COUNT;
    uint32_t tail = 0;
    while ( bin > lowest && tail + counts[bin - 1] <= CLT_OUTLIER_LIMIT )
    {
        tail += counts[--bin];
    }
    return bin;
}

} // namespace

TEST( SceneStatistics, OutlierBinEqualsALoop )
{
    Random random( 91 );
    for ( int run = 0; run < 2000; ++run )
    {
        Counts counts( CLT_SIZE_BIN_COUNT, 0 );
        for ( uint32_t filled = random.below( 12 ); filled > 0; --filled )
        {
            counts[random.below( CLT_SIZE_BIN_COUNT )] += random.oneIn( 4 ) ? CLT_OUTLIER_LIMIT : random.below( 60 );
        }
        counts[CLT_NO_SIZE_BIN] += random.oneIn( 4 ) ? CLT_OUTLIER_LIMIT + random.below( 2 ) : 0;
        Counts sums( counts.size() );
        std::partial_sum( counts.begin(), counts.end(), sums.begin() );
        for ( uint32_t above : { CLT_GRID_BINS_ABOVE_MEDIAN, CLT_OUTLIER_BINS_ABOVE_MEDIAN } )
        {
            EXPECT_EQ( outlierBinByLoop( counts, above ), cltOutlierBin( sums.data(), above ) );
        }
    }
}

TEST( SceneStatistics, BinHasItsExactLongestEdge )
{
    const float denormal = std::numeric_limits<float>::denorm_min();
    for ( float edge : { 0.0f, denormal, 3 * denormal, 1e-38f, 1.5e-38f, 0.1f, 1.0f, 12345.678f, 3e38f } )
    {
        const cltAabb box = { { 0, 0, 0 }, { edge, 0, edge / 2 } };
        const cltAabb smaller = { { 0, 0, 0 }, { 0, edge / 2, 0 } };
        cltSizeBin all;
        cltSizeBin other;
        cltSizeBin_Clear( &all );
        cltSizeBin_Clear( &other );
        cltSizeBin_Add( &all, &smaller );
        cltSizeBin_Add( &other, &box );
        cltSizeBin_Add( &other, &smaller );
        cltSizeBin_Merge( &all, &other );
        EXPECT_EQ( edge, cltFloatOfBits( all.longestBits ) );
        EXPECT_EQ( 3u, all.count );
    }
}

TEST( SceneStatistics, RegionSpansTheInnerCentresWidenedByAnEighth )
{
    float lower;
    float upper;
    EXPECT_TRUE( cltRegion_Widen( 16, 32, &lower, &upper ) );
    EXPECT_EQ( 14, lower );
    EXPECT_EQ( 34, upper );
    EXPECT_FALSE( cltRegion_Widen( 5, 5, &lower, &upper ) );
    EXPECT_FALSE( cltRegion_Widen( -3e38f, 3e38f, &lower, &upper ) );
    EXPECT_EQ( 8u, cltSample_LowRank( 256 ) );
    EXPECT_EQ( 247u, cltSample_HighRank( 256 ) );
    EXPECT_EQ( 0u, cltSample_LowRank( 1 ) );
    EXPECT_EQ( 0u, cltSample_HighRank( 1 ) );
}

TEST( SceneStatistics, LeavesFollowTheStateOfTheSlot )
{
    const cltAabbD nowhere = span( notANumber, notANumber );
    struct Seed
    {
        uint32_t kind;
        float lower, upper; ///< on all axes
    };
    const struct
    {
        cltAabbD before, now;
        uint8_t state;
        std::vector<Seed> expected;
    } slots[] = {
        { nowhere, span( 0, 1 ), 0, { { CLT_LEAF_STILL, 0, 1 } } },
        { nowhere, nowhere, CLT_SLOT_CHANGED, {} },
        { span( 0, 1 ), span( 1, 2 ), CLT_SLOT_CHANGED, { { CLT_LEAF_MOVED, 0, 2 } } },
        { span( 0, 1 ),
          span( 50, 51 ),
          CLT_SLOT_CHANGED,
          { { CLT_LEAF_CURRENT, 50, 51 }, { CLT_LEAF_PREVIOUS, 0, 1 } } },
        { nowhere, span( 7, 8 ), CLT_SLOT_CHANGED, { { CLT_LEAF_CURRENT, 7, 8 } } },
        { span( 0, 1 ), nowhere, CLT_SLOT_CHANGED, { { CLT_LEAF_PREVIOUS, 0, 1 } } },
        { span( 0, 1 ), nowhere, CLT_SLOT_CHANGED | CLT_SLOT_DESTROYED, {} }, // its pairs ended when it was destroyed
    };
    for ( const auto& [before, now, state, expected] : slots )
    {
        const cltSlots view = { &now, &before, &state, true, 1 };
        cltLeafSeed seeds[2];
        ASSERT_EQ( expected.size(), cltSlots_Seed( &view, 0, seeds ) );
        for ( size_t i = 0; i < expected.size(); ++i )
        {
            EXPECT_EQ( expected[i].kind, seeds[i].kind );
            EXPECT_EQ( expected[i].lower, seeds[i].box.lower[1] );
            EXPECT_EQ( expected[i].upper, seeds[i].box.upper[2] );
        }
    }
}

/// cltSlots_SingleLeafKey returns the key of a slot's only leaf: of the current box, or of the previous box if the body
/// disappeared. It also tells where this box is relative to the region, which may be the region of another update.
TEST( SceneStatistics, OnlyKeyEqualsTheLeafKeyAndComparesItWithTheRegion )
{
    const cltAabb region = toFloat( span( 0, 8 ) );
    const cltCurve curve = cltCurve_Make( region.lower, region.upper );
    const uint32_t none = CLT_SIZE_BIN_COUNT;
    const cltAabb huge = toFloat( span( 0, 64 ) );
    const uint32_t bin = cltSizeBin_Of( &huge );
    const struct
    {
        cltAabbD before, now;
        uint32_t outlierBin;
        uint32_t place;
    } slots[] = { { span( notANumber, 0 ), cube( 8, 8, 8, 0.5 ), bin, CLT_PLACE_INSIDE }, // in the region's corner
                  { span( notANumber, 0 ), cube( 4, 4, 8.1, 0.5 ), bin, CLT_PLACE_BORDER },
                  { span( notANumber, 0 ), cube( -0.1, 4, 4, 0.5 ), bin, CLT_PLACE_BORDER },
                  { span( notANumber, 0 ), span( 0, 64 ), bin, CLT_PLACE_OUTLIER },
                  { span( notANumber, 0 ), span( 0, infinity ), bin, CLT_PLACE_OUTLIER },
                  { span( notANumber, 0 ), span( 0, infinity ), none, CLT_PLACE_INSIDE },
                  { cube( 8, 8, 8, 0.5 ), span( notANumber, 0 ), bin, CLT_PLACE_INSIDE } }; // it disappeared
    for ( const auto& [before, now, outlierBin, expected] : slots )
    {
        const uint8_t state = CLT_SLOT_LIVE | CLT_SLOT_CHANGED;
        const cltSlots view = { &now, &before, &state, true, 1 };
        const cltLeafSeed seed = { toFloat( hasNan( now ) ? before : now ), CLT_LEAF_STILL };
        uint32_t place;
        EXPECT_EQ( cltLeafSeed_Key( &seed, 0, &curve, nullptr, outlierBin ),
                   cltSlots_SingleLeafKey( &view, 0, &curve, outlierBin, &place ) );
        EXPECT_EQ( expected, place );
    }
}
