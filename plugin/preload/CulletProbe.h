// SPDX-License-Identifier: Zlib
/// \file CulletProbe.h
/// Whether a Bullet is laid out as the headers say that the module was compiled with.
#ifndef CULLET_PROBE_H
#define CULLET_PROBE_H

#include "CulletPreload.h"

/// Constructs a btDbvtBroadphase, looks at it and destroys it.
/// \return NULL, or what is not as it should be
const char* culletProbe( const CulletBullet& bullet );

#endif
