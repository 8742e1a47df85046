// SPDX-License-Identifier: Zlib
#include "screen.h"

#include "window.h"

#include "demos/render/offscreen.h"
#include "demos/render/png_file.h"
#include "demos/world/world.h"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <stdexcept>

namespace cullet::view
{
namespace
{

/// The last frames, which are drawn before a picture: ImGui lays out in the first of them what it shows in the second.
constexpr int drawnFrames = 2;

/// Bodies that OpenGL without a graphics card draws in about a second.
constexpr std::size_t mostInSoftware = 200'000;

void requireHardware( const Controls& controls )
{
    const std::string name = reinterpret_cast<const char*>( glGetString( GL_RENDERER ) );
    const bool isSoftware =
        name.find( "llvmpipe" ) != std::string::npos || name.find( "softpipe" ) != std::string::npos;
    if ( isSoftware && std::size_t( controls.wanted.bodies ) > mostInSoftware )
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
    ImGui_ImplOpenGL3_Init( imGuiShaderVersion );
    Viewer viewer( controls );
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
    ImGui_ImplOpenGL3_Shutdown();
}

} // namespace cullet::view
