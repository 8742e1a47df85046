// SPDX-License-Identifier: Zlib
/// \file CulletPreload.h
/// What libcullet-preload.so and its modules know of each other. The library is C and needs nothing of Bullet's, so
/// that any program can be started with it, with Bullet or without; it stands in front of the functions that construct
/// Bullet's broadphases. A module is cullet's plugin compiled for one precision of Bullet; it is loaded when the first
/// broadphase is constructed.
///
/// A broadphase that is taken over stays an object of its class, constructed by Bullet's own constructor in the memory
/// that the program gave: the program may read and write its members. It is called the shell. Only the table of its
/// virtual functions is another one.
#ifndef CULLET_PRELOAD_H
#define CULLET_PRELOAD_H

#include <stdbool.h>

#if defined( __cplusplus )
extern "C" {
#endif

typedef void ( *CulletFunction )( void );

/// The virtual functions of Bullet's broadphases, 2.88 to 3.27, in the order of their table; behind them what
/// btDbvtBroadphase has besides. A shell's table has them all.
typedef enum CulletSlot
{
    culletSlotDestroy,
    culletSlotDelete,
    culletSlotCreateProxy,
    culletSlotDestroyProxy,
    culletSlotSetAabb,
    culletSlotGetAabb,
    culletSlotRayTest,
    culletSlotAabbTest,
    culletSlotCalculatePairs,
    culletSlotGetPairCache,
    culletSlotGetConstPairCache,
    culletSlotGetBroadphaseAabb,
    culletSlotResetPool,
    culletSlotPrintStats,
    culletVirtualCount,
    culletSlotCollide = culletVirtualCount,
    culletSlotOptimize,
    culletSlotPerformDeferredRemoval,
    culletSlotSetAabbForceUpdate,
    culletSlotCount
} CulletSlot;

typedef enum CulletKind
{
    culletKindDbvt,
    culletKindSweep16, ///< btAxisSweep3
    culletKindSweep32  ///< bt32BitAxisSweep3
} CulletKind;

/// What a program constructs a broadphase with.
typedef struct CulletArguments
{
    CulletKind kind;
    void* cache;           ///< a btOverlappingPairCache or NULL
    const void* lower;     ///< a btVector3, as upper and what follows: of the sweeps only
    const void* upper;     ///
    unsigned maxHandles;   ///
    bool hasNoAccelerator; ///
} CulletArguments;

/// One Bullet in the process.
typedef struct CulletBullet
{
    CulletFunction own[culletSlotCount];   ///< btDbvtBroadphase's functions as this Bullet defines them
    CulletFunction bound[culletSlotCount]; ///< as everybody sees them who looks in the usual order

    /// Calls Bullet's own constructor. \param cache  takes the place of the arguments' one
    void ( *construct )( const struct CulletBullet* bullet, const CulletArguments* arguments, void* cache, void* self );

    /// Writes one line to standard error.
    void ( *say )( const char* text );

    /// \return the number of one more broadphase that is taken over, from 1: those of all Bullets in the process
    int ( *countBroadphase )( void );
} CulletBullet;

/// What a module exports, under the name of CULLET_MODULE_SYMBOL.
typedef struct CulletModule
{
    /// To be called once, before all others. \param bullet  must stay
    /// \return NULL if this Bullet is laid out as the module was compiled for; else why not, in words
    const char* ( *start )( const CulletBullet* bullet );

    /// \param cache  gets the pair cache that the shell is to be constructed with
    /// \return what `enter` wants; NULL if there is no memory
    void* ( *open )( const CulletArguments* arguments, void** cache );

    /// The shell, just constructed, is cullet's from here on, until its destructor.
    void ( *enter )( void* guest, void* shell );

    /// The process ends: recordings are closed, statistics and the verifier's verdict said. A child that was forked has
    /// a verdict of its own and leaves the rest to its parent.
    /// \return whether that was a good one, or none was asked for
    bool ( *finish )( void );

    /// In the first slot of every shell's table, and of no other object's.
    CulletFunction destroyShell;
} CulletModule;

#define CULLET_MODULE_SYMBOL "culletModule"

/// The exit code of a process of which the verifier does not approve, whatever the program's own is: EX_SOFTWARE of
/// sysexits.h.
#define CULLET_EXIT_WRONG 70

#if defined( __cplusplus )
}
#endif

#endif
