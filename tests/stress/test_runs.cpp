// SPDX-License-Identifier: Zlib
/// \file test_runs.cpp
/// Clean runs: of Bullet's exact broadphase, which shows that the run is fair, and of cullet in every form.
#include "runs.h"

namespace test
{

using namespace cullet::stress;

TEST( StressRun, BulletsExactBroadphasePasses )
{
    for ( std::uint64_t seed = 1; seed <= 4; ++seed )
    {
        const Settings settings = shortRun( seed );
        EXPECT_EQ( "", complaintOf( settings, run( settings, simpleSubject() ) ) );
    }
}

TEST( StressRun, BulletsExactBroadphasePassesRareChecks )
{
    for ( std::uint64_t checkEvery = 2; checkEvery <= 5; ++checkEvery )
    {
        Settings settings = shortRun( 5 );
        settings.checkEvery = checkEvery;
        EXPECT_EQ( "", complaintOf( settings, run( settings, simpleSubject() ) ) );
    }
}

} // namespace test
