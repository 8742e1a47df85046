// SPDX-License-Identifier: Zlib
/// \file strip.h
/// The times of the last steps as a strip: a column for each step, with its parts on top of each other.
#ifndef CLT_VIEW_STRIP_H
#define CLT_VIEW_STRIP_H

#include "simulation.h"

namespace cullet::view
{

/// Draws the strips of all contestants into the current window of ImGui, on one scale.
void drawStrips( const Simulation& simulation );

} // namespace cullet::view

#endif
