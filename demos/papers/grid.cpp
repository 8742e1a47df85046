// SPDX-License-Identifier: Zlib
#include "grid.h"

#include "demos/report/numbers.h"
#include "demos/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cullet::papers
{

namespace
{

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The index of a name in the list. Appends a name that is missing.
std::size_t indexOf( std::vector<std::string>& names, const std::string& name )
{
    const auto found = std::find( names.begin(), names.end(), name );
    const std::size_t index = std::size_t( found - names.begin() );
    if ( found == names.end() )
    {
        names.push_back( name );
    }
    return index;
}

Grid& gridFor( std::vector<Grid>& grids, const Row& row )
{
    const auto isIt = [&row]( const Grid& grid ) { return grid.name == row.grid && grid.unit == row.unit; };
    const auto found = std::find_if( grids.begin(), grids.end(), isIt );
    return found == grids.end() ? grids.emplace_back( Grid{ row.grid, row.unit, {}, {}, {} } ) : *found;
}

compare::Cells textOf( const Grid& grid, std::size_t row )
{
    compare::Cells cells = { grid.rows[row] };
    for ( const double cell : grid.cells[row] )
    {
        const bool isSmallest = cell == grid.smallest();
        cells.push_back( std::isnan( cell ) ? compare::unknownCell
                                            : compare::threeDigits( cell ) + ( isSmallest ? "*" : " " ) );
    }
    return cells;
}

} // namespace

double Grid::smallest() const
{
    double least = unknown;
    for ( const std::vector<double>& row : cells )
    {
        least =
            std::accumulate( row.begin(), row.end(), least, []( double a, double b ) { return std::fmin( a, b ); } );
    }
    return least;
}

std::vector<Grid> gridsOf( const std::vector<Row>& rows )
{
    std::vector<Grid> grids;
    for ( const Row& row : rows )
    {
        if ( row.grid.empty() || !row.cpu )
        {
            continue;
        }
        Grid& grid = gridFor( grids, row );
        const std::size_t line = indexOf( grid.rows, row.size ), column = indexOf( grid.columns, row.column );
        grid.cells.resize( grid.rows.size() );
        for ( std::vector<double>& cells : grid.cells )
        {
            cells.resize( grid.columns.size(), unknown );
        }
        grid.cells[line][column] = *row.cpu;
        grid.isRight = grid.isRight && row.tick == Tick::yes;
    }
    return grids;
}

std::string gridsText( const std::vector<Row>& rows )
{
    std::string text;
    for ( const Grid& grid : gridsOf( rows ) )
    {
        text += text.empty() ? "" : "\n";
        std::vector<compare::Cells> cells = { { grid.name + ", " + grid.unit } };
        cells[0].insert( cells[0].end(), grid.columns.begin(), grid.columns.end() );
        for ( std::size_t row = 0; row < grid.rows.size(); ++row )
        {
            cells.push_back( textOf( grid, row ) );
        }
        for ( const std::string& line : compare::tableLines( cells, 1 ) )
        {
            text += line;
        }
        text += fmt::format( "same pairs: {}\n", grid.isRight ? "yes" : "NO" );
    }
    return text;
}

} // namespace cullet::papers
