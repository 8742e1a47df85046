// SPDX-License-Identifier: Zlib
/// \file page.cpp
/// The viewer in a page. index.html has the canvas, and has checked that the browser can show it.
#include "demos/command/option_checks.h"
#include "demos/view/sentences.h"
#include "demos/view/view_options.h"
#include "demos/view/window.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <backends/imgui_impl_opengl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>

// clang-format off
EM_JS( int, browserWidth, (), { return window.innerWidth; } )
EM_JS( int, browserHeight, (), { return window.innerHeight; } )
EM_JS( void, showMessage, ( const char* text ), { fail( UTF8ToString( text ) ); } )
// clang-format on

namespace
{

using namespace cullet::view;

const char* const canvas = "#canvas";

struct Page
{
    explicit Page( const Controls& controls ) : viewer( controls )
    {
    }

    ImGuiContextOwner owner;
    Window window{ 1, 1 };
    Viewer viewer;
    int width = 1, height = 1;
    bool isLost = false; ///< the browser has taken the OpenGL context away
};

Page* page = nullptr; ///< lives as long as the page

void fillBrowserWindow()
{
    const int width = browserWidth(), height = browserHeight();
    if ( width != page->width || height != page->height )
    {
        page->window.resize( width, height );
        page->width = width;
        page->height = height;
    }
}

void drawFrame()
{
    if ( !page->isLost )
    {
        fillBrowserWindow();
        page->window.drawFrame( page->viewer );
    }
}

EM_BOOL loseContext( int, const void*, void* )
{
    page->isLost = true;
    ImGui_ImplOpenGL3_Shutdown();
    return EM_TRUE; // asks for another context
}

EM_BOOL restoreContext( int, const void*, void* )
{
    ImGui_ImplOpenGL3_Init( imGuiShaderVersion );
    page->viewer.restoreOpenGl();
    page->isLost = false;
    return EM_TRUE;
}

/// \throws CLI::ParseError
Controls parse( int argc, char** argv )
{
    CLI::App app;
    ViewOptions options;
    addViewOptions( app, options );
    app.parse( argc, argv );
    const Controls controls = controlsOf( options );
    if ( !controls.wanted.files.empty() )
    {
        throw CLI::ValidationError( fmt::format( "'{}' is no scene and no kind of world", options.what[0] ) );
    }
    return controls;
}

} // namespace

/// What the panel says, for tests of the page. The text lives until the next call.
extern "C" const char* cullet_report()
{
    static std::string report;
    report = page == nullptr ? "" : reportOf( page->viewer.simulation() );
    return report.c_str();
}

/// \param argv  the options of `cullet view`, which index.html takes from the page's address
int main( int argc, char** argv )
{
    try
    {
        page = new Page( parse( argc, argv ) );
    }
    catch ( const std::exception& error )
    {
        showMessage( error.what() );
        return 1;
    }
    emscripten_set_webglcontextlost_callback( canvas, nullptr, EM_FALSE, loseContext );
    emscripten_set_webglcontextrestored_callback( canvas, nullptr, EM_FALSE, restoreContext );
    emscripten_set_main_loop( drawFrame, 0, EM_FALSE );
    return 0;
}
