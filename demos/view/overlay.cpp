// SPDX-License-Identifier: Zlib
#include "overlay.h"

#include "cullet_debug.h"

namespace cullet::view
{
namespace
{

using render::Colour;
using render::Drawing;

constexpr Colour boxColour = { 40, 60, 90, 130 };
constexpr Colour restColour = { 250, 190, 40, 255 };
constexpr Colour unsearchedColour = { 0, 170, 200, 255 };
constexpr Colour nodeColour = { 160, 40, 40, 255 };
constexpr Colour pairColour = { 30, 60, 160, 200 };
constexpr Colour beganColour = { 20, 150, 40, 255 };
constexpr Colour endedColour = { 210, 30, 30, 255 };

btVector3 centreOf( const cltAabb& box )
{
    const compare::BulletBox corners = compare::bulletBox( box );
    return ( corners.lower + corners.upper ) / 2;
}

void drawBoxes( const Simulation& simulation, const Overlay& overlay, Drawing& drawing )
{
    const Bodies& bodies = simulation.bodies();
    for ( std::size_t slot = 0; slot < bodies.count(); ++slot )
    {
        const bool isResting = overlay.resting && simulation.source().isResting( std::uint32_t( slot ) );
        if ( bodies.isDrawable( slot ) && ( overlay.boxes || isResting ) )
        {
            drawing.addEdges( bodies.boxes[slot], isResting ? restColour : boxColour );
        }
    }
}

/// Pairs with bodies without end, such as the ground, are left out.
void drawPair( const Bodies& bodies, std::uint32_t slotA, std::uint32_t slotB, Colour colour, Drawing& drawing )
{
    if ( bodies.isDrawable( slotA ) && bodies.isDrawable( slotB ) )
    {
        drawing.addLine( centreOf( bodies.boxes[slotA] ), centreOf( bodies.boxes[slotB] ), colour );
    }
}

void drawPairs( const Simulation& simulation, Drawing& drawing )
{
    const Bodies& bodies = simulation.bodies();
    const cltPairChanges& changes = simulation.exact().changes();
    const auto isNew = [&changes]( PairKey pair )
    {
        const auto isBefore = []( const cltPair& began, PairKey key )
        { return pairKey( began.proxyA, began.proxyB ) < key; };
        const cltPair* end = changes.began + changes.beganCount;
        const cltPair* found = std::lower_bound( changes.began, end, pair, isBefore );
        return found != end && pairKey( found->proxyA, found->proxyB ) == pair;
    };
    for ( const PairKey pair : simulation.exact().pairs() )
    {
        drawPair( bodies, smallerOf( pair ), largerOf( pair ), isNew( pair ) ? beganColour : pairColour, drawing );
    }
    for ( const EndedPair& ended : simulation.endedPairs() )
    {
        const Colour colour = render::withOpacity( endedColour, 1 - double( ended.age ) / ( fadeSteps + 1 ) );
        drawPair( bodies, ended.pair.proxyA, ended.pair.proxyB, colour, drawing );
    }
}

/// Draws what cltBroadphase_DebugDraw calls it for.
struct StructureDrawer
{
    const Overlay& overlay;
    Drawing& drawing;
    std::size_t bodyCount; ///< of the broadphase, for the colours along the curve
    std::size_t drawnCount = 0;
    std::optional<btVector3> last = {}; ///< the centre of the last body on the curve

    static void drawNode( const cltAabb* bounds, std::uint32_t level, bool, void* context )
    {
        const auto& self = *static_cast<StructureDrawer*>( context );
        if ( self.overlay.tree && level == std::uint32_t( self.overlay.treeLevel ) )
        {
            self.drawing.addEdges( *bounds, nodeColour );
        }
    }

    static void drawCell( const cltAabb* cell, std::uint32_t count, void* context )
    {
        const auto& self = *static_cast<StructureDrawer*>( context );
        if ( self.overlay.tree )
        {
            self.drawing.addEdges( *cell, count > 1 ? nodeColour : render::withOpacity( nodeColour, 0.3 ) );
        }
    }

    static void drawBody( const cltDebugBody* body, void* context )
    {
        auto& self = *static_cast<StructureDrawer*>( context );
        if ( self.overlay.resting && body->restMargin > 0 )
        {
            self.drawing.addEdges( body->box, unsearchedColour );
        }
        if ( self.overlay.curve && body->place == clt_debugOrdered )
        {
            self.continueCurve( centreOf( body->box ) );
        }
        ++self.drawnCount;
    }

    /// From blue over green to red.
    void continueCurve( const btVector3& centre )
    {
        if ( last )
        {
            const double share = double( drawnCount ) / double( bodyCount );
            const auto part = [share]( double middle )
            { return std::uint8_t( 255 * std::clamp( 1.2 - 2.4 * std::abs( share - middle ), 0.0, 1.0 ) ); };
            drawing.addLine( *last, centre, { part( 1 ), part( 0.5 ), part( 0 ), 255 } );
        }
        last = centre;
    }
};

void drawStructure( const Simulation& simulation, const Overlay& overlay, Drawing& drawing )
{
    StructureDrawer drawer = { overlay, drawing, std::max<std::size_t>( simulation.bodies().count(), 1 ) };
    const cltDebugDraw draw = { StructureDrawer::drawNode, StructureDrawer::drawBody, StructureDrawer::drawCell,
                                &drawer };
    compare::requireOk( cltBroadphase_DebugDraw( simulation.exact().core(), &draw ) );
}

} // namespace

void drawOverlay( const Simulation& simulation, std::size_t contestant, const Overlay& overlay, Drawing& drawing )
{
    if ( overlay.boxes || overlay.resting )
    {
        drawBoxes( simulation, overlay, drawing );
    }
    if ( overlay.pairs )
    {
        drawPairs( simulation, drawing );
    }
    if ( overlay.tree || overlay.curve || overlay.resting )
    {
        drawStructure( simulation, overlay, drawing );
    }
    if ( overlay.fatBoxes )
    {
        simulation.source().drawFatBoxes( contestant, drawing );
    }
}

} // namespace cullet::view
