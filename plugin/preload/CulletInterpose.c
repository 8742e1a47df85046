// SPDX-License-Identifier: Zlib
/// \file CulletInterpose.c Functions under the names of Bullet's: the constructors and destructors of its broadphases,
/// and the functions that btDbvtBroadphase defines outside its header. The loader binds all calls to the first
/// definition that it finds. That is the one in this library, also for the virtual function tables in Bullet's library.
/// The names follow the Itanium C++ ABI, section 5.1, and are the same in both precisions.
///
/// The methods of sweeps are templates in Bullet's headers. A program that calls one by name has compiled it itself,
/// and its sweeps are left alone. So there are no definitions for them here.
#include "CulletProcess.h"
#include "CulletProviders.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED_AS( symbol ) __asm__( symbol ) __attribute__( ( visibility( "default" ) ) )
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
        culletReportNotTakenOver( provider, "the program may have compiled the code of btAxisSweep3 itself" );
    }
    else if ( module )
    {
        culletReportNotTakenOver( provider, "there is no memory" );
    }
}

/// Runs a constructor that a derived class calls for its base. Derived classes may rely on Bullet's functions, so their
/// objects are left alone.
static void constructBase( void* self, const CulletArguments* arguments, const void* caller )
{
    CulletProvider* provider = culletProviderFor( caller );
    culletNoteConstruction();
    if ( provider )
    {
        culletReportNotTakenOver( provider, "the program's class is derived from Bullet's" );
        provider->bullet.construct( &provider->bullet, arguments, arguments->cache, self );
    }
}

// Defines a constructor by its symbol. `construct` is one of the functions above.

#define DBVT( name, symbol, construct )                                                                                \
    void name( void* self, void* cache ) EXPORTED_AS( symbol );                                                        \
    void name( void* self, void* cache )                                                                               \
    {                                                                                                                  \
        const CulletArguments arguments = { .kind = culletKindDbvt, .cache = cache };                                  \
        construct( self, &arguments, CALLER );                                                                         \
    }

#define SWEEP( name, symbol, kind, Count, construct )                                                                  \
    void name( void* self, const void* lower, const void* upper, Count maxHandles, void* cache,                        \
               bool hasNoAccelerator ) EXPORTED_AS( symbol );                                                          \
    void name( void* self, const void* lower, const void* upper, Count maxHandles, void* cache,                        \
               bool hasNoAccelerator )                                                                                 \
    {                                                                                                                  \
        const CulletArguments arguments = { kind, cache, lower, upper, maxHandles, hasNoAccelerator };                 \
        construct( self, &arguments, CALLER );                                                                         \
    }

DBVT( culletConstructDbvt, "_ZN16btDbvtBroadphaseC1EP22btOverlappingPairCache", construct )
DBVT( culletConstructDbvtBase, "_ZN16btDbvtBroadphaseC2EP22btOverlappingPairCache", constructBase )
SWEEP( culletConstructSweep16, "_ZN12btAxisSweep3C1ERK9btVector3S2_tP22btOverlappingPairCacheb", culletKindSweep16,
       unsigned short, construct )
SWEEP( culletConstructSweep16Base, "_ZN12btAxisSweep3C2ERK9btVector3S2_tP22btOverlappingPairCacheb", culletKindSweep16,
       unsigned short, constructBase )
SWEEP( culletConstructSweep32, "_ZN17bt32BitAxisSweep3C1ERK9btVector3S2_jP22btOverlappingPairCacheb", culletKindSweep32,
       unsigned, construct )
SWEEP( culletConstructSweep32Base, "_ZN17bt32BitAxisSweep3C2ERK9btVector3S2_jP22btOverlappingPairCacheb",
       culletKindSweep32, unsigned, constructBase )

// ------------------------------------------------------------------------------------------------------------ methods

void culletDestroyBase( void* self ) EXPORTED_AS( "_ZN16btDbvtBroadphaseD2Ev" );
void culletDestroyBase( void* self )
{
    const CulletProvider* provider = culletProviderFor( CALLER );
    if ( provider )
    {
        ( (void ( * )( void* self ))provider->destroyBase )( self );
    }
}

/// Defines a method of btDbvtBroadphase. Calls by name come from compilers that know the class of an object, and from
/// the function tables of objects that are left alone. Bullet's getAabb and printStats work for shells unchanged.
/// \param RETURN  empty, or `return` if the result is not void
#define METHOD( Result, RETURN, Name, symbol, parameters, arguments )                                                  \
    typedef Result Name##Method parameters;                                                                            \
    Name##Method cullet##Name EXPORTED_AS( symbol );                                                                   \
    Result cullet##Name parameters                                                                                     \
    {                                                                                                                  \
        RETURN( (Name##Method*)culletFindMethod( self, culletSlot##Name ) ) arguments;                                 \
    }

METHOD( void, , Destroy, "_ZN16btDbvtBroadphaseD1Ev", ( void* self ), ( self ) )
METHOD( void, , Delete, "_ZN16btDbvtBroadphaseD0Ev", ( void* self ), ( self ) )
METHOD( void*, return, CreateProxy, "_ZN16btDbvtBroadphase11createProxyERK9btVector3S2_iPviiP12btDispatcher",
        ( void* self, const void* lower, const void* upper, int shapeType, void* client, int group, int mask,
          void* dispatcher ),
        ( self, lower, upper, shapeType, client, group, mask, dispatcher ) )
METHOD( void, , DestroyProxy, "_ZN16btDbvtBroadphase12destroyProxyEP17btBroadphaseProxyP12btDispatcher",
        ( void* self, void* proxy, void* dispatcher ), ( self, proxy, dispatcher ) )
METHOD( void, , SetAabb, "_ZN16btDbvtBroadphase7setAabbEP17btBroadphaseProxyRK9btVector3S4_P12btDispatcher",
        ( void* self, void* proxy, const void* lower, const void* upper, void* dispatcher ),
        ( self, proxy, lower, upper, dispatcher ) )
METHOD( void, , SetAabbForceUpdate,
        "_ZN16btDbvtBroadphase18setAabbForceUpdateEP17btBroadphaseProxyRK9btVector3S4_P12btDispatcher",
        ( void* self, void* proxy, const void* lower, const void* upper, void* dispatcher ),
        ( self, proxy, lower, upper, dispatcher ) )
METHOD( void, , RayTest, "_ZN16btDbvtBroadphase7rayTestERK9btVector3S2_R23btBroadphaseRayCallbackS2_S2_",
        ( void* self, const void* from, const void* to, void* callback, const void* lower, const void* upper ),
        ( self, from, to, callback, lower, upper ) )
METHOD( void, , AabbTest, "_ZN16btDbvtBroadphase8aabbTestERK9btVector3S2_R24btBroadphaseAabbCallback",
        ( void* self, const void* lower, const void* upper, void* callback ), ( self, lower, upper, callback ) )
METHOD( void, , CalculatePairs, "_ZN16btDbvtBroadphase25calculateOverlappingPairsEP12btDispatcher",
        ( void* self, void* dispatcher ), ( self, dispatcher ) )
METHOD( void*, return, GetPairCache, "_ZN16btDbvtBroadphase23getOverlappingPairCacheEv", ( void* self ), ( self ) )
METHOD( void*, return, GetConstPairCache, "_ZNK16btDbvtBroadphase23getOverlappingPairCacheEv", ( void* self ),
        ( self ) )
METHOD( void, , GetBroadphaseAabb, "_ZNK16btDbvtBroadphase17getBroadphaseAabbER9btVector3S1_",
        ( const void* self, void* lower, void* upper ), ( self, lower, upper ) )
METHOD( void, , ResetPool, "_ZN16btDbvtBroadphase9resetPoolEP12btDispatcher", ( void* self, void* dispatcher ),
        ( self, dispatcher ) )
METHOD( void, , Collide, "_ZN16btDbvtBroadphase7collideEP12btDispatcher", ( void* self, void* dispatcher ),
        ( self, dispatcher ) )
METHOD( void, , Optimize, "_ZN16btDbvtBroadphase8optimizeEv", ( void* self ), ( self ) )
METHOD( void, , PerformDeferredRemoval, "_ZN16btDbvtBroadphase22performDeferredRemovalEP12btDispatcher",
        ( void* self, void* dispatcher ), ( self, dispatcher ) )

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
