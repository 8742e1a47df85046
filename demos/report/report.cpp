// SPDX-License-Identifier: Zlib
/// \file report.cpp
/// The table: one block for each case, one line an engine, with remarks under it.
#include "report.h"

#include "numbers.h"
#include "table.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

std::string number( const std::optional<double>& value )
{
    return value ? threeDigits( *value ) : unknownCell;
}

std::string number( const std::optional<std::size_t>& value )
{
    return value ? grouped( *value ) : unknownCell;
}

/// "wide avx2 x2": the algorithm with an instruction set on two threads.
std::string ranAs( const EngineFacts& facts )
{
    const std::string place = facts.device == "cpu" ? fmt::format( "x{}", facts.threads ) : facts.device;
    const std::string simd = facts.simd.empty() ? "" : facts.simd + " ";
    return facts.algorithm.empty() ? unknownCell : facts.algorithm + " " + simd + place;
}

Table tableOf( const std::vector<Run>& runs )
{
    Table table( { { "engine", true },
                   { "ran as", true },
                   { "set ms", false },
                   { "pairs ms", false },
                   { "cache ms", false },
                   { "kernel ms", false },
                   { "update ms", false },
                   { "total ms", false },
                   { "x dbvt", false },
                   { "pairs", false },
                   { "began", false },
                   { "ended", false },
                   { "MiB", false },
                   { "ok", false } } );
    for ( const Run& run : runs )
    {
        const char* verdict = !run.wrong.empty() ? "NO" : run.checked ? "yes" : unknownCell;
        table.add( { run.engine, ranAs( run.facts ), number( run.setMs ), number( run.pairsMs ), number( run.cacheMs ),
                     number( run.kernelMs ), number( run.updateMs ), number( run.totalMs ), number( run.ratioToDbvt ),
                     number( run.pairs ), number( run.began ), number( run.ended ), number( run.peakMib ), verdict } );
    }
    return table;
}

std::string remarks( const Run& run )
{
    const std::string queries =
        run.queryMs ? fmt::format( "    in steps with queries, these: {} ms\n", number( run.queryMs ) ) : "";
    const std::string capped = run.capped.empty() ? "" : fmt::format( "    capped: {}\n", run.capped );
    const char* failed = run.facts.deviceFailures > 0 ? "    the device failed: from then on it was the CPU\n" : "";
    const std::string wrong = run.wrong.empty() ? "" : fmt::format( "    WRONG at {}\n", run.wrong );
    return queries + capped + failed + wrong;
}

std::string tableReport( const Machine& machine, const std::vector<Run>& runs )
{
    std::string report = fmt::format( "{}\n{}\nBullet {}, {}, commit {}, {}\n", machineLine( machine ), machine.system,
                                      machine.bullet, machine.compiler, machine.commit, machine.date );
    const Table table = tableOf( runs );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || caseName( runs[k - 1] ) != caseName( runs[k] ) )
        {
            report += fmt::format( "\n{}\n", caseName( runs[k] ) );
            for ( const std::string& note : runs[k].notes )
            {
                report += note + "\n";
            }
            report += table.headings();
        }
        report += table.row( k ) + remarks( runs[k] );
    }
    return report;
}

} // namespace

void setRatiosToDbvt( std::vector<Run>& runs )
{
    const auto dbvt = std::find_if( runs.begin(), runs.end(), []( const Run& run ) { return run.engine == "dbvt"; } );
    for ( Run& run : runs )
    {
        if ( dbvt != runs.end() && dbvt->totalMs && run.totalMs && *run.totalMs > 0 )
        {
            run.ratioToDbvt = *dbvt->totalMs / *run.totalMs;
        }
    }
}

std::string motionOf( const Run& run )
{
    const std::string speed = run.speed ? fmt::format( ", speed {:g}", *run.speed ) : "";
    return run.jumping.value_or( 0 ) > 0 ? fmt::format( "{}, {:g} % jumping", speed, *run.jumping ) : speed;
}

std::string caseName( const Run& run )
{
    return fmt::format( "{}, {} bodies, {:g} % moving{}", run.scene, grouped( run.bodies ), run.moving,
                        motionOf( run ) );
}

void printReport( const std::string& format, const Machine& machine, const std::vector<Run>& runs )
{
    fmt::print( "{}", format == "json"  ? jsonReport( machine, runs )
                      : format == "csv" ? csvReport( runs )
                                        : tableReport( machine, runs ) );
    std::fflush( stdout );
}

bool tellWrong( const std::vector<Run>& runs )
{
    bool anyWrong = false;
    for ( const Run& run : runs )
    {
        if ( !run.wrong.empty() )
        {
            fmt::print( stderr, "cullet: {} on {}, {} bodies, {}\n", run.engine, run.scene, run.bodies, run.wrong );
            anyWrong = true;
        }
    }
    return anyWrong;
}

} // namespace cullet::compare
