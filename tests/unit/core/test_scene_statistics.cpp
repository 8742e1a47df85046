// SPDX-License-Identifier: Zlib
// Scene statistics: outlier sizes against a simple loop, sums that do not depend on the order, and the region of a
// sample.
#include "gpu/core/scene_statistics.h"
#include "tests/support/boxes.h"
#include "tests/support/random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

using namespace test;

namespace
{

using Counts = std::vector<uint32_t>;

/// Goes down from the largest size while the outliers are few enough, but not closer to the median than allowed.
uint32_t outlierBinByLoop( const Counts& counts, uint32_t binsAboveMedian )
{
    const uint64_t sized = std::accumulate( counts.begin(), counts.end() - 1, uint64_t( 0 ) );
    uint32_t median = 0;
    for ( uint64_t below = counts[0]; median < CLT_ODD_SIZE_BIN && 2 * below < sized; )
    {
        below += counts[++median];
    }
    const uint32_t lowest = std::min( median + binsAboveMedian, CLT_ODD_SIZE_BIN );
    uint32_t bin = CLT_SIZE_BIN_COUNT;
    uint32_t tail = 0;
    while ( bin > lowest && tail + counts[bin - 1] <= CLT_OUTLIER_LIMIT )
    {
        tail += counts[--bin];
    }
    return bin;
}

uint32_t outlierBin( const Counts& counts, uint32_t binsAboveMedian = CLT_OUTLIER_BINS_ABOVE_MEDIAN )
{
    Counts sums( counts.size() );
    std::partial_sum( counts.begin(), counts.end(), sums.begin() );
    return cltOutlierBin( sums.data(), binsAboveMedian );
}

} // namespace

TEST( SceneStatistics, AFewHugeBoxesAreOutliers )
{
    Counts counts( CLT_SIZE_BIN_COUNT, 0 );
    counts[120] = 1000;
    counts[124] = 3; // 16 times as large as the others: not enough for an outlier
    counts[140] = 2;
    EXPECT_EQ( 125u, outlierBin( counts ) );
    counts[140] = CLT_OUTLIER_LIMIT + 1; // too many to be outliers
    EXPECT_EQ( 141u, outlierBin( counts ) );
    counts.assign( CLT_SIZE_BIN_COUNT, 0 ); // if no box has a size, odd boxes are outliers if they are few
    counts[CLT_ODD_SIZE_BIN] = CLT_OUTLIER_LIMIT;
    EXPECT_GE( CLT_ODD_SIZE_BIN, outlierBin( counts ) );
    counts[CLT_ODD_SIZE_BIN] = CLT_OUTLIER_LIMIT + 1;
    EXPECT_EQ( CLT_SIZE_BIN_COUNT, outlierBin( counts ) );
}

TEST( SceneStatistics, OutlierBinEqualsALoop )
{
    Random random( 91 );
    for ( int run = 0; run < 2000; ++run )
    {
        Counts counts( CLT_SIZE_BIN_COUNT, 0 );
        for ( uint32_t filled = random.below( 12 ); filled > 0; --filled )
        {
            counts[random.below( CLT_SIZE_BIN_COUNT )] += random.below( 60 );
        }
        for ( uint32_t above : { CLT_GRID_BINS_ABOVE_MEDIAN, CLT_OUTLIER_BINS_ABOVE_MEDIAN } )
        {
            EXPECT_EQ( outlierBinByLoop( counts, above ), outlierBin( counts, above ) );
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

TEST( SceneStatistics, KeysOfOutliersComeLast )
{
    const float lower[3] = { 0, 0, 0 };
    const float upper[3] = { 8, 8, 8 };
    const cltCurve curve = cltCurve_Make( lower, upper );
    const cltLeafSeed small = { { { 7, 7, 7 }, { 7.5f, 7.5f, 7.5f } }, CLT_LEAF_STILL };
    const cltLeafSeed large = { { { 0, 0, 0 }, { 64, 64, 64 } }, CLT_LEAF_MOVED };
    const uint32_t bin = cltSizeBin_Of( &large.box );
    const uint64_t smallKey = cltLeafSeed_Key( &small, 5, &curve, nullptr, bin );
    const uint64_t largeKey = cltLeafSeed_Key( &large, 3, &curve, nullptr, bin );
    EXPECT_LT( smallKey, largeKey );
    EXPECT_EQ( cltLeafRef_Make( 5, CLT_LEAF_STILL ), static_cast<cltLeafRef>( smallKey ) );
    EXPECT_EQ( cltLeafRef_Make( 3, CLT_LEAF_MOVED ) | CLT_LEAF_OUTLIER, static_cast<cltLeafRef>( largeKey ) );
}

TEST( SceneStatistics, RegionIsTheInnerPartWidened )
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

/// cltSlots_OnlyKey gives a slot's only leaf the key of its current box, or of the previous one if the body
/// disappeared. It also tells where that box is relative to the region, which may be the region of another update.
TEST( SceneStatistics, OnlyKeyIsTheLeafKeyAndTellsThePlaceInTheRegion )
{
    const float lower[3] = { 0, 0, 0 };
    const float upper[3] = { 8, 8, 8 };
    const cltCurve curve = cltCurve_Make( lower, upper );
    const cltAabb boxes[] = { toFloat( cube( 8, 8, 8, 0.5 ) ), // in the region's corner
                              toFloat( cube( 4, 4, 8.1, 0.5 ) ), toFloat( cube( -0.1, 4, 4, 0.5 ) ),
                              toFloat( span( 0, 64 ) ),          toFloat( span( 0, infinity ) ),
                              toFloat( span( notANumber, 0 ) ) };
    const cltAabb before[] = { boxes[5], boxes[5], boxes[5], boxes[5], boxes[5], boxes[0] };
    const std::vector<uint8_t> states( 6, CLT_SLOT_LIVE | CLT_SLOT_CHANGED );
    const cltSlots slots = { boxes, before, states.data(), false, 6 };
    const uint32_t bin = cltSizeBin_Of( boxes + 3 );
    const auto placeOf = [&]( uint32_t slot, uint32_t outlierBin )
    {
        const cltLeafSeed seed = { slot == 5 ? before[5] : boxes[slot], CLT_LEAF_STILL };
        uint32_t place;
        EXPECT_EQ( cltLeafSeed_Key( &seed, slot, &curve, nullptr, outlierBin ),
                   cltSlots_OnlyKey( &slots, slot, &curve, outlierBin, &place ) );
        return place;
    };
    EXPECT_EQ( CLT_PLACE_INSIDE, placeOf( 0, bin ) );
    EXPECT_EQ( CLT_PLACE_BORDER, placeOf( 1, bin ) );
    EXPECT_EQ( CLT_PLACE_BORDER, placeOf( 2, bin ) );
    EXPECT_EQ( CLT_PLACE_NONE, placeOf( 3, bin ) );
    EXPECT_EQ( CLT_PLACE_NONE, placeOf( 4, bin ) );
    EXPECT_EQ( CLT_PLACE_INSIDE, placeOf( 4, CLT_SIZE_BIN_COUNT ) );
    EXPECT_EQ( CLT_PLACE_INSIDE, placeOf( 5, bin ) ) << "it hid";
    const cltSlots still = { boxes, before, nullptr, false, 6 };
    uint32_t place;
    EXPECT_EQ( CLT_NO_KEY, cltSlots_OnlyKey( &still, 5, &curve, bin, &place ) );
}
