// SPDX-License-Identifier: Zlib
/// \file fat_boxes.h
/// The boxes in the trees of btDbvtBroadphase, which are larger than those of the bodies.
#ifndef CLT_VIEW_FAT_BOXES_H
#define CLT_VIEW_FAT_BOXES_H

#include "demos/render/drawing.h"

class btBroadphaseInterface;

namespace cullet::view
{

/// Adds nothing for other broadphases, and for NULL.
void addFatBoxes( btBroadphaseInterface* broadphase, render::Drawing& drawing );

} // namespace cullet::view

#endif
