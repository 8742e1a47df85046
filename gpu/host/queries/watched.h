// SPDX-License-Identifier: Zlib
/// \file watched.h
/// Who may have come to overlap a body since the last update, though both stay by their anchors: pairs that are watched
/// and were none then, sorted by body once an update, when as much was spent on walking the tree for some of them.
#ifndef CLT_HOST_WATCHED_H
#define CLT_HOST_WATCHED_H

#include "gpu/host/radix_sort.h"
#include "gpu/queries.h"

typedef struct cltWatchedList
{
    cltBuffer keys; ///< uint64_t, of each pair both ways: whose << 32 | with whom, ascending
    cltRadixSort sort;
    uint32_t count;
    uint32_t walks; ///< since the last update
    bool isKnown;
} cltWatchedList;

/// \return false if a walk will do: the list is not worth it yet, or there is no memory for it
bool cltWatchedList_Provide( cltWatchedList* list, const cltAnchors* anchors, cltMemory* memory );

/// The place of the first key of a slot, or beyond. The list is known.
uint32_t cltWatchedList_Find( const cltWatchedList* list, uint32_t slot );

/// To be called when an update may have begun.
static inline void cltWatchedList_Forget( cltWatchedList* list )
{
    list->isKnown = false;
    list->walks = 0;
}

void cltWatchedList_Release( cltWatchedList* list, cltMemory* memory );

#endif
