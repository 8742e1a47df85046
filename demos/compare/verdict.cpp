// SPDX-License-Identifier: Zlib
/// \file verdict.cpp
/// Medians of whole steps are compared as they are, without a tolerance: who wants less noise asks for more steps.
#include "verdict.h"

#include "demos/report/numbers.h"
#include "demos/report/report.h"

#include <CLI/Error.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

/// One of cullet's runs beside the fastest of Bullet's broadphases in the same case.
struct Match
{
    const Run* cullet;
    const Run* bullet;

    /// Above 1: cullet was slower.
    double timesSlower() const
    {
        return *cullet->totalMs / *bullet->totalMs;
    }
};

Family familyOf( const Run& run )
{
    return findEngineKind( run.engine )->family;
}

bool isFaster( const Run& a, const Run* b )
{
    return b == nullptr || *a.totalMs < *b->totalMs;
}

/// NULL when none finished a timed step.
const Run* fastestOfBullet( const std::vector<Run>& runs, const Run& sameCase )
{
    const Run* fastest = nullptr;
    for ( const Run& run : runs )
    {
        if ( familyOf( run ) == Family::bullet && run.totalMs && caseName( run ) == caseName( sameCase ) &&
             isFaster( run, fastest ) )
        {
            fastest = &run;
        }
    }
    return fastest;
}

/// The worst for cullet first.
std::vector<Match> matches( const std::vector<Run>& runs )
{
    std::vector<Match> result;
    for ( const Run& run : runs )
    {
        const Run* fastest = familyOf( run ) == Family::plugin && run.totalMs ? fastestOfBullet( runs, run ) : nullptr;
        if ( fastest != nullptr )
        {
            result.push_back( { &run, fastest } );
        }
    }
    std::stable_sort( result.begin(), result.end(),
                      []( const Match& a, const Match& b ) { return a.timesSlower() > b.timesSlower(); } );
    return result;
}

std::string describe( const Match& match )
{
    return fmt::format( "    {}:\n        {} x{} {} ms, {} {} ms: {} times as long\n", caseName( *match.cullet ),
                        match.cullet->engine, match.cullet->facts.threads, threeDigits( *match.cullet->totalMs ),
                        match.bullet->engine, threeDigits( *match.bullet->totalMs ),
                        threeDigits( match.timesSlower() ) );
}

bool hasFamily( const EngineOptions& options, Family family )
{
    return std::any_of( options.engines.begin(), options.engines.end(),
                        [family]( const std::string& name ) { return findEngineKind( name )->family == family; } );
}

} // namespace

void requireBothSides( const EngineOptions& options )
{
    if ( !hasFamily( options, Family::bullet ) || !hasFamily( options, Family::plugin ) )
    {
        throw CLI::ValidationError( "--never-slower",
                                    "needs one of Bullet's engines and one of cullet's behind Bullet" );
    }
}

Verdict judge( const std::vector<Run>& runs )
{
    const std::vector<Match> all = matches( runs );
    const auto firstFaster =
        std::find_if( all.begin(), all.end(), []( const Match& match ) { return match.timesSlower() <= 1; } );
    Verdict verdict;
    verdict.anySlower = firstFaster != all.begin();
    verdict.text = fmt::format( "\ncullet beside the fastest of Bullet's own: slower in {} of {}\n",
                                firstFaster - all.begin(), all.size() );
    std::for_each( all.begin(), firstFaster, [&]( const Match& match ) { verdict.text += describe( match ); } );
    if ( !verdict.anySlower && !all.empty() )
    {
        verdict.text += "closest to it:\n" + describe( all.front() );
    }
    return verdict;
}

} // namespace cullet::compare
