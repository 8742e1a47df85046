// SPDX-License-Identifier: Zlib
/// \file controls.h
/// What the user of the viewer can set, apart from the camera.
#ifndef CLT_VIEW_CONTROLS_H
#define CLT_VIEW_CONTROLS_H

#include "overlay.h"
#include "tool.h"

namespace cullet::view
{

struct Controls
{
    SourceRequest wanted; ///< of the next simulation
    Overlay overlay;
    Tool tool;
    bool isRunning = true;
    float speed = 1;    ///< simulated seconds in a second
    bool checks = true; ///< Simulation::checks
    bool step = false;  ///< make one step
    bool reset = false; ///< make another simulation
    bool fit = false;   ///< show all bodies
};

/// Milliseconds of the last frame.
struct FrameTimes
{
    double steps = 0;
    double handOver = 0; ///< collecting what is drawn and handing it to OpenGL
};

} // namespace cullet::view

#endif
