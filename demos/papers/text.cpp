// SPDX-License-Identifier: Zlib
/// \file text.cpp
/// A table as text.
#include "grid.h"

#include "demos/report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace cullet::papers
{

using compare::Cells;

namespace
{

constexpr std::size_t pageWidth = 100;

std::string cellOf( Figure figure )
{
    return figure ? compare::threeDigits( *figure ) : compare::unknownCell;
}

Cells cellsOf( const Row& row )
{
    // Billions (10^9) of tests per second, for rows that are times of tests.
    const auto rate = [&]( Figure ms )
    { return cellOf( row.unit == "ms" && row.tests && ms && *ms > 0 ? *row.tests / *ms / 1e6 : Figure() ); };
    // The paper's time divided by the measured one.
    const auto ratio = [&]( Figure ours )
    { return cellOf( row.isTime() && row.paper && ours && *ours > 0 ? *row.paper / *ours : Figure() ); };
    return { row.size,           row.what,
             row.unit,           cellOf( row.paper ),
             cellOf( row.cpu ),  cellOf( row.device ),
             ratio( row.cpu ),   ratio( row.device ),
             rate( row.paper ),  rate( row.cpu ),
             rate( row.device ), row.tick == Tick::none ? compare::unknownCell : row.tick == Tick::yes ? "yes" : "NO" };
}

/// The grid with a star at the smallest number.
std::string gridText( const Grid& grid )
{
    std::vector<Cells> cells = { { grid.name + ", " + grid.unit } };
    cells[0].insert( cells[0].end(), grid.columns.begin(), grid.columns.end() );
    for ( const std::string& row : grid.rows )
    {
        Cells& line = cells.emplace_back( Cells{ row } );
        for ( const std::string& column : grid.columns )
        {
            const Figure cell = grid.cell( row, column );
            line.push_back( cellOf( cell ) + ( !cell ? "" : *cell == grid.smallest() ? "*" : " " ) );
        }
    }
    return fmt::format( "{}same pairs: {}\n", fmt::join( compare::tableLines( cells, 1 ), "" ),
                        grid.isRight ? "yes" : "NO" );
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
    if ( cells.size() > 1 )
    {
        text += fmt::format( "{}", fmt::join( compare::tableLines( cells, 3 ), "" ) );
    }
    std::vector<std::string> grids;
    for ( const Grid& grid : gridsOf( rows ) )
    {
        grids.push_back( gridText( grid ) );
    }
    text += fmt::format( "{}", fmt::join( grids, "\n" ) );
    return text + ( *table.note == 0 ? "" : "\n" + wrapped( table.note ) );
}

} // namespace cullet::papers
