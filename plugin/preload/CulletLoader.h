// SPDX-License-Identifier: Zlib
/// \file CulletLoader.h
/// Queries to the dynamic loader: which library defines a function, and which one contains an address.
#ifndef CULLET_LOADER_H
#define CULLET_LOADER_H

#include "CulletPreload.h"

/// \param library  a handle of dlopen, or RTLD_NEXT or RTLD_DEFAULT
/// \return the function `name` of the library; NULL if the library does not define it
CulletFunction culletFunctionIn( void* library, const char* name );

/// \param[out] path  of the library; valid while it is loaded
/// \return the load address of the library that contains `address`; NULL if none does
const void* culletBaseOf( const void* address, const char** path );

/// The symbol as defined by the loaded library at `path` and its dependencies; NULL if they do not define it.
void* culletSymbolSeenBy( const char* path, const char* name );

/// The constructor of btDbvtBroadphase that a call would reach without this library. NULL if no Bullet is loaded.
/// \param caller  an address in the calling function, or NULL
const void* culletFindConstructor( const void* caller );

/// Finds a Bullet that is compiled into a program or library with hidden or stripped symbols.
/// \return the path of the loaded file, valid while it is loaded, or "the program"; NULL if there is none
const char* culletFindLocalBullet( void );

#endif
