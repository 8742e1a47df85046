// SPDX-License-Identifier: Zlib
/// \file plot_panels.cpp
/// Runs that agree in all but the x axis are one panel.
#include "plot_panels.h"

#include "demos/report/numbers.h"
#include "demos/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cullet::compare
{

namespace
{

/// On a logarithmic axis nothing moving has no place; this is how far left of the least share that moves it is put.
constexpr double placeOfNothing = 0.1;

std::string sizeLabel( std::uint32_t bodies )
{
    const bool millions = bodies >= 1000000 && bodies % 100000 == 0;
    const bool thousands = bodies >= 1000 && bodies % 100 == 0;
    return millions    ? fmt::format( "{:g}M", bodies / 1e6 )
           : thousands ? fmt::format( "{:g}k", bodies / 1e3 )
                       : fmt::format( "{}", bodies );
}

std::string titleOverBodies( const Run& run )
{
    return fmt::format( "{}, {:g} % moving{}", run.scene, run.moving, motionOf( run ) );
}

std::string titleOverShare( const Run& run )
{
    return fmt::format( "{}, {} bodies{}", run.scene, grouped( run.bodies ), motionOf( run ) );
}

/// The first of which `isIt` holds, or a new one at the end.
template <typename Value, typename IsIt>
Value& findOrAdd( std::vector<Value>& values, const Value& added, const IsIt& isIt )
{
    const auto found = std::find_if( values.begin(), values.end(), isIt );
    return found == values.end() ? values.emplace_back( added ) : *found;
}

void add( std::vector<Panel>& panels, const Panel& empty, double x, const std::string& label, const Run& run )
{
    Panel& panel = findOrAdd( panels, empty, [&empty]( const Panel& other ) { return other.title == empty.title; } );
    const Curve fresh = { run.engine, run.facts.threads, run.engine, {} };
    Curve& curve = findOrAdd( panel.curves, fresh,
                              [&fresh]( const Curve& other )
                              { return other.engine == fresh.engine && other.threads == fresh.threads; } );
    panel.marks[x] = label;
    curve.points[x] = *run.totalMs;
}

/// Threads are named where an engine ran on several numbers of them.
void nameThreads( Panel& panel )
{
    for ( Curve& curve : panel.curves )
    {
        const auto same = std::count_if( panel.curves.begin(), panel.curves.end(),
                                         [&curve]( const Curve& other ) { return other.engine == curve.engine; } );
        if ( same > 1 )
        {
            curve.title = fmt::format( "{} x{}", curve.engine, curve.threads );
        }
    }
}

/// Curves that were capped early end further left: they were slower than all that went on.
bool endsHigher( const Curve& a, const Curve& b )
{
    const auto& [xOfA, msOfA] = *a.points.rbegin();
    const auto& [xOfB, msOfB] = *b.points.rbegin();
    return xOfA != xOfB ? xOfA < xOfB : msOfA > msOfB;
}

} // namespace

std::vector<Panel> plotPanels( const std::vector<Run>& runs )
{
    std::vector<Run> drawn;
    std::copy_if( runs.begin(), runs.end(), std::back_inserter( drawn ),
                  []( const Run& run ) { return run.totalMs.value_or( 0 ) > 0; } );
    std::uint32_t mostBodies = 0;
    double leastMoving = 100;
    std::vector<Panel> panels;
    for ( const Run& run : drawn )
    {
        mostBodies = std::max( mostBodies, run.bodies );
        leastMoving = run.moving > 0 ? std::min( leastMoving, run.moving ) : leastMoving;
        add( panels, { titleOverBodies( run ), "bodies", {}, {} }, run.bodies, sizeLabel( run.bodies ), run );
    }
    const std::vector<Panel> overBodies = panels;
    for ( const Run& run : drawn )
    {
        if ( run.bodies == mostBodies )
        {
            add( panels, { titleOverShare( run ), "percent of the bodies that move", {}, {} },
                 run.moving > 0 ? run.moving : placeOfNothing * leastMoving, fmt::format( "{:g}", run.moving ), run );
        }
    }
    panels.erase(
        std::remove_if( panels.begin(), panels.end(), []( const Panel& panel ) { return panel.marks.size() < 2; } ),
        panels.end() );
    panels = panels.empty() ? overBodies : panels;
    for ( Panel& panel : panels )
    {
        nameThreads( panel );
        std::stable_sort( panel.curves.begin(), panel.curves.end(), endsHigher );
    }
    return panels;
}

} // namespace cullet::compare
