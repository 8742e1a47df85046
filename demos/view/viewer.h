// SPDX-License-Identifier: Zlib
/// \file viewer.h
/// The viewer, without the window that shows it.
#ifndef CLT_VIEW_VIEWER_H
#define CLT_VIEW_VIEWER_H

#include "controls.h"
#include "orbit.h"

#include "demos/render/renderer.h"

namespace cullet::view
{

class Viewer
{
public:
    /// Needs a current OpenGL context and a context of ImGui, which outlive the viewer.
    /// \throws std::runtime_error as makeSource
    explicit Viewer( const Controls& controls );

    /// Makes the steps that are due, and draws. Between ImGui::NewFrame and ImGui::Render.
    /// \param seconds      since the last frame
    /// \param drawsScenes  false: only the panel and the strips are drawn
    void frame( int width, int height, double seconds, bool drawsScenes );

    const Simulation& simulation() const
    {
        return *m_simulation;
    }

    /// For a new OpenGL context, after the old one was lost.
    void restoreOpenGl()
    {
        m_renderer = std::make_unique<render::Renderer>( shadowPixels );
    }

private:
    static constexpr int shadowPixels = 1024;

    void useMouse();
    void useKeys();
    void applyRequests();
    void makeSteps( double seconds );
    void drawScenes();
    void drawLabels();
    render::Area areaOf( std::size_t contestant ) const;
    std::optional<render::Ray> rayAt( float x, float y ) const;
    std::optional<btVector3> pointAt( float x, float y ) const;

    Controls m_controls;
    std::unique_ptr<Simulation> m_simulation;
    std::unique_ptr<render::Renderer> m_renderer;
    render::Drawing m_drawing;
    Orbit m_orbit;
    FrameTimes m_times;
    double m_dueSeconds = 0; ///< to be simulated
    int m_width = 0, m_height = 0;
    std::optional<btVector3> m_dragFrom;
    bool m_hasEnded = false; ///< a recording
    std::string m_message;   ///< why the last simulation could not be made, or that a recording has ended
};

} // namespace cullet::view

#endif
