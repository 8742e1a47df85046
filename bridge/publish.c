// SPDX-License-Identifier: Zlib
// Unpacks keys, with several threads if there are many. Keys are already in canonical order; only the split between
// ended and began is searched for here.

#include "bridge/publish.h"

#include "gpu/core/pair_key.h"

/// Keys per task: about 10 microseconds of work.
#define UNPACK_GRAIN 16384u

typedef struct Unpacking
{
    const cltPairKeys* keys;
    cltPair* pairs;
} Unpacking;

static void UnpackRange( const cltPairKeys* keys, cltPair* pairs, size_t first, size_t end )
{
    for ( size_t i = first; i < end; ++i )
    {
        pairs[i] = cltPairKey_Pair( keys->keys[i], keys->slotBits );
    }
}

static void UnpackTasks( uint32_t first, uint32_t last, void* context )
{
    const Unpacking* unpacking = context;
    const size_t end = (size_t)last * UNPACK_GRAIN;
    const size_t count = unpacking->keys->count;
    UnpackRange( unpacking->keys, unpacking->pairs, (size_t)first * UNPACK_GRAIN, end < count ? end : count );
}

static void Unpack( const cltPairKeys* keys, cltPair* pairs, cltWorkerPool* pool )
{
    Unpacking unpacking = { keys, pairs };
    const size_t taskCount = ( keys->count + UNPACK_GRAIN - 1u ) / UNPACK_GRAIN;
    cltWorkerPool_Run( pool, UnpackTasks, (uint32_t)taskCount, 1u,
                       &unpacking ); // fits 32 bits: there are fewer than 2^46 keys
}

/// Removes pairs of destroyed proxies. Returns the number of the others.
static size_t DropDestroyed( cltPair* pairs, size_t count, const uint8_t* states )
{
    size_t left = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        const uint32_t both = states[pairs[i].proxyA] & states[pairs[i].proxyB];
        pairs[left] = pairs[i];
        left += ( both & CLT_SLOT_LIVE ) != 0;
    }
    return left;
}

/// Shrinks the buffers after many updates with few changes. The pairs are discarded: SetPairs makes them again.
static void ShrinkIfDue( cltPublication* publication, cltMemory* memory, size_t changeCount )
{
    const cltBuffer* largest =
        publication->changes.bytes > publication->pairs.bytes ? &publication->changes : &publication->pairs;
    const size_t needed =
        publication->hasPairs && publication->pairCount > changeCount ? publication->pairCount : changeCount;
    if ( cltShrinkPolicy_IsDue( &publication->shrinkPolicy, needed, largest->bytes / sizeof( cltPair ) ) )
    {
        cltBuffer_Shrink( &publication->changes, memory, 0, cltShrinkPolicy_Capacity( changeCount ),
                          sizeof( cltPair ) );
        publication->hasPairs = false;
        cltBuffer_Shrink( &publication->pairs, memory, 0, cltShrinkPolicy_Capacity( 0 ), sizeof( cltPair ) );
    }
}

cltStatus cltPublication_SetChanges( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                     cltWorkerPool* pool, cltPairChanges* changes )
{
    ShrinkIfDue( publication, memory, keys->count );
    CLT_TRY( cltBuffer_Reserve( &publication->changes, memory, keys->count, sizeof( cltPair ) ) );
    cltPair* pairs = publication->changes.data;
    Unpack( keys, pairs, pool );
    const size_t endedCount = cltPairKeys_EndedCount( keys->keys, keys->count, keys->slotBits );
    *changes = ( cltPairChanges ){ .began = keys->count > 0 ? pairs + endedCount : NULL,
                                   .ended = pairs,
                                   .beganCount = keys->count - endedCount,
                                   .endedCount = endedCount };
    publication->hasPairs = false;
    return clt_ok;
}

cltStatus cltPublication_SetPairs( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                   const cltProxyTable* table, cltWorkerPool* pool )
{
    const bool allLive = table->destroyedCount == 0;
    if ( publication->hasPairs && allLive )
    {
        return clt_ok;
    }
    CLT_TRY( cltBuffer_Reserve( &publication->pairs, memory, keys->count, sizeof( cltPair ) ) );
    Unpack( keys, publication->pairs.data, pool );
    publication->pairCount =
        allLive ? keys->count : DropDestroyed( publication->pairs.data, keys->count, table->states.data );
    publication->hasPairs = allLive;
    return clt_ok;
}

void cltPublication_Release( cltPublication* publication, cltMemory* memory )
{
    cltBuffer_Release( &publication->changes, memory );
    cltBuffer_Release( &publication->pairs, memory );
}
