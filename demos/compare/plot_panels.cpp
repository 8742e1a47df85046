// SPDX-License-Identifier: Zlib
/// \file plot_panels.cpp
/// Both kinds of panels come from one function: runs that agree in all but the x axis are one panel.
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

/// A place on the x axis that was measured.
struct Mark
{
    double x;
    std::string label;
};

std::string sizeLabel( std::uint32_t bodies )
{
    const bool millions = bodies >= 1000000 && bodies % 100000 == 0;
    const bool thousands = bodies >= 1000 && bodies % 100 == 0;
    return millions    ? fmt::format( "{:g}M", bodies / 1e6 )
           : thousands ? fmt::format( "{:g}k", bodies / 1e3 )
                       : fmt::format( "{}", bodies );
}

Mark sizeMark( const Run& run )
{
    return { double( run.bodies ), sizeLabel( run.bodies ) };
}

/// \param leastMoving  of the shares above 0
Mark shareMark( const Run& run, double leastMoving )
{
    return { run.moving > 0 ? run.moving : placeOfNothing * leastMoving, fmt::format( "{:g}", run.moving ) };
}

std::string titleOverBodies( const Run& run )
{
    return fmt::format( "{}, {:g} % moving{}", run.scene, run.moving, motionOf( run ) );
}

std::string titleOverShare( const Run& run )
{
    return fmt::format( "{}, {} bodies{}", run.scene, grouped( run.bodies ), motionOf( run ) );
}

Curve& curveOf( Panel& panel, const Run& run )
{
    const auto found = std::find_if( panel.curves.begin(), panel.curves.end(),
                                     [&run]( const Curve& curve )
                                     { return curve.engine == run.engine && curve.threads == run.facts.threads; } );
    if ( found != panel.curves.end() )
    {
        return *found;
    }
    return panel.curves.emplace_back( Curve{ run.engine, run.facts.threads, run.engine, {} } );
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
    const Point& endA = a.points.back();
    const Point& endB = b.points.back();
    return endA.x != endB.x ? endA.x < endB.x : endA.milliseconds > endB.milliseconds;
}

/// \param runs  that belong into the panel and have times
template <typename MarkOf>
Panel panelOf( const std::string& title, const std::string& xTitle, const std::vector<const Run*>& runs,
               const MarkOf& markOf )
{
    Panel panel{ title, xTitle, {}, {} };
    for ( const Run* run : runs )
    {
        const Mark mark = markOf( *run );
        panel.marks[mark.x] = mark.label;
        curveOf( panel, *run ).points.push_back( { mark.x, *run->totalMs } );
    }
    for ( Curve& curve : panel.curves )
    {
        std::sort( curve.points.begin(), curve.points.end(),
                   []( const Point& a, const Point& b ) { return a.x < b.x; } );
    }
    nameThreads( panel );
    std::stable_sort( panel.curves.begin(), panel.curves.end(), endsHigher );
    return panel;
}

/// Runs with the same title, in the order in which the titles appear.
template <typename TitleOf>
std::vector<std::vector<const Run*>> groupByTitle( const std::vector<const Run*>& runs, const TitleOf& titleOf )
{
    std::vector<std::vector<const Run*>> groups;
    for ( const Run* run : runs )
    {
        const auto found =
            std::find_if( groups.begin(), groups.end(),
                          [&]( const auto& group ) { return titleOf( *group.front() ) == titleOf( *run ); } );
        ( found == groups.end() ? groups.emplace_back() : *found ).push_back( run );
    }
    return groups;
}

std::vector<const Run*> drawable( const std::vector<Run>& runs )
{
    std::vector<const Run*> result;
    for ( const Run& run : runs )
    {
        if ( run.totalMs.value_or( 0 ) > 0 )
        {
            result.push_back( &run );
        }
    }
    return result;
}

std::vector<Panel> panelsOverBodies( const std::vector<const Run*>& runs )
{
    std::vector<Panel> panels;
    for ( const auto& group : groupByTitle( runs, titleOverBodies ) )
    {
        panels.push_back( panelOf( titleOverBodies( *group.front() ), "bodies", group, sizeMark ) );
    }
    return panels;
}

std::vector<Panel> panelsOverShare( const std::vector<const Run*>& runs )
{
    std::uint32_t mostBodies = 0;
    double leastMoving = 100;
    for ( const Run* run : runs )
    {
        mostBodies = std::max( mostBodies, run->bodies );
        leastMoving = run->moving > 0 ? std::min( leastMoving, run->moving ) : leastMoving;
    }
    std::vector<const Run*> largest;
    std::copy_if( runs.begin(), runs.end(), std::back_inserter( largest ),
                  [mostBodies]( const Run* run ) { return run->bodies == mostBodies; } );
    std::vector<Panel> panels;
    for ( const auto& group : groupByTitle( largest, titleOverShare ) )
    {
        panels.push_back( panelOf( titleOverShare( *group.front() ), "percent of the bodies that move", group,
                                   [leastMoving]( const Run& run ) { return shareMark( run, leastMoving ); } ) );
    }
    return panels;
}

} // namespace

std::vector<Panel> plotPanels( const std::vector<Run>& runs )
{
    const std::vector<const Run*> measured = drawable( runs );
    const std::vector<Panel> overBodies = panelsOverBodies( measured );
    std::vector<Panel> all = overBodies;
    const std::vector<Panel> overShare = panelsOverShare( measured );
    all.insert( all.end(), overShare.begin(), overShare.end() );
    std::vector<Panel> worthwhile;
    std::copy_if( all.begin(), all.end(), std::back_inserter( worthwhile ),
                  []( const Panel& panel ) { return panel.marks.size() > 1; } );
    return worthwhile.empty() ? overBodies : worthwhile;
}

} // namespace cullet::compare
