// SPDX-License-Identifier: Zlib
#include "window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <stdexcept>

namespace cullet::view
{

ImGuiContextOwner::ImGuiContextOwner()
{
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // writes no file
    ImGui::StyleColorsDark();
}

ImGuiContextOwner::~ImGuiContextOwner()
{
    ImGui::DestroyContext();
}

void drawImGuiFrame( Viewer& viewer, double seconds, bool drawsScenes )
{
    glDisable( GL_SCISSOR_TEST );
    glClearColor( 0, 0, 0, 1 );
    glClear( GL_COLOR_BUFFER_BIT ); // the panel is not quite opaque
    ImGui::NewFrame();
    const ImGuiIO& io = ImGui::GetIO();
    viewer.frame( int( io.DisplaySize.x ), int( io.DisplaySize.y ), seconds, drawsScenes );
    ImGui::Render();
    glViewport( 0, 0, int( io.DisplaySize.x * io.DisplayFramebufferScale.x ),
                int( io.DisplaySize.y * io.DisplayFramebufferScale.y ) );
    ImGui_ImplOpenGL3_RenderDrawData( ImGui::GetDrawData() );
}

Window::Window( int width, int height )
{
    if ( !glfwInit() )
    {
        throw std::runtime_error( "there is no display for a window; --screenshot FILE draws without one" );
    }
#ifdef __EMSCRIPTEN__
    glfwWindowHint( GLFW_CLIENT_API, GLFW_OPENGL_ES_API );
    glfwWindowHint( GLFW_CONTEXT_VERSION_MAJOR, 3 );
#else
    glfwWindowHint( GLFW_CONTEXT_VERSION_MAJOR, 3 );
    glfwWindowHint( GLFW_CONTEXT_VERSION_MINOR, 3 );
    glfwWindowHint( GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE );
#endif
    glfwWindowHint( GLFW_SAMPLES, 4 );
    m_window = glfwCreateWindow( width, height, "cullet", nullptr, nullptr );
    if ( m_window == nullptr )
    {
        glfwTerminate();
        throw std::runtime_error( "the display has no OpenGL 3.3; --screenshot FILE may draw without it" );
    }
    glfwMakeContextCurrent( m_window );
    glfwSwapInterval( 1 );
    ImGui_ImplGlfw_InitForOpenGL( m_window, true );
    ImGui_ImplOpenGL3_Init( imGuiShaderVersion );
}

Window::~Window()
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwTerminate();
}

bool Window::isOpen() const
{
    return !glfwWindowShouldClose( m_window );
}

void Window::resize( int width, int height )
{
    glfwSetWindowSize( m_window, width, height );
}

void Window::drawFrame( Viewer& viewer )
{
    glfwPollEvents();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    drawImGuiFrame( viewer, double( ImGui::GetIO().DeltaTime ), true );
    glfwSwapBuffers( m_window );
}

} // namespace cullet::view
