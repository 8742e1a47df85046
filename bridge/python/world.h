// SPDX-License-Identifier: Zlib
/// \file world.h
/// The world as Python sees it: a broadphase, its lock, and what the last update left to be read.
#ifndef CLT_PYTHON_WORLD_H
#define CLT_PYTHON_WORLD_H

#include "binding.h"

#include <pthread.h>

struct cltWorld
{
    pthread_rwlock_t lock;
    cltBroadphase* broadphase; ///< NULL when closed or lost
    bool isLost;               ///< in a fork
    cltPrecision precision;
    size_t idCount;         ///< ids that were ever given out: 0 to idCount - 1
    cltPairChanges changes; ///< of the last update, while `hasChanges`: nobody has got them yet
    bool hasChanges;
};

/// \param[out] array  a copy of `count` elements
/// \return clt_hostMemory when there is no room for one
int cltArray_Copy( cltArray* array, const void* data, size_t count, size_t size );

static inline int cltWorld_Check( const cltWorld* world )
{
    return world->broadphase != NULL ? clt_ok : world->isLost ? CLT_LOST_IN_FORK : CLT_WORLD_CLOSED;
}

/// From here to cltWorld_Leave the world belongs to the caller.
static inline int cltWorld_Enter( cltWorld* world )
{
    pthread_rwlock_wrlock( &world->lock );
    return cltWorld_Check( world );
}

/// From here to cltWorld_Leave nothing changes the world.
static inline int cltWorld_EnterShared( cltWorld* world )
{
    pthread_rwlock_rdlock( &world->lock );
    return cltWorld_Check( world );
}

static inline int cltWorld_Leave( cltWorld* world, int status )
{
    pthread_rwlock_unlock( &world->lock );
    return status;
}

#endif
