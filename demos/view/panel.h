// SPDX-License-Identifier: Zlib
/// \file panel.h
/// The panel at the left.
#ifndef CLT_VIEW_PANEL_H
#define CLT_VIEW_PANEL_H

#include "controls.h"
#include "simulation.h"

namespace cullet::view
{

/// Draws the panel into the current frame of ImGui, and notes in `controls` what the user wants.
/// \param message  shown if it is not empty
void drawPanel( const Simulation& simulation, const FrameTimes& times, const std::string& message, int height,
                Controls& controls );

/// Pixels that the panel covers at the left.
constexpr int panelWidth = 340;

} // namespace cullet::view

#endif
