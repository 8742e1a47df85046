// SPDX-License-Identifier: Zlib
/// \file CulletProviders.c
/// A list of the providers found so far. It only grows, so reading needs no lock.
#define _GNU_SOURCE

#include "CulletProviders.h"

#include "CulletLoader.h"
#include "CulletModuleFile.h"
#include "CulletProcess.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic( CulletProvider* ) firstProvider; ///< head of the list, which is in the order of discovery; never freed
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char* const METHODS[culletSlotCount] = {
    "_ZN16btDbvtBroadphaseD1Ev",
    "_ZN16btDbvtBroadphaseD0Ev",
    "_ZN16btDbvtBroadphase11createProxyERK9btVector3S2_iPviiP12btDispatcher",
    "_ZN16btDbvtBroadphase12destroyProxyEP17btBroadphaseProxyP12btDispatcher",
    "_ZN16btDbvtBroadphase7setAabbEP17btBroadphaseProxyRK9btVector3S4_P12btDispatcher",
    "_ZNK16btDbvtBroadphase7getAabbEP17btBroadphaseProxyR9btVector3S3_",
    "_ZN16btDbvtBroadphase7rayTestERK9btVector3S2_R23btBroadphaseRayCallbackS2_S2_",
    "_ZN16btDbvtBroadphase8aabbTestERK9btVector3S2_R24btBroadphaseAabbCallback",
    "_ZN16btDbvtBroadphase25calculateOverlappingPairsEP12btDispatcher",
    "_ZN16btDbvtBroadphase23getOverlappingPairCacheEv",
    "_ZNK16btDbvtBroadphase23getOverlappingPairCacheEv",
    "_ZNK16btDbvtBroadphase17getBroadphaseAabbER9btVector3S1_",
    "_ZN16btDbvtBroadphase9resetPoolEP12btDispatcher",
    "_ZN16btDbvtBroadphase10printStatsEv",
    "_ZN16btDbvtBroadphase7collideEP12btDispatcher",
    "_ZN16btDbvtBroadphase8optimizeEv",
    "_ZN16btDbvtBroadphase22performDeferredRemovalEP12btDispatcher",
    "_ZN16btDbvtBroadphase18setAabbForceUpdateEP17btBroadphaseProxyRK9btVector3S4_P12btDispatcher" };

// -------------------------------------------------------------------------------------------------------- construction

static bool isOnStack( const void* address )
{
    pthread_attr_t attributes;
    if ( pthread_getattr_np( pthread_self(), &attributes ) != 0 )
    {
        return true;
    }
    void* stack;
    size_t size;
    pthread_attr_getstack( &attributes, &stack, &size );
    pthread_attr_destroy( &attributes );
    return (uintptr_t)address - (uintptr_t)stack < size;
}

/// If a sweep is on the stack or in static data, the compiler knows its class and compiles at least its destructor into
/// the program. If a program with sweeps on the heap has compiled their functions, it mostly has a second virtual
/// function table of btAxisSweep3Internal. The linker exports it, because Bullet's library has one of the same name.
bool culletHasOwnSweeps( const CulletProvider* provider, const void* sweep, CulletKind kind, const void* caller )
{
    const char* table = kind == culletKindSweep16 ? "_ZTV20btAxisSweep3InternalItE" : "_ZTV20btAxisSweep3InternalIjE";
    const char* path;
    if ( isOnStack( sweep ) || culletBaseOf( sweep, &path ) )
    {
        return true;
    }
    void* seen = dlsym( RTLD_DEFAULT, table );
    if ( !seen && culletBaseOf( caller, &path ) )
    {
        seen = culletSymbolSeenBy( path, table );
    }
    return seen && culletBaseOf( seen, &path ) != provider->base;
}

static _Thread_local bool isMakingSweep;

bool culletIsConstructingAxisSweep( void )
{
    return isMakingSweep;
}

typedef void Dbvt( void* self, void* cache );
typedef void Sweep16( void* self, const void* lower, const void* upper, unsigned short maxHandles, void* cache,
                      bool hasNoAccelerator );
typedef void Sweep32( void* self, const void* lower, const void* upper, unsigned maxHandles, void* cache,
                      bool hasNoAccelerator );

static void callBulletsConstructor( const CulletBullet* bullet, const CulletArguments* arguments, void* cache,
                                    void* self )
{
    const CulletProvider* provider = (const CulletProvider*)bullet;
    const bool wasMakingSweep = isMakingSweep;
    isMakingSweep = arguments->kind != culletKindDbvt;
    switch ( arguments->kind )
    {
    case culletKindDbvt:
        ( (Dbvt*)provider->construct )( self, cache );
        break;
    case culletKindSweep16:
        ( (Sweep16*)provider->constructSweep16 )( self, arguments->lower, arguments->upper,
                                                  (unsigned short)arguments->maxHandles, cache,
                                                  arguments->hasNoAccelerator );
        break;
    case culletKindSweep32:
        ( (Sweep32*)provider->constructSweep32 )( self, arguments->lower, arguments->upper, arguments->maxHandles,
                                                  cache, arguments->hasNoAccelerator );
        break;
    }
    isMakingSweep = wasMakingSweep;
}

// ---------------------------------------------------------------------------------------------------------- providers

/// Fills in the members of a provider. If the loader cannot open the library again, its functions are looked up in the
/// libraries that the loader searches after this one: broadphases that are not taken over need them, too.
static void fillProvider( CulletProvider* provider, const void* constructor, const void* base, const char* path )
{
    void* library = dlopen( path, RTLD_LAZY | RTLD_NOLOAD ); // never closed, so the library stays loaded
    library = library ? library : RTLD_NEXT;
    provider->base = base;
    snprintf( provider->path, sizeof( provider->path ), "%s", path );
    memcpy( &provider->construct, &constructor, sizeof( constructor ) );
    provider->constructSweep16 =
        culletFunctionIn( library, "_ZN12btAxisSweep3C1ERK9btVector3S2_tP22btOverlappingPairCacheb" );
    provider->constructSweep32 =
        culletFunctionIn( library, "_ZN17bt32BitAxisSweep3C1ERK9btVector3S2_jP22btOverlappingPairCacheb" );
    provider->destroyBase = culletFunctionIn( library, "_ZN16btDbvtBroadphaseD2Ev" );
    for ( int i = 0; i < culletSlotCount; ++i )
    {
        provider->bullet.own[i] = culletFunctionIn( library, METHODS[i] );
        provider->bullet.bound[i] = culletFunctionIn( RTLD_DEFAULT, METHODS[i] );
    }
    provider->bullet.construct = callBulletsConstructor;
    provider->bullet.say = culletSay;
    provider->bullet.countBroadphase = culletCountBroadphase;
    provider->bullet.beginNs = culletBeginNs();
}

CulletProvider* culletFirstProvider( void )
{
    return atomic_load( &firstProvider );
}

static CulletProvider* findKnown( const void* base )
{
    CulletProvider* provider = atomic_load( &firstProvider );
    while ( provider && provider->base != base )
    {
        provider = atomic_load( &provider->next );
    }
    return provider;
}

/// Requires the lock. \return the known provider of that library, or `provider`, which is appended
static CulletProvider* append( CulletProvider* provider )
{
    CulletProvider* found = findKnown( provider->base );
    if ( found )
    {
        return found;
    }
    _Atomic( CulletProvider* )* place = &firstProvider;
    for ( CulletProvider* known = atomic_load( place ); known; known = atomic_load( place ) )
    {
        place = &known->next;
    }
    atomic_store( place, provider );
    return provider;
}

/// Takes the lock only after it has queried the loader: the loader may call this library while it holds its own lock.
CulletProvider* culletProviderFor( const void* caller )
{
    const char* path;
    const void* constructor = culletFindConstructor( caller );
    const void* base = culletBaseOf( constructor, &path );
    CulletProvider* found = base ? findKnown( base ) : NULL;
    if ( !base || found )
    {
        return found;
    }
    CulletProvider* described = calloc( 1, sizeof( *described ) );
    if ( !described )
    {
        culletSay( "no memory to remember the Bullet of a constructor" );
        return NULL;
    }
    fillProvider( described, constructor, base, path );
    pthread_mutex_lock( &lock );
    found = append( described );
    pthread_mutex_unlock( &lock );
    if ( found != described )
    {
        free( described );
    }
    return found;
}

// ------------------------------------------------------------------------------------------------------------ probing

// No thread waits for another one's probe. A probe needs the loader's lock, and a library that constructs a broadphase
// while it is being loaded holds that lock, so waiting could deadlock. Threads that construct their first broadphases
// at the same time each load a module and probe. The first result is used.

/// \param why  receives the reason if there is no module
static const CulletModule* probe( const CulletProvider* provider, char* why, size_t whySize )
{
    if ( getenv( "CULLET_DISABLE" ) && strcmp( getenv( "CULLET_DISABLE" ), "0" ) != 0 )
    {
        snprintf( why, whySize, "CULLET_DISABLE is set" );
        return NULL;
    }
    const bool isFloat = culletSymbolSeenBy( provider->path, "_ZN18btStaticPlaneShapeC1ERK9btVector3f" ) != NULL;
    const bool isDouble = culletSymbolSeenBy( provider->path, "_ZN18btStaticPlaneShapeC1ERK9btVector3d" ) != NULL;
    if ( isFloat == isDouble )
    {
        snprintf( why, whySize, "its precision cannot be told" );
        return NULL;
    }
    const char* name = isFloat ? "cullet-float.so" : "cullet-double.so";
    const CulletModule* module = culletLoadModule( name, provider->path, why, whySize );
    const char* reason = module ? module->start( &provider->bullet ) : NULL;
    if ( reason )
    {
        snprintf( why, whySize, "%s", reason );
        return NULL;
    }
    return module;
}

/// Stores the result of a probe, unless another thread was faster. \return whether it was stored
static bool storeProbeResult( CulletProvider* provider, const CulletModule* module )
{
    pthread_mutex_lock( &lock );
    const bool isFirst = !atomic_load( &provider->wasProbed );
    if ( isFirst )
    {
        atomic_store( &provider->module, module );
        atomic_store( &provider->wasProbed, true );
    }
    pthread_mutex_unlock( &lock );
    return isFirst;
}

const CulletModule* culletModuleFor( CulletProvider* provider )
{
    if ( !atomic_load( &provider->wasProbed ) )
    {
        char why[512];
        const CulletModule* module = probe( provider, why, sizeof( why ) );
        if ( storeProbeResult( provider, module ) && !module )
        {
            culletReportNotTakenOver( provider, why );
        }
    }
    return atomic_load( &provider->module );
}

void culletReportNotTakenOver( CulletProvider* provider, const char* why )
{
    if ( !atomic_exchange( &provider->hasSpoken, true ) )
    {
        culletSay( "left a broadphase of %s alone: %s", provider->path, why );
    }
}

// ------------------------------------------------------------------------------------------------------------ methods

/// The provider with this function table; needed if a process has several Bullets, or an object was constructed without
/// this library. Caches the result for the last table, because most calls repeat it.
static const CulletProvider* providerOfTable( const CulletFunction* table )
{
    static _Thread_local const CulletFunction* lastTable;
    static _Thread_local const CulletProvider* lastProvider;
    if ( table != lastTable )
    {
        lastProvider = culletProviderFor( table );
        lastTable = table;
    }
    return lastProvider;
}

CulletFunction culletFindMethod( const void* self, CulletSlot slot )
{
    const CulletFunction* table;
    memcpy( &table, self, sizeof( table ) );
    CulletProvider* const first = atomic_load( &firstProvider );
    for ( CulletProvider* provider = first; provider; provider = atomic_load( &provider->next ) )
    {
        const CulletModule* module = atomic_load( &provider->module );
        if ( module && module->destroyShell == table[culletSlotDestroy] )
        {
            return table[slot];
        }
    }
    const CulletProvider* provider = first && !atomic_load( &first->next ) ? first : providerOfTable( table );
    return provider->bullet.own[slot];
}
