// SPDX-License-Identifier: Zlib
/// \file grid.h
/// A figure with two parameters, as a grid of numbers with a mark at the smallest. Papers show such figures in colors.
#ifndef CLT_PAPERS_GRID_H
#define CLT_PAPERS_GRID_H

#include "papers.h"

#include <map>

namespace cullet::papers
{

struct Grid
{
    std::string name, unit;
    std::vector<std::string> rows, columns;
    std::map<std::pair<std::string, std::string>, double> cells = {}; ///< by row and column; missing ones are unknown
    bool isRight = true;                                              ///< the results of all cells are right

    Figure cell( const std::string& row, const std::string& column ) const
    {
        const auto found = cells.find( { row, column } );
        return found == cells.end() ? Figure() : found->second;
    }

    double smallest() const
    {
        const auto isSmaller = []( const auto& a, const auto& b ) { return a.second < b.second; };
        return std::min_element( cells.begin(), cells.end(), isSmaller )->second;
    }
};

/// Collects the rows that are cells into grids, one for each name and unit. Cells without a number are left out.
inline std::vector<Grid> gridsOf( const std::vector<Row>& rows )
{
    std::vector<Grid> grids;
    const auto addName = []( std::vector<std::string>& names, const std::string& name )
    {
        if ( std::find( names.begin(), names.end(), name ) == names.end() )
        {
            names.push_back( name );
        }
    };
    for ( const Row& row : rows )
    {
        if ( row.grid.empty() || !row.cpu )
        {
            continue;
        }
        const auto isOfRow = [&]( const Grid& grid ) { return grid.name == row.grid && grid.unit == row.unit; };
        const auto found = std::find_if( grids.begin(), grids.end(), isOfRow );
        Grid& grid = found == grids.end() ? grids.emplace_back( Grid{ row.grid, row.unit, {}, {} } ) : *found;
        addName( grid.rows, row.size );
        addName( grid.columns, row.column );
        grid.cells[{ row.size, row.column }] = *row.cpu;
        grid.isRight = grid.isRight && row.tick == Tick::yes;
    }
    return grids;
}

} // namespace cullet::papers

#endif
