// SPDX-License-Identifier: Zlib
/// \file pair_list.h The list of all pairs, kept from one request to the next. If the list is requested after every
/// update, the changes are merged into the last list, at a fraction of a search's cost.
#ifndef CLT_HOST_PAIR_LIST_H
#define CLT_HOST_PAIR_LIST_H

#include "gpu/platform/worker_pool.h"

typedef enum cltPairListAge
{
    clt_pairListUnknown,   ///< too old to be updated, or never made
    clt_pairListOneBehind, ///< one update behind, and the changes of that update are still available
    clt_pairListCurrent    ///< as of the last committed update
} cltPairListAge;

typedef struct cltPairList
{
    cltBuffer keys; ///< uint64_t, ascending; every pair has the key of a pair that began
    cltBuffer spare;
    size_t count;
    uint32_t slotBits;
    cltPairListAge age;
} cltPairList;

/// Must be called before the changes of the last update are overwritten: a list one update behind becomes too old.
static inline void cltPairList_BeginUpdate( cltPairList* list )
{
    list->age = list->age == clt_pairListCurrent ? clt_pairListCurrent : clt_pairListUnknown;
}

/// Must be called after a commit. \param isComplete  whether the changes contain every ended pair
static inline void cltPairList_Commit( cltPairList* list, uint32_t slotBits, bool isComplete )
{
    const bool isEmpty = list->count == 0; // an empty list fits keys of any width
    list->slotBits = isEmpty ? slotBits : list->slotBits;
    const bool follows = list->age == clt_pairListCurrent && isComplete && slotBits == list->slotBits;
    list->age = follows ? clt_pairListOneBehind : clt_pairListUnknown;
}

/// Updates a list that is one update behind. On an error it is unchanged.
/// \param changes  of the last update, in canonical order
cltStatus cltPairList_Apply( cltPairList* list, cltMemory* memory, const uint64_t* changes, size_t changeCount );

/// Converts keys to the current slotBits, and removes pairs of destroyed proxies.
/// \param states  by slot; NULL if no proxy was destroyed
void cltPairList_Adapt( cltPairList* list, uint32_t slotBits, const uint8_t* states );

/// Replaces the list by the result of a search. `keys` gets the old list's buffer.
void cltPairList_Take( cltPairList* list, cltBuffer* keys, size_t count, uint32_t slotBits );

/// Frees unused capacity, or the whole list if it can no longer be updated.
void cltPairList_Shrink( cltPairList* list, cltMemory* memory );

void cltPairList_Release( cltPairList* list, cltMemory* memory );

#endif
