// SPDX-License-Identifier: Zlib
/// \file CulletProbing.c No thread waits for another one's probe. A probe needs the loader's lock, and a library that
/// constructs a broadphase while it is being loaded holds that lock, so waiting could deadlock. Threads that construct
/// their first broadphases at the same time each load a module and probe. The first result is used.
#define _GNU_SOURCE

#include "CulletProbing.h"

#include "CulletLoader.h"
#include "CulletModuleFile.h"
#include "CulletProcess.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static bool settle( CulletProvider* provider, const CulletModule* module )
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
        if ( settle( provider, module ) && !module )
        {
            culletLeaveAlone( provider, why );
        }
    }
    return atomic_load( &provider->module );
}

void culletLeaveAlone( CulletProvider* provider, const char* why )
{
    if ( !atomic_exchange( &provider->hasSpoken, true ) )
    {
        char text[1200];
        snprintf( text, sizeof( text ), "left a broadphase of %s alone: %s", provider->path, why );
        culletSay( text );
    }
}
