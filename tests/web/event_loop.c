// SPDX-License-Identifier: Zlib
// A page without a pool of workers: threads take part once the program has returned to the event loop. Threads that
// were given up end when they begin.
#include "gpu/platform/worker_pool.h"

#include <emscripten.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static cltMemory memory;
static cltWorkerPool* pool;
static pthread_t caller;
static atomic_int othersRanges;

/// The caller's ranges last until another thread has run one, at most 100 ms.
static void NoteThread( uint32_t first, uint32_t last, void* context )
{
    (void)first;
    (void)last;
    (void)context;
    if ( !pthread_equal( pthread_self(), caller ) )
    {
        ++othersRanges;
        return;
    }
    const double start = cltNowMs();
    while ( othersRanges == 0 && cltNowMs() - start < 100.0 )
    {
    }
}

static void MakePool( void )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 3;
    cltMemory_Init( &memory, &def );
    if ( cltCreateWorkerPool( &def, &memory, &pool ) != clt_ok )
    {
        exit( EXIT_FAILURE );
    }
}

static void Expect( const char* what, bool othersTakePart )
{
    othersRanges = 0;
    cltWorkerPool_Run( pool, NoteThread, 6, 1, NULL );
    printf( "%s: %d ranges of other threads\n", what, othersRanges );
    if ( ( othersRanges > 0 ) != othersTakePart )
    {
        exit( EXIT_FAILURE );
    }
}

static void CountRunningWorkers( const char* what, int expected )
{
    const int count = emscripten_run_script_int( "PThread.runningWorkers.length" );
    printf( "%s: %d workers run\n", what, count );
    if ( count != expected )
    {
        exit( EXIT_FAILURE );
    }
}

static void EndOther( void* context )
{
    (void)context;
    CountRunningWorkers( "given up, and begun since", 0 );
    exit( EXIT_SUCCESS );
}

static void EndFirst( void* context )
{
    (void)context;
    Expect( "after the event loop", true );
    cltDestroyWorkerPool( pool, &memory );
    CountRunningWorkers( "after the pool", 0 );
    MakePool();
    Expect( "workers are idle", true );
    cltDestroyWorkerPool( pool, &memory );
    emscripten_async_call( EndOther, NULL, 500 );
}

int main( void )
{
    caller = pthread_self();
    MakePool();
    Expect( "before the event loop", false );
    cltDestroyWorkerPool( pool, &memory );
    MakePool();
    Expect( "a second pool", false );
    CountRunningWorkers( "as many as for one pool", 2 );
    emscripten_async_call( EndFirst, NULL, 1000 );
    return 0;
}
