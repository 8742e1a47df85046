// SPDX-License-Identifier: Zlib
/// \file test_runs.cpp
/// Short runs. Runs of cullet must pass, and so must runs of Bullet's exact broadphase: the checks demand nothing that
/// Bullet does not do. Runs of a broadphase with one flaw must stop at the same step each time, with the right reason.
#include "faulty_broadphase.h"

#include "demos/stress/run.h"

#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"
#include "plugin/CulletBroadphase.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace test
{

using namespace cullet::stress;

namespace
{

/// A small and quick run through many phases.
Settings shortRun( std::uint64_t seed )
{
    Settings settings;
    settings.bodies = 120;
    settings.seed = seed;
    settings.steps = 120;
    return settings;
}

Outcome run( const Settings& settings, Subject subject )
{
    return runStress( settings, std::move( subject ), []( const std::string& ) {} );
}

/// The fault of a run and its step; empty if there was none.
std::string describeFault( const Settings& settings, Subject subject )
{
    const Outcome outcome = run( settings, std::move( subject ) );
    const Fault fault = outcome.fault.value_or( Fault() );
    return outcome.fault ? fmt::format( "{}, step {}: {}", fault.what, outcome.steps, fault.detail ) : "";
}

/// Bullet's own exact broadphase: if it passes, the checks demand nothing that Bullet does not do.
Subject createExactSubject()
{
    Subject subject;
    subject.givenCache.reset( new btHashedOverlappingPairCache );
    subject.broadphase.reset( new btSimpleBroadphase( 4096, subject.givenCache.get() ) );
    return subject;
}

Subject createCulletSubject( cltAlgorithm algorithm = clt_algorithmAuto, int threads = 1, bool givesCache = false )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = algorithm;
    def.threadCount = threads;
    return createSubject( def, givesCache );
}

using RunCase = std::tuple<bool, cltAlgorithm>; ///< whether the program supplies the pair cache, and the algorithm

class StressCullet : public testing::TestWithParam<RunCase>
{
};

struct FlawCase
{
    const char* name;
    Flaw flaw;
    bool isInCullet; ///< false: the flaw is put into Bullet's exact broadphase
    const char* what;
    const char* detail; ///< the start of the fault's detail
};

constexpr FlawCase flawCases[] = {
    { "ExtraPair", Flaw::extraPair, false, "wrong pair set", "extra (" },
    { "RefusedPair", Flaw::refusedPair, false, "wrong pair set", "extra (" },
    { "MissingPair", Flaw::missingPair, false, "wrong pair set", "missing (" },
    { "DroppedPair", Flaw::droppedPair, false, "wrong pair set", "missing (" },
    { "StalePair", Flaw::stalePair, false, "wrong pair set", "stale (" },
    { "RemadePair", Flaw::remadePair, false, "wrong pair set", "(" },
    { "LostDispatcher", Flaw::lostDispatcher, false, "wrong pair set", "" },
    { "UnequalAabb", Flaw::unequalAabb, false, "wrong getAabb", "of " },
    { "MissedBox", Flaw::missedBox, false, "wrong box query", "misses " },
    { "RepeatedBox", Flaw::repeatedBox, false, "wrong box query", "reports " },
    { "ExtraRay", Flaw::extraRay, true, "wrong ray query", "reports " },
    { "LateNewPair", Flaw::lateNewPair, true, "pair not there at once", "(" },
    { "LateMovedPair", Flaw::lateMovedPair, true, "pair not there at once", "(" },
};

class StressFault : public testing::TestWithParam<FlawCase>
{
};

Subject createFaultySubject( const FlawCase& flawCase )
{
    constexpr int goodUpdates = 20;
    Subject subject = flawCase.isInCullet ? createCulletSubject() : createExactSubject();
    if ( flawCase.isInCullet )
    {
        subject.broadphase.reset( new FaultyBroadphase<CulletBroadphase>( flawCase.flaw, goodUpdates ) );
    }
    else
    {
        subject.broadphase.reset(
            new FaultyBroadphase<btSimpleBroadphase>( flawCase.flaw, goodUpdates, 4096, subject.givenCache.get() ) );
    }
    return subject;
}

} // namespace

TEST( StressRun, BulletsExactBroadphasePasses )
{
    for ( std::uint64_t seed = 1; seed <= 6; ++seed )
    {
        Settings settings = shortRun( seed );
        settings.checkEvery = seed < 5 ? 1 : seed - 3;
        EXPECT_EQ( "", describeFault( settings, createExactSubject() ) );
    }
}

TEST( StressRun, MakesEveryKindOfCallAndCheck )
{
    Settings settings = shortRun( 2 );
    settings.steps = 300;
    Tally tally = run( settings, createCulletSubject() ).tally;
    EXPECT_EQ( 300u, tally["checked pair sets"] );
    for ( const char* name : { "createProxy", "destroyProxy", "setAabb, another box", "setAabb, the same box",
                               "setAabb, with a NaN", "group and mask edited", "filter callback exchanged",
                               "pair cache edited", "resetPool", "checked pairs at once, bodies" } )
    {
        EXPECT_LT( 0u, tally[name] ) << name;
    }
    EXPECT_LT( 300u, tally["calculateOverlappingPairs"] ) << "several in a row";
    EXPECT_LT( 300u * 50, tally["checked pairs"] );
    EXPECT_LT( tally["checked box queries"] + tally["checked ray queries"], tally["hits of queries"] )
        << "most queries meet something";
}

TEST_P( StressCullet, Passes )
{
    const auto [givesCache, algorithm] = GetParam();
    for ( const std::uint64_t seed : { 1, 2, 3, 106 } ) // with 106, a second update in a step once changed pairs
    {
        Settings settings = shortRun( seed );
        settings.bodies = seed == 3 ? 300 : seed < 4 ? 120 : 60; // a step reads only some of 300 bodies' filters
        settings.checkEvery = seed == 3 ? 4 : 1;
        EXPECT_EQ( "", describeFault( settings, createCulletSubject( algorithm, 1 + int( seed % 2 ), givesCache ) ) )
            << seed;
    }
}

INSTANTIATE_TEST_SUITE_P( OwnAndGivenCache, StressCullet,
                          testing::Combine( testing::Bool(),
                                            testing::Values( clt_algorithmAuto, clt_algorithmWide, clt_algorithmLbvh,
                                                             clt_algorithmGrid, clt_algorithmBruteForce ) ) );

/// So many bodies that a filter edited in place may be read in a later update, even in the second one of a step.
TEST( StressCulletOfManyBodies, MayReadEditedFiltersLater )
{
    Settings settings = shortRun( 1 );
    settings.bodies = 1001;
    settings.steps = 40;
    settings.checkEvery = 1;
    EXPECT_EQ( "", describeFault( settings, createCulletSubject() ) );
}

/// The run up to the previous step passes, and the same settings give the same fault again.
TEST_P( StressFault, IsReportedWithReasonAtTheSameStepEachTime )
{
    // With this seed, flaws begin in a step with one update. A second update would repair pairs: the fault would be
    // another one.
    Settings settings = shortRun( 2 );
    const Outcome outcome = run( settings, createFaultySubject( GetParam() ) );
    ASSERT_TRUE( outcome.fault );
    EXPECT_EQ( GetParam().what, outcome.fault->what );
    EXPECT_EQ( 0u, outcome.fault->detail.rfind( GetParam().detail, 0 ) ) << outcome.fault->detail;
    EXPECT_GT( outcome.steps, 5u ) << "the flaw shows only after 20 updates, at most three in a step";

    const std::string faultText = describeFault( settings, createFaultySubject( GetParam() ) );
    settings.steps = outcome.steps;
    EXPECT_EQ( faultText, describeFault( settings, createFaultySubject( GetParam() ) ) );
    settings.steps = outcome.steps - 1;
    EXPECT_EQ( "", describeFault( settings, createFaultySubject( GetParam() ) ) );
}

INSTANTIATE_TEST_SUITE_P( Flaws, StressFault, testing::ValuesIn( flawCases ),
                          []( const auto& info ) { return info.param.name; } );

} // namespace test
