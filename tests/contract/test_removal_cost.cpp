// SPDX-License-Identifier: Zlib
// What it costs to take objects out of a world: CT-19. measure_crowd.cpp prints the times themselves.
#include "contestants.h"
#include "crowd.h"
#include "stopwatch.h"

#include <algorithm>
#include <cstddef>

using namespace test;

static const char givenCacheIsWalked[] = "the world itself walks a given cache from end to end";

/// So that being interrupted now and then does not matter.
static double median( std::vector<double>& times )
{
    const auto middle = times.begin() + std::ptrdiff_t( times.size() / 2 );
    std::nth_element( times.begin(), middle, times.end() );
    return *middle;
}

/// Bullet's pair cache walks all pairs twice for each object. A quarter of one walk is far from both that and the cost
/// of ten neighbours.
TEST_P( Contract, CT19_RemovalIsCheaperThanWalkingAllPairs )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << givenCacheIsWalked;
    }
    Crowd crowd( GetParam(), 16000 );
    crowd.addAll();
    crowd.update();
    ASSERT_GT( crowd.pairCount(), 60000 );
    std::vector<double> removals, walks;
    for ( int i = 0; i < 100; ++i )
    {
        const Stopwatch removing;
        crowd.remove( i );
        removals.push_back( removing.ms() );
        const Stopwatch walking;
        crowd.walkPairs();
        walks.push_back( walking.ms() );
    }
    crowd.forgetPairs();
    EXPECT_LT( median( removals ), median( walks ) / 4 );
}

TEST_P( Contract, CT19Large_AHundredThousandObjects )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << givenCacheIsWalked;
    }
    const bool isSlowToFill = GetParam().engine == Engine::simple || GetParam().engine == Engine::sap;
    if ( isSlowToFill || GetParam().algorithm == clt_algorithmBruteForce )
    {
        GTEST_SKIP() << "only to fill it takes minutes";
    }
    Crowd crowd( GetParam(), 100000 );
    crowd.addAll();
    crowd.update();
    ASSERT_GT( crowd.pairCount(), 450000 );
    const Stopwatch removing;
    for ( int i = 0; i < 1000; ++i )
    {
        crowd.remove( i );
        if ( removing.ms() >= 1000 )
        {
            crowd.forgetPairs(); // or it would go on for minutes
            FAIL() << "only " << i + 1 << " of 1,000 removed in a second";
        }
    }
    const Stopwatch deleting;
    crowd.deleteWorld();
    EXPECT_LT( deleting.ms(), 5000 );
}
