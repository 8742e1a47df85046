// SPDX-License-Identifier: Zlib
/// \file synchronize.h
/// Places the bodies of one world like those of another, so that worlds over different broadphases stay comparable.
#ifndef CLT_WORLD_SYNCHRONIZE_H
#define CLT_WORLD_SYNCHRONIZE_H

#include "world.h"

namespace cullet::demo
{

/// Copies the motion of all bodies that are not static. Both worlds must have been filled in the same way.
void copyMotion( World& from, World& to );

} // namespace cullet::demo

#endif
