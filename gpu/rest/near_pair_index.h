// SPDX-License-Identifier: Zlib
/// \file near_pair_index.h
/// Near pairs by proxy, for cltBroadphase_QueryNew: the proxies that may have begun to overlap a given proxy since the
/// last committed update, though both are at rest. Only near pairs that were not pairs at that update can have begun.
///
/// The index is made at most once between two updates, as soon as searches of the tree have cost as much as making it.
/// It contains only proxies that QueryNew was called for: mostly ghosts, for which programs call it again and again. A
/// turn ends with the first update after a call. A turn's index contains the proxies of calls in the previous turn, and
/// of calls in this turn before the index was made. For other proxies the tree is searched; the next turn's index
/// contains them.
#ifndef CLT_REST_NEAR_PAIR_INDEX_H
#define CLT_REST_NEAR_PAIR_INDEX_H

#include "gpu/rest/near_pairs.h"

#define CLT_NEAR_PROXIES_END UINT32_MAX

/// The links of a proxy form a list, in no order.
typedef struct cltNearLink
{
    uint32_t other; ///< the slot of the other proxy
    uint32_t next;  ///< the index of the next link, or CLT_NEAR_PROXIES_END
} cltNearLink;

/// The other proxies of the near pairs of one proxy. Valid until the next update.
typedef struct cltNearProxies
{
    const cltNearLink* links;
    uint32_t first; ///< the index of the first link, or CLT_NEAR_PROXIES_END
} cltNearProxies;

/// Empty and valid if zero-initialised.
typedef struct cltNearPairIndex
{
    cltBuffer entries;            ///< by slot (near_pair_index.c)
    cltBuffer links;              ///< cltNearLink
    uint32_t entryCount;          ///< slots that have an entry
    uint32_t linkCount;           ///< links of the last index that was made
    cltShrinkPolicy shrinkPolicy; ///< for `links`
    uint32_t turn;                ///< the number of turns that have ended
    uint32_t askedCount;          ///< proxies that QueryNew was called for in this turn
    uint32_t previousCount;       ///< proxies that QueryNew was called for in the previous turn
    bool isMade;                  ///< this turn's index has been made
} cltNearPairIndex;

/// Finds the other proxies of the near pairs of `slot`, and records a call of QueryNew for `slot`. \return false if the
/// tree must be searched: the index does not pay yet, does not contain the slot, or there is no memory for the index
bool cltNearPairIndex_Find( cltNearPairIndex* index, const cltNearPairs* pairs, uint32_t slot, uint32_t slotCount,
                            cltMemory* memory, cltNearProxies* found );

/// Ends the turn if QueryNew was called in it. Frees memory that was not needed for a while.
void cltNearPairIndex_Commit( cltNearPairIndex* index, cltMemory* memory );

/// Frees all memory. The index is empty and valid afterwards.
void cltNearPairIndex_Release( cltNearPairIndex* index, cltMemory* memory );

#endif
