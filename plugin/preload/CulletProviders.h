// SPDX-License-Identifier: Zlib
/// \file CulletProviders.h
/// A provider is a loaded library that defines Bullet's functions. A process may have several: both precisions, or an
/// application's own copy beside the system's. Each is probed and has a module of its own.
#ifndef CULLET_PROVIDERS_H
#define CULLET_PROVIDERS_H

#include "CulletPreload.h"

#include <stdatomic.h>

typedef struct CulletProvider
{
    CulletBullet bullet; ///< first member, so that a pointer to it also points to the provider
    CulletFunction construct;
    CulletFunction constructSweep16; ///< NULL if undefined, like the next member
    CulletFunction constructSweep32;
    CulletFunction destroyBase;
    _Atomic( const CulletModule* ) module; ///< NULL if the library's broadphases are not taken over
    const void* base;                      ///< load address of the library
    char path[512];                        ///< of the library
    _Atomic( struct CulletProvider* ) next;
    atomic_bool wasProbed;
    atomic_bool hasSpoken;
} CulletProvider;

/// The Bullet that a call would reach without this library. NULL if memory ran out, which is reported, or if no Bullet
/// is loaded, in which case there is no call.
/// \param caller  an address in the calling function
CulletProvider* culletProviderFor( const void* caller );

/// The head of the list of providers, linked by `next`; NULL if it is empty.
CulletProvider* culletFirstProvider( void );

/// Whether this thread runs the constructor of a sweep, which creates a btDbvtBroadphase for its rays.
bool culletIsConstructingAxisSweep( void );

/// Whether the program may have compiled the code of sweeps from Bullet's headers, and may call that code without the
/// sweep's function table.
bool culletHasOwnSweeps( const CulletProvider* provider, const void* sweep, CulletKind kind, const void* caller );

/// The function to run when a caller calls a method's symbol directly, not through the object's function table: the
/// shell's, if the object is a shell (CulletPreload.h), else Bullet's own.
CulletFunction culletFindMethod( const void* self, CulletSlot slot );

/// The provider's module. NULL if its broadphases cannot be taken over; the first such call prints the reason.
const CulletModule* culletModuleFor( CulletProvider* provider );

/// Prints, once for each provider, why a broadphase is not taken over.
void culletReportNotTakenOver( CulletProvider* provider, const char* why );

#endif
