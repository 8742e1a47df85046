// SPDX-License-Identifier: Zlib
/// \file pair_list.h
/// All pairs as of an update, kept from one request to the next: whoever asks after every update gets the last list
/// with the changes merged in, which costs a fraction of a search.
#ifndef CLT_HOST_PAIR_LIST_H
#define CLT_HOST_PAIR_LIST_H

#include "gpu/platform/memory.h"

typedef enum cltPairListAge
{
    clt_pairListUnknown,   ///< too old to be brought up to date, or never made
    clt_pairListOneBehind, ///< as of the update before the last one, whose changes are still there
    clt_pairListCurrent    ///< as of the last committed update
} cltPairListAge;

typedef struct cltPairList
{
    cltBuffer keys; ///< uint64_t, ascending, with the bit of pairs that began
    cltBuffer spare;
    size_t count;
    uint32_t slotBits;
    cltPairListAge age;
} cltPairList;

/// An update is about to overwrite the changes of the last one.
static inline void cltPairList_BeginUpdate( cltPairList* list )
{
    list->age = list->age == clt_pairListCurrent ? clt_pairListCurrent : clt_pairListUnknown;
}

/// An update was committed. \param isWhole  its changes tell all that happened: no pair ended silently
static inline void cltPairList_Commit( cltPairList* list, uint32_t slotBits, bool isWhole )
{
    const bool isEmpty = list->count == 0; // of keys of any width
    list->slotBits = isEmpty ? slotBits : list->slotBits;
    const bool follows = list->age == clt_pairListCurrent && isWhole && slotBits == list->slotBits;
    list->age = follows ? clt_pairListOneBehind : clt_pairListUnknown;
}

/// Brings a list that is one behind up to date. On an error it stays as it is.
/// \param changes  of the last update, in canonical order
cltStatus cltPairList_Apply( cltPairList* list, cltMemory* memory, const uint64_t* changes, size_t changeCount );

/// Makes slots as wide as they are now, and drops pairs of proxies that were destroyed.
/// \param states  by slot; NULL: nobody was destroyed
void cltPairList_Adapt( cltPairList* list, uint32_t slotBits, const uint8_t* states );

/// Takes over a list from a search: `keys` gets the room of the old one.
void cltPairList_Take( cltPairList* list, cltBuffer* keys, size_t count, uint32_t slotBits );

/// Gives back what the list does not need, all of it where it is of no use any more.
void cltPairList_Shrink( cltPairList* list, cltMemory* memory );

void cltPairList_Release( cltPairList* list, cltMemory* memory );

#endif
