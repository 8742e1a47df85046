// SPDX-License-Identifier: Zlib
// Threads of emscripten, for system.h.
//
// In a browser a new thread may begin only after the creating thread has returned to the event loop. A program that
// waits for such a thread waits forever. So cltThread_Join gives up a thread that has not begun. When that thread
// begins, it ends at once. If it has still not begun at the next cltThread_Start, it is taken instead of a new one:
// else a program that never returns to the event loop would create threads for each of its worlds.

#include "gpu/platform/memory.h"
#include "gpu/platform/system.h"

#include <pthread.h>

/// Eight times the stack that a search needs; emscripten's default differs between versions.
#define STACK_SIZE ( (size_t)128 << 10u )

typedef enum State
{
    unused,
    awaited, ///< created, but has not begun
    givenUp, ///< as `awaited`, and joined
    begun
} State;

typedef struct Thread
{
    State state;
    pthread_t id;
    cltThreadFcn* fcn;
    void* context;
} Thread;

static Thread threads[CLT_MAX_THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; ///< guards `threads`

static void* ThreadMain( void* context )
{
    Thread* thread = context;
    pthread_mutex_lock( &mutex );
    const Thread copy = *thread;
    thread->state = copy.state == awaited ? begun : unused;
    pthread_mutex_unlock( &mutex );
    if ( copy.state == givenUp )
    {
        pthread_detach( pthread_self() );
        return NULL;
    }
    return copy.fcn( copy.context );
}

static Thread* FindThread( State state )
{
    for ( int i = 0; i < CLT_MAX_THREADS; ++i )
    {
        if ( threads[i].state == state )
        {
            return threads + i;
        }
    }
    return NULL;
}

static Thread* CreateThread( void )
{
    Thread* thread = FindThread( unused );
    void* memory = cltAllocate( 2u * STACK_SIZE, CLT_ALIGNMENT ); // pthread_create may not check that it gets memory
    cltFree( memory );
    pthread_attr_t attributes;
    pthread_attr_init( &attributes );
    pthread_attr_setstacksize( &attributes, STACK_SIZE );
    const bool isCreated =
        thread != NULL && memory != NULL && pthread_create( &thread->id, &attributes, ThreadMain, thread ) == 0;
    pthread_attr_destroy( &attributes );
    return isCreated ? thread : NULL;
}

bool cltThread_Start( cltThread* handle, cltThreadFcn* fcn, void* context )
{
    pthread_mutex_lock( &mutex );
    Thread* thread = FindThread( givenUp );
    thread = thread != NULL ? thread : CreateThread();
    if ( thread != NULL )
    {
        thread->state = awaited;
        thread->fcn = fcn;
        thread->context = context;
    }
    *(Thread**)handle = thread;
    pthread_mutex_unlock( &mutex );
    return thread != NULL;
}

void cltThread_Join( cltThread* handle )
{
    Thread* thread = *(Thread**)handle;
    pthread_mutex_lock( &mutex );
    const bool hasBegun = thread->state == begun;
    thread->state = hasBegun ? begun : givenUp;
    pthread_mutex_unlock( &mutex );
    if ( hasBegun )
    {
        pthread_join( thread->id, NULL );
        pthread_mutex_lock( &mutex );
        thread->state = unused;
        pthread_mutex_unlock( &mutex );
    }
}
