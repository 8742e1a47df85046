// SPDX-License-Identifier: Zlib
/// \file CulletPreload.h
/// The interface between libcullet-preload.so and its modules. The library is in C and does not need Bullet, so any
/// program can be started with it. It replaces the functions that construct Bullet's broadphases. A module is cullet's
/// plugin, compiled for one precision of Bullet. It is loaded when the first broadphase is constructed.
///
/// If cullet takes over a broadphase, that object becomes the shell. Bullet's own constructor still constructs it in
/// the program's memory, and the program may read and write its members. Only its virtual function table is replaced.
#ifndef CULLET_PRELOAD_H
#define CULLET_PRELOAD_H

#include <stdbool.h>

#if defined( __cplusplus )
extern "C" {
#endif

typedef void ( *CulletFunction )( void );

/// The virtual functions of Bullet's broadphases, 2.88 to 3.27, in the order of their table; then other functions of
/// btDbvtBroadphase. The function table of an object that cullet took over has all of them.
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

/// The arguments of a broadphase's constructor.
typedef struct CulletArguments
{
    CulletKind kind;
    void* cache;           ///< a btOverlappingPairCache or NULL
    const void* lower;     ///< a btVector3; only for sweeps, like all that follow
    const void* upper;     ///< a btVector3
    unsigned maxHandles;   ///< largest number of proxies
    bool hasNoAccelerator; ///< no tree for rays
} CulletArguments;

/// A copy of Bullet that is loaded in the process, as its module sees it.
typedef struct CulletBullet
{
    CulletFunction own[culletSlotCount];   ///< btDbvtBroadphase's functions as this Bullet defines them
    CulletFunction bound[culletSlotCount]; ///< the same functions as the loader resolves them by default

    /// Calls Bullet's own constructor. \param cache  replaces the cache in the arguments
    void ( *construct )( const struct CulletBullet* bullet, const CulletArguments* arguments, void* cache, void* self );

    /// Writes one line to standard error. The arguments are those of printf.
    void ( *say )( const char* format, ... ) __attribute__( ( format( printf, 1, 2 ) ) );

    /// Counts a broadphase that is taken over. \return its number in the process, from 1
    int ( *countBroadphase )( void );

    double beginNs; ///< when the process began, by CLOCK_MONOTONIC
} CulletBullet;

/// The exports of a module, under the name CULLET_MODULE_SYMBOL.
typedef struct CulletModule
{
    /// Must be called once, before all others. \param bullet  must outlive the module
    /// \return NULL if this Bullet has the layout that the module was compiled for; else the difference, in words
    const char* ( *start )( const CulletBullet* bullet );

    /// \param cache  receives the pair cache for the constructor of the shell
    /// \return the guest (CulletGuest.h), for `enter`; NULL if memory ran out
    void* ( *open )( const CulletArguments* arguments, void** cache );

    /// Takes over `shell`, an object that Bullet has constructed, until its destruction.
    void ( *enter )( void* guest, void* shell );

    /// Called at the end of the process: closes recordings, prints statistics and the verifier's verdict. A forked
    /// child prints only its own verdict.
    /// \return false if the verifier found errors
    bool ( *finish )( void );

    /// The first entry in the function tables of the objects that this module took over, and in no other table.
    CulletFunction destroyShell;
} CulletModule;

#define CULLET_MODULE_SYMBOL "culletModule"

/// The exit code of a process in which the verifier found errors, whatever the program's own code is: EX_SOFTWARE of
/// sysexits.h.
#define CULLET_EXIT_WRONG 70

#if defined( __cplusplus )
}
#endif

#endif
