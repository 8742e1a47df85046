// SPDX-License-Identifier: Zlib
#include "strip.h"

#include "sentences.h"

#include <fmt/format.h>
#include <imgui.h>

#include <numeric>

namespace cullet::view
{
namespace
{

constexpr ImU32 partColours[] = { IM_COL32( 90, 150, 230, 255 ),  IM_COL32( 230, 90, 60, 255 ),
                                  IM_COL32( 120, 190, 110, 255 ), IM_COL32( 170, 130, 200, 255 ),
                                  IM_COL32( 220, 190, 80, 255 ),  IM_COL32( 110, 190, 190, 255 ),
                                  IM_COL32( 150, 150, 150, 255 ) };
constexpr float stripHeight = 56; // pixels

/// The milliseconds at the top: one step in twenty may be longer.
double scaleOf( const Simulation& simulation )
{
    std::vector<double> all;
    for ( std::size_t k = 0; k < simulation.source().contestantCount(); ++k )
    {
        for ( const std::vector<double>& times : simulation.record( k ).times )
        {
            all.push_back( std::accumulate( times.begin(), times.end(), 0.0 ) );
        }
    }
    if ( all.empty() )
    {
        return 1;
    }
    const auto top = all.begin() + std::ptrdiff_t( all.size() * 95 / 100 );
    std::nth_element( all.begin(), top, all.end() );
    return std::max( 1.2 * *top, 1e-6 );
}

void drawColumns( const Record& record, double scale, float width )
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float columnWidth = width / float( rememberedSteps );
    list.AddRectFilled( corner, ImVec2( corner.x + width, corner.y + stripHeight ), IM_COL32( 30, 34, 40, 255 ) );
    float x = corner.x + width - columnWidth * float( record.times.size() );
    for ( const std::vector<double>& times : record.times )
    {
        float bottom = corner.y + stripHeight;
        for ( std::size_t part = 0; part < times.size(); ++part )
        {
            const float top = std::max( bottom - stripHeight * float( times[part] / scale ), corner.y );
            list.AddRectFilled( ImVec2( x, top ), ImVec2( x + columnWidth, bottom ),
                                partColours[part % std::size( partColours )] );
            bottom = top;
        }
        x += columnWidth;
    }
    ImGui::Dummy( ImVec2( width, stripHeight ) );
}

/// Writes the names of the parts in their colours, those of the broadphase or the others.
void drawPartNames( const std::vector<TimedPart>& parts, bool ofBroadphase )
{
    for ( std::size_t part = 0; part < parts.size(); ++part )
    {
        if ( parts[part].isBroadphase == ofBroadphase )
        {
            ImGui::SameLine();
            ImGui::PushStyleColor( ImGuiCol_Text, partColours[part % std::size( partColours )] );
            ImGui::TextUnformatted( parts[part].name );
            ImGui::PopStyleColor();
        }
    }
}

void drawLegend( const Simulation& simulation, double scale )
{
    ImGui::TextUnformatted( "broadphase:" );
    drawPartNames( simulation.source().parts(), true );
    if ( isWorld( simulation ) )
    {
        ImGui::SameLine();
        ImGui::TextUnformatted( "  rest of the step:" );
        drawPartNames( simulation.source().parts(), false );
    }
    ImGui::TextUnformatted(
        fmt::format( "Each column is one of the last {} steps. A strip is {:.2f} ms high; longer steps are cut off.",
                     rememberedSteps, scale )
            .c_str() );
}

std::string captionOf( const Simulation& simulation, std::size_t contestant )
{
    const std::string name = simulation.source().contestantName( contestant );
    const std::optional<Figures> figures = simulation.figures( contestant );
    if ( !figures )
    {
        return name;
    }
    const std::string caption =
        fmt::format( "{}: broadphase mean {:.3f}, median {:.3f}, worst {:.2f} ms", name, figures->broadphaseMean,
                     figures->broadphaseMedian, figures->broadphaseWorst );
    return isWorld( simulation ) ? caption + fmt::format( "; whole step mean {:.2f}, median {:.2f}, worst {:.2f} ms",
                                                          figures->stepMean, figures->stepMedian, figures->stepWorst )
                                 : caption;
}

} // namespace

void drawStrips( const Simulation& simulation )
{
    const double scale = scaleOf( simulation );
    drawLegend( simulation, scale );
    for ( std::size_t k = 0; k < simulation.source().contestantCount(); ++k )
    {
        ImGui::TextUnformatted( captionOf( simulation, k ).c_str() );
        drawColumns( simulation.record( k ), scale, ImGui::GetContentRegionAvail().x );
    }
}

} // namespace cullet::view
