// SPDX-License-Identifier: Zlib
/// \file CulletProviders.h
/// Who provides Bullet. A process may hold several: single and double precision side by side, an application's own copy
/// beside the system's. Each is probed by itself and has a module of its own (CulletProbing.h).
#ifndef CULLET_PROVIDERS_H
#define CULLET_PROVIDERS_H

#include "CulletPreload.h"

#include <stdatomic.h>

typedef struct CulletProvider
{
    CulletBullet bullet; ///< first, so that one pointer is both
    CulletFunction construct;
    CulletFunction constructSweep16; ///< NULL where there is none, as the next
    CulletFunction constructSweep32;
    CulletFunction destroyBase;
    _Atomic( const CulletModule* ) module; ///< NULL: its broadphases are left alone
    const void* base;                      ///< where the library begins
    char path[512];                        ///< of the library
    _Atomic( struct CulletProvider* ) next;
    atomic_bool wasProbed;
    atomic_bool hasSpoken;
} CulletProvider;

/// The Bullet whose function the caller would have reached without us. NULL if there is none, which no program that
/// calls one can bring about, or no memory, which is said.
/// \param caller  an address within who calls
CulletProvider* culletProviderFor( const void* caller );

/// The one that was met first, to go through them all by `next`; NULL if none was met yet.
CulletProvider* culletFirstProvider( void );

/// Whether this thread is within the constructor of a sweep, which makes a btDbvtBroadphase for its rays.
bool culletIsMakingSweep( void );

/// Whether who constructs a sweep may have compiled the sweeps' code from Bullet's headers, and call that instead of
/// what the sweep's table says.
bool culletHasOwnSweeps( const CulletProvider* provider, const void* sweep, CulletKind kind, const void* caller );

/// What a method that is called by name comes down to for this object: the shell's, or Bullet's own.
CulletFunction culletFindMethod( const void* self, CulletSlot slot );

#endif
