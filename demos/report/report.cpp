// SPDX-License-Identifier: Zlib
/// \file report.cpp
/// All three formats are made from the same records. The table has a block for each case and a line for each run,
/// followed by remarks.
#include "report.h"

#include "numbers.h"
#include "records.h"

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
        { "algorithm", orNull( run.algorithm ) },
        { "simd", orNull( run.simd ) },
        { "device", run.device },
        { "threads", run.threads },
        { "precision", orNull( run.precision ) },
        { "steps", run.steps },
        { "set_ms", orNull( run.ms[setMs] ) },
        { "pairs_ms", orNull( run.ms[pairsMs] ) },
        { "cache_ms", orNull( run.ms[cacheMs] ) },
        { "kernel_ms", orNull( run.ms[kernelMs] ) },
        { "update_ms", orNull( run.ms[updateMs] ) },
        { "query_ms", orNull( run.ms[queryMs] ) },
        { "total_ms", orNull( run.ms[totalMs] ) },
        { "p99_ms", orNull( run.p99Ms ) },
        { "worst_ms", orNull( run.worstMs ) },
        { "min_ms", orNull( run.minMs ) },
        { "spread_ms", orNull( run.spreadMs ) },
        { "pairs", orNull( run.pairs ) },
        { "began", orNull( run.began ) },
        { "ended", orNull( run.ended ) },
        { "peak_mib", orNull( run.peakMib ) },
        { "ratio_to_dbvt", orNull( run.ratioToDbvt ) },
        { "device_failures", run.deviceFailures },
        { "checked", run.checked },
        { "capped", orNull( run.capped ) },
        { "wrong", orNull( run.wrong ) },
    };
}

/// How a run was made: algorithm, instruction set and number of threads, "wide avx2 x2".
std::string ranAs( const Run& run )
{
    const std::string place = run.device == "cpu" ? fmt::format( "x{}", run.threads ) : run.device;
    const std::string simd = run.simd.empty() ? "" : run.simd + " ";
    return !run.algorithm.empty() ? run.algorithm + " " + simd + place : run.threads > 1 ? place : unknownCell;
}

/// The numeric columns of the table: headings, and names in the records.
constexpr std::pair<const char*, const char*> numberColumns[] = {
    { "set ms", "set_ms" },        { "pairs ms", "pairs_ms" }, { "cache ms", "cache_ms" }, { "kernel ms", "kernel_ms" },
    { "update ms", "update_ms" },  { "total ms", "total_ms" }, { "p99", "p99_ms" },        { "worst", "worst_ms" },
    { "x dbvt", "ratio_to_dbvt" }, { "pairs", "pairs" },       { "began", "began" },       { "ended", "ended" },
    { "MiB", "peak_mib" } };

std::string remarks( const Run& run )
{
    const std::string queries =
        run.ms[queryMs] ? fmt::format( "    in steps with queries, these: {} ms\n", threeDigits( *run.ms[queryMs] ) )
                        : "";
    const std::string capped = run.capped.empty() ? "" : fmt::format( "    capped: {}\n", run.capped );
    const char* failed = run.deviceFailures > 0 ? "    the device failed: from then on it was the CPU\n" : "";
    const std::string wrong = run.wrong.empty() ? "" : fmt::format( "    WRONG at {}\n", run.wrong );
    return queries + capped + failed + wrong;
}

Entry entryOf( const Run& run )
{
    const Record record = runObject( run );
    Cells row = { run.engine, ranAs( run ) };
    for ( const auto& [heading, name] : numberColumns )
    {
        row.push_back( cellOf( record[name] ) );
    }
    row.push_back( !run.wrong.empty() ? "NO" : run.checked ? "yes" : unknownCell );
    std::vector<std::string> block = { caseName( run ) };
    block.insert( block.end(), run.notes.begin(), run.notes.end() );
    return { record, fmt::format( "{}", fmt::join( block, "\n" ) ), { row }, remarks( run ) };
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

std::string runsCsv( const std::vector<Run>& runs, const std::vector<std::string>& columns )
{
    std::vector<Record> records;
    for ( const Run& run : runs )
    {
        const Record whole = runObject( run );
        Record& record = records.emplace_back();
        for ( const std::string& column : columns )
        {
            record[column] = whole.at( column );
        }
    }
    return csvText( records );
}

bool printReport( const std::string& format, const std::vector<Run>& runs )
{
    Cells headings = { "engine", "ran as" };
    for ( const auto& [heading, name] : numberColumns )
    {
        headings.push_back( heading );
    }
    headings.push_back( "ok" );
    std::vector<Entry> entries;
    std::transform( runs.begin(), runs.end(), std::back_inserter( entries ), entryOf );
    printEntries( format, headings, entries );
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
