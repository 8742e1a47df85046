// SPDX-License-Identifier: Zlib
#include "tool.h"

#include <fmt/format.h>

namespace cullet::view
{
namespace
{

using compare::requireOk;
using render::Colour;

constexpr Colour selectedColour = { 255, 220, 0, 255 };
constexpr Colour neighbourColour = { 255, 140, 0, 255 };
constexpr Colour hitColour = { 255, 60, 160, 255 };
constexpr Colour visitedColour = { 120, 0, 160, 90 };
constexpr Colour toolColour = { 120, 0, 160, 255 };

void drawBox( const Bodies& bodies, std::uint32_t slot, Colour colour, render::Drawing& drawing )
{
    if ( bodies.isDrawable( slot ) )
    {
        drawing.addEdges( bodies.boxes[slot], colour );
    }
}

std::vector<std::uint32_t> neighboursOf( const Simulation& simulation, std::uint32_t slot )
{
    std::vector<std::uint32_t> neighbours;
    for ( const PairKey pair : simulation.exact().pairs() )
    {
        if ( isPairOf( pair, slot ) )
        {
            neighbours.push_back( smallerOf( pair ) == slot ? largerOf( pair ) : smallerOf( pair ) );
        }
    }
    return neighbours;
}

/// Keeps the nearest hit. Bodies without end are skipped.
struct NearestHit
{
    const Bodies& bodies;
    std::optional<std::uint32_t> slot;

    static double note( cltProxyId proxy, std::uint64_t, double fraction, double maxFraction, void* context )
    {
        auto& hit = *static_cast<NearestHit*>( context );
        if ( !hit.bodies.isDrawable( proxy ) )
        {
            return maxFraction;
        }
        hit.slot = proxy;
        return fraction;
    }
};

bool noteProxy( cltProxyId proxy, std::uint64_t, void* context )
{
    static_cast<std::vector<cltProxyId>*>( context )->push_back( proxy );
    return true;
}

double noteHit( cltProxyId proxy, std::uint64_t, double, double maxFraction, void* context )
{
    noteProxy( proxy, 0, context );
    return maxFraction;
}

std::array<double, 3> doubles( const btVector3& point )
{
    return { double( point.x() ), double( point.y() ), double( point.z() ) };
}

} // namespace

void Tool::select( const Simulation& simulation, const render::Ray& ray, btScalar reach )
{
    NearestHit nearest = { simulation.bodies(), {} };
    requireOk( cltBroadphase_CastRay( simulation.exact().core(), doubles( ray.origin ).data(),
                                      doubles( ray.origin + reach * ray.direction ).data(), NearestHit::note,
                                      &nearest ) );
    m_selected = nearest.slot;
}

void Tool::drag( const btVector3& from, const btVector3& to )
{
    m_isDragged = true;
    m_from = from;
    m_to = to;
}

void Tool::clear()
{
    m_selected.reset();
    m_isDragged = false;
}

cltAabb Tool::draggedBox() const
{
    const auto half = float( ( m_to - m_from ).length() );
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = float( m_from[axis] ) - half;
        box.upper[axis] = float( m_from[axis] ) + half;
    }
    return box;
}

/// Draws the nodes that the query visits, and counts these and the bodies that it tests.
Tool::Visits Tool::drawVisits( const Simulation& simulation, render::Drawing* drawing ) const
{
    Visits visits = { drawing };
    const cltDebugDraw draw = { Visits::noteNode, Visits::noteBody, nullptr, &visits };
    if ( m_isDragged && kind == ToolKind::ray )
    {
        requireOk( cltBroadphase_DebugDrawCastRay( simulation.exact().core(), doubles( m_from ).data(),
                                                   doubles( m_to ).data(), &draw ) );
    }
    if ( m_isDragged && kind == ToolKind::box )
    {
        const cltAabb box = draggedBox();
        requireOk( cltBroadphase_DebugDrawQueryBox( simulation.exact().core(), &box, &draw ) );
    }
    return visits;
}

void Tool::Visits::noteNode( const cltAabb* bounds, std::uint32_t, bool, void* context )
{
    auto& visits = *static_cast<Visits*>( context );
    ++visits.nodes;
    if ( visits.drawing != nullptr )
    {
        visits.drawing->addEdges( *bounds, visitedColour );
    }
}

void Tool::Visits::noteBody( const cltDebugBody*, void* context )
{
    ++static_cast<Visits*>( context )->bodies;
}

std::vector<cltProxyId> Tool::hits( const Simulation& simulation ) const
{
    std::vector<cltProxyId> found;
    const cltBroadphase* core = simulation.exact().core();
    if ( m_isDragged && kind == ToolKind::ray )
    {
        requireOk( cltBroadphase_CastRay( core, doubles( m_from ).data(), doubles( m_to ).data(), noteHit, &found ) );
    }
    if ( m_isDragged && kind == ToolKind::box )
    {
        const cltAabb box = draggedBox();
        requireOk( cltBroadphase_QueryBox( core, &box, noteProxy, &found ) );
    }
    return found;
}

void Tool::draw( const Simulation& simulation, render::Drawing& drawing ) const
{
    if ( m_selected )
    {
        drawBox( simulation.bodies(), *m_selected, selectedColour, drawing );
        for ( const std::uint32_t slot : neighboursOf( simulation, *m_selected ) )
        {
            drawBox( simulation.bodies(), slot, neighbourColour, drawing );
        }
    }
    for ( const cltProxyId slot : hits( simulation ) )
    {
        drawBox( simulation.bodies(), slot, hitColour, drawing );
    }
    drawVisits( simulation, &drawing );
    if ( m_isDragged && kind == ToolKind::ray )
    {
        drawing.addLine( m_from, m_to, toolColour );
    }
    if ( m_isDragged && kind == ToolKind::box )
    {
        drawing.addEdges( draggedBox(), toolColour );
    }
}

std::vector<std::string> Tool::report( const Simulation& simulation ) const
{
    std::vector<std::string> lines;
    if ( m_isDragged && kind != ToolKind::select )
    {
        const Visits visits = drawVisits( simulation, nullptr );
        lines.push_back( fmt::format( "The {} meets {} of {} boxes. It visits {} nodes and tests {} boxes.",
                                      kind == ToolKind::ray ? "ray" : "box", hits( simulation ).size(),
                                      simulation.bodies().count(), visits.nodes, visits.bodies ) );
    }
    if ( m_selected )
    {
        const cltFilter& filter = simulation.bodies().filters[*m_selected];
        const std::vector<std::uint32_t> neighbours = neighboursOf( simulation, *m_selected );
        lines.push_back( fmt::format( "body {}: group {:#x}, mask {:#x}", *m_selected, filter.group,
                                      std::uint32_t( filter.mask ) ) );
        lines.push_back( fmt::format( "its box overlaps {} others", neighbours.size() ) );
    }
    return lines;
}

} // namespace cullet::view
