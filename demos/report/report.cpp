// SPDX-License-Identifier: Zlib
/// \file report.cpp
/// All three formats are made from the same records. The table has a block for each case and a line for each run,
/// followed by remarks.
#include "report.h"

#include "machine.h"
#include "numbers.h"
#include "records.h"
#include "table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace cullet::compare
{

namespace
{

Record runObject( const Run& run )
{
    return {
        { "scene", run.scene },
        { "bodies", run.bodies },
        { "moving", run.moving },
        { "speed", orNull( run.speed ) },
        { "jumping", orNull( run.jumping ) },
        { "notes", orNull( fmt::format( "{}", fmt::join( run.notes, "; " ) ) ) },
        { "engine", run.engine },
        { "algorithm", orNull( run.facts.algorithm ) },
        { "simd", orNull( run.facts.simd ) },
        { "device", run.facts.device },
        { "threads", run.facts.threads },
        { "precision", orNull( run.facts.precision ) },
        { "steps", run.steps },
        { "set_ms", orNull( run.ms[setMs] ) },
        { "pairs_ms", orNull( run.ms[pairsMs] ) },
        { "cache_ms", orNull( run.ms[cacheMs] ) },
        { "kernel_ms", orNull( run.ms[kernelMs] ) },
        { "update_ms", orNull( run.ms[updateMs] ) },
        { "query_ms", orNull( run.ms[queryMs] ) },
        { "total_ms", orNull( run.ms[totalMs] ) },
        { "pairs", orNull( run.pairs ) },
        { "began", orNull( run.began ) },
        { "ended", orNull( run.ended ) },
        { "peak_mib", orNull( run.peakMib ) },
        { "ratio_to_dbvt", orNull( run.ratioToDbvt ) },
        { "device_failures", run.facts.deviceFailures },
        { "checked", run.checked },
        { "capped", orNull( run.capped ) },
        { "wrong", orNull( run.wrong ) },
    };
}

/// Algorithm, instruction set and number of threads: "wide avx2 x2".
std::string ranAs( const EngineFacts& facts )
{
    const std::string place = facts.device == "cpu" ? fmt::format( "x{}", facts.threads ) : facts.device;
    const std::string simd = facts.simd.empty() ? "" : facts.simd + " ";
    return !facts.algorithm.empty() ? facts.algorithm + " " + simd + place : facts.threads > 1 ? place : unknownCell;
}

constexpr std::size_t textColumns = 2;

/// The numeric columns of the table: headings, and names in the records.
constexpr std::pair<const char*, const char*> numberColumns[] = {
    { "set ms", "set_ms" },        { "pairs ms", "pairs_ms" },   { "cache ms", "cache_ms" },
    { "kernel ms", "kernel_ms" },  { "update ms", "update_ms" }, { "total ms", "total_ms" },
    { "x dbvt", "ratio_to_dbvt" }, { "pairs", "pairs" },         { "began", "began" },
    { "ended", "ended" },          { "MiB", "peak_mib" } };

std::string numberCell( const Record& value )
{
    return value.is_null()           ? unknownCell
           : value.is_number_float() ? threeDigits( value.get<double>() )
                                     : grouped( value.get<std::uint64_t>() );
}

std::vector<Cells> rowsOf( const std::vector<Run>& runs )
{
    std::vector<Cells> rows = { { "engine", "ran as" } };
    for ( const auto& [heading, name] : numberColumns )
    {
        rows[0].push_back( heading );
    }
    rows[0].push_back( "ok" );
    for ( const Run& run : runs )
    {
        const Record object = runObject( run );
        Cells& cells = rows.emplace_back( Cells{ run.engine, ranAs( run.facts ) } );
        for ( const auto& [heading, name] : numberColumns )
        {
            cells.push_back( numberCell( object[name] ) );
        }
        cells.push_back( !run.wrong.empty() ? "NO" : run.checked ? "yes" : unknownCell );
    }
    return rows;
}

std::string remarks( const Run& run )
{
    const std::string queries =
        run.ms[queryMs] ? fmt::format( "    in steps with queries, these: {} ms\n", threeDigits( *run.ms[queryMs] ) )
                        : "";
    const std::string capped = run.capped.empty() ? "" : fmt::format( "    capped: {}\n", run.capped );
    const char* failed = run.facts.deviceFailures > 0 ? "    the device failed: from then on it was the CPU\n" : "";
    const std::string wrong = run.wrong.empty() ? "" : fmt::format( "    WRONG at {}\n", run.wrong );
    return queries + capped + failed + wrong;
}

std::string tableReport( const Machine& machine, const std::vector<Run>& runs )
{
    std::string report = machineText( machine );
    const std::vector<std::string> lines = tableLines( rowsOf( runs ), textColumns );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || caseName( runs[k - 1] ) != caseName( runs[k] ) )
        {
            report += fmt::format( "\n{}\n", caseName( runs[k] ) );
            for ( const std::string& note : runs[k].notes )
            {
                report += note + "\n";
            }
            report += lines[0];
        }
        report += lines[k + 1] + remarks( runs[k] );
    }
    return report;
}

} // namespace

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

bool printReport( const std::string& format, const std::vector<Run>& runs )
{
    const Machine machine = describeMachine();
    std::vector<Record> records;
    std::transform( runs.begin(), runs.end(), std::back_inserter( records ), runObject );
    fmt::print( "{}", format == "json"  ? jsonText( machine, records )
                      : format == "csv" ? csvText( records )
                                        : tableReport( machine, runs ) );
    std::fflush( stdout );
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
