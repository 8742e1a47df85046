// SPDX-License-Identifier: Zlib
/// \file plot.cpp
/// One multiplot, every panel with axes and a legend of its own.
#include "plot.h"

#include "plot_panels.h"

#include "demos/report/gnuplot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

constexpr int panelWidth = 720; // pixels
constexpr int panelHeight = 520;
constexpr int headingHeight = 100;   // three lines of it
constexpr int mostColumns = 2;       // more are too small to read on a page
constexpr std::size_t fewCurves = 4; // have a legend small enough for the corner that rising curves leave free

struct Look
{
    const char* color;
    int point; ///< gnuplot's number of a shape
};

/// The same engine looks the same in every picture. Colors from Okabe and Ito's palette, which color-blind readers can
/// tell apart, and some of their kind; Bullet's engines in warm tones and grey with open points, cullet's in blue and
/// green with filled ones. Shapes are for readers without color.
const std::map<std::string, Look> looks = {
    { "dbvt", { "#d55e00", 4 } },        { "dbvt-deferred", { "#e69f00", 6 } }, { "sap", { "#cc79a7", 8 } },
    { "simple", { "#7f7f7f", 12 } },     { "cullet", { "#0072b2", 7 } },        { "cullet-lbvh", { "#56b4e9", 5 } },
    { "cullet-grid", { "#004d40", 9 } }, { "cullet-brute", { "#332288", 11 } }, { "core", { "#009e73", 13 } },
    { "core-full", { "#000000", 15 } },  { "cullet-wide", { "#44aa99", 3 } },
};

using gnuplot::quoted;

constexpr Look plainLook = { "#505050", 1 };

Look lookOf( const std::string& engine )
{
    const auto found = looks.find( engine );
    return found == looks.end() ? plainLook : found->second;
}

/// The numbers of one panel, a named block for each curve.
std::string dataBlocks( const Panel& panel )
{
    std::string script;
    for ( std::size_t k = 0; k < panel.curves.size(); ++k )
    {
        script += fmt::format( "$curve{} << END\n", k );
        for ( const auto& [x, milliseconds] : panel.curves[k].points )
        {
            script += fmt::format( "{} {}\n", x, milliseconds );
        }
        script += "END\n";
    }
    return script;
}

/// How many curves of the same engine ran on fewer threads: the first is solid, the others are dashed differently.
std::size_t dashOf( const Panel& panel, const Curve& curve )
{
    return 1 + std::size_t( std::count_if( panel.curves.begin(), panel.curves.end(),
                                           [&curve]( const Curve& other ) {
                                               return other.engine == curve.engine && other.threads > curve.threads;
                                           } ) );
}

std::string curves( const Panel& panel )
{
    std::vector<std::string> plots;
    for ( std::size_t k = 0; k < panel.curves.size(); ++k )
    {
        const Curve& curve = panel.curves[k];
        const Look look = lookOf( curve.engine );
        plots.push_back( fmt::format(
            "$curve{} with linespoints linewidth 2.5 dashtype {} pointtype {} pointsize 1.3 linecolor rgb {} title {}",
            k, dashOf( panel, curve ), look.point, quoted( look.color ), quoted( curve.title ) ) );
    }
    return fmt::format( "plot {}\n", fmt::join( plots, ", \\\n  " ) );
}

/// A little beyond what was measured: gnuplot itself would go on to the next power of ten.
std::string ranges( const Panel& panel )
{
    double leastMs = HUGE_VAL, mostMs = 0;
    for ( const Curve& curve : panel.curves )
    {
        for ( const auto& [x, milliseconds] : curve.points )
        {
            leastMs = std::min( leastMs, milliseconds );
            mostMs = std::max( mostMs, milliseconds );
        }
    }
    return fmt::format( "set xrange [{}:{}]\nset yrange [{}:{}]\n", panel.marks.begin()->first / 1.25,
                        panel.marks.rbegin()->first * 1.25, leastMs / 2, mostMs * 4 );
}

/// Marks the places that were measured, not powers of ten.
std::string marks( const Panel& panel )
{
    std::vector<std::string> texts;
    for ( const auto& [x, label] : panel.marks )
    {
        texts.push_back( fmt::format( "{} {}", quoted( label ), x ) );
    }
    return fmt::format( "set xtics ({})\n", fmt::join( texts, ", " ) );
}

std::string legend( const Panel& panel )
{
    return panel.curves.size() <= fewCurves ? "set key inside left top opaque\n" : "set key outside right center\n";
}

std::string drawn( const Panel& panel )
{
    return dataBlocks( panel ) + ranges( panel ) + marks( panel ) + legend( panel ) +
           fmt::format( "set xlabel {}\nset title {} font ',19'\n", quoted( panel.xTitle ), quoted( panel.title ) ) +
           curves( panel );
}

std::string axes()
{
    return "set logscale xy\n"
           "set ylabel 'milliseconds a step'\n"
           "set format y '%g'\n"
           "set grid xtics ytics mytics linetype 1 linecolor rgb '#c8c8c8', linetype 1 linecolor rgb '#ececec'\n"
           "set border 3 linecolor rgb '#505050'\n"
           "set tics nomirror\n"
           "set key reverse Left samplen 3.5 spacing 1.3 width 1\n";
}

std::string scriptFor( const std::string& path, const std::vector<std::string>& heading,
                       const std::vector<Panel>& panels )
{
    const int columns = std::min( int( panels.size() ), mostColumns );
    const int rows = ( int( panels.size() ) + columns - 1 ) / columns;
    // Only between double quotes does gnuplot take \n for a new line.
    std::string script = gnuplot::output( path, panelWidth * columns, headingHeight + panelHeight * rows ) + axes() +
                         fmt::format( "set multiplot layout {},{} title \"{}\" font ',14' noenhanced\n", rows, columns,
                                      fmt::join( heading, "\\n" ) );
    for ( const Panel& panel : panels )
    {
        script += drawn( panel );
    }
    return script + "unset multiplot\n";
}

} // namespace

void requirePlotting( const std::string& path )
{
    if ( !gnuplot::isInstalled() )
    {
        throw std::runtime_error(
            "--plot needs gnuplot, which is not installed (on Debian: apt-get install gnuplot-nox)" );
    }
    const std::filesystem::path folder = std::filesystem::absolute( path ).parent_path();
    if ( access( folder.c_str(), W_OK ) != 0 )
    {
        throw std::runtime_error( fmt::format( "--plot cannot write into {}", folder.string() ) );
    }
}

void plotRuns( const std::string& path, const Machine& machine, const std::vector<Run>& runs )
{
    const std::vector<Panel> panels = plotPanels( runs );
    if ( panels.empty() )
    {
        throw std::runtime_error( "nothing to plot: no engine finished a timed step" );
    }
    const std::vector<std::string> heading = {
        machineLine( machine ),
        fmt::format( "cullet {}, Bullet {}, {}", machine.commit, machine.bullet, machine.compiler ),
        "medians of whole steps: setting boxes and finding pairs",
    };
    gnuplot::run( scriptFor( path, heading, panels ) );
}

} // namespace cullet::compare
