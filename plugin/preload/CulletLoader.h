// SPDX-License-Identifier: Zlib
/// \file CulletLoader.h
/// What the loader knows: who defines a function, and which library an address lies in.
#ifndef CULLET_LOADER_H
#define CULLET_LOADER_H

#include "CulletPreload.h"

/// \param library  a handle of dlopen, or RTLD_NEXT or RTLD_DEFAULT
/// \return NULL if there is none
CulletFunction culletFunctionIn( void* library, const char* name );

/// \param[out] path  of the library, for as long as it is loaded
/// \return where the library begins that holds the address; NULL if none does
const void* culletBaseOf( const void* address, const char** path );

/// The symbol as the loaded library at `path`, and what it needs, define it; NULL if they do not.
void* culletSymbolSeenBy( const char* path, const char* name );

/// btDbvtBroadphase's constructor, as it would have been found without us. NULL if no Bullet is loaded.
/// \param caller  an address within who looks for it, or NULL
const void* culletFindConstructor( const void* caller );

#endif
