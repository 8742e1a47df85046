// SPDX-License-Identifier: Zlib
// Tests near pairs in an update.

#include "gpu/rest/near_pairs.h"

#include "gpu/core/atomic.h"

#include <string.h>

/// Added to 1.5 times the needed capacity, so that a buffer for the first few pairs has space for more, too.
#define MIN_SPARE_PAIRS 8u

/// Pairs that one thread tests at a time, which takes some 30 microseconds.
#define TEST_CHUNK 8192u

/// Fewer pairs are tested by one thread: their boxes fit its cache, and boxes that another thread has read take longer
/// to move.
#define MANY_TESTS ( 1u << 19 )

#define NO_PLACE UINT32_MAX
#define SLOT_MASK ( UINT32_MAX >> 1 ) // cltNearPair stores a slot in 31 bits

static size_t AddedCapacity( const cltNearPairs* near )
{
    return near->pairs.bytes / sizeof( cltNearPair ) - near->count;
}

/// Adds the change from one state of a pair to another, if the states differ.
static void AddChange( cltNearPairs* near, const cltNearPair* pair, bool wasPair, bool isPair )
{
    cltNearPairChange* change = (cltNearPairChange*)near->changes.data + near->changeCount;
    change->slotA = pair->slotA;
    change->slotB = pair->slotB;
    change->change = cltPairChange( wasPair, isPair );
    near->changeCount += wasPair != isPair;
}

/// Whether a search reports a near pair as a pair: the rest boxes overlap and, if boxes are double, the boxes overlap.
static bool SearchReportsPair( const cltSlots* slots, const cltNearPair* pair, bool overlap )
{
    return pair->restBoxesOverlap && ( !slots->isDouble || overlap );
}

/// Whether a search would have reported the near pair as a pair in the last committed update.
static bool SearchReportedPair( const cltSlots* slots, const cltNearPair* pair )
{
    if ( !slots->isDouble || !pair->restBoxesOverlap )
    {
        return pair->restBoxesOverlap;
    }
    const cltAabbD* boxesA = cltSlots_PreviousBoxes( slots, pair->slotA );
    const cltAabbD* boxesB = cltSlots_PreviousBoxes( slots, pair->slotB );
    return cltAabbD_Overlaps( boxesA + pair->slotA, boxesB + pair->slotB );
}

/// Reports what becomes of a near pair that is not as before.
static void ReportRevised( cltNearPairs* near, const cltSlots* slots, cltNearPairRevision revision )
{
    const cltNearPair* pair = (const cltNearPair*)near->pairs.data + revision.place;
    const uint32_t states = slots->states[pair->slotA] | slots->states[pair->slotB];
    if ( !revision.isRemoved )
    {
        AddChange( near, pair, pair->isPair, !pair->isPair );
    }
    else if ( ( states & CLT_SLOT_DESTROYED ) == 0 ) // else the pair ended with its proxy
    {
        AddChange( near, pair, pair->isPair, SearchReportedPair( slots, pair ) );
    }
}

typedef struct TestJob
{
    cltNearPairs* near;
    const cltSlots* slots;
    bool endsAll;
} TestJob;

static uint32_t TestsEnd( const cltNearPairs* near, uint32_t begin )
{
    return near->count - begin < TEST_CHUNK ? near->count : begin + TEST_CHUNK;
}

/// Lists the revisions of a chunk of pairs, from the place of its first pair on. NO_PLACE marks the end of the list,
/// unless it is as long as the chunk. Most near pairs stay as they are: of these, nothing is written.
static inline void ListRevisions( const TestJob* job, uint32_t begin, bool isDouble )
{
    const uint32_t end = TestsEnd( job->near, begin );
    const cltNearPair* pairs = job->near->pairs.data;
    const uint8_t* states = job->slots->states;
    const void* boxes = job->slots->now;
    cltNearPairRevision* revisions = job->near->revisions.data;
    uint32_t next = begin;
    for ( uint32_t i = begin; i < end; ++i )
    {
        const cltNearPair pair = pairs[i];
        const bool overlap = cltBoxesOverlap( boxes, isDouble, pair.slotA, pair.slotB );
        const bool isRemoved =
            job->endsAll | ( ( ( states[pair.slotA] | states[pair.slotB] ) & CLT_SLOT_CHANGED ) != 0 );
        if ( isRemoved | ( overlap != pair.isPair ) )
        {
            revisions[next++] = ( cltNearPairRevision ){ i, isRemoved };
        }
    }
    if ( next < end )
    {
        revisions[next].place = NO_PLACE;
    }
}

static void TestChunks( uint32_t first, uint32_t last, void* taskContext )
{
    const TestJob* job = taskContext;
    for ( uint32_t chunk = first; chunk < last; ++chunk )
    {
        if ( job->slots->isDouble )
        {
            ListRevisions( job, chunk * TEST_CHUNK, true );
        }
        else
        {
            ListRevisions( job, chunk * TEST_CHUNK, false );
        }
    }
}

/// Joins the lists of all chunks, and reports the changes, in the order of the pairs.
static void JoinRevisions( const TestJob* job, uint32_t chunkCount )
{
    cltNearPairs* near = job->near;
    cltNearPairRevision* revisions = near->revisions.data;
    for ( uint32_t chunk = 0; chunk < chunkCount; ++chunk )
    {
        const uint32_t begin = chunk * TEST_CHUNK;
        const uint32_t end = TestsEnd( near, begin );
        for ( uint32_t i = begin; i < end && revisions[i].place != NO_PLACE; ++i )
        {
            const cltNearPairRevision revision = revisions[i];
            revisions[near->revisionCount++] = revision;
            ReportRevised( near, job->slots, revision );
        }
    }
}

cltStatus cltNearPairs_Test( cltNearPairs* near, const cltSlots* slots, bool endsAll, cltWorkerPool* pool,
                             cltMemory* memory )
{
    cltNearPairs_Clear( near );
    near->keepsNone = false;
    if ( near->count == 0 )
    {
        return clt_ok;
    }
    CLT_TRY( cltBuffer_Reserve( &near->changes, memory, near->count + 1u, sizeof( cltNearPairChange ) ) );
    CLT_TRY( cltBuffer_Reserve( &near->revisions, memory, near->count, sizeof( cltNearPairRevision ) ) );
    TestJob job = { near, slots, endsAll };
    const uint32_t chunkCount = near->count / TEST_CHUNK + 1u; // the last one may be empty
    cltWorkerPool_Run( near->count >= MANY_TESTS ? pool : NULL, TestChunks, chunkCount, 1u, &job );
    JoinRevisions( &job, chunkCount );
    return clt_ok;
}

void cltNearPairs_Add( cltNearPairs* near, const cltPairFilters* filters, uint32_t slotA, uint32_t slotB,
                       bool restBoxesOverlap )
{
    if ( cltPairChange_Filter( CLT_PAIR_BEGAN, filters, slotA, slotB ) == CLT_PAIR_NOTHING )
    {
        return;
    }
    const uint64_t place = cltClaim( &near->addedCount, 1u );
    if ( place < AddedCapacity( near ) )
    {
        cltNearPairs_Added( near )[place] = ( cltNearPair ){
            .slotA = slotA & SLOT_MASK, .slotB = slotB & SLOT_MASK, .restBoxesOverlap = restBoxesOverlap };
    }
}

cltStatus cltNearPairs_Grow( cltNearPairs* near, cltMemory* memory, bool* hasGrown )
{
    const uint64_t needed = near->addedCount;
    *hasGrown = needed > AddedCapacity( near );
    if ( !*hasGrown )
    {
        return clt_ok;
    }
    cltNearPairs_DropAdded( near );
    return cltBuffer_Grow( &near->pairs, memory, near->count + needed + needed / 2u + MIN_SPARE_PAIRS,
                           sizeof( cltNearPair ) );
}

cltStatus cltNearPairs_TestAdded( cltNearPairs* near, const cltSlots* slots, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Grow( &near->changes, memory, near->changeCount + near->addedCount + 1u,
                             sizeof( cltNearPairChange ) ) );
    for ( uint64_t i = 0; i < near->addedCount; ++i )
    {
        cltNearPair* pair = cltNearPairs_Added( near ) + i;
        const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair->slotA, pair->slotB );
        AddChange( near, pair, SearchReportsPair( slots, pair, overlap ), overlap );
        pair->isPair = overlap;
    }
    return clt_ok;
}

uint32_t cltNearPair_Change( const cltNearPair* pair, const cltSlots* slots )
{
    const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair->slotA, pair->slotB );
    return cltPairChange( SearchReportsPair( slots, pair, overlap ), pair->isPair );
}

/// The last pair takes the place of a removed one. It was revised already: the last place is revised first.
static void ApplyRevisions( cltNearPairs* near )
{
    cltNearPair* pairs = near->pairs.data;
    const cltNearPairRevision* revisions = near->revisions.data;
    for ( uint32_t i = near->revisionCount; i > 0; --i )
    {
        const cltNearPairRevision revision = revisions[i - 1u];
        if ( revision.isRemoved )
        {
            pairs[revision.place] = pairs[--near->count];
        }
        else
        {
            pairs[revision.place].isPair ^= 1u;
        }
    }
}

void cltNearPairs_Commit( cltNearPairs* near )
{
    const uint32_t firstAdded = near->count;
    if ( near->keepsNone )
    {
        near->count = 0;
    }
    ApplyRevisions( near );
    if ( near->addedCount > 0 )
    {
        memmove( cltNearPairs_Added( near ), (const cltNearPair*)near->pairs.data + firstAdded,
                 near->addedCount * sizeof( cltNearPair ) );
        near->count += (uint32_t)near->addedCount;
    }
    cltNearPairs_Clear( near );
}

void cltNearPairs_Shrink( cltNearPairs* near, cltMemory* memory )
{
    cltBuffer_Shrink( &near->pairs, memory, near->count, cltShrinkPolicy_Capacity( near->count ),
                      sizeof( cltNearPair ) );
    cltBuffer_Release( &near->revisions, memory );
    cltBuffer_Release( &near->changes, memory );
}

void cltNearPairs_Release( cltNearPairs* near, cltMemory* memory )
{
    cltBuffer_Release( &near->pairs, memory );
    cltBuffer_Release( &near->revisions, memory );
    cltBuffer_Release( &near->changes, memory );
    near->count = 0;
}
