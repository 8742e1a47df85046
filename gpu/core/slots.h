// SPDX-License-Identifier: Zlib
/// \file slots.h
/// Slots as searches see them: two boxes each, now and before, and what is known beside them. A slot becomes leaves:
/// one for a body that stands still or moved a little; two for one that jumped, where it was and where it is, because
/// their union would meet everything between.
#ifndef CLT_CORE_SLOTS_H
#define CLT_CORE_SLOTS_H

#include "gpu/core/aabb.h"

/// What is known about a slot besides its box, as bits of a byte.
enum
{
    CLT_SLOT_LIVE = 1,      ///< belongs to a proxy
    CLT_SLOT_CHANGED = 2,   ///< its box, filter or proxy is new since the last committed update
    CLT_SLOT_DESTROYED = 4, ///< its proxy was destroyed since the last update, and its pairs ended silently
    CLT_SLOT_APPEARED = 8   ///< came into sight since the last update, created or from a NaN
};

/// What a leaf stands for.
enum
{
    CLT_LEAF_STILL = 0, ///< nothing about the body changed
    CLT_LEAF_MOVED = 1, ///< both its box before and its box now
    CLT_LEAF_NOW = 2,   ///< only the box now, of a body that jumped or appeared: finds what began
    CLT_LEAF_BEFORE = 3 ///< only the box before, of a body that jumped or vanished: finds what ended
};

/// View of all slots: boxes by slot, cltAabb or cltAabbD.
typedef struct cltSlots
{
    const void* now;
    const void* before;    ///< read where a slot changed
    const uint8_t* states; ///< CLT_SLOT_* bits; NULL: nothing changed
    bool isDouble;
    uint32_t count;
} cltSlots;

/// A leaf to be.
typedef struct cltLeafSeed
{
    cltAabb box; ///< float box around all that the leaf stands for
    uint32_t kind;
} cltLeafSeed;

/// Box `index` of an array of either precision as a float box that covers it.
CLT_HD cltAabb cltCoverBox( const void* boxes, bool isDouble, uint32_t index )
{
    return isDouble ? cltAabb_FromDouble( (const cltAabbD*)boxes + index ) : ( (const cltAabb*)boxes )[index];
}

/// True if the two boxes are so far apart that searching each is cheaper than searching their union. The factor keeps
/// anything that moves up to about three times its size a step in one leaf.
CLT_HD bool cltJumped( const cltAabb* before, const cltAabb* now, const cltAabb* both )
{
    return cltAabb_LongestEdge( both ) > 2.0f * ( cltAabb_LongestEdge( before ) + cltAabb_LongestEdge( now ) );
}

/// Step: the leaves of one slot. Returns how many there are, 0 to 2.
CLT_HD uint32_t cltSlots_Seed( const cltSlots* slots, uint32_t slot, cltLeafSeed seeds[2] )
{
    cltAabb now = cltCoverBox( slots->now, slots->isDouble, slot );
    bool hasNow = !cltAabb_HasNan( &now );
    seeds[0].box = now;
    const uint32_t state = slots->states != NULL ? slots->states[slot] : 0u;
    if ( ( state & CLT_SLOT_CHANGED ) == 0 )
    {
        seeds[0].kind = CLT_LEAF_STILL;
        return hasNow ? 1u : 0u;
    }

    cltAabb before = cltCoverBox( slots->before, slots->isDouble, slot );
    bool hadBefore = ( state & CLT_SLOT_DESTROYED ) == 0 && !cltAabb_HasNan( &before ); // else its pairs ended with it
    if ( hasNow && hadBefore )
    {
        seeds[0].box = cltAabb_Union( &before, &now );
        seeds[0].kind = CLT_LEAF_MOVED;
        if ( !cltJumped( &before, &now, &seeds[0].box ) )
        {
            return 1u;
        }
        seeds[1].box = before;
        seeds[1].kind = CLT_LEAF_BEFORE;
    }
    seeds[0].box = hasNow ? now : before;
    seeds[0].kind = hasNow ? CLT_LEAF_NOW : CLT_LEAF_BEFORE;
    return (uint32_t)hasNow + (uint32_t)hadBefore;
}

/// The array that holds a slot's box before, at the slot's place: of one that did not change it is the box now.
CLT_HD const void* cltSlots_BoxesBefore( const cltSlots* slots, uint32_t slot )
{
    const bool changed = slots->states != NULL && ( slots->states[slot] & CLT_SLOT_CHANGED ) != 0;
    return changed ? slots->before : slots->now;
}

#endif
