// SPDX-License-Identifier: Zlib
/// \file figure.cpp
/// The data of a table's picture: curves, which figure.gnuplot draws, or grids in colors, which grids.gnuplot draws.
#include "figure_script.h"
#include "grid.h"
#include "grids_script.h"

#include "demos/report/gnuplot.h"
#include "demos/report/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    std::size_t color; ///< one for each row name, shared by its CPU, device and paper curves
    Dash dash;
    std::map<double, double> points = {}; ///< milliseconds by x coordinate
};

std::vector<Curve> curvesOf( const std::vector<Row>& rows )
{
    std::vector<Curve> curves;
    const auto curveOf = [&curves]( const std::string& title ) {
        return std::find_if( curves.begin(), curves.end(), [&]( const Curve& curve ) { return curve.title == title; } );
    };
    const auto addPoint = [&]( const char* where, Dash dash, const Row& row, Figure time )
    {
        if ( !row.isTime() || !row.x || !time || *time <= 0 )
        {
            return;
        }
        const auto same = curveOf( row.what ), found = curveOf( row.what + where );
        const std::size_t color = same == curves.end() ? curves.size() + 1 : same->color;
        Curve& curve = found == curves.end() ? curves.emplace_back( Curve{ row.what + where, color, dash } ) : *found;
        curve.points[*row.x] = row.unit == "us" ? *time / 1000 : *time;
    };
    for ( const Row& row : rows )
    {
        addPoint( "", solid, row, row.cpu );
        addPoint( ", device", dotted, row, row.device );
        addPoint( ", paper", dashed, row, row.paper );
    }
    return curves;
}

/// \return the script; empty if there is nothing to draw
std::string curvesScript( const Table& table, const std::vector<Curve>& curves )
{
    const auto isOfPaper = []( const Curve& curve ) { return curve.dash == dashed; };
    if ( table.xTitle == nullptr || std::all_of( curves.begin(), curves.end(), isOfPaper ) )
    {
        return "";
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
    return fmt::format( "xTitle = {}\nisLogarithmic = {}\ncurves = {}\ndashes = '{}'\ncolorOf = '{}'\n"
                        "$points << END\n{}END\n",
                        gnuplot::quoted( table.xTitle ), int( table.isLogarithmic ), curves.size(), dashes, colors,
                        blocks ) +
           figureScript;
}

std::string tics( const std::vector<std::string>& names )
{
    std::vector<std::string> tics;
    for ( const std::string& name : names )
    {
        tics.push_back( fmt::format( "{} {}", gnuplot::quoted( name ), tics.size() ) );
    }
    return fmt::format( "{}", fmt::join( tics, ", " ) );
}

/// One line for each cell: column, row, the cell's number divided by the smallest number, and the label.
std::string cellLines( const Grid& grid )
{
    std::string lines;
    for ( std::size_t row = 0; row < grid.rows.size(); ++row )
    {
        for ( std::size_t column = 0; column < grid.columns.size(); ++column )
        {
            const Figure cell = grid.cell( grid.rows[row], grid.columns[column] );
            lines += !cell ? fmt::format( "{} {} 1 -\n", column, row )
                           : fmt::format( "{} {} {} \"{}\\n{}\"\n", column, row, *cell / grid.smallest(),
                                          compare::threeDigits( *cell ), *cell == grid.smallest() ? "least" : "" );
        }
    }
    return lines;
}

std::string gridsScriptOf( const std::vector<Grid>& grids )
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
    return fmt::format( "count = {}\n{}{}{}unset multiplot\n", count, data, gridsScript, plots );
}

} // namespace

void plotTable( const std::string& folder, const Table& table, const std::vector<Row>& rows )
{
    const compare::Machine machine = compare::describeMachine();
    const std::vector<Grid> grids = gridsOf( rows );
    const std::string script = grids.empty() ? curvesScript( table, curvesOf( rows ) ) : gridsScriptOf( grids );
    if ( !script.empty() )
    {
        // gnuplot interprets \n only between double quotes. The heading contains nothing that needs escaping.
        gnuplot::run(
            fmt::format( "path = {}\nname = {}\nheading = \"here: {}, {}\\nthere: {}\"\n{}",
                         gnuplot::quoted( folder + "/" + table.id + ".png" ),
                         gnuplot::quoted( fmt::format( "{}, {}: {}", table.paper->name, table.place, table.title ) ),
                         machineLine( machine ), machine.commit, table.paper->machine, script ) );
    }
}

} // namespace cullet::papers
