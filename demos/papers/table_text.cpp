// SPDX-License-Identifier: Zlib
#include "grid.h"

#include "demos/report/numbers.h"
#include "demos/report/table.h"

#include <fmt/format.h>

#include <sstream>

namespace cullet::papers
{

using compare::Cells;
using compare::threeDigits;
using compare::unknownCell;

namespace
{

constexpr std::size_t pageWidth = 100;

std::string cellOf( std::optional<double> figure )
{
    return figure ? threeDigits( *figure ) : unknownCell;
}

/// Billions (10^9) of tests per second, for rows that are times of tests.
std::string rateCell( const Row& row, std::optional<double> ms )
{
    return row.unit == "ms" && row.tests && ms && *ms > 0 ? threeDigits( *row.tests / *ms / 1e6 ) : unknownCell;
}

/// The paper's time divided by the measured one.
std::string ratioCell( const Row& row, std::optional<double> figure )
{
    const bool isTime = row.unit == "ms" || row.unit == "us";
    return isTime && row.paper && figure && *figure > 0 ? threeDigits( *row.paper / *figure ) : unknownCell;
}

std::string tickCell( Tick tick )
{
    return tick == Tick::none ? unknownCell : tick == Tick::yes ? "yes" : "NO";
}

Cells cellsOf( const Row& row )
{
    return { row.size,
             row.what,
             row.unit,
             cellOf( row.paper ),
             cellOf( row.cpu ),
             cellOf( row.device ),
             ratioCell( row, row.cpu ),
             ratioCell( row, row.device ),
             rateCell( row, row.paper ),
             rateCell( row, row.cpu ),
             rateCell( row, row.device ),
             tickCell( row.tick ) };
}

std::string wrapped( const std::string& text )
{
    std::istringstream words( text );
    std::string lines, line, word;
    while ( words >> word )
    {
        if ( line.size() + 1 + word.size() > pageWidth )
        {
            lines += line + "\n";
            line.clear();
        }
        line += ( line.empty() ? "" : " " ) + word;
    }
    return line.empty() ? lines : lines + line + "\n";
}

} // namespace

std::string tableText( const Table& table, const std::vector<Row>& rows )
{
    std::vector<Cells> cells = { { "size", "what", "", "paper", "CPU", "device", "paper/CPU", "paper/device",
                                   "paper G/s", "CPU G/s", "device G/s", "same pairs" } };
    for ( const Row& row : rows )
    {
        if ( row.grid.empty() )
        {
            cells.push_back( cellsOf( row ) );
        }
    }
    std::string text = fmt::format( "{}: {}\n{}, {}; there: {}\n\n", table.id, table.title, table.paper->name,
                                    table.place, table.paper->machine );
    const bool hasLines = cells.size() > 1;
    for ( const std::string& line : hasLines ? compare::tableLines( cells, 3 ) : std::vector<std::string>() )
    {
        text += line;
    }
    text += gridsText( rows );
    return text + ( *table.note == 0 ? "" : "\n" + wrapped( table.note ) );
}

} // namespace cullet::papers
