// SPDX-License-Identifier: Zlib
/// \file CulletInterpose.c Functions under the names of Bullet's: the constructors and destructors of its broadphases,
/// and the functions that btDbvtBroadphase defines outside its header. The loader binds all calls to the first
/// definition that it finds. That is the one in this library, also for the virtual function tables in Bullet's library.
/// The names follow the Itanium C++ ABI, section 5.1, and are the same in both precisions.
///
/// The methods of sweeps are templates in Bullet's headers. A program that calls one by name has compiled it itself,
/// and its sweeps are left alone. So there are no definitions for them here.
#include "CulletProbing.h"
#include "CulletProcess.h"
#include "CulletProviders.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BULLETS( symbol ) __asm__( symbol ) __attribute__( ( visibility( "default" ) ) )
#define CALLER __builtin_return_address( 0 )

// ------------------------------------------------------------------------------------------------------- construction

static void construct( void* self, const CulletArguments* arguments, const void* caller )
{
    CulletProvider* provider = culletProviderFor( caller );
    culletNoteConstruction();
    if ( !provider )
    {
        return; // impossible: without Bullet no program calls this
    }
    const bool isBulletsOwn = culletIsConstructingAxisSweep();
    const bool isCompiledIn = !isBulletsOwn && arguments->kind != culletKindDbvt &&
                              culletHasOwnSweeps( provider, self, arguments->kind, caller );
    const CulletModule* module = isBulletsOwn || isCompiledIn ? NULL : culletModuleFor( provider );
    void* cache = arguments->cache;
    void* guest = module ? module->open( arguments, &cache ) : NULL;
    provider->bullet.construct( &provider->bullet, arguments, cache, self );
    if ( guest )
    {
        module->enter( guest, self );
    }
    else if ( isCompiledIn )
    {
        culletLeaveAlone( provider, "the program may have compiled the code of btAxisSweep3 itself" );
    }
    else if ( module )
    {
        culletLeaveAlone( provider, "there is no memory" );
    }
}

void culletConstructDbvt( void* self, void* cache ) BULLETS( "_ZN16btDbvtBroadphaseC1EP22btOverlappingPairCache" );
void culletConstructDbvt( void* self, void* cache )
{
    const CulletArguments arguments = { .kind = culletKindDbvt, .cache = cache };
    construct( self, &arguments, CALLER );
}

void culletConstructSweep16( void* self, const void* lower, const void* upper, unsigned short maxHandles, void* cache,
                             bool hasNoAccelerator )
    BULLETS( "_ZN12btAxisSweep3C1ERK9btVector3S2_tP22btOverlappingPairCacheb" );
void culletConstructSweep16( void* self, const void* lower, const void* upper, unsigned short maxHandles, void* cache,
                             bool hasNoAccelerator )
{
    const CulletArguments arguments = { culletKindSweep16, cache, lower, upper, maxHandles, hasNoAccelerator };
    construct( self, &arguments, CALLER );
}

void culletConstructSweep32( void* self, const void* lower, const void* upper, unsigned maxHandles, void* cache,
                             bool hasNoAccelerator )
    BULLETS( "_ZN17bt32BitAxisSweep3C1ERK9btVector3S2_jP22btOverlappingPairCacheb" );
void culletConstructSweep32( void* self, const void* lower, const void* upper, unsigned maxHandles, void* cache,
                             bool hasNoAccelerator )
{
    const CulletArguments arguments = { culletKindSweep32, cache, lower, upper, maxHandles, hasNoAccelerator };
    construct( self, &arguments, CALLER );
}

// Constructors of base objects are called by derived classes. These may rely on Bullet's functions, so they are left
// alone.

static void constructBase( void* self, const CulletArguments* arguments, const void* caller )
{
    CulletProvider* provider = culletProviderFor( caller );
    culletNoteConstruction();
    if ( provider )
    {
        culletLeaveAlone( provider, "the program's class is derived from Bullet's" );
        provider->bullet.construct( &provider->bullet, arguments, arguments->cache, self );
    }
}

void culletConstructDbvtBase( void* self, void* cache ) BULLETS( "_ZN16btDbvtBroadphaseC2EP22btOverlappingPairCache" );
void culletConstructDbvtBase( void* self, void* cache )
{
    const CulletArguments arguments = { .kind = culletKindDbvt, .cache = cache };
    constructBase( self, &arguments, CALLER );
}

void culletConstructSweep16Base( void* self, const void* lower, const void* upper, unsigned short maxHandles,
                                 void* cache, bool hasNoAccelerator )
    BULLETS( "_ZN12btAxisSweep3C2ERK9btVector3S2_tP22btOverlappingPairCacheb" );
void culletConstructSweep16Base( void* self, const void* lower, const void* upper, unsigned short maxHandles,
                                 void* cache, bool hasNoAccelerator )
{
    const CulletArguments arguments = { culletKindSweep16, cache, lower, upper, maxHandles, hasNoAccelerator };
    constructBase( self, &arguments, CALLER );
}

void culletConstructSweep32Base( void* self, const void* lower, const void* upper, unsigned maxHandles, void* cache,
                                 bool hasNoAccelerator )
    BULLETS( "_ZN17bt32BitAxisSweep3C2ERK9btVector3S2_jP22btOverlappingPairCacheb" );
void culletConstructSweep32Base( void* self, const void* lower, const void* upper, unsigned maxHandles, void* cache,
                                 bool hasNoAccelerator )
{
    const CulletArguments arguments = { culletKindSweep32, cache, lower, upper, maxHandles, hasNoAccelerator };
    constructBase( self, &arguments, CALLER );
}

// -------------------------------------------------------------------------------------------------------- destruction

typedef void Destructor( void* self );

void culletDestroy( void* self ) BULLETS( "_ZN16btDbvtBroadphaseD1Ev" );
void culletDestroy( void* self )
{
    ( (Destructor*)culletFindMethod( self, culletSlotDestroy ) )( self );
}

void culletDelete( void* self ) BULLETS( "_ZN16btDbvtBroadphaseD0Ev" );
void culletDelete( void* self )
{
    ( (Destructor*)culletFindMethod( self, culletSlotDelete ) )( self );
}

void culletDestroyBase( void* self ) BULLETS( "_ZN16btDbvtBroadphaseD2Ev" );
void culletDestroyBase( void* self )
{
    const CulletProvider* provider = culletProviderFor( CALLER );
    if ( provider )
    {
        ( (Destructor*)provider->destroyBase )( self );
    }
}

// ------------------------------------------------------------------------------------------------------------ methods

// Methods of btDbvtBroadphase that are called by name: by compilers that know the class of an object, and through the
// function tables of objects that are left alone. Bullet's getAabb and printStats work for shells unchanged.

typedef void* CreateProxy( void* self, const void* lower, const void* upper, int shapeType, void* client, int group,
                           int mask, void* dispatcher );
typedef void OnProxy( void* self, void* proxy, void* dispatcher );
typedef void SetAabb( void* self, void* proxy, const void* lower, const void* upper, void* dispatcher );
typedef void RayTest( void* self, const void* from, const void* to, void* callback, const void* lower,
                      const void* upper );
typedef void AabbTest( void* self, const void* lower, const void* upper, void* callback );
typedef void WithDispatcher( void* self, void* dispatcher );
typedef void* GetCache( void* self );
typedef void GetBounds( const void* self, void* lower, void* upper );
typedef void Optimize( void* self );

CreateProxy culletCreateProxy BULLETS( "_ZN16btDbvtBroadphase11createProxyERK9btVector3S2_iPviiP12btDispatcher" );
void* culletCreateProxy( void* self, const void* lower, const void* upper, int shapeType, void* client, int group,
                         int mask, void* dispatcher )
{
    CreateProxy* const method = (CreateProxy*)culletFindMethod( self, culletSlotCreateProxy );
    return method( self, lower, upper, shapeType, client, group, mask, dispatcher );
}

OnProxy culletDestroyProxy BULLETS( "_ZN16btDbvtBroadphase12destroyProxyEP17btBroadphaseProxyP12btDispatcher" );
void culletDestroyProxy( void* self, void* proxy, void* dispatcher )
{
    ( (OnProxy*)culletFindMethod( self, culletSlotDestroyProxy ) )( self, proxy, dispatcher );
}

SetAabb culletSetAabb BULLETS( "_ZN16btDbvtBroadphase7setAabbEP17btBroadphaseProxyRK9btVector3S4_P12btDispatcher" );
void culletSetAabb( void* self, void* proxy, const void* lower, const void* upper, void* dispatcher )
{
    ( (SetAabb*)culletFindMethod( self, culletSlotSetAabb ) )( self, proxy, lower, upper, dispatcher );
}

RayTest culletRayTest BULLETS( "_ZN16btDbvtBroadphase7rayTestERK9btVector3S2_R23btBroadphaseRayCallbackS2_S2_" );
void culletRayTest( void* self, const void* from, const void* to, void* callback, const void* lower, const void* upper )
{
    ( (RayTest*)culletFindMethod( self, culletSlotRayTest ) )( self, from, to, callback, lower, upper );
}

AabbTest culletAabbTest BULLETS( "_ZN16btDbvtBroadphase8aabbTestERK9btVector3S2_R24btBroadphaseAabbCallback" );
void culletAabbTest( void* self, const void* lower, const void* upper, void* callback )
{
    ( (AabbTest*)culletFindMethod( self, culletSlotAabbTest ) )( self, lower, upper, callback );
}

WithDispatcher culletCalculatePairs BULLETS( "_ZN16btDbvtBroadphase25calculateOverlappingPairsEP12btDispatcher" );
void culletCalculatePairs( void* self, void* dispatcher )
{
    ( (WithDispatcher*)culletFindMethod( self, culletSlotCalculatePairs ) )( self, dispatcher );
}

GetCache culletGetPairCache BULLETS( "_ZN16btDbvtBroadphase23getOverlappingPairCacheEv" );
void* culletGetPairCache( void* self )
{
    return ( (GetCache*)culletFindMethod( self, culletSlotGetPairCache ) )( self );
}

GetCache culletGetConstPairCache BULLETS( "_ZNK16btDbvtBroadphase23getOverlappingPairCacheEv" );
void* culletGetConstPairCache( void* self )
{
    return ( (GetCache*)culletFindMethod( self, culletSlotGetConstPairCache ) )( self );
}

GetBounds culletGetBroadphaseAabb BULLETS( "_ZNK16btDbvtBroadphase17getBroadphaseAabbER9btVector3S1_" );
void culletGetBroadphaseAabb( const void* self, void* lower, void* upper )
{
    ( (GetBounds*)culletFindMethod( self, culletSlotGetBroadphaseAabb ) )( self, lower, upper );
}

WithDispatcher culletResetPool BULLETS( "_ZN16btDbvtBroadphase9resetPoolEP12btDispatcher" );
void culletResetPool( void* self, void* dispatcher )
{
    ( (WithDispatcher*)culletFindMethod( self, culletSlotResetPool ) )( self, dispatcher );
}

WithDispatcher culletCollide BULLETS( "_ZN16btDbvtBroadphase7collideEP12btDispatcher" );
void culletCollide( void* self, void* dispatcher )
{
    ( (WithDispatcher*)culletFindMethod( self, culletSlotCollide ) )( self, dispatcher );
}

Optimize culletOptimize BULLETS( "_ZN16btDbvtBroadphase8optimizeEv" );
void culletOptimize( void* self )
{
    ( (Optimize*)culletFindMethod( self, culletSlotOptimize ) )( self );
}

WithDispatcher culletPerformDeferredRemoval BULLETS( "_ZN16btDbvtBroadphase22performDeferredRemovalEP12btDispatcher" );
void culletPerformDeferredRemoval( void* self, void* dispatcher )
{
    ( (WithDispatcher*)culletFindMethod( self, culletSlotPerformDeferredRemoval ) )( self, dispatcher );
}

SetAabb culletSetAabbForceUpdate
    BULLETS( "_ZN16btDbvtBroadphase18setAabbForceUpdateEP17btBroadphaseProxyRK9btVector3S4_P12btDispatcher" );
void culletSetAabbForceUpdate( void* self, void* proxy, const void* lower, const void* upper, void* dispatcher )
{
    ( (SetAabb*)culletFindMethod( self, culletSlotSetAabbForceUpdate ) )( self, proxy, lower, upper, dispatcher );
}

// ---------------------------------------------------------------------------------------------------------------- end

/// Library destructors run after functions that the program registered with atexit, and before its output is flushed.
static void __attribute__( ( destructor ) ) endProcess( void )
{
    if ( !culletFinish() )
    {
        fflush( NULL );
        _exit( CULLET_EXIT_WRONG );
    }
}
