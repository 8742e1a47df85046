// SPDX-License-Identifier: Zlib
#include "viewer.h"

#include "panel.h"
#include "sentences.h"
#include "strip.h"

#include "demos/report/timing.h"
#include "demos/world/world.h"

#include <imgui.h>

namespace cullet::view
{
namespace
{

/// Steps in one frame take about this long at most. Then a slow world runs slower than the clock, but can be used.
constexpr double mostStepMs = 60;

/// If the mouse moves less between press and release, it was a click.
constexpr float clickPixels = 3;

/// Pixels that the strips cover below, at most half of the image. If there are more of them, they scroll.
int stripsHeight( const Simulation& simulation, int imageHeight )
{
    return std::min( 51 + 80 * int( simulation.source().contestantCount() ), imageHeight / 2 );
}

/// On some displays the framebuffer has more pixels than the window.
render::Area framebufferArea( const render::Area& area )
{
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    const auto across = [scale]( int pixels ) { return int( std::lround( float( pixels ) * scale.x ) ); };
    const auto down = [scale]( int pixels ) { return int( std::lround( float( pixels ) * scale.y ) ); };
    return { across( area.x ), down( area.y ), std::max( across( area.width ), 1 ),
             std::max( down( area.height ), 1 ) };
}

const ImGuiWindowFlags stripsWindow = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoTitleBar;

} // namespace

Viewer::Viewer( const Controls& controls )
    : m_controls( controls ), m_simulation( std::make_unique<Simulation>( controls.wanted ) )
{
    restoreOpenGl();
    m_controls.checks = m_simulation->checks;
    m_orbit.fit( m_simulation->bodies(), m_simulation->source().up() );
}

void Viewer::frame( int width, int height, double seconds, bool drawsScenes )
{
    m_width = std::max( width, 1 );
    m_height = std::max( height, 1 );
    useKeys();
    useMouse();
    applyRequests();
    m_simulation->checks = m_controls.checks;
    m_simulation->useAlgorithm( m_controls.overlay.algorithm );
    m_times.steps = compare::millisecondsOf( [&] { makeSteps( seconds ); } );
    if ( drawsScenes )
    {
        m_times.handOver = compare::millisecondsOf( [&] { drawScenes(); } );
    }
    drawLabels();
    drawPanel( *m_simulation, m_times, m_message, m_height, m_controls );
    const auto strips = float( stripsHeight( *m_simulation, m_height ) );
    ImGui::SetNextWindowPos( ImVec2( panelWidth, float( m_height ) - strips ) );
    ImGui::SetNextWindowSize( ImVec2( std::max( float( m_width - panelWidth ), 1.0f ), strips ) );
    if ( ImGui::Begin( "times", nullptr, stripsWindow ) )
    {
        drawStrips( *m_simulation );
    }
    ImGui::End();
}

void Viewer::applyRequests()
{
    if ( m_controls.reset )
    {
        try
        {
            m_simulation = std::make_unique<Simulation>( m_controls.wanted );
            m_controls.checks = m_controls.checks && m_simulation->checks;
            m_controls.isRunning = m_controls.isRunning || m_hasEnded;
            m_hasEnded = false;
            m_controls.tool.clear();
            m_message.clear();
            m_controls.fit = true;
        }
        catch ( const std::exception& error )
        {
            m_message = error.what();
            m_controls.wanted = m_simulation->request();
        }
    }
    if ( m_controls.fit )
    {
        m_orbit.fit( m_simulation->bodies(), m_simulation->source().up() );
    }
    m_controls.reset = m_controls.fit = false;
}

void Viewer::makeSteps( double seconds )
{
    m_dueSeconds = m_controls.isRunning ? m_dueSeconds + seconds * double( m_controls.speed ) : 0;
    double spentMs = 0;
    while ( m_controls.step || ( m_dueSeconds >= double( demo::stepSeconds ) * 0.999 && spentMs < mostStepMs ) )
    {
        const compare::Stopwatch stopwatch( spentMs );
        if ( !m_simulation->step() )
        {
            m_message = "the recording has ended; reset begins anew";
            m_controls.isRunning = false;
            m_hasEnded = true;
            m_dueSeconds = 0;
        }
        m_dueSeconds -= m_controls.step ? 0 : double( demo::stepSeconds );
        m_controls.step = false;
    }
    m_dueSeconds = std::min( m_dueSeconds, double( demo::stepSeconds ) ); // drops time that could not be simulated
}

render::Area Viewer::areaOf( std::size_t contestant ) const
{
    const int left = std::min( panelWidth, m_width - 1 );
    const int below = stripsHeight( *m_simulation, m_height );
    const int count = int( m_simulation->source().contestantCount() );
    const int width = std::max( ( m_width - left ) / count, 1 );
    return { left + int( contestant ) * width, below, width, std::max( m_height - below, 1 ) };
}

void Viewer::drawScenes()
{
    for ( std::size_t k = 0; k < m_simulation->source().contestantCount(); ++k )
    {
        m_drawing.clear();
        if ( m_controls.overlay.bodies )
        {
            m_simulation->source().draw( k, m_drawing );
        }
        drawOverlay( *m_simulation, k, m_controls.overlay, m_drawing );
        m_controls.tool.draw( *m_simulation, m_drawing );
        const render::Area area = framebufferArea( areaOf( k ) );
        m_renderer->draw( m_drawing, m_orbit.camera( area.width, area.height ), area );
    }
}

/// Writes over each scene whose it is, and how long it takes.
void Viewer::drawLabels()
{
    for ( std::size_t k = 0; k < m_simulation->source().contestantCount(); ++k )
    {
        const render::Area area = areaOf( k );
        const std::string text = labelOf( *m_simulation, k );
        const ImVec2 at( float( area.x + 10 ), 8 );
        const std::string description = descriptionOf( *m_simulation, k );
        const ImU32 dark = IM_COL32( 20, 30, 50, 255 );
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        list.PushClipRect( ImVec2( float( area.x ), 0 ), ImVec2( float( area.x + area.width ), float( m_height ) ) );
        list.AddText( ImGui::GetFont(), 1.4f * ImGui::GetFontSize(), at, dark, text.c_str() );
        list.AddText( ImGui::GetFont(), ImGui::GetFontSize(), ImVec2( at.x, at.y + 1.6f * ImGui::GetFontSize() ), dark,
                      description.c_str(), nullptr, float( area.width ) - 20 );
        list.PopClipRect();
    }
}

/// The ray of the scene at a place of the image; none outside of the scenes.
std::optional<render::Ray> Viewer::rayAt( float x, float y ) const
{
    for ( std::size_t k = 0; k < m_simulation->source().contestantCount(); ++k )
    {
        const render::Area area = areaOf( k );
        const int right = int( x ) - area.x, down = int( y );
        if ( right >= 0 && right < area.width && down >= 0 && down < area.height )
        {
            return m_orbit.camera( area.width, area.height ).ray( right, down );
        }
    }
    return {};
}

/// The point at the depth of the orbit's middle; none outside of the scenes.
std::optional<btVector3> Viewer::pointAt( float x, float y ) const
{
    const std::optional<render::Ray> ray = rayAt( x, y );
    return ray ? std::optional<btVector3>( ray->origin + m_orbit.distance() * ray->direction ) : std::nullopt;
}

void Viewer::useMouse()
{
    const ImGuiIO& io = ImGui::GetIO();
    if ( io.WantCaptureMouse )
    {
        return;
    }
    m_orbit.zoom( io.MouseWheel );
    const bool turns = m_controls.tool.kind == ToolKind::select;
    const std::optional<btVector3> point = pointAt( io.MousePos.x, io.MousePos.y );
    if ( ImGui::IsMouseClicked( ImGuiMouseButton_Left ) )
    {
        m_dragFrom = point;
    }
    if ( ImGui::IsMouseDragging( ImGuiMouseButton_Left, clickPixels ) && turns )
    {
        m_orbit.turn( io.MouseDelta.x, io.MouseDelta.y );
    }
    else if ( ImGui::IsMouseDragging( ImGuiMouseButton_Left, clickPixels ) && m_dragFrom && point )
    {
        m_controls.tool.drag( *m_dragFrom, *point );
    }
    if ( ImGui::IsMouseDragging( ImGuiMouseButton_Right, clickPixels ) ||
         ImGui::IsMouseDragging( ImGuiMouseButton_Middle, clickPixels ) )
    {
        io.KeyShift || turns
            ? m_orbit.shift( io.MouseDelta.x, io.MouseDelta.y, std::min( areaOf( 0 ).width, m_height ) )
            : m_orbit.turn( io.MouseDelta.x, io.MouseDelta.y );
    }
    const ImVec2 dragged = ImGui::GetMouseDragDelta( ImGuiMouseButton_Left, 0 );
    const bool isClick = std::max( std::abs( dragged.x ), std::abs( dragged.y ) ) < clickPixels;
    const std::optional<render::Ray> ray = rayAt( io.MousePos.x, io.MousePos.y );
    if ( turns && ray && isClick && ImGui::IsMouseReleased( ImGuiMouseButton_Left ) )
    {
        constexpr btScalar reach = 10; // distances from the eye to the middle
        m_controls.tool.select( *m_simulation, *ray, reach * m_orbit.distance() );
    }
}

void Viewer::useKeys()
{
    const ImGuiIO& io = ImGui::GetIO();
    for ( int k = 0; k < io.InputQueueCharacters.Size && !io.WantTextInput; ++k )
    {
        switch ( io.InputQueueCharacters[k] )
        {
        case ' ':
            m_controls.isRunning = !m_controls.isRunning;
            break;
        case 's':
            m_controls.step = true;
            m_controls.isRunning = false;
            break;
        case 'r':
            m_controls.reset = true;
            break;
        case 'f':
            m_controls.fit = true;
            break;
        case 'b':
            m_controls.overlay.boxes = !m_controls.overlay.boxes;
            break;
        case 'p':
            m_controls.overlay.pairs = !m_controls.overlay.pairs;
            break;
        case 't':
            m_controls.overlay.tree = !m_controls.overlay.tree;
            break;
        default:
            break;
        }
    }
}

} // namespace cullet::view
