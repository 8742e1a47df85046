// SPDX-License-Identifier: Zlib
/// \file report.cpp
/// Numbers in groups of three digits: a run of an hour checks billions of pairs.
#include "report.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

namespace cullet::stress
{

namespace
{

using compare::grouped;

std::string line( const char* name, std::uint64_t value )
{
    return fmt::format( "  {:<34}{:>16}\n", name, grouped( value ) );
}

std::string operations( const Tally& tally )
{
    return "calls\n" + line( "createProxy", tally.creates ) + line( "destroyProxy", tally.destroys ) +
           line( "setAabb, another box", tally.moves ) + line( "  of these odd ones", tally.oddBoxes ) +
           line( "setAabb, the same box", tally.repeats ) + line( "group and mask edited", tally.filterEdits ) +
           line( "filter callback exchanged", tally.filterSwaps ) + line( "pair cache edited", tally.cacheEdits ) +
           line( "resetPool", tally.resets ) + line( "calculateOverlappingPairs", tally.updates );
}

std::string checks( const Tally& tally )
{
    return "checked\n" + line( "pair sets", tally.pairSets ) + line( "pairs in them", tally.pairs ) +
           line( "overlaps free to be pairs or not", tally.freePairs ) +
           line( "bodies with pairs at once", tally.atOnce ) + line( "box queries", tally.boxQueries ) +
           line( "ray queries", tally.rayQueries ) + line( "hits of queries", tally.hits );
}

std::string logged( const Log& log )
{
    std::string lines = log.empty() ? "" : "logged\n";
    for ( const std::string& text : log )
    {
        lines += fmt::format( "  {}\n", text );
    }
    return lines;
}

} // namespace

std::string progressLine( const Moment& moment )
{
    return fmt::format( "step {}, {}, {} bodies, {} pairs checked, {:.0f} s", grouped( moment.step ), moment.phase,
                        grouped( moment.bodies ), grouped( moment.tally.pairs ), moment.seconds );
}

std::string report( const std::string& heading, const Outcome& outcome )
{
    const char* verdict = outcome.failure ? "WRONG" : "nothing wrong";
    return fmt::format( "{}\n{} steps in {:.1f} s: {}\n{}{}{}", heading, grouped( outcome.tally.steps ),
                        outcome.seconds, verdict, operations( outcome.tally ), checks( outcome.tally ),
                        logged( outcome.log ) );
}

} // namespace cullet::stress
