// SPDX-License-Identifier: Zlib
/// \file test_runs.cpp
/// Clean runs: of Bullet's exact broadphase, which shows that the run is fair, and of cullet in every form.
#include "runs.h"

namespace test
{

using namespace cullet::stress;

namespace
{

struct RunCase
{
    const char* name;
    SubjectDef def;
    std::uint64_t checkEvery;
};

void PrintTo( const RunCase& runCase, std::ostream* stream )
{
    *stream << runCase.name;
}

std::string runName( const testing::TestParamInfo<RunCase>& info )
{
    return info.param.name;
}

class StressCullet : public testing::TestWithParam<RunCase>
{
};

/// One number for all that a run did and found: equal runs have equal ones.
std::uint64_t traceOf( const Tally& tally )
{
    std::uint64_t trace = 0;
    for ( const std::uint64_t value : { tally.creates, tally.destroys, tally.moves, tally.repeats, tally.filterEdits,
                                        tally.cacheEdits, tally.pairs, tally.hits, tally.freePairs } )
    {
        trace = trace * 1000003 + value;
    }
    return trace;
}

} // namespace

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

TEST( StressRun, SameSeedIsTheSameRun )
{
    const Settings settings = shortRun( 3 );
    const std::uint64_t trace = traceOf( run( settings, simpleSubject() ).tally );
    EXPECT_EQ( trace, traceOf( run( settings, simpleSubject() ).tally ) );
    EXPECT_NE( trace, traceOf( run( shortRun( 4 ), simpleSubject() ).tally ) );
}

/// Else nothing of what it checks would mean anything.
TEST( StressRun, DoesEverything )
{
    Settings settings = shortRun( 2 );
    settings.steps = 300;
    const Tally tally = run( settings, createSubject( SubjectDef() ) ).tally;
    EXPECT_EQ( 300u, tally.steps );
    EXPECT_EQ( 300u, tally.pairSets );
    for ( const std::uint64_t count :
          { tally.creates, tally.destroys, tally.moves, tally.repeats, tally.oddBoxes, tally.filterEdits,
            tally.filterSwaps, tally.cacheEdits, tally.resets, tally.freePairs, tally.atOnce } )
    {
        EXPECT_LT( 0u, count );
    }
    EXPECT_LT( 300u, tally.updates ) << "several in a row";
    EXPECT_LT( 300u * 50, tally.pairs );
    EXPECT_LT( tally.boxQueries + tally.rayQueries, tally.hits ) << "most queries meet something";
}

TEST_P( StressCullet, Passes )
{
    for ( std::uint64_t seed = 1; seed <= 3; ++seed )
    {
        Settings settings = shortRun( seed );
        settings.checkEvery = GetParam().checkEvery;
        EXPECT_EQ( "", complaintOf( settings, run( settings, createSubject( GetParam().def ) ) ) );
    }
}

INSTANTIATE_TEST_SUITE_P( Forms, StressCullet,
                          testing::Values( RunCase{ "OwnWide", { 0, false, clt_algorithmWide, 2 }, 1 },
                                           RunCase{ "OwnLbvh", { 0, false, clt_algorithmLbvh, 2 }, 1 },
                                           RunCase{ "OwnGrid", { 0, false, clt_algorithmGrid, 2 }, 1 },
                                           RunCase{ "OwnBruteForce", { 0, false, clt_algorithmBruteForce, 1 }, 1 },
                                           RunCase{ "OwnRarelyChecked", { 0, false, clt_algorithmAuto, 1 }, 4 },
                                           RunCase{ "HashedWide", { 0, true, clt_algorithmWide, 1 }, 1 },
                                           RunCase{ "HashedLbvh", { 0, true, clt_algorithmLbvh, 2 }, 1 },
                                           RunCase{ "HashedGrid", { 0, true, clt_algorithmGrid, 1 }, 1 },
                                           RunCase{ "HashedBruteForce", { 0, true, clt_algorithmBruteForce, 1 }, 1 },
                                           RunCase{ "HashedRarelyChecked", { 0, true, clt_algorithmAuto, 1 }, 4 } ),
                          runName );

} // namespace test
