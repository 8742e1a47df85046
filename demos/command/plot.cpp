// SPDX-License-Identifier: Zlib
/// \file plot.cpp
/// Writes a gnuplot script with the numbers inside it and pipes it into gnuplot.
#include "plot.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

/// The same engine has the same color in every picture. From Okabe and Ito's palette, which color-blind readers can
/// tell apart; Bullet's engines in warm and grey tones, cullet's in blue and green.
const std::map<std::string, std::string> colors = {
    { "dbvt", "#d55e00" },        { "dbvt-deferred", "#e69f00" }, { "sap", "#cc79a7" },
    { "simple", "#7f7f7f" },      { "cullet", "#0072b2" },        { "cullet-lbvh", "#56b4e9" },
    { "cullet-grid", "#004d40" }, { "cullet-brute", "#8c6bb1" },  { "core", "#009e73" } };

template <typename Value>
void appendOnce( std::vector<Value>& values, const Value& value )
{
    if ( std::find( values.begin(), values.end(), value ) == values.end() )
    {
        values.push_back( value );
    }
}

std::vector<std::string> scenesOf( const std::vector<Run>& runs )
{
    std::vector<std::string> scenes;
    for ( const Run& run : runs )
    {
        appendOnce( scenes, run.scene );
    }
    return scenes;
}

std::vector<std::string> measuredEngines( const std::vector<Run>& runs, const std::string& scene )
{
    std::vector<std::string> engines;
    for ( const Run& run : runs )
    {
        if ( run.scene == scene && run.totalMs )
        {
            appendOnce( engines, run.engine );
        }
    }
    return engines;
}

/// A string of gnuplot's that nothing is expanded in.
std::string quoted( const std::string& text )
{
    std::string result = "'";
    for ( const char letter : text )
    {
        result += letter == '\'' ? "''" : std::string( 1, letter );
    }
    return result + "'";
}

/// The numbers of one panel, a named block for each engine.
std::string dataBlocks( const std::vector<Run>& runs, const std::string& scene,
                        const std::vector<std::string>& engines )
{
    std::string script;
    for ( std::size_t k = 0; k < engines.size(); ++k )
    {
        script += fmt::format( "$engine{} << END\n", k );
        for ( const Run& run : runs )
        {
            if ( run.scene == scene && run.engine == engines[k] && run.totalMs )
            {
                script += fmt::format( "{} {}\n", run.bodies, *run.totalMs );
            }
        }
        script += "END\n";
    }
    return script;
}

std::string curves( const std::vector<std::string>& engines )
{
    std::string script = "plot ";
    for ( std::size_t k = 0; k < engines.size(); ++k )
    {
        script += fmt::format(
            "{}$engine{} with linespoints linewidth 2.5 pointtype 7 pointsize 1.1 linecolor rgb {} title {}",
            k == 0 ? "" : ", \\\n  ", k, quoted( colors.at( engines[k] ) ), quoted( engines[k] ) );
    }
    return script + "\n";
}

/// A little beyond what was measured: gnuplot itself would go on to the next power of ten.
std::string ranges( const std::vector<Run>& runs, const std::string& scene )
{
    double leastBodies = HUGE_VAL, mostBodies = 0, leastMs = HUGE_VAL, mostMs = 0;
    for ( const Run& run : runs )
    {
        if ( run.scene == scene && run.totalMs )
        {
            leastBodies = std::min( leastBodies, double( run.bodies ) );
            mostBodies = std::max( mostBodies, double( run.bodies ) );
            leastMs = std::min( leastMs, *run.totalMs );
            mostMs = std::max( mostMs, *run.totalMs );
        }
    }
    return fmt::format( "set xrange [{}:{}]\nset yrange [{}:{}]\n", leastBodies / 1.25, mostBodies * 1.25, leastMs / 2,
                        mostMs * 2 );
}

/// Marks the sizes that were measured, not powers of ten.
std::string sizeMarks( const std::vector<Run>& runs )
{
    std::vector<std::uint32_t> sizes;
    for ( const Run& run : runs )
    {
        appendOnce( sizes, run.bodies );
    }
    std::string script = "set xtics (";
    for ( std::size_t k = 0; k < sizes.size(); ++k )
    {
        const bool thousands = sizes[k] >= 1000 && sizes[k] % 100 == 0;
        const std::string label = thousands ? fmt::format( "{:g}k", sizes[k] / 1000.0 ) : fmt::format( "{}", sizes[k] );
        script += fmt::format( "{}'{}' {}", k == 0 ? "" : ", ", label, sizes[k] );
    }
    return script + ")\n";
}

std::string panel( const std::vector<Run>& runs, const std::string& scene )
{
    const std::vector<std::string> engines = measuredEngines( runs, scene );
    if ( engines.empty() )
    {
        throw std::runtime_error( fmt::format( "nothing to plot: no engine finished a timed step of {}", scene ) );
    }
    const Run& first = runs.front();
    const std::string title =
        fmt::format( "{}, {:g} % moving, speed {:g}", scene, first.moving, first.speed.value_or( 1 ) );
    return dataBlocks( runs, scene, engines ) + ranges( runs, scene ) + sizeMarks( runs ) +
           fmt::format( "set title {} font ',17'\n", quoted( title ) ) + curves( engines );
}

std::string axes()
{
    return "set logscale xy\n"
           "set xlabel 'bodies'\n"
           "set ylabel 'milliseconds a step'\n"
           "set format y '%g'\n"
           "set grid xtics ytics mytics linetype 1 linecolor rgb '#c8c8c8', linetype 1 linecolor rgb '#ececec'\n"
           "set border 3 linecolor rgb '#505050'\n"
           "set tics nomirror\n"
           "set key outside right center reverse Left samplen 2.5 spacing 1.3\n";
}

std::string plotScript( const std::string& path, const Machine& machine, const std::vector<Run>& runs )
{
    const std::vector<std::string> scenes = scenesOf( runs );
    const std::size_t columns = scenes.size() == 1 ? 1 : 2;
    const std::size_t rows = ( scenes.size() + columns - 1 ) / columns;
    const std::string heading =
        fmt::format( "{}\\nBullet {}, {}, median of each size's steps, setting boxes and finding pairs",
                     machineLine( machine ), machine.bullet, machine.compiler );
    std::string script = fmt::format( "set terminal pngcairo noenhanced size {},{} font 'DejaVu Sans,15'\n",
                                      1000 * columns, 60 + 620 * rows );
    script += fmt::format( "set output {}\n", quoted( path ) ) + axes();
    script += fmt::format( "set multiplot layout {},{} title \"{}\" font ',13' noenhanced\n", rows, columns, heading );
    for ( const std::string& scene : scenes )
    {
        script += panel( runs, scene );
    }
    return script + "unset multiplot\n";
}

} // namespace

void requirePlotting( const std::string& path )
{
    if ( std::system( "command -v gnuplot >/dev/null 2>&1" ) != 0 )
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
    const std::string script = plotScript( path, machine, runs );
    std::FILE* pipe = popen( "gnuplot", "w" );
    if ( pipe == nullptr )
    {
        throw std::runtime_error( "--plot could not start gnuplot" );
    }
    const bool written = std::fwrite( script.data(), 1, script.size(), pipe ) == script.size();
    if ( pclose( pipe ) != 0 || !written )
    {
        throw std::runtime_error( fmt::format( "gnuplot could not draw {}", path ) );
    }
}

} // namespace cullet::compare
