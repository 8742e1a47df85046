// SPDX-License-Identifier: Zlib
#include "screen.h"

#include "sentences.h"
#include "window.h"

#include "demos/render/offscreen.h"
#include "demos/render/png_file.h"
#include "demos/world/world.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <imgui.h>
#include <stdexcept>

namespace cullet::view
{
namespace
{

/// Frames in which the scenes are drawn. Two, because ImGui computes layouts one frame late.
constexpr int drawnFrames = 2;

/// Parts of the names of renderers that use no graphics card.
constexpr const char* softwareNames[] = { "llvmpipe", "softpipe", "swrast", "SwiftShader" };

/// Bodies that OpenGL without a graphics card draws in a few seconds.
constexpr int mostInSoftware = 100'000;

class ImGuiOpenGl
{
public:
    ImGuiOpenGl()
    {
        ImGui_ImplOpenGL3_Init( imGuiShaderVersion );
    }

    ~ImGuiOpenGl()
    {
        ImGui_ImplOpenGL3_Shutdown();
    }
};

void requireHardware( const Controls& controls )
{
    const auto* text = reinterpret_cast<const char*>( glGetString( GL_RENDERER ) );
    const std::string name = text != nullptr ? text : "";
    const bool isSoftware =
        std::any_of( std::begin( softwareNames ), std::end( softwareNames ),
                     [&name]( const char* part ) { return name.find( part ) != std::string::npos; } );
    if ( isSoftware && controls.wanted.bodies > mostInSoftware )
    {
        throw std::runtime_error( fmt::format( "{} bodies are too many to draw without a graphics card ({}); use "
                                               "--bodies {}",
                                               controls.wanted.bodies, name, mostInSoftware ) );
    }
}

} // namespace

void showWindow( const Controls& controls, const PictureRequest& size )
{
    const ImGuiContextOwner owner;
    Window window( size.width, size.height );
    requireHardware( controls );
    Viewer viewer( controls );
    while ( window.isOpen() )
    {
        window.drawFrame( viewer );
    }
}

void showOffscreen( const Controls& controls, const PictureRequest& request )
{
    const ImGuiContextOwner owner;
    render::Offscreen screen( request.width, request.height );
    requireHardware( controls );
    const ImGuiOpenGl drawer;
    Viewer viewer( controls );
    if ( !request.screenshot.empty() && !std::ofstream( std::filesystem::u8path( request.screenshot ), std::ios::app ) )
    {
        throw std::runtime_error( "cannot write " + request.screenshot ); // before the steps, which may take long
    }
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2( float( request.width ), float( request.height ) );
    io.DeltaTime = float( demo::stepSeconds );
    for ( int frame = 0; frame < request.frames; ++frame )
    {
        ImGui_ImplOpenGL3_NewFrame();
        drawImGuiFrame( viewer, double( demo::stepSeconds ), frame + drawnFrames >= request.frames );
    }
    if ( !request.screenshot.empty() )
    {
        render::writePng( request.screenshot, request.width, request.height, screen.pixels() );
    }
    fmt::print( "{}", reportOf( viewer.simulation() ) );
}

} // namespace cullet::view
