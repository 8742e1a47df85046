// SPDX-License-Identifier: Zlib
// Searches of the CPU's backend: for changes, and for all pairs, of which it keeps a list once they were asked for.

#include "gpu/host/host_backend.h"

/// The smallest capacity for changes.
#define FEWEST_KEYS 16u

static size_t BoxSize( const cltHostBackend* host )
{
    return host->resources.def->precision == clt_precisionDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

/// The `now` of the result is NULL if all filters accept all pairs; filtering is then skipped.
static cltPairFilters FiltersOf( const cltUpload* upload, bool committedOnly )
{
    if ( upload->allFiltersAccept )
    {
        return ( cltPairFilters ){ NULL, NULL };
    }
    const cltFilter* now = committedOnly ? upload->filtersBefore : upload->filters;
    return ( cltPairFilters ){ now, upload->refilteredCount > 0 ? upload->filtersBefore : now };
}

void cltHost_SetInput( const cltHostBackend* host, const cltUpload* upload, cltSearchInput* input )
{
    *input = ( cltSearchInput ){
        .slots = { .now = upload->boxes,
                   .before = upload->before,
                   .states = upload->states,
                   .isDouble = host->resources.def->precision == clt_precisionDouble,
                   .count = upload->slotCount },
        .filters = FiltersOf( upload, false ),
    };
}

static cltStatus SearchOnce( cltHostBackend* host, cltFind find, const cltSearchInput* input )
{
    host->sink.next = 0;
    host->sink.hasSplits = false;
    host->sink.hasRepeats = false;
    host->sink.isOrdered = false;
    return host->algorithm->ops->find( host->algorithm, find, input, &host->sink );
}

static size_t LargerSize( size_t a, size_t b )
{
    return a > b ? a : b;
}

/// A typical number of keys in the first update of `bodyCount` bodies.
static size_t GuessKeys( uint32_t bodyCount )
{
    return FEWEST_KEYS + 2u * (size_t)bodyCount;
}

static cltStatus OrderKeys( cltHostBackend* host )
{
    CLT_TRY( cltRadixSort_Run( &host->sort, host->resources.pool, host->resources.memory, &host->sink.buffer,
                               (size_t)host->sink.next, 0, 2u * host->slotBits + 1u ) );
    if ( host->sink.hasRepeats )
    {
        cltPairSink_DropRepeats( &host->sink );
    }
    if ( host->sink.hasSplits )
    {
        cltPairSink_DropPersistingPairs( &host->sink, host->slotBits );
    }
    host->stats.orderMs += cltHost_LapMs( host );
    return clt_ok;
}

cltStatus cltHost_Search( cltHostBackend* host, cltFind find, const cltSearchInput* input )
{
    cltMemory* memory = host->resources.memory;
    const size_t guess =
        LargerSize( host->compares ? host->pairList.count + host->pairList.count / 8u : 0,
                    GuessKeys( find == clt_findPairs ? input->slots.count : host->upload->changedCount ) );
    CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, memory, guess, sizeof( uint64_t ) ) );
    CLT_TRY( SearchOnce( host, find, input ) );
    while ( host->sink.next > cltPairSink_Capacity( &host->sink ) )
    {
        ++host->research.redoCount;
        const uint64_t needed = host->sink.next + host->sink.next / 8u; // spare: the next update may find a few more
        CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, memory, needed, sizeof( uint64_t ) ) );
        CLT_TRY( SearchOnce( host, find, input ) );
    }
    host->stats.findMs += cltHost_LapMs( host );
    if ( !host->sink.isOrdered )
    {
        CLT_TRY( OrderKeys( host ) );
    }
    host->algorithm->ops->getStats( host->algorithm, &host->stats, &host->research );
    return clt_ok;
}

/// The input at the last committed update.
static cltStatus CommittedInput( cltHostBackend* host, const cltUpload* table, cltSearchInput* committed )
{
    cltHost_SetInput( host, table, committed );
    committed->slots.states = NULL;
    committed->filters = FiltersOf( table, true );
    const bool readsBefore = !host->usesMatrix && host->base.needsBeforeAbove != CLT_NEVER_BEFORE;
    if ( readsBefore && table->changedCount > 0 )
    {
        CLT_TRY(
            cltBuffer_Reserve( &host->committedBoxes, host->resources.memory, table->slotCount, BoxSize( host ) ) );
        cltUpload_CopyBefore( table, BoxSize( host ), host->committedBoxes.data );
        committed->slots.now = host->committedBoxes.data;
    }
    return clt_ok;
}

static cltStatus SearchPairs( cltHostBackend* host, const cltUpload* table )
{
    cltSearchInput committed;
    CLT_TRY( CommittedInput( host, table, &committed ) );
    CLT_TRY( host->algorithm->ops->restore( host->algorithm, &committed ) );
    host->slotBits = cltIndexBits( table->slotCount );
    CLT_TRY( cltHost_Search( host, clt_findPairs, &committed ) );
    cltPairList_Take( &host->pairList, &host->sink.buffer, (size_t)host->sink.next, host->slotBits );
    return clt_ok;
}

cltStatus cltHost_RefreshPairList( cltHostBackend* host, const cltUpload* table )
{
    cltPairList* list = &host->pairList;
    if ( list->age == clt_pairListOneBehind && list->count == 0 ) // the changes are only began pairs
    {
        cltPairList_Take( list, &host->sink.buffer, (size_t)host->sink.next, list->slotBits );
    }
    else if ( list->age == clt_pairListOneBehind )
    {
        CLT_TRY( cltPairList_Apply( list, host->resources.memory, host->sink.buffer.data, (size_t)host->sink.next ) );
    }
    else if ( list->age == clt_pairListUnknown )
    {
        CLT_TRY( SearchPairs( host, table ) );
    }
    return clt_ok;
}

void cltHost_ShrinkKeyBuffers( cltHostBackend* host )
{
    cltPairList* list = &host->pairList;
    cltMemory* memory = host->resources.memory;
    const size_t count = (size_t)host->sink.next;
    const size_t sinkNeeds = LargerSize( count, GuessKeys( host->upload->changedCount ) );
    const size_t listNeeds = list->age == clt_pairListUnknown ? 0 : list->count;
    const size_t room = LargerSize( cltPairSink_Capacity( &host->sink ), list->keys.bytes / sizeof( uint64_t ) );
    if ( cltShrinkPolicy_IsDue( &host->shrinkPolicy, LargerSize( sinkNeeds, listNeeds ), room ) )
    {
        if ( cltBuffer_Shrink( &host->sink.buffer, memory, count, cltShrinkPolicy_Capacity( sinkNeeds ),
                               sizeof( uint64_t ) ) )
        {
            cltRadixSort_Release( &host->sort, memory );
            cltPairDifference_Release( &host->difference, memory );
            cltPairList_Shrink( list, memory );
        }
    }
}
