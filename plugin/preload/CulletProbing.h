// SPDX-License-Identifier: Zlib
/// \file CulletProbing.h
/// Whether a provider's broadphases can be taken over: the module that does it, or why not.
#ifndef CULLET_PROBING_H
#define CULLET_PROBING_H

#include "CulletProviders.h"

/// The provider's module, if its broadphases can be taken over; else NULL, and the first time one line says why.
const CulletModule* culletModuleFor( CulletProvider* provider );

/// Says, once for each provider, why a broadphase stays Bullet's.
void culletLeaveAlone( CulletProvider* provider, const char* why );

#endif
