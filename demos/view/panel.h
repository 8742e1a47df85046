// SPDX-License-Identifier: Zlib
/// \file panel.h
/// The panel at the left, and the sentences in it.
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

/// A contestant's name and its mean time.
std::string labelOf( const Simulation& simulation, std::size_t contestant );

/// One sentence: the fastest and the slowest contestant, and the ratio of their times. Empty without two contestants,
/// or before the second step.
std::string verdictOf( const Simulation& simulation );

/// The verdict, and two lines for each contestant: what the viewer says of the simulation.
std::string reportOf( const Simulation& simulation );

/// Pixels that the panel covers at the left.
constexpr int panelWidth = 340;

} // namespace cullet::view

#endif
