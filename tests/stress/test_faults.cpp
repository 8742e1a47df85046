// SPDX-License-Identifier: Zlib
/// \file test_faults.cpp
/// A broadphase with one flaw must be stopped, for the right reason and at the right step: the run up to the step
/// before is clean, and the same settings come back to the same complaint.
#include "faulty_broadphase.h"
#include "runs.h"

#include "plugin/CulletBroadphase.h"

namespace test
{

using namespace cullet::stress;

namespace
{

/// One with which the flaws begin in a step with one update: a second one mends some of them, and is told off for that.
constexpr std::uint64_t seed = 9;

struct FlawCase
{
    const char* name;
    Flaw flaw;
    Subject ( *faulty )( Flaw flaw );
    const char* what;
    const char* detail; ///< how it begins
};

constexpr int goodUpdates = 20;

Subject faultySimple( Flaw flaw )
{
    Subject subject = simpleSubject();
    subject.broadphase.reset(
        new FaultyBroadphase<btSimpleBroadphase>( flaw, goodUpdates, 4096, subject.givenCache.get() ) );
    return subject;
}

Subject faultyCullet( Flaw flaw )
{
    Subject subject = createSubject( SubjectDef() );
    subject.broadphase.reset( new FaultyBroadphase<CulletBroadphase>( flaw, goodUpdates ) );
    subject.status = [] { return clt_ok; };
    return subject;
}

Outcome runFaulty( const FlawCase& flawCase, const Settings& settings )
{
    return run( settings, flawCase.faulty( flawCase.flaw ) );
}

class StressFault : public testing::TestWithParam<FlawCase>
{
};

void PrintTo( const FlawCase& flawCase, std::ostream* stream )
{
    *stream << flawCase.name;
}

std::string flawName( const testing::TestParamInfo<FlawCase>& info )
{
    return info.param.name;
}

} // namespace

TEST_P( StressFault, IsNamedWithSeedAndStep )
{
    Settings settings = shortRun( seed );
    const Outcome outcome = runFaulty( GetParam(), settings );
    ASSERT_TRUE( outcome.failure );
    const std::uint64_t step = outcome.failure->step;
    EXPECT_EQ( GetParam().what, outcome.failure->what );
    EXPECT_EQ( 0u, outcome.failure->detail.rfind( GetParam().detail, 0 ) ) << outcome.failure->detail;
    EXPECT_GT( step, 5u ) << "the flaw shows only after 20 updates, at most three in a step";

    settings.steps = step;
    const std::string complaint = complaintOf( settings, outcome );
    EXPECT_EQ( complaint, complaintOf( settings, runFaulty( GetParam(), settings ) ) );
    settings.steps = step - 1;
    EXPECT_EQ( "", complaintOf( settings, runFaulty( GetParam(), settings ) ) );
}

INSTANTIATE_TEST_SUITE_P(
    Flaws, StressFault,
    testing::Values( FlawCase{ "ExtraPair", Flaw::extraPair, faultySimple, "wrong pair set", "extra (" },
                     FlawCase{ "RefusedPair", Flaw::refusedPair, faultySimple, "wrong pair set", "extra (" },
                     FlawCase{ "MissingPair", Flaw::missingPair, faultySimple, "wrong pair set", "missing (" },
                     FlawCase{ "StalePair", Flaw::stalePair, faultySimple, "wrong pair set", "stale (" },
                     FlawCase{ "RemadePair", Flaw::remadePair, faultySimple, "wrong pair set", "(" },
                     FlawCase{ "LostDispatcher", Flaw::lostDispatcher, faultySimple, "wrong pair set", "" },
                     FlawCase{ "UnequalAabb", Flaw::unequalAabb, faultySimple, "wrong getAabb", "of " },
                     FlawCase{ "MissedBox", Flaw::missedBox, faultySimple, "wrong box query", "misses " },
                     FlawCase{ "ExtraBox", Flaw::extraBox, faultySimple, "wrong box query", "reports " },
                     FlawCase{ "RepeatedBox", Flaw::repeatedBox, faultySimple, "wrong box query", "reports " },
                     FlawCase{ "MissedRay", Flaw::missedRay, faultyCullet, "wrong ray query", "misses " },
                     FlawCase{ "ExtraRay", Flaw::extraRay, faultyCullet, "wrong ray query", "reports " },
                     FlawCase{ "LateNewPair", Flaw::lateNewPair, faultyCullet, "pair not there at once", "(" },
                     FlawCase{ "LateMovedPair", Flaw::lateMovedPair, faultyCullet, "pair not there at once", "(" } ),
    flawName );

} // namespace test
