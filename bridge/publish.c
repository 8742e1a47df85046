// SPDX-License-Identifier: Zlib
// Unpacking keys. The order is the backend's already; only the split between ended and began is found here.

#include "bridge/publish.h"

#include "gpu/core/pair_key.h"

static void Unpack( const cltPairKeys* keys, cltPair* pairs )
{
    for ( size_t i = 0; i < keys->count; ++i )
    {
        pairs[i] = cltPairKey_Pair( keys->keys[i], keys->slotBits );
    }
}

/// Makes room for a little more: the next update will not find exactly as many.
static cltStatus MakeRoom( cltPublication* publication, cltMemory* memory, size_t changeCount )
{
    const bool fits = changeCount <= publication->changes.bytes / sizeof( cltPair );
    return fits ? clt_ok
                : cltBuffer_Reserve( &publication->changes, memory, changeCount + changeCount / 8, sizeof( cltPair ) );
}

cltStatus cltPublication_SetChanges( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                     cltPairChanges* changes )
{
    CLT_TRY( MakeRoom( publication, memory, keys->count ) );
    cltPair* pairs = publication->changes.data;
    Unpack( keys, pairs );
    const size_t endedCount = cltPairKeys_EndedCount( keys->keys, keys->count, keys->slotBits );
    *changes = ( cltPairChanges ){ .began = keys->count > 0 ? pairs + endedCount : NULL,
                                   .ended = pairs,
                                   .beganCount = keys->count - endedCount,
                                   .endedCount = endedCount };
    return clt_ok;
}

cltStatus cltPublication_SetPairs( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                   const cltProxyTable* table, size_t* count )
{
    CLT_TRY( cltBuffer_Reserve( &publication->pairs, memory, keys->count, sizeof( cltPair ) ) );
    const uint8_t* states = table->states.data;
    cltPair* pairs = publication->pairs.data;
    *count = 0;
    if ( table->destroyedCount == 0 )
    {
        Unpack( keys, pairs );
        *count = keys->count;
        return clt_ok;
    }
    for ( size_t i = 0; i < keys->count; ++i )
    {
        cltPair pair = cltPairKey_Pair( keys->keys[i], keys->slotBits );
        if ( ( ( states[pair.proxyA] | states[pair.proxyB] ) & CLT_SLOT_DESTROYED ) == 0 )
        {
            pairs[( *count )++] = pair;
        }
    }
    return clt_ok;
}

void cltPublication_Release( cltPublication* publication, cltMemory* memory )
{
    cltBuffer_Release( &publication->changes, memory );
    cltBuffer_Release( &publication->pairs, memory );
}
