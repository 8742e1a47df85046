// SPDX-License-Identifier: Zlib
// What it costs to take objects out of a world: CT-19. measure_crowd.cpp prints the times themselves.
#include "contestants.h"
#include "crowd.h"
#include "stopwatch.h"

#include <algorithm>

using namespace test;

static const char givenCacheIsWalked[] = "the world itself walks a given cache from end to end";

/// The median, so that being interrupted now and then does not matter.
static double msPerRemoval( const RigKind& kind, int objectCount )
{
    Crowd crowd( kind, objectCount );
    crowd.addAll();
    crowd.update();
    EXPECT_GT( crowd.pairCount(), 3 * objectCount );
    std::vector<double> times;
    for ( int i = 0; i < 200; ++i )
    {
        const Stopwatch watch;
        crowd.remove( i );
        times.push_back( watch.ms() );
    }
    crowd.forgetPairs();
    std::nth_element( times.begin(), times.begin() + 100, times.end() );
    return times[100];
}

TEST_P( Contract, CT19_RemovalDoesNotCostMoreInALargerWorld )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << givenCacheIsWalked;
    }
    const double small = msPerRemoval( GetParam(), 500 );
    const double large = msPerRemoval( GetParam(), 8000 );
    EXPECT_LT( large, 6 * small ) << "walking all pairs costs 16 times as much";
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
