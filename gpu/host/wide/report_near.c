// SPDX-License-Identifier: Zlib
// From changes of near pairs (gpu/rest/near_pairs.h) to keys of pairs.

#include "gpu/host/wide/wide.h"

static void ReportChanges( const cltNearPairs* near, uint32_t slotBits, cltPairBlock* keys )
{
    const cltNearPairChange* changes = near->changes.data;
    for ( uint32_t i = 0; i < near->changeCount; ++i )
    {
        cltPairBlock_Add( keys, cltPairChange_Key( changes[i].change, clt_findChanges, changes[i].slotA,
                                                   changes[i].slotB, slotBits ) );
    }
}

/// Reports pairs that the search missed as began, and pairs that it found in excess as ended.
static void ReportDifferences( const cltNearPairs* near, const cltSlots* slots, uint32_t slotBits, cltPairBlock* keys )
{
    const cltNearPair* pairs = near->pairs.data;
    for ( uint32_t i = 0; i < near->count; ++i )
    {
        cltPairBlock_Add( keys, cltPairChange_Key( cltNearPair_Change( pairs + i, slots ), clt_findChanges,
                                                   pairs[i].slotA, pairs[i].slotB, slotBits ) );
    }
}

cltStatus cltWide_ReportNearPairs( const cltWide* wide, cltFind find, const cltSlots* slots, cltPairSink* sink )
{
    const cltNearPairs* near = &wide->rest->nearPairs;
    const uint32_t slotBits = cltIndexBits( slots->count );
    const size_t count = cltNearPairs_ReportCount( near, find );
    CLT_TRY( cltBuffer_Grow( &sink->buffer, wide->memory, sink->next + count, sizeof( uint64_t ) ) );
    cltPairBlock keys;
    cltPairBlock_Init( &keys, sink );
    if ( find == clt_findChanges )
    {
        ReportChanges( near, slotBits, &keys );
    }
    else
    {
        ReportDifferences( near, slots, slotBits, &keys );
    }
    cltPairBlock_Flush( &keys );
    sink->hasSplits = true;
    return clt_ok;
}
