// SPDX-License-Identifier: Zlib
/// \file report_table.cpp
/// The table: one block for each scene and size, one line an engine.
#include "report.h"

#include <fmt/format.h>

namespace cullet::compare
{

namespace
{

constexpr const char* unknown = "-";

/// Three significant digits: no measurement here is worth more.
std::string threeDigits( double value )
{
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    return fmt::format( "{:.{}f}", value, decimals );
}

std::string number( const std::optional<double>& value )
{
    return value ? threeDigits( *value ) : unknown;
}

/// 1,234,567.
std::string count( std::uint64_t value )
{
    std::string digits = fmt::format( "{}", value );
    for ( std::size_t place = digits.size(); place > 3; place -= 3 )
    {
        digits.insert( place - 3, "," );
    }
    return digits;
}

std::string count( const std::optional<std::size_t>& value )
{
    return value ? count( std::uint64_t( *value ) ) : unknown;
}

const char* verdict( const Run& run )
{
    return !run.wrong.empty() ? "NO" : run.checked ? "yes" : unknown;
}

bool sameBlock( const Run& a, const Run& b )
{
    return a.scene == b.scene && a.bodies == b.bodies;
}

std::string lines( const std::vector<std::string>& texts )
{
    std::string result;
    for ( const std::string& text : texts )
    {
        result += text + "\n";
    }
    return result;
}

std::string blockHeading( const Run& run )
{
    const std::string speed = run.speed ? fmt::format( ", speed {:g}", *run.speed ) : "";
    const std::string line = fmt::format( "{}, {} bodies, {:g} % moving{}\n", run.scene,
                                          count( std::uint64_t( run.bodies ) ), run.moving, speed );
    const std::string columns =
        fmt::format( "{:<14}{:<16}{:>8}{:>9}{:>9}{:>8}{:>10}{:>8}{:>8}{:>6}{:>4}", "engine", "algorithm", "set ms",
                     "pairs ms", "total ms", "x dbvt", "pairs", "began", "ended", "MiB", "ok" );
    return fmt::format( "\n{}{}{}\n", line, lines( run.notes ), columns );
}

std::string runLine( const Run& run )
{
    const EngineFacts& facts = run.facts;
    const std::string ran = facts.algorithm.empty() ? "" : facts.algorithm + " " + facts.device;
    const std::string line = fmt::format( "{:<14}{:<16}{:>8}{:>9}{:>9}{:>8}{:>10}{:>8}{:>8}{:>6}{:>4}\n", run.engine,
                                          ran, number( run.setMs ), number( run.pairsMs ), number( run.totalMs ),
                                          number( run.ratioToDbvt ), count( run.pairs ), count( run.began ),
                                          count( run.ended ), number( run.peakMib ), verdict( run ) );
    const std::string queries =
        run.queryMs ? fmt::format( "{:<14}in steps with queries, these: {} ms\n", "", number( run.queryMs ) ) : "";
    const std::string capped = run.capped.empty() ? "" : fmt::format( "{:<14}capped: {}\n", "", run.capped );
    const std::string wrong = run.wrong.empty() ? "" : fmt::format( "{:<14}WRONG at {}\n", "", run.wrong );
    return line + queries + capped + wrong;
}

} // namespace

std::string tableReport( const Machine& machine, const std::vector<Run>& runs )
{
    std::string report = fmt::format( "{}\n{}\nBullet {}, {}, commit {}\n", machineLine( machine ), machine.system,
                                      machine.bullet, machine.compiler, machine.commit );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || !sameBlock( runs[k - 1], runs[k] ) )
        {
            report += blockHeading( runs[k] );
        }
        report += runLine( runs[k] );
    }
    return report;
}

} // namespace cullet::compare
