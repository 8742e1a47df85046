// SPDX-License-Identifier: Zlib
/// \file grid_figure.cpp
/// Grids in colors, beside each other. How is said in grids.gnuplot.
#include "grid.h"
#include "grids_script.h"

#include "demos/report/gnuplot.h"
#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace cullet::papers
{

namespace
{

std::string tics( const std::vector<std::string>& names )
{
    std::string text;
    for ( std::size_t k = 0; k < names.size(); ++k )
    {
        text += fmt::format( "{}{} {}", k == 0 ? "" : ", ", gnuplot::quoted( names[k] ), k );
    }
    return text;
}

/// Of each cell its column, row, number over the smallest one, and what is written on it.
std::string cellLines( const Grid& grid )
{
    const double smallest = grid.smallest();
    std::string lines;
    for ( std::size_t row = 0; row < grid.rows.size(); ++row )
    {
        for ( std::size_t column = 0; column < grid.columns.size(); ++column )
        {
            const double cell = grid.cells[row][column];
            const char* mark = cell == smallest ? "least" : "";
            lines += std::isnan( cell ) ? fmt::format( "{} {} 1 -\n", column, row )
                                        : fmt::format( "{} {} {} \"{}\\n{}\"\n", column, row, cell / smallest,
                                                       compare::threeDigits( cell ), mark );
        }
    }
    return lines;
}

} // namespace

void plotGrids( const std::string& path, const std::string& name, const std::string& heading,
                const std::vector<Grid>& grids )
{
    std::string data, plots;
    int count = 0;
    for ( const Grid& grid : grids )
    {
        if ( grid.unit == grids[0].unit )
        {
            data += fmt::format( "$grid{} << END\n{}END\n", count, cellLines( grid ) );
            plots += fmt::format( "set title {}\nset xtics ({})\nset ytics ({})\nplot $grid{} using 1:2:3 with image, "
                                  "'' using 1:2:4 with labels font ',12'\n",
                                  gnuplot::quoted( grid.name + ", " + grid.unit ), tics( grid.columns ),
                                  tics( grid.rows ), count );
            ++count;
        }
    }
    gnuplot::run( fmt::format( "path = {}\nname = {}\nheading = \"{}\"\ncount = {}\n{}", gnuplot::quoted( path ),
                               gnuplot::quoted( name ), heading, count, data ) +
                  gridsScript + plots + "unset multiplot\n" );
}

} // namespace cullet::papers
