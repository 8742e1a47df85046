// SPDX-License-Identifier: Zlib
/// \file pair_change.h
/// The rule: what became of a pair of bodies between the last update and this one. Every search on every device calls
/// it, and nobody else says what makes a pair begin or end.
///
/// Two bodies are a pair if their boxes overlap and their filters allow each other. That is read off twice, from boxes
/// and filters as they were before and as they are now; no list of pairs is kept, but by the host between poses in
/// which many jump (gpu/host/pair_difference.h):
///
///                          pair now    not now           bit 1   now
///     pair before          kept        ended             bit 0   before
///     not before           began       nothing
///
/// Who is not there has a box with a NaN, which overlaps nothing. A proxy that was destroyed is there neither now nor
/// before: its pairs end with it, and no search reports them (cltSlots_Seed). Where they are to be reported, it is
/// there before, as if it had gone out of sight.
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
    clt_findPairs    ///< pairs that are there now
} cltFind;

/// Filters by slot. `now` is NULL where everything may pair; `before` is the same array where no filter changed.
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

/// A filter that allows whatever either of the two does, and perhaps more.
CLT_HD cltFilter cltFilter_Union( const cltFilter* a, const cltFilter* b )
{
    cltFilter both;
    both.group = a->group | b->group;
    both.mask = a->mask | b->mask;
    return both;
}

/// A filter that allows nothing that one of the two does not, and perhaps less.
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

/// The same for 32 pairs at once: the bits where one changed, of words that say who overlapped.
CLT_HD uint32_t cltPairChange_Lanes( uint32_t before, uint32_t now )
{
    return before ^ now;
}

/// True if the filters may make what is looked for of what the boxes say. Asked before they are read: they lie far
/// away.
CLT_HD bool cltPairChange_MayMatter( uint32_t change, cltFind find, const cltPairFilters* filters )
{
    if ( find == clt_findPairs )
    {
        return ( change & CLT_PAIR_BEGAN ) != 0;
    }
    return change != CLT_PAIR_NOTHING && ( change != CLT_PAIR_KEPT || filters->now != filters->before );
}

/// Narrows what the boxes say down by the filters of the two slots.
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

/// The key to report, or CLT_NO_KEY. Pairs that are looked for as such are reported as if they began. Without a branch:
/// whether a pair began or ended is not to be foreseen, and a processor that guesses is wrong half of the time.
CLT_HD uint64_t cltPairChange_Key( uint32_t change, cltFind find, uint32_t slotA, uint32_t slotB, uint32_t slotBits )
{
    const uint32_t isNow = change >> 1;
    const uint32_t isReported = find == clt_findPairs ? isNow : ( change ^ isNow ) & 1u;
    const uint64_t began = (uint64_t)isNow << ( 2u * slotBits );
    return cltPairKey( slotA, slotB, slotBits ) | began | ( (uint64_t)isReported - 1u ); // all ones: CLT_NO_KEY
}

/// True if the two keys of a pair, one that ended and one that began, come to a pair that was kept: of a body that
/// jumped and was searched as two.
CLT_HD bool cltPairChange_IsKept( uint64_t endedKey, uint64_t beganKey, uint32_t slotBits )
{
    return beganKey == ( endedKey | cltPairKey_BeganBit( slotBits ) );
}

#endif
