// SPDX-License-Identifier: Zlib
/// \file CulletProbe.h
/// Checks that a loaded Bullet has the layout of the headers that the module was compiled with.
#ifndef CULLET_PROBE_H
#define CULLET_PROBE_H

#include "CulletPreload.h"

/// Constructs a btDbvtBroadphase, checks it and destroys it.
/// \return NULL, or the difference, in words
const char* culletProbe( const CulletBullet& bullet );

#endif
