// SPDX-License-Identifier: Zlib
// Watched pairs by body.

#include "gpu/host/queries/watched.h"

#include <string.h>

/// So many pairs are looked through while a walk is made, and so many bodies forgotten.
#define PAIRS_PER_WALK 128u
#define BODIES_PER_WALK 1024u

/// In place of a body's first link: it is not in the list.
#define UNLISTED ( CLT_WATCHED_END - 1u )

static cltWatchedBody* BodiesOf( const cltWatchedList* list )
{
    return list->bodies.data;
}

/// True if the body was asked about in this turn or in the last one, which ghosts are again and again.
static bool IsAsked( const cltWatchedList* list, uint32_t slot )
{
    return BodiesOf( list )[slot].turn + 1u >= list->turn;
}

/// Room for all slots that have anchors, and not for many more.
static cltStatus KnowBodies( cltWatchedList* list, uint32_t slotCount, cltMemory* memory )
{
    if ( list->bodyCount > slotCount )
    {
        cltBuffer_Shrink( &list->bodies, memory, slotCount, cltShrinkPolicy_Capacity( slotCount ),
                          sizeof( cltWatchedBody ) );
        list->bodyCount = slotCount;
    }
    if ( list->bodyCount < slotCount )
    {
        CLT_TRY( cltBuffer_Grow( &list->bodies, memory, slotCount, sizeof( cltWatchedBody ) ) );
        memset( BodiesOf( list ) + list->bodyCount, 0, ( slotCount - list->bodyCount ) * sizeof( cltWatchedBody ) );
        list->bodyCount = slotCount;
    }
    return clt_ok;
}

/// Takes note of who asks. One that did not in the last turn is late, if there is a list.
static void NoteAsker( cltWatchedList* list, uint32_t slot )
{
    cltWatchedBody* body = BodiesOf( list ) + slot;
    if ( body->turn != list->turn )
    {
        body->first = IsAsked( list, slot ) ? body->first : UNLISTED;
        body->turn = list->turn;
        ++list->asked;
    }
}

static bool PaysOff( const cltWatchedList* list, const cltAnchors* anchors )
{
    const uint64_t walks = list->asked > list->askedBefore ? list->asked : list->askedBefore;
    return walks >= anchors->watchedCount / PAIRS_PER_WALK + list->bodyCount / BODIES_PER_WALK;
}

/// Links a pair to the first of both, if that was asked about. Returns how many links it took.
static uint32_t LinkWatched( cltWatchedList* list, uint32_t link, uint32_t slot, uint32_t other )
{
    if ( !IsAsked( list, slot ) )
    {
        return 0u;
    }
    cltWatchedBody* body = BodiesOf( list ) + slot;
    ( (cltWatchedLink*)list->links.data )[link] = ( cltWatchedLink ){ other, body->first };
    body->first = link;
    return 1u;
}

static cltStatus ListWatched( cltWatchedList* list, const cltAnchors* anchors, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &list->links, memory, 2u * anchors->watchedCount, sizeof( cltWatchedLink ) ) );
    for ( uint32_t slot = 0; slot < list->bodyCount; ++slot )
    {
        BodiesOf( list )[slot].first = CLT_WATCHED_END;
    }
    uint32_t count = 0;
    for ( size_t i = 0; i < anchors->watchedCount; ++i )
    {
        const cltWatchedPair pair = anchors->watched[i];
        if ( !pair.isPair )
        {
            count += LinkWatched( list, count, pair.slotA, pair.slotB );
            count += LinkWatched( list, count, pair.slotB, pair.slotA );
        }
    }
    list->linkCount = count;
    list->isKnown = true;
    return clt_ok;
}

bool cltWatchedList_First( cltWatchedList* list, const cltAnchors* anchors, uint32_t slot, cltMemory* memory,
                           uint32_t* first )
{
    if ( KnowBodies( list, anchors->count, memory ) != clt_ok )
    {
        return false;
    }
    NoteAsker( list, slot );
    if ( !list->isKnown && ( !PaysOff( list, anchors ) || ListWatched( list, anchors, memory ) != clt_ok ) )
    {
        return false;
    }
    const uint32_t found = BodiesOf( list )[slot].first;
    *first = found != UNLISTED ? found : CLT_WATCHED_END;
    return found != UNLISTED;
}

void cltWatchedList_Forget( cltWatchedList* list, cltMemory* memory )
{
    const uint32_t needed = list->isKnown ? list->linkCount : 0u;
    if ( cltShrinkPolicy_IsDue( &list->shrinkPolicy, needed, list->links.bytes / sizeof( cltWatchedLink ) ) )
    {
        cltBuffer_Shrink( &list->links, memory, 0, cltShrinkPolicy_Capacity( needed ), sizeof( cltWatchedLink ) );
    }
    list->isKnown = false;
    if ( list->asked > 0 )
    {
        list->askedBefore = list->asked;
        list->asked = 0;
        ++list->turn;
    }
}

void cltWatchedList_Release( cltWatchedList* list, cltMemory* memory )
{
    cltBuffer_Release( &list->bodies, memory );
    cltBuffer_Release( &list->links, memory );
}
