// SPDX-License-Identifier: Zlib
// The rule of pair changes against its table: a pair begins, ends, persists or is none, by boxes and by filters.
#include "gpu/core/pair_change.h"
#include "tests/support/boxes.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

const cltFilter any = { 1, -1 };
const cltFilter none = { 1, 0 };

} // namespace

TEST( PairChange, FollowsTheTableForSinglePairsAndLanes )
{
    EXPECT_EQ( uint32_t( CLT_PAIR_NOTHING ), cltPairChange( false, false ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_ENDED ), cltPairChange( true, false ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_BEGAN ), cltPairChange( false, true ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_KEPT ), cltPairChange( true, true ) );
    EXPECT_EQ( 0b0110u, cltPairChange_Lanes( 0b1010, 0b1100 ) );
}

TEST( PairChange, FiltersApplyToPreviousAndCurrentSeparately )
{
    const cltFilter allowed[2] = { any, any };
    const cltFilter refused[2] = { any, none };
    const cltPairFilters opened = { allowed, refused };
    const cltPairFilters closed = { refused, allowed };
    const cltPairFilters same = { refused, refused };
    const cltPairFilters unfiltered = { nullptr, nullptr };
    EXPECT_EQ( uint32_t( CLT_PAIR_BEGAN ), cltPairChange_Filter( CLT_PAIR_KEPT, &opened, 0, 1 ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_ENDED ), cltPairChange_Filter( CLT_PAIR_KEPT, &closed, 0, 1 ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_NOTHING ), cltPairChange_Filter( CLT_PAIR_KEPT, &same, 0, 1 ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_NOTHING ), cltPairChange_Filter( CLT_PAIR_ENDED, &opened, 0, 1 ) );
    EXPECT_EQ( uint32_t( CLT_PAIR_KEPT ), cltPairChange_Filter( CLT_PAIR_KEPT, &unfiltered, 0, 1 ) );
}

/// The check whether filters matter must never drop a key that the filters accept.
TEST( PairChange, FiltersAreReadIfTheyCanMatter )
{
    const cltFilter filters[2][2] = { { any, any }, { any, none } };
    int asked = 0;
    for ( int choice = 0; choice < 2 * 2 * 4 * 2; ++choice )
    {
        const cltFind find = choice % 2 != 0 ? clt_findPairs : clt_findChanges;
        const cltPairFilters pair = { filters[choice / 2 % 2],
                                      filters[find == clt_findPairs ? choice / 2 % 2 : choice / 16] };
        const uint32_t change = uint32_t( choice / 4 % 4 );
        const bool matters = cltPairChange_MayMatter( change, find, &pair );
        const uint64_t key = cltPairChange_Key( cltPairChange_Filter( change, &pair, 0, 1 ), find, 0, 1, 1 );
        EXPECT_TRUE( matters || key == CLT_NO_KEY ) << "choice " << choice;
        asked += matters;
    }
    EXPECT_LT( asked, 2 * 2 * 4 * 2 );
}

TEST( PairChange, KeysFollowTheKindOfSearch )
{
    const uint64_t key = cltPairKey( 3, 5, 4 );
    const uint64_t began = key | cltPairKey_BeganBit( 4 );
    EXPECT_EQ( began, cltPairChange_Key( CLT_PAIR_BEGAN, clt_findChanges, 5, 3, 4 ) );
    EXPECT_EQ( key, cltPairChange_Key( CLT_PAIR_ENDED, clt_findChanges, 3, 5, 4 ) );
    EXPECT_EQ( CLT_NO_KEY, cltPairChange_Key( CLT_PAIR_KEPT, clt_findChanges, 3, 5, 4 ) );
    EXPECT_EQ( CLT_NO_KEY, cltPairChange_Key( CLT_PAIR_NOTHING, clt_findChanges, 3, 5, 4 ) );
    EXPECT_EQ( began, cltPairChange_Key( CLT_PAIR_KEPT, clt_findPairs, 3, 5, 4 ) );
    EXPECT_EQ( CLT_NO_KEY, cltPairChange_Key( CLT_PAIR_ENDED, clt_findPairs, 3, 5, 4 ) );
    EXPECT_TRUE( cltPairChange_IsKept( key, began, 4 ) );
    EXPECT_FALSE( cltPairChange_IsKept( cltPairKey( 3, 4, 4 ), began, 4 ) );
}
