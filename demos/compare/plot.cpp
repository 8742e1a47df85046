// SPDX-License-Identifier: Zlib
/// \file plot.cpp
/// The data of the pictures that plot.gnuplot draws. Runs that differ only in engine and x coordinate form one panel.
#include "compare.h"
#include "plot_script.h"

#include "demos/report/gnuplot.h"
#include "demos/report/machine.h"
#include "demos/report/numbers.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

/// 0 % moving has no place on a logarithmic axis. It is drawn at this fraction of the least other percentage.
constexpr double zeroPercentFraction = 0.1;

/// One engine on one number of threads.
struct Curve
{
    std::string engine;
    int threads;
    std::map<double, std::pair<double, std::string>> points; ///< by x: milliseconds and label
};

struct Panel
{
    std::string title;
    std::string xTitle;
    std::vector<Curve> curves;
};

std::string sizeLabel( std::uint32_t bodies )
{
    return bodies >= 1000000 ? fmt::format( "{:g}M", bodies / 1e6 )
           : bodies >= 1000  ? fmt::format( "{:g}k", bodies / 1e3 )
                             : fmt::format( "{}", bodies );
}

/// The first element that `fits`, or `fresh`, which is appended if there is none.
template <typename Element, typename Fits>
Element& findOrAdd( std::vector<Element>& elements, Fits&& fits, const Element& fresh )
{
    const auto found = std::find_if( elements.begin(), elements.end(), fits );
    return found == elements.end() ? elements.emplace_back( fresh ) : *found;
}

void addPoint( std::vector<Panel>& panels, const Panel& empty, double x, const std::string& label, const Run& run )
{
    const auto hasTitle = [&]( const Panel& panel ) { return panel.title == empty.title; };
    const auto isOfRun = [&]( const Curve& curve )
    { return curve.engine == run.engine && curve.threads == run.threads; };
    Panel& panel = findOrAdd( panels, hasTitle, empty );
    findOrAdd( panel.curves, isOfRun, { run.engine, run.threads, {} } ).points[x] = { *run.ms[totalMs], label };
}

std::vector<Panel> panelsOf( const std::vector<Run>& runs )
{
    std::set<std::uint32_t> sizes;
    std::set<double> shares;
    std::vector<Run> drawn;
    for ( const Run& run : runs )
    {
        if ( run.ms[totalMs].value_or( 0 ) > 0 )
        {
            drawn.push_back( run );
            sizes.insert( run.bodies );
            shares.insert( run.moving );
        }
    }
    const auto leastMoving = shares.upper_bound( 0 );
    std::vector<Panel> panels;
    std::vector<Panel> overShares;
    for ( const Run& run : drawn )
    {
        if ( sizes.size() > 1 || shares.size() == 1 )
        {
            const std::string title = fmt::format( "{}, {:g} % moving{}", run.scene, run.moving, motionOf( run ) );
            addPoint( panels, { title, "bodies", {} }, run.bodies, sizeLabel( run.bodies ), run );
        }
        if ( shares.size() > 1 && run.bodies == *sizes.rbegin() )
        {
            const std::string title =
                fmt::format( "{}, {} bodies{}", run.scene, grouped( run.bodies ), motionOf( run ) );
            addPoint( overShares, { title, "percent of the bodies that move", {} },
                      run.moving > 0 ? run.moving : zeroPercentFraction * *leastMoving,
                      fmt::format( "{:g}", run.moving ), run );
        }
    }
    panels.insert( panels.end(), overShares.begin(), overShares.end() );
    return panels;
}

/// Orders the legend. Curves that end further left come first, because the cap stopped their engines. Curves that end
/// at the same x are ordered by their right ends, the slowest first.
bool precedesInLegend( const Curve& a, const Curve& b )
{
    const auto& [xOfA, pointOfA] = *a.points.rbegin();
    const auto& [xOfB, pointOfB] = *b.points.rbegin();
    return xOfA != xOfB ? xOfA < xOfB : pointOfA.first > pointOfB.first;
}

/// The variables that plot.gnuplot reads. A curve is a block of lines. If an engine ran on several numbers of threads,
/// its curves have the number in their titles, and different dashes.
std::string gnuplotVariables( std::vector<Panel> panels )
{
    std::string titles, xTitles, lasts, engines, dashes, blocks;
    std::size_t last = 0;
    for ( Panel& panel : panels )
    {
        std::map<std::string, std::set<int>> threads; // by engine, ascending as the option's values are in most cases
        for ( const Curve& curve : panel.curves )
        {
            threads[curve.engine].insert( curve.threads );
        }
        std::stable_sort( panel.curves.begin(), panel.curves.end(), precedesInLegend );
        for ( const Curve& curve : panel.curves )
        {
            const std::set<int>& ofEngine = threads[curve.engine];
            engines += curve.engine + " ";
            dashes += fmt::format( "{} ", 1 + std::distance( ofEngine.begin(), ofEngine.find( curve.threads ) ) );
            blocks +=
                ofEngine.size() > 1 ? fmt::format( "\"{} x{}\"\n", curve.engine, curve.threads ) : curve.engine + "\n";
            for ( const auto& [x, point] : curve.points )
            {
                blocks += fmt::format( "{} {} {}\n", x, point.first, point.second );
            }
            blocks += "\n\n";
        }
        titles += fmt::format( "\"{}\" ", panel.title );
        xTitles += fmt::format( "\"{}\" ", panel.xTitle );
        lasts += fmt::format( "{} ", last += panel.curves.size() );
    }
    return fmt::format( "panels = {}\ntitles = '{}'\nxTitles = '{}'\nlasts = '{}'\nengines = '{}'\ndashes = '{}'\n"
                        "$curves << END\n{}END\n",
                        panels.size(), titles, xTitles, lasts, engines, dashes, blocks );
}

} // namespace

void plotRuns( const std::string& path, const std::vector<Run>& runs )
{
    const std::vector<Panel> panels = panelsOf( runs );
    if ( panels.empty() )
    {
        throw std::runtime_error( "nothing to plot: no engine finished a timed step" );
    }
    gnuplot::run( fmt::format( "path = {}\nheading = \"{}medians of whole steps: setting boxes and finding pairs\"\n",
                               gnuplot::quoted( path ), pictureHeading() ) +
                  gnuplotVariables( panels ) + plotScript );
}

} // namespace cullet::compare
