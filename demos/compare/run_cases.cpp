// SPDX-License-Identifier: Zlib
/// \file run_cases.cpp
/// Measures memory first, because children that are forked later would share threads and devices; then runs the races.
#include "compare.h"

#include "demos/race/race.h"
#include "demos/system/system.h"

#include <fmt/format.h>

namespace cullet::compare
{

namespace
{

using command::Progress;

using PeakMemory = std::vector<std::optional<double>>; ///< one for each entrant

/// The name of a case for progress output, with only the values that differ from the defaults.
std::string shortName( const cltSceneDef& def )
{
    const auto named = []( double value, double usual, const char* text )
    { return value == usual ? "" : fmt::format( text, value ); };
    return fmt::format( "{}, {} bodies", cltSceneName( def.kind ), def.bodyCount ) +
           named( def.movingPercent, 100, ", {:g} % moving" ) + named( double( def.speed ), 1, ", speed {:g}" ) +
           named( def.jumpingPercent, 0, ", {:g} % jumping" );
}

/// Measures the memory of all cases before anything else runs: see runInChild.
std::vector<PeakMemory> measureMemory( const std::vector<cltSceneDef>& cases, const CompareOptions& options,
                                       Progress& progress )
{
    const std::vector<Entrant> all = entrants( options );
    std::vector<PeakMemory> peaks( cases.size(), PeakMemory( all.size() ) );
    if ( options.noMemory )
    {
        return peaks;
    }
    if ( !system::canMeasurePeak() )
    {
        fmt::print( stderr, "cullet: peak memory is left out; it is measured on Linux only\n" );
        return peaks;
    }
    for ( std::size_t k = 0; k < cases.size(); ++k )
    {
        progress.stage( fmt::format( "{}/{} memory of {}", k + 1, cases.size(), shortName( cases[k] ) ) );
        for ( std::size_t entrant = 0; entrant < all.size(); ++entrant )
        {
            progress.detail( all[entrant].name() );
            peaks[k][entrant] = measurePeakMib( cases[k], all[entrant], options );
        }
    }
    return peaks;
}

std::vector<Run> runCase( const cltSceneDef& def, const PeakMemory& peaks, const CompareOptions& options,
                          Progress& progress )
{
    SceneStream stream( def, { options.warmup, options.steps, options.seconds } );
    std::vector<Run> runs = race( stream, options, { options.turn }, progress );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        runs[k].scene = cltSceneName( def.kind );
        runs[k].bodies = def.bodyCount;
        runs[k].moving = def.movingPercent;
        runs[k].speed = double( def.speed );
        runs[k].jumping = def.jumpingPercent;
        runs[k].peakMib = peaks[k];
    }
    return runs;
}

} // namespace

std::vector<Run> runCases( const CompareOptions& options )
{
    Progress progress;
    const std::vector<cltSceneDef> cases = casesOf( options );
    const std::vector<PeakMemory> peaks = measureMemory( cases, options, progress );
    std::vector<Run> runs;
    for ( std::size_t k = 0; k < cases.size(); ++k )
    {
        progress.stage( fmt::format( "{}/{} {}", k + 1, cases.size(), shortName( cases[k] ) ) );
        const std::vector<Run> more = runCase( cases[k], peaks[k], options, progress );
        runs.insert( runs.end(), more.begin(), more.end() );
    }
    return runs;
}

} // namespace cullet::compare
