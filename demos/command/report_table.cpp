// SPDX-License-Identifier: Zlib
/// \file report_table.cpp
/// The table: one block for each case, one line an engine. Columns in which nothing is known are left out, and all are
/// as wide as what stands in them, so that it fits a terminal.
#include "report.h"

#include "digits.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

constexpr const char* unknown = "-";
constexpr std::size_t mostWidth = 100;

std::string number( const std::optional<double>& value )
{
    return value ? threeDigits( *value ) : unknown;
}

std::string number( const std::optional<std::size_t>& value )
{
    return value ? grouped( *value ) : unknown;
}

/// "wide avx2 x2": the algorithm with an instruction set on two threads.
std::string ranAs( const Run& run )
{
    const EngineFacts& facts = run.facts;
    const std::string place = facts.device == "cpu" ? fmt::format( "x{}", facts.threads ) : facts.device;
    const std::string simd = facts.simd.empty() ? "" : facts.simd + " ";
    return facts.algorithm.empty() ? unknown : facts.algorithm + " " + simd + place;
}

std::string verdict( const Run& run )
{
    return !run.wrong.empty() ? "NO" : run.checked ? "yes" : unknown;
}

struct Column
{
    const char* heading;
    bool isText; ///< begins at the left
    std::string ( *cell )( const Run& run );
};

constexpr Column columns[] = {
    { "engine", true, []( const Run& run ) { return run.engine; } },
    { "ran as", true, ranAs },
    { "set ms", false, []( const Run& run ) { return number( run.setMs ); } },
    { "pairs ms", false, []( const Run& run ) { return number( run.pairsMs ); } },
    { "cache ms", false, []( const Run& run ) { return number( run.cacheMs ); } },
    { "kernel ms", false, []( const Run& run ) { return number( run.kernelMs ); } },
    { "update ms", false, []( const Run& run ) { return number( run.updateMs ); } },
    { "total ms", false, []( const Run& run ) { return number( run.totalMs ); } },
    { "x dbvt", false, []( const Run& run ) { return number( run.ratioToDbvt ); } },
    { "pairs", false, []( const Run& run ) { return number( run.pairs ); } },
    { "began", false, []( const Run& run ) { return number( run.began ); } },
    { "ended", false, []( const Run& run ) { return number( run.ended ); } },
    { "MiB", false, []( const Run& run ) { return number( run.peakMib ); } },
    { "ok", false, verdict },
};

/// The columns of one report.
class Layout
{
public:
    explicit Layout( const std::vector<Run>& runs )
    {
        for ( const Column& column : columns )
        {
            bool isKnown = false;
            std::size_t width = std::string( column.heading ).size();
            for ( const Run& run : runs )
            {
                const std::string cell = column.cell( run );
                isKnown = isKnown || cell != unknown;
                width = std::max( width, cell.size() );
            }
            if ( isKnown )
            {
                m_columns.push_back( { &column, width } );
                m_width += width;
            }
        }
        const std::size_t gaps = m_columns.empty() ? 0 : m_columns.size() - 1;
        m_gap = m_width + 2 * gaps <= mostWidth ? 2 : 1;
    }

    std::string headings() const
    {
        return line( []( const Column& column ) { return std::string( column.heading ); } );
    }

    std::string cells( const Run& run ) const
    {
        return line( [&run]( const Column& column ) { return column.cell( run ); } );
    }

private:
    struct Placed
    {
        const Column* column;
        std::size_t width;
    };

    template <typename Text>
    std::string line( const Text& text ) const
    {
        std::string result;
        for ( const Placed& placed : m_columns )
        {
            result += std::string( result.empty() ? 0 : m_gap, ' ' );
            result += fmt::format( placed.column->isText ? "{:<{}}" : "{:>{}}", text( *placed.column ), placed.width );
        }
        return result + "\n";
    }

    std::vector<Placed> m_columns;
    std::size_t m_width = 0; ///< without the gaps
    std::size_t m_gap = 1;   ///< blanks between two columns
};

std::string lines( const std::vector<std::string>& texts )
{
    std::string result;
    for ( const std::string& text : texts )
    {
        result += text + "\n";
    }
    return result;
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

} // namespace

std::string tableReport( const Machine& machine, const std::vector<Run>& runs )
{
    std::string report = fmt::format( "{}\n{}\nBullet {}, {}, commit {}, {}\n", machineLine( machine ), machine.system,
                                      machine.bullet, machine.compiler, machine.commit, machine.date );
    const Layout layout( runs );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || caseName( runs[k - 1] ) != caseName( runs[k] ) )
        {
            report += fmt::format( "\n{}\n{}{}", caseName( runs[k] ), lines( runs[k].notes ), layout.headings() );
        }
        report += layout.cells( runs[k] ) + remarks( runs[k] );
    }
    return report;
}

} // namespace cullet::compare
