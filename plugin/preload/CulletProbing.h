// SPDX-License-Identifier: Zlib
/// \file CulletProbing.h
/// Decides whether a provider's broadphases can be taken over, and loads the module for that.
#ifndef CULLET_PROBING_H
#define CULLET_PROBING_H

#include "CulletProviders.h"

/// The provider's module. NULL if its broadphases cannot be taken over; the first such call prints the reason.
const CulletModule* culletModuleFor( CulletProvider* provider );

/// Prints, once for each provider, why a broadphase is not taken over.
void culletLeaveAlone( CulletProvider* provider, const char* why );

#endif
