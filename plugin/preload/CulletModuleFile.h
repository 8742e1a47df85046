// SPDX-License-Identifier: Zlib
/// \file CulletModuleFile.h
/// Loads a module (CulletPreload.h) that calls one of the Bullet libraries in the process.
#ifndef CULLET_MODULE_FILE_H
#define CULLET_MODULE_FILE_H

#include "CulletPreload.h"

#include <stddef.h>

/// In a module's file, the placeholder for the path of the Bullet library that it calls. See CMakeLists.txt.
#define CULLET_PLACEHOLDER_PREFIX "cullet-bullet-"
#define CULLET_PLACEHOLDER_SIZE 512

/// Loads a copy of the module, so that each Bullet of a process has a module of its own. Thread-safe.
/// \param name      of the module's file, beside libcullet-preload.so
/// \param provider  path of the loaded library that defines Bullet's functions
/// \param why       receives the reason of a failure
/// \return NULL on failure
const CulletModule* culletLoadModule( const char* name, const char* provider, char* why, size_t whySize );

#endif
