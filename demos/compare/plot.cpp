// SPDX-License-Identifier: Zlib
/// \file plot.cpp
/// The data of the pictures that plot.gnuplot draws. Runs that differ only in engine and x axis are one panel.
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
constexpr double placeOfNothing = 0.1;

/// One engine on one number of threads.
struct Curve
{
    std::string engine;
    int threads;
    int dash; ///< 1: solid; 2 and more: the same engine on other numbers of threads
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

/// Adds a point to the panel with the title of `empty`, which is appended if it is missing.
void add( std::vector<Panel>& panels, const Panel& empty, double x, const std::string& label, const Run& run )
{
    const auto hasTitle = [&]( const Panel& panel ) { return panel.title == empty.title; };
    const auto found = std::find_if( panels.begin(), panels.end(), hasTitle );
    std::vector<Curve>& curves = ( found == panels.end() ? panels.emplace_back( empty ) : *found ).curves;
    const auto isOfEngine = [&]( const Curve& curve ) { return curve.engine == run.engine; };
    const auto isOfRun = [&]( const Curve& curve )
    { return isOfEngine( curve ) && curve.threads == run.facts.threads; };
    const auto curve = std::find_if( curves.begin(), curves.end(), isOfRun );
    const auto others = std::count_if( curves.begin(), curves.end(), isOfEngine );
    const Curve fresh = { run.engine, run.facts.threads, 1 + int( others ), {} };
    ( curve == curves.end() ? curves.emplace_back( fresh ) : *curve ).points[x] = { *run.ms[totalMs], label };
}

/// Orders the legend from the slowest to the fastest at the right end. Curves that end further left come first: their
/// engines were stopped by the cap.
bool endsHigher( const Curve& a, const Curve& b )
{
    const auto& [xOfA, pointOfA] = *a.points.rbegin();
    const auto& [xOfB, pointOfB] = *b.points.rbegin();
    return xOfA != xOfB ? xOfA < xOfB : pointOfA.first > pointOfB.first;
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
            add( panels, { title, "bodies", {} }, run.bodies, sizeLabel( run.bodies ), run );
        }
        if ( shares.size() > 1 && run.bodies == *sizes.rbegin() )
        {
            const std::string title =
                fmt::format( "{}, {} bodies{}", run.scene, grouped( run.bodies ), motionOf( run ) );
            add( overShares, { title, "percent of the bodies that move", {} },
                 run.moving > 0 ? run.moving : placeOfNothing * *leastMoving, fmt::format( "{:g}", run.moving ), run );
        }
    }
    panels.insert( panels.end(), overShares.begin(), overShares.end() );
    for ( Panel& panel : panels )
    {
        std::stable_sort( panel.curves.begin(), panel.curves.end(), endsHigher );
    }
    return panels;
}

/// The curve as a block of gnuplot data. Its title has the number of threads if the engine ran on several.
std::string blockOf( const Curve& curve, const Panel& panel )
{
    const bool isOneOfMany = std::any_of( panel.curves.begin(), panel.curves.end(),
                                          [&]( const Curve& other )
                                          { return other.engine == curve.engine && other.threads != curve.threads; } );
    std::string block = isOneOfMany ? fmt::format( "\"{} x{}\"\n", curve.engine, curve.threads ) : curve.engine + "\n";
    for ( const auto& [x, point] : curve.points )
    {
        block += fmt::format( "{} {} {}\n", x, point.first, point.second );
    }
    return block + "\n\n";
}

std::string numbersOf( const std::vector<Panel>& panels )
{
    std::vector<std::string> titles, xTitles, engines;
    std::vector<int> dashes;
    std::vector<std::size_t> lasts;
    std::string blocks;
    for ( const Panel& panel : panels )
    {
        for ( const Curve& curve : panel.curves )
        {
            engines.push_back( curve.engine );
            dashes.push_back( curve.dash );
            blocks += blockOf( curve, panel );
        }
        titles.push_back( panel.title );
        xTitles.push_back( panel.xTitle );
        lasts.push_back( engines.size() );
    }
    return fmt::format( "panels = {}\ntitles = '\"{}\"'\nxTitles = '\"{}\"'\nlasts = '{}'\n"
                        "engines = '{}'\ndashes = '{}'\n$curves << END\n{}END\n",
                        panels.size(), fmt::join( titles, "\" \"" ), fmt::join( xTitles, "\" \"" ),
                        fmt::join( lasts, " " ), fmt::join( engines, " " ), fmt::join( dashes, " " ), blocks );
}

} // namespace

void plotRuns( const std::string& path, const std::vector<Run>& runs )
{
    const std::vector<Panel> panels = panelsOf( runs );
    if ( panels.empty() )
    {
        throw std::runtime_error( "nothing to plot: no engine finished a timed step" );
    }
    const Machine machine = describeMachine();
    // gnuplot interprets \n only between double quotes.
    gnuplot::run( fmt::format( "path = {}\nheading = \"{}\\ncullet {}, Bullet {}, {}\\n"
                               "medians of whole steps: setting boxes and finding pairs\"\n",
                               gnuplot::quoted( path ), machineLine( machine ), machine.commit, machine.bullet,
                               machine.compiler ) +
                  numbersOf( panels ) + plotScript );
}

} // namespace cullet::compare
