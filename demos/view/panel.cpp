// SPDX-License-Identifier: Zlib
#include "panel.h"

#include "sentences.h"

#include "demos/command/option_checks.h"
#include "demos/engines/engines.h"

#include <fmt/format.h>
#include <imgui.h>

namespace cullet::view
{
namespace
{

constexpr const char* explanation =
    "In each step of a physics engine, here Bullet, the broadphase finds the pairs of bodies whose bounding boxes "
    "overlap. Only these can touch, and only these are examined further.";

void text( const std::string& line )
{
    ImGui::TextWrapped( "%s", line.c_str() );
}

/// A list of names. \return whether another one was chosen
bool choose( const char* title, const std::vector<std::string>& names, std::string& chosen )
{
    bool isNew = false;
    if ( ImGui::BeginCombo( title, chosen.empty() ? "(none)" : chosen.c_str() ) )
    {
        for ( const std::string& name : names )
        {
            if ( ImGui::Selectable( name.c_str(), name == chosen ) && name != chosen )
            {
                chosen = name;
                isNew = true;
            }
        }
        ImGui::EndCombo();
    }
    return isNew;
}

void drawSceneControls( Controls& controls )
{
    SourceRequest& wanted = controls.wanted;
    if ( choose( "world", kindNames(), wanted.kind ) )
    {
        wanted.scene.clear();
        wanted.files.clear();
        controls.reset = true;
    }
    if ( choose( "boxes alone", sceneNames(), wanted.scene ) )
    {
        wanted.kind.clear();
        wanted.files.clear();
        controls.reset = true;
    }
    if ( wanted.files.empty() )
    {
        ImGui::SliderInt( "bodies", &wanted.bodies, 10, 100'000, "%d", ImGuiSliderFlags_Logarithmic );
        controls.reset |= ImGui::IsItemDeactivatedAfterEdit();
    }
    if ( !wanted.scene.empty() )
    {
        const int least = 0, most = 100;
        auto moving = int( wanted.movingPercent );
        ImGui::SliderScalar( "% move", ImGuiDataType_S32, &moving, &least, &most );
        wanted.movingPercent = moving;
        controls.reset |= ImGui::IsItemDeactivatedAfterEdit();
        ImGui::InputScalar( "seed", ImGuiDataType_U64, &wanted.seed );
        controls.reset |= ImGui::IsItemDeactivatedAfterEdit();
    }
    text( descriptionOf( wanted ) );
}

void drawTimeControls( const Simulation& simulation, Controls& controls )
{
    if ( ImGui::Button( controls.isRunning ? "Pause" : "Start" ) )
    {
        controls.isRunning = !controls.isRunning;
    }
    ImGui::SameLine();
    if ( ImGui::Button( "Step" ) )
    {
        controls.isRunning = false;
        controls.step = true;
    }
    ImGui::SameLine();
    controls.reset |= ImGui::Button( "Reset" );
    ImGui::SameLine();
    controls.fit |= ImGui::Button( "Show all" );
    ImGui::SliderFloat( "speed", &controls.speed, 0.05f, 4, "%.2f", ImGuiSliderFlags_Logarithmic );
    text( fmt::format( "step {}, {} bodies{}", simulation.stepCount(), simulation.bodies().count(),
                       isWorld( simulation ) ? ", fixed ones included" : "" ) );
}

/// Meshes are searched by cullet's mesh set alone.
std::vector<std::string> raceNames( const Simulation& simulation )
{
    return simulation.source().canBeChecked()
               ? compare::engineNames( { compare::Family::bullet, compare::Family::plugin } )
               : std::vector<std::string>();
}

void drawRaceControls( const Simulation& simulation, Controls& controls )
{
    std::vector<std::string>& racing = controls.wanted.broadphases;
    text( simulation.source().canBeChecked() ? "The race: broadphases over the same world" : "Pairs of triangles" );
    int column = 0;
    for ( const std::string& name : raceNames( simulation ) )
    {
        if ( column++ % 2 == 1 )
        {
            ImGui::SameLine( panelWidth / 2 );
        }
        const auto found = std::find( racing.begin(), racing.end(), name );
        bool races = found != racing.end();
        if ( ImGui::Checkbox( name.c_str(), &races ) && ( races || racing.size() > 1 ) )
        {
            races ? racing.push_back( name ) : void( racing.erase( found ) );
            controls.reset = true;
        }
        if ( ImGui::IsItemHovered() )
        {
            ImGui::SetTooltip( "%s", compare::engineKind( name ).description );
        }
    }
    if ( simulation.source().canBeChecked() )
    {
        ImGui::Checkbox( "compare pairs with the exact ones", &controls.checks );
    }
    for ( std::size_t k = 0; k < simulation.source().contestantCount() && simulation.checks; ++k )
    {
        text( checkOf( simulation, k ) );
    }
    if ( isWorld( simulation ) && simulation.source().contestantCount() > 1 && simulation.checks )
    {
        text( "Before each step all worlds are placed like the first one. Within a step they may differ a little." );
    }
}

void drawOverlayControls( Overlay& overlay )
{
    ImGui::Checkbox( "bodies", &overlay.bodies );
    ImGui::SameLine( panelWidth / 2 );
    ImGui::Checkbox( "boxes", &overlay.boxes );
    ImGui::Checkbox( "pairs", &overlay.pairs );
    ImGui::SameLine( panelWidth / 2 );
    ImGui::Checkbox( "at rest", &overlay.resting );
    ImGui::Checkbox( "fat boxes of btDbvt", &overlay.fatBoxes );
    ImGui::SameLine( panelWidth / 2 );
    ImGui::Checkbox( "curve", &overlay.curve );
    ImGui::Checkbox( "tree", &overlay.tree );
    ImGui::SameLine( panelWidth / 2 );
    ImGui::SetNextItemWidth( 80 );
    ImGui::SliderInt( "level", &overlay.treeLevel, 0, 8 );
    std::string algorithm = cltAlgorithmName( overlay.algorithm );
    const std::vector<std::string> algorithms = command::namesOf( cltAlgorithmName, clt_algorithmFrontier );
    if ( choose( "algorithm", algorithms, algorithm ) )
    {
        overlay.algorithm = command::valueNamed( algorithm, cltAlgorithmName, clt_algorithmFrontier );
    }
    if ( overlay.tree )
    {
        text( overlay.algorithm == clt_algorithmGrid ? "Cells of the grid that have bodies."
                                                     : "Nodes of cullet's tree; each bounds what is below it. Auto is "
                                                       "the algorithm that cullet chooses itself." );
    }
    if ( overlay.curve )
    {
        text(
            "The order in which cullet keeps bodies, from blue to red: neighbours on this curve are near each other." );
    }
    if ( overlay.resting )
    {
        text( "Yellow: deactivated by Bullet. Light blue: hardly moves, so cullet does not search it." );
    }
    if ( overlay.pairs )
    {
        text( "Lines join the centres of pairs. Green: began in the last step. Red: ended." );
    }
}

void drawToolControls( const Simulation& simulation, Tool& tool )
{
    const std::pair<const char*, ToolKind> kinds[] = {
        { "select", ToolKind::select }, { "ray", ToolKind::ray }, { "box", ToolKind::box } };
    for ( const auto& [name, kind] : kinds )
    {
        if ( ImGui::RadioButton( name, tool.kind == kind ) )
        {
            tool.kind = kind;
            tool.clear();
        }
        ImGui::SameLine();
    }
    ImGui::NewLine();
    text( tool.kind == ToolKind::select ? "Click a body. Drag to turn, right button to shift, wheel to zoom."
                                        : "Drag in the scene. The right button turns it." );
    for ( const std::string& line : tool.report( simulation ) )
    {
        text( line );
    }
}

} // namespace

void drawPanel( const Simulation& simulation, const FrameTimes& times, const std::string& message, int height,
                Controls& controls )
{
    constexpr ImGuiWindowFlags flags =
        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
        ImGuiWindowFlags_AlwaysVerticalScrollbar; // if it came and went, lines would break elsewhere
    ImGui::SetNextWindowPos( ImVec2( 0, 0 ) );
    ImGui::SetNextWindowSize( ImVec2( panelWidth, float( height ) ) );
    if ( ImGui::Begin( "cullet", nullptr, flags ) )
    {
        text( explanation );
        drawTimeControls( simulation, controls );
        if ( const std::string verdict = verdictOf( simulation ); !verdict.empty() )
        {
            text( verdict );
        }
        if ( !message.empty() )
        {
            ImGui::PushStyleColor( ImGuiCol_Text, IM_COL32( 255, 120, 100, 255 ) );
            text( message );
            ImGui::PopStyleColor();
        }
        ImGui::Separator();
        drawSceneControls( controls );
        ImGui::Separator();
        drawRaceControls( simulation, controls );
        ImGui::Separator();
        text( "What the broadphase does" );
        drawOverlayControls( controls.overlay );
        ImGui::Separator();
        drawToolControls( simulation, controls.tool );
        ImGui::Separator();
        text( "To see this again: " + commandOf( simulation.request() ) );
        text( "To use it in a program: new CulletBroadphase() in place of new btDbvtBroadphase()" );
        text( fmt::format( "last frame: steps {:.1f} ms, drawing {:.1f} ms of the processor", times.steps,
                           times.handOver ) );
    }
    ImGui::End();
}

} // namespace cullet::view
