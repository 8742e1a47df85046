// SPDX-License-Identifier: Zlib
/// \file pair_change.h The rule that decides how a pair of bodies changed since the previous update. Every
/// search on every device calls it; no other code decides whether a pair begins or ends.
///
/// Two bodies are a pair if their boxes overlap and their filters accept each other. The rule evaluates that twice,
/// with the previous and with the current boxes and filters. So no list of pairs is needed. (The host keeps one only
/// during updates with many large displacements, see gpu/host/pair_difference.h.)
///
///                          pair now    not now           bit 1   current
///     pair before          kept        ended             bit 0   previous
///     not before           began       nothing
///
/// A missing body has a box of NaN, which overlaps nothing. A destroyed proxy has neither box: its pairs end with it,
/// and no search reports them (cltSlots_Seed). If its pairs must be reported, the proxy keeps its previous box, as
/// if it had become invisible.
#ifndef CLT_CORE_PAIR_CHANGE_H
#define CLT_CORE_PAIR_CHANGE_H

#include "gpu/core/aabb.h"
#include "gpu/core/pair_key.h"

enum
{
    CLT_PAIR_NOTHING = 0,
    CLT_PAIR_ENDED = 1,
    CLT_PAIR_BEGAN = 2,
    CLT_PAIR_KEPT = 3
};

/// What a search looks for.
typedef enum cltFind
{
    clt_findChanges, ///< pairs that began or ended
    clt_findPairs    ///< all current pairs
} cltFind;

/// Filters by slot. `now` is NULL if all filters accept all pairs. `before` is equal to `now` if no filter changed.
typedef struct cltPairFilters
{
    const cltFilter* now;
    const cltFilter* before;
} cltPairFilters;

/// Bullet's group and mask rule.
CLT_HD bool cltFilter_Allows( const cltFilter* a, const cltFilter* b )
{
    return ( a->group & b->mask ) != 0 && ( b->group & a->mask ) != 0;
}

/// A filter that accepts everything that either of the two accepts, and perhaps more.
CLT_HD cltFilter cltFilter_Union( const cltFilter* a, const cltFilter* b )
{
    cltFilter both;
    both.group = a->group | b->group;
    both.mask = a->mask | b->mask;
    return both;
}

/// A filter that rejects everything that either of the two rejects, and perhaps more.
CLT_HD cltFilter cltFilter_Common( const cltFilter* a, const cltFilter* b )
{
    cltFilter both;
    both.group = a->group & b->group;
    both.mask = a->mask & b->mask;
    return both;
}

CLT_HD uint32_t cltPairChange( bool before, bool now )
{
    return (uint32_t)before | (uint32_t)now << 1;
}

CLT_HD bool cltBoxesOverlap( const void* boxes, bool isDouble, uint32_t i, uint32_t j )
{
    return isDouble ? cltAabbD_Overlaps( (const cltAabbD*)boxes + i, (const cltAabbD*)boxes + j )
                    : cltAabb_Overlaps( (const cltAabb*)boxes + i, (const cltAabb*)boxes + j );
}

/// Of 32 pairs, the mask of those that began or ended. `before` and `now` are the masks of overlapping pairs.
CLT_HD uint32_t cltPairChange_ChangedLanes( uint32_t before, uint32_t now )
{
    return before ^ now;
}

/// Of 32 pairs, the mask of those whose change is reported if the filters accept the pair.
CLT_HD uint32_t cltPairChange_LanesToReport( uint32_t before, uint32_t now, cltFind find,
                                             const cltPairFilters* filters )
{
    if ( find == clt_findPairs )
    {
        return now;
    }
    return filters->now != filters->before ? before | now : cltPairChange_ChangedLanes( before, now );
}

/// Whether the change is reported if the filters accept the pair. Callers ask before they load filters, because a load
/// is likely a cache miss.
CLT_HD bool cltPairChange_MayBeReported( uint32_t change, cltFind find, const cltPairFilters* filters )
{
    return cltPairChange_LanesToReport( change & 1u, change >> 1, find, filters ) != 0;
}

/// Applies the filters of the two slots to a change that was decided by boxes.
CLT_HD uint32_t cltPairChange_Filter( uint32_t change, const cltPairFilters* filters, uint32_t slotA, uint32_t slotB )
{
    if ( filters->now == NULL )
    {
        return change;
    }
    const bool allowed = cltFilter_Allows( filters->before + slotA, filters->before + slotB );
    return change & cltPairChange( allowed, filters->now == filters->before
                                                ? allowed
                                                : cltFilter_Allows( filters->now + slotA, filters->now + slotB ) );
}

/// The key to report, or CLT_NO_KEY. A search for all pairs reports them as if they began. Without branches: whether a
/// pair began or ended is unpredictable.
CLT_HD uint64_t cltPairChange_Key( uint32_t change, cltFind find, uint32_t slotA, uint32_t slotB, uint32_t slotBits )
{
    const uint32_t isNow = change >> 1;
    const uint32_t isReported = find == clt_findPairs ? isNow : ( change ^ isNow ) & 1u;
    const uint64_t began = (uint64_t)isNow << ( 2u * slotBits );
    return cltPairKey( slotA, slotB, slotBits ) | began | ( (uint64_t)isReported - 1u ); // all bits set: CLT_NO_KEY
}

/// Whether an ended and a began key name the same pair. The pair was then kept: one of its bodies had a large
/// displacement and was searched as two leaves.
CLT_HD bool cltPairChange_IsKept( uint64_t endedKey, uint64_t beganKey, uint32_t slotBits )
{
    return beganKey == ( endedKey | cltPairKey_BeganBit( slotBits ) );
}

#endif
