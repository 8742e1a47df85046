// SPDX-License-Identifier: Zlib
/// \file CulletProcess.c
/// If nothing was taken over, a line at the end of the process says why, so that users notice.
#define _GNU_SOURCE

#include "CulletProcess.h"

#include "CulletLoader.h"
#include "CulletProviders.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_bool wasConstructionSeen;
static atomic_int broadphaseCount;
static struct timespec begin;

static void __attribute__( ( constructor ) ) noteBegin( void )
{
    clock_gettime( CLOCK_MONOTONIC, &begin );
}

double culletBeginNs( void )
{
    return (double)begin.tv_sec * 1e9 + (double)begin.tv_nsec;
}

/// One write, so that lines of several threads do not mix.
void culletSay( const char* format, ... )
{
    char text[1280];
    char line[1300];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    const int length = snprintf( line, sizeof( line ), "cullet: %s\n", text );
    if ( write( STDERR_FILENO, line, (size_t)length ) < 0 )
    {
        return; // there is no other place to report it
    }
}

int culletCountBroadphase( void )
{
    return atomic_fetch_add( &broadphaseCount, 1 ) + 1;
}

void culletNoteConstruction( void )
{
    atomic_store_explicit( &wasConstructionSeen, true, memory_order_relaxed );
}

static void sayNothingChanged( void )
{
    if ( culletFindConstructor( NULL ) )
    {
        culletSay( "changed nothing: Bullet is loaded, but no btDbvtBroadphase or btAxisSweep3 was constructed, except "
                   "perhaps by calls that are bound locally" );
        return;
    }
    const char* holder = culletFindLocalBullet();
    if ( holder )
    {
        culletSay( "changed nothing: %s has Bullet inside and calls it past the loader", holder );
        return;
    }
    const char* process = getenv( "CULLET_PROCESS" );
    if ( process && atoi( process ) == getpid() )
    {
        culletSay( "0 broadphases were taken over: this process has no Bullet" );
    }
}

bool culletFinish( void )
{
    bool isRight = true;
    for ( CulletProvider* provider = culletFirstProvider(); provider; provider = atomic_load( &provider->next ) )
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
