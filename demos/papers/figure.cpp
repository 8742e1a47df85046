// SPDX-License-Identifier: Zlib
/// \file figure.cpp
/// The data of a table's picture: curves, which figure.gnuplot draws, or grids in colors, which grids.gnuplot draws.
#include "figure_script.h"
#include "grid.h"
#include "grids_script.h"

#include "demos/report/gnuplot.h"
#include "demos/report/machine.h"
#include "demos/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cullet::papers
{

namespace
{

enum Dash
{
    solid = 1,
    dashed,
    dotted
};

struct Curve
{
    std::string title;
    std::size_t color; ///< the same for all curves of one row name
    Dash dash;
    std::map<double, double> points; ///< milliseconds
};

/// \param figure  empty: not measured
void addPoint( std::vector<Curve>& curves, const char* where, Dash dash, const Row& row,
               const std::optional<double>& figure )
{
    const bool isTime = row.unit == "ms" || row.unit == "us";
    if ( !isTime || !row.x || !figure || *figure <= 0 )
    {
        return;
    }
    const auto isOf = [&curves]( const std::string& title ) {
        return std::find_if( curves.begin(), curves.end(), [&]( const Curve& curve ) { return curve.title == title; } );
    };
    const auto same = isOf( row.what );
    const std::size_t color = same == curves.end() ? curves.size() + 1 : same->color;
    const auto found = isOf( row.what + where );
    Curve& curve = found == curves.end() ? curves.emplace_back( Curve{ row.what + where, color, dash, {} } ) : *found;
    curve.points[*row.x] = row.unit == "us" ? *figure / 1000 : *figure;
}

std::vector<Curve> curvesOf( const std::vector<Row>& rows )
{
    std::vector<Curve> curves;
    for ( const Row& row : rows )
    {
        addPoint( curves, "", solid, row, row.cpu );
        addPoint( curves, ", device", dotted, row, row.device );
        addPoint( curves, ", paper", dashed, row, row.paper );
    }
    return curves;
}

void plotCurves( const std::string& path, const std::string& name, const std::string& heading, const Table& table,
                 const std::vector<Curve>& curves )
{
    const auto isOfPaper = []( const Curve& curve ) { return curve.dash == dashed; };
    if ( table.xTitle == nullptr || std::all_of( curves.begin(), curves.end(), isOfPaper ) )
    {
        return;
    }
    std::string blocks, dashes, colors;
    for ( const Curve& curve : curves )
    {
        blocks += fmt::format( "\"{}\"\n", curve.title );
        for ( const auto& [x, ms] : curve.points )
        {
            blocks += fmt::format( "{} {}\n", x, ms );
        }
        blocks += "\n\n";
        dashes += fmt::format( "{} ", int( curve.dash ) );
        colors += fmt::format( "{} ", curve.color );
    }
    gnuplot::run( fmt::format( "path = {}\nname = {}\nheading = \"{}\"\nxTitle = {}\nisLogarithmic = {}\ncurves = {}\n"
                               "dashes = '{}'\ncolorOf = '{}'\n$points << END\n{}END\n",
                               gnuplot::quoted( path ), gnuplot::quoted( name ), heading,
                               gnuplot::quoted( table.xTitle ), int( table.isLogarithmic ), curves.size(), dashes,
                               colors, blocks ) +
                  figureScript );
}

std::string tics( const std::vector<std::string>& names )
{
    std::string text;
    for ( std::size_t k = 0; k < names.size(); ++k )
    {
        text += fmt::format( "{}{} {}", k == 0 ? "" : ", ", gnuplot::quoted( names[k] ), k );
    }
    return text;
}

/// One line for each cell: column, row, the number over the smallest one, and the label.
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

} // namespace

void plotTable( const std::string& folder, const Table& table, const std::vector<Row>& rows )
{
    const compare::Machine machine = compare::describeMachine();
    const std::string path = folder + "/" + table.id + ".png";
    const std::string name = fmt::format( "{}, {}: {}", table.paper->name, table.place, table.title );
    // gnuplot interprets \n only between double quotes. The heading contains nothing that needs escaping.
    const std::string heading =
        fmt::format( "here: {}, {}\\nthere: {}", machineLine( machine ), machine.commit, table.paper->machine );
    const std::vector<Grid> grids = gridsOf( rows );
    grids.empty() ? plotCurves( path, name, heading, table, curvesOf( rows ) )
                  : plotGrids( path, name, heading, grids );
}

} // namespace cullet::papers
