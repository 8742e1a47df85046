// SPDX-License-Identifier: Zlib
/// \file verdict.cpp
/// Compares medians of whole steps without a tolerance. More steps reduce the noise.
#include "compare.h"

#include "demos/report/numbers.h"

#include <algorithm>
#include <map>

namespace cullet::compare
{

/// The fastest of Bullet's own broadphases, by case.
static std::map<std::string, const Run*> fastestOfBullet( const std::vector<Run>& runs )
{
    std::map<std::string, const Run*> fastest;
    for ( const Run& run : runs )
    {
        if ( engineKind( run.engine ).family == Family::bullet && run.ms[totalMs] )
        {
            const Run*& best = fastest[caseName( run )];
            best = best == nullptr || *run.ms[totalMs] < *best->ms[totalMs] ? &run : best;
        }
    }
    return fastest;
}

Verdict judge( const std::vector<Run>& runs )
{
    const std::map<std::string, const Run*> fastest = fastestOfBullet( runs );
    std::multimap<double, std::string, std::greater<>> matches; // by how many times as long cullet took
    for ( const Run& run : runs )
    {
        const auto found = fastest.find( caseName( run ) );
        if ( engineKind( run.engine ).family == Family::plugin && run.ms[totalMs] && found != fastest.end() )
        {
            const Run& bullet = *found->second;
            const double times = *run.ms[totalMs] / *bullet.ms[totalMs];
            matches.emplace( times, fmt::format( "    {}:\n        {} x{} {} ms, {} {} ms: {} times as long\n",
                                                 caseName( run ), run.engine, run.facts.threads,
                                                 threeDigits( *run.ms[totalMs] ), bullet.engine,
                                                 threeDigits( *bullet.ms[totalMs] ), threeDigits( times ) ) );
        }
    }
    const auto firstFaster = matches.lower_bound( 1 );
    const bool anySlower = firstFaster != matches.begin();
    std::string text = fmt::format( "\ncullet beside the fastest of Bullet's own: slower in {} of {}\n",
                                    std::distance( matches.begin(), firstFaster ), matches.size() );
    text += anySlower || matches.empty() ? "" : "closest to it:\n" + matches.begin()->second;
    std::for_each( matches.begin(), firstFaster, [&text]( const auto& match ) { text += match.second; } );
    return { anySlower, text };
}

} // namespace cullet::compare
