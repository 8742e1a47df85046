// SPDX-License-Identifier: Zlib
/// \file window.h
/// The viewer in a window, or in the canvas of a page.
#ifndef CLT_VIEW_WINDOW_H
#define CLT_VIEW_WINDOW_H

#include "viewer.h"

struct GLFWwindow;

namespace cullet::view
{

#ifdef __EMSCRIPTEN__
constexpr const char* imGuiShaderVersion = "#version 300 es";
#else
constexpr const char* imGuiShaderVersion = "#version 330 core";
#endif

/// Outlives the window and the viewer.
class ImGuiContextOwner
{
public:
    ImGuiContextOwner();
    ~ImGuiContextOwner();
    ImGuiContextOwner( const ImGuiContextOwner& ) = delete;
    ImGuiContextOwner& operator=( const ImGuiContextOwner& ) = delete;
};

/// Draws the scenes, the panel and the strips between two calls of ImGui's.
void drawImGuiFrame( Viewer& viewer, double seconds, bool drawsScenes );

class Window
{
public:
    /// \throws std::runtime_error  if there is no display or no OpenGL 3.3
    Window( int width, int height );
    ~Window();
    Window( const Window& ) = delete;
    Window& operator=( const Window& ) = delete;

    bool isOpen() const;

    void resize( int width, int height );

    /// Reads the mouse and the keys, makes the steps that are due, and draws.
    void drawFrame( Viewer& viewer );

private:
    GLFWwindow* m_window;
};

} // namespace cullet::view

#endif
