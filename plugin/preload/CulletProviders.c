// SPDX-License-Identifier: Zlib
/// \file CulletProviders.c
/// The loader's order: what is global first, in the order in which it was loaded, and libcullet-preload.so before all
/// libraries; then what the caller brought along. So the next definition behind this library's is the one that the
/// caller would have reached, if there is one, and else one among what the caller needs.
#define _GNU_SOURCE

#include "CulletProviders.h"

#include "CulletLocalBullet.h"
#include "CulletModuleFile.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Atomic( CulletProvider* ) firstProvider; ///< in the order in which they were met; never freed
static atomic_bool wasConstructionSeen;
static atomic_int broadphaseCount;
static _Thread_local bool isProbing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wasProbed = PTHREAD_COND_INITIALIZER;

static const char* const CONSTRUCTOR = "_ZN16btDbvtBroadphaseC1EP22btOverlappingPairCache";

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

/// Standard error, in one piece, so that lines of several threads do not mix.
static void say( const char* text )
{
    char line[1300];
    const int length = snprintf( line, sizeof( line ), "cullet: %s\n", text );
    const size_t size = length < (int)sizeof( line ) ? (size_t)length : sizeof( line ) - 1;
    if ( write( STDERR_FILENO, line, size ) < 0 )
    {
        return; // nobody listens
    }
}

static int countBroadphase( void )
{
    return atomic_fetch_add( &broadphaseCount, 1 ) + 1;
}

// ----------------------------------------------------------------------------------------------------------- look-ups

/// ISO C has no conversion from what dlsym returns.
static CulletFunction functionIn( void* library, const char* name )
{
    void* address = dlsym( library, name );
    CulletFunction function;
    memcpy( &function, &address, sizeof( function ) );
    return function;
}

/// Where the library begins that holds the address; NULL if none does.
static const void* baseOf( const void* address, const char** path )
{
    Dl_info place;
    if ( dladdr( address, &place ) == 0 )
    {
        return NULL;
    }
    *path = place.dli_fname;
    return place.dli_fbase;
}

/// The symbol as the loaded library at `path`, and what it needs, define it.
static void* symbolSeenBy( const char* path, const char* name )
{
    void* library = path[0] ? dlopen( path, RTLD_LAZY | RTLD_NOLOAD ) : NULL;
    void* address = library ? dlsym( library, name ) : NULL;
    if ( library )
    {
        dlclose( library );
    }
    return address;
}

static int searchLibrary( struct dl_phdr_info* info, size_t size, void* found )
{
    (void)size;
    const char* path;
    void* address = info->dlpi_name ? symbolSeenBy( info->dlpi_name, CONSTRUCTOR ) : NULL;
    const bool isOurs = address && baseOf( address, &path ) == baseOf( &firstProvider, &path );
    *(void**)found = isOurs ? NULL : address;
    return *(void**)found != NULL;
}

/// Bullet's constructor, as it would have been found without us.
static const void* findConstructor( const void* caller )
{
    void* address = dlsym( RTLD_NEXT, CONSTRUCTOR );
    const char* path;
    if ( !address && caller && baseOf( caller, &path ) )
    {
        address = symbolSeenBy( path, CONSTRUCTOR );
    }
    if ( !address )
    {
        dl_iterate_phdr( searchLibrary, &address );
    }
    return address;
}

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

/// Of a sweep on the stack or among static data the compiler knows the class and compiles its functions into the
/// program, the destructor at least. Elsewhere, if the program has compiled any that it calls by name, there mostly is
/// a second table of the template's virtual functions; and the linker has made it visible, because Bullet's library has
/// one of that name.
bool culletHasOwnSweeps( const CulletProvider* provider, const void* sweep, CulletKind kind, const void* caller )
{
    const char* table = kind == culletKindSweep16 ? "_ZTV20btAxisSweep3InternalItE" : "_ZTV20btAxisSweep3InternalIjE";
    const char* path;
    if ( isOnStack( sweep ) || baseOf( sweep, &path ) )
    {
        return true;
    }
    void* seen = dlsym( RTLD_DEFAULT, table );
    if ( !seen && baseOf( caller, &path ) )
    {
        seen = symbolSeenBy( path, table );
    }
    return seen && baseOf( seen, &path ) != provider->base;
}

// ---------------------------------------------------------------------------------------------------------- providers

static _Thread_local bool isMakingSweep;

bool culletIsMakingSweep( void )
{
    return isMakingSweep;
}

static void constructBullets( const CulletBullet* bullet, const CulletArguments* arguments, void* cache, void* self )
{
    typedef void Dbvt( void* self, void* cache );
    typedef void Sweep16( void* self, const void* lower, const void* upper, unsigned short maxHandles, void* cache,
                          bool hasNoAccelerator );
    typedef void Sweep32( void* self, const void* lower, const void* upper, unsigned maxHandles, void* cache,
                          bool hasNoAccelerator );
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

/// A library that the loader does not open again is taken for what comes next behind this one, so that its broadphases
/// can be left alone.
static void describe( CulletProvider* provider, const void* constructor, const void* base, const char* path )
{
    void* library = dlopen( path, RTLD_LAZY | RTLD_NOLOAD ); // it stays loaded from here on
    library = library ? library : RTLD_NEXT;
    provider->base = base;
    snprintf( provider->path, sizeof( provider->path ), "%s", path );
    memcpy( &provider->construct, &constructor, sizeof( constructor ) );
    provider->constructSweep16 =
        functionIn( library, "_ZN12btAxisSweep3C1ERK9btVector3S2_tP22btOverlappingPairCacheb" );
    provider->constructSweep32 =
        functionIn( library, "_ZN17bt32BitAxisSweep3C1ERK9btVector3S2_jP22btOverlappingPairCacheb" );
    provider->destroyBase = functionIn( library, "_ZN16btDbvtBroadphaseD2Ev" );
    for ( int i = 0; i < culletSlotCount; ++i )
    {
        provider->bullet.own[i] = functionIn( library, METHODS[i] );
        provider->bullet.bound[i] = functionIn( RTLD_DEFAULT, METHODS[i] );
    }
    provider->bullet.construct = constructBullets;
    provider->bullet.say = say;
    provider->bullet.countBroadphase = countBroadphase;
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

/// To be called with the lock. \return the one that was met before, or `provider`, which is now the last
static CulletProvider* append( CulletProvider* provider )
{
    CulletProvider* known = findKnown( provider->base );
    if ( known )
    {
        return known;
    }
    _Atomic( CulletProvider* )* place = &firstProvider;
    for ( CulletProvider* before = atomic_load( place ); before; before = atomic_load( place ) )
    {
        place = &before->next;
        provider->number = before->number + 1;
    }
    atomic_store( place, provider );
    return provider;
}

/// The loader is asked before the lock is taken: it has one of its own, and may call back while it holds it.
CulletProvider* culletProviderFor( const void* caller )
{
    const char* path;
    const void* constructor = findConstructor( caller );
    const void* base = baseOf( constructor, &path );
    CulletProvider* found = base ? findKnown( base ) : NULL;
    if ( !base || found )
    {
        return found;
    }
    CulletProvider* described = calloc( 1, sizeof( *described ) );
    if ( !described )
    {
        say( "no memory to remember whose constructor was called" );
        return NULL;
    }
    describe( described, constructor, base, path );
    pthread_mutex_lock( &lock );
    found = append( described );
    pthread_mutex_unlock( &lock );
    if ( found != described )
    {
        free( described );
    }
    return found;
}

static const char* probe( CulletProvider* provider, char* why, size_t whySize )
{
    if ( getenv( "CULLET_DISABLE" ) && strcmp( getenv( "CULLET_DISABLE" ), "0" ) != 0 )
    {
        return "CULLET_DISABLE is set";
    }
    const bool isFloat = symbolSeenBy( provider->path, "_ZN18btStaticPlaneShapeC1ERK9btVector3f" ) != NULL;
    const bool isDouble = symbolSeenBy( provider->path, "_ZN18btStaticPlaneShapeC1ERK9btVector3d" ) != NULL;
    if ( isFloat == isDouble )
    {
        return "its precision cannot be told";
    }
    const CulletModule* module = culletLoadModule( isFloat ? "cullet-float.so" : "cullet-double.so", provider->path,
                                                   provider->number, why, whySize );
    const char* reason = module ? module->start( &provider->bullet ) : why;
    atomic_store( &provider->module, reason ? NULL : module );
    return reason;
}

/// The lock is not held while the loader works.
static void probeFirst( CulletProvider* provider )
{
    char text[512];
    isProbing = true;
    const char* why = probe( provider, text, sizeof( text ) );
    isProbing = false;
    if ( why )
    {
        culletLeaveAlone( provider, why );
    }
    pthread_mutex_lock( &lock );
    provider->probing = culletProbingDone;
    pthread_cond_broadcast( &wasProbed );
    pthread_mutex_unlock( &lock );
}

/// To be called with the lock. Who probes does not wait: others may wait for it. A library that constructs a broadphase
/// while it is being loaded holds the loader's lock, which the probe needs, so nobody waits for ever.
/// \return false if the time is up
static bool waitForProbe( const CulletProvider* provider )
{
    struct timespec end;
    clock_gettime( CLOCK_REALTIME, &end );
    end.tv_sec += 10;
    int error = 0;
    while ( provider->probing == culletProbingGoesOn && !isProbing && error == 0 )
    {
        error = pthread_cond_timedwait( &wasProbed, &lock, &end );
    }
    return error == 0;
}

const CulletModule* culletModuleFor( CulletProvider* provider )
{
    pthread_mutex_lock( &lock );
    const bool isFirst = provider->probing == culletProbingNever;
    provider->probing = isFirst ? culletProbingGoesOn : provider->probing;
    const bool isInTime = isFirst || waitForProbe( provider );
    pthread_mutex_unlock( &lock );
    if ( isFirst )
    {
        probeFirst( provider );
    }
    else if ( !isInTime )
    {
        culletLeaveAlone( provider, "another thread has been probing it for ten seconds" );
    }
    return atomic_load( &provider->module );
}

void culletLeaveAlone( CulletProvider* provider, const char* why )
{
    pthread_mutex_lock( &lock );
    const bool isFirst = !provider->hasSpoken;
    provider->hasSpoken = true;
    pthread_mutex_unlock( &lock );
    if ( isFirst )
    {
        char text[1200];
        snprintf( text, sizeof( text ), "left a broadphase of %s alone: %s", provider->path, why );
        say( text );
    }
}

void culletSeeConstruction( void )
{
    atomic_store_explicit( &wasConstructionSeen, true, memory_order_relaxed );
}

// ------------------------------------------------------------------------------------------------------------ methods

/// Of a process with several Bullets, one of which was left alone; or whose constructor was called past us. The last
/// table that was met is remembered: calls come in long rows.
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

static void sayNothingChanged( void )
{
    if ( findConstructor( NULL ) )
    {
        say( "changed nothing: Bullet is loaded, but no btDbvtBroadphase or btAxisSweep3 was constructed, or by calls "
             "that are bound locally" );
        return;
    }
    const char* holder = culletFindLocalBullet();
    if ( holder )
    {
        char text[1200];
        snprintf( text, sizeof( text ), "changed nothing: %s has Bullet inside and calls it past the loader", holder );
        say( text );
        return;
    }
    const char* process = getenv( "CULLET_PROCESS" );
    if ( process && atoi( process ) == getpid() )
    {
        say( "0 broadphases were taken over: this process has no Bullet" );
    }
}

bool culletFinish( void )
{
    bool isRight = true;
    for ( CulletProvider* provider = atomic_load( &firstProvider ); provider;
          provider = atomic_load( &provider->next ) )
    {
        const CulletModule* module = atomic_load( &provider->module );
        isRight = ( !module || module->finish() ) && isRight;
    }
    if ( !atomic_load( &wasConstructionSeen ) && !getenv( "CULLET_WARNED" ) )
    {
        sayNothingChanged();
    }
    return isRight;
}
