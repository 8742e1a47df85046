// SPDX-License-Identifier: Zlib
/// \file world.h
/// A broadphase with a lock, and the result of the last update until Python has it.
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
    size_t idCount;         ///< number of ids ever used: 0 to idCount - 1
    cltPairChanges changes; ///< of the last update
    bool hasChanges;        ///< `changes` were not returned yet
};

/// \param[out] array  a copy of `count` elements
/// \return clt_hostMemory if there is no memory for it
int cltArray_Copy( cltArray* array, const void* data, size_t count, size_t size );

static inline int cltWorld_Check( const cltWorld* world )
{
    return world->broadphase != NULL ? clt_ok : world->isLost ? CLT_LOST_IN_FORK : CLT_WORLD_CLOSED;
}

/// Locks the world exclusively until cltWorld_Leave.
static inline int cltWorld_Enter( cltWorld* world )
{
    pthread_rwlock_wrlock( &world->lock );
    return cltWorld_Check( world );
}

/// Locks the world against changes until cltWorld_Leave.
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
