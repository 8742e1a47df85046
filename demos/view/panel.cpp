// SPDX-License-Identifier: Zlib
#include "panel.h"

#include "demos/command/option_checks.h"
#include "demos/engines/engines.h"

#include <fmt/format.h>
#include <imgui.h>

namespace cullet::view
{
namespace
{

constexpr const char* explanation =
    "In each step of a physics engine, the broadphase finds the pairs of bodies whose bounding boxes overlap. Only "
    "these can touch, and only these are examined further.";

void text( const std::string& line )
{
    ImGui::TextWrapped( "%s", line.c_str() );
}

/// A list of names. \return whether another one was chosen
bool choose( const char* title, const std::vector<std::string>& names, std::string& chosen )
{
    bool isNew = false;
    if ( ImGui::BeginCombo( title, chosen.empty() ? "-" : chosen.c_str() ) )
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
    if ( choose( "boxes", sceneNames(), wanted.scene ) )
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
    text( fmt::format( "step {}, {} bodies", simulation.stepCount(), simulation.bodies().count() ) );
}

std::string checkOf( const Simulation& simulation, std::size_t contestant )
{
    const Record& record = simulation.record( contestant );
    const std::string name = simulation.source().contestantName( contestant );
    if ( !simulation.source().canBeChecked() )
    {
        return fmt::format( "{}: {} pairs of triangles", name, record.pairCount );
    }
    const char* reason = record.extraCount > 0 ? " (its boxes are larger)" : "";
    return fmt::format( "{}: {} pairs, {} of them do not overlap{}, {} missing", name, record.pairCount,
                        record.extraCount, reason, record.missingCount );
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
                                                     : "Nodes of the tree; each bounds what is below it." );
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

std::string labelOf( const Simulation& simulation, std::size_t contestant )
{
    const std::optional<Figures> figures = simulation.figures( contestant );
    return simulation.source().contestantName( contestant ) +
           ( figures ? fmt::format( ": {:.3f} ms", figures->broadphaseMean ) : "" );
}

std::string verdictOf( const Simulation& simulation )
{
    const std::size_t count = simulation.source().contestantCount();
    std::optional<std::size_t> slowest, fastest;
    const auto ms = [&]( std::size_t k ) { return simulation.figures( k )->broadphaseMean; };
    for ( std::size_t k = 0; k < count && simulation.figures( k ); ++k )
    {
        slowest = !slowest || ms( k ) > ms( *slowest ) ? k : *slowest;
        fastest = !fastest || ms( k ) < ms( *fastest ) ? k : *fastest;
    }
    if ( count < 2 || !fastest )
    {
        return "";
    }
    return fmt::format( "{} is {:.1f} times as fast as {}: {:.3f} ms a step against {:.3f} ms.",
                        simulation.source().contestantName( *fastest ),
                        ms( *slowest ) / std::max( ms( *fastest ), 1e-9 ),
                        simulation.source().contestantName( *slowest ), ms( *fastest ), ms( *slowest ) );
}

std::string reportOf( const Simulation& simulation )
{
    std::string report = fmt::format( "step {}. {}\n", simulation.stepCount(), verdictOf( simulation ) );
    for ( std::size_t k = 0; k < simulation.source().contestantCount(); ++k )
    {
        report += labelOf( simulation, k ) + "\n" + checkOf( simulation, k ) + "\n";
    }
    return report;
}

void drawPanel( const Simulation& simulation, const FrameTimes& times, const std::string& message, int height,
                Controls& controls )
{
    constexpr ImGuiWindowFlags flags =
        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings;
    ImGui::SetNextWindowPos( ImVec2( 0, 0 ) );
    ImGui::SetNextWindowSize( ImVec2( panelWidth, float( height ) ) );
    if ( ImGui::Begin( "cullet", nullptr, flags ) )
    {
        text( explanation );
        text( verdictOf( simulation ) );
        if ( !message.empty() )
        {
            ImGui::PushStyleColor( ImGuiCol_Text, IM_COL32( 255, 120, 100, 255 ) );
            text( message );
            ImGui::PopStyleColor();
        }
        drawTimeControls( simulation, controls );
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
