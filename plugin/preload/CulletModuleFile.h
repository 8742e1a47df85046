// SPDX-License-Identifier: Zlib
/// \file CulletModuleFile.h
/// Loads a module beside one Bullet.
#ifndef CULLET_MODULE_FILE_H
#define CULLET_MODULE_FILE_H

#include "CulletPreload.h"

#include <stddef.h>

/// The name of a library that no module needs: it keeps room for the name of the Bullet that the module is loaded for.
#define CULLET_NEEDED_PREFIX "cullet-bullet-"
#define CULLET_NEEDED_ROOM 512

/// Loads another copy of the module, so that each Bullet of a process has one to itself. Any thread at any time.
/// \param name      of the module's file, beside libcullet-preload.so
/// \param provider  path of the loaded library that has Bullet's functions
/// \param why       gets the reason when it fails
/// \return NULL when it fails
const CulletModule* culletLoadModule( const char* name, const char* provider, char* why, size_t whySize );

#endif
