// SPDX-License-Identifier: Zlib
/// \file overlay.h
/// What a broadphase does, as lines over the bodies.
#ifndef CLT_VIEW_OVERLAY_H
#define CLT_VIEW_OVERLAY_H

#include "simulation.h"

namespace cullet::view
{

/// What is drawn. Tree, cells, curve and rest margins are those of the viewer's own broadphase, with one of its
/// algorithms: the structure in which cullet searches these bodies.
struct Overlay
{
    bool bodies = true;
    bool boxes = false;
    bool pairs = false;    ///< lines between centres; pairs that began are green, pairs that ended fade in red
    bool resting = false;  ///< boxes of bodies that are deactivated, and of those that cullet does not search
    bool fatBoxes = false; ///< of btDbvt
    bool tree = false;     ///< the nodes of one level; or the grid's cells with bodies
    int treeLevel = 1;     ///< 0: the root
    bool curve = false;    ///< the order in which bodies are kept
    cltAlgorithm algorithm = clt_algorithmAuto;
};

/// \param contestant  index; only the fat boxes are the contestant's, the rest is the first one's
void drawOverlay( const Simulation& simulation, std::size_t contestant, const Overlay& overlay,
                  render::Drawing& drawing );

} // namespace cullet::view

#endif
