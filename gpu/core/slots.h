// SPDX-License-Identifier: Zlib
/// \file slots.h Slots as searches see them: a previous and a current box each, and state bits. A slot becomes one leaf
/// if its body is still or moved a little. It becomes two leaves after a large displacement, one for each box, because
/// the union of the two boxes would overlap all boxes in between.
#ifndef CLT_CORE_SLOTS_H
#define CLT_CORE_SLOTS_H

#include "gpu/core/aabb.h"

/// State bits of a slot.
enum
{
    CLT_SLOT_LIVE = 1,      ///< belongs to a proxy
    CLT_SLOT_CHANGED = 2,   ///< its box, filter or proxy changed since the last committed update
    CLT_SLOT_DESTROYED = 4, ///< its proxy was destroyed since the last update, and its pairs ended with it
    CLT_SLOT_APPEARED = 8   ///< became visible since the last update: created, or no longer NaN
};

/// The kind of a leaf: what it represents.
enum
{
    CLT_LEAF_STILL = 0, ///< a body that did not change
    CLT_LEAF_MOVED = 1, ///< both the previous and the current box
    CLT_LEAF_CURRENT =
        2, ///< only the current box, of a body that appeared or had a large displacement: finds began pairs
    /// only the previous box, of a body that vanished or had a large displacement: finds ended pairs
    CLT_LEAF_PREVIOUS = 3
};

/// A view of all slots: boxes by slot, cltAabb or cltAabbD.
typedef struct cltSlots
{
    const void* now;
    const void* before;    ///< previous boxes; read only for slots that changed
    const uint8_t* states; ///< CLT_SLOT_* bits; NULL if nothing changed
    bool isDouble;
    uint32_t count;
} cltSlots;

/// A leaf to be made.
typedef struct cltLeafSeed
{
    cltAabb box; ///< float box around all boxes that the leaf represents
    uint32_t kind;
} cltLeafSeed;

/// Element `index` of an array of boxes in either precision, as a float box that covers it.
CLT_HD cltAabb cltCoverBox( const void* boxes, bool isDouble, uint32_t index )
{
    return isDouble ? cltAabb_FromDouble( (const cltAabbD*)boxes + index ) : ( (const cltAabb*)boxes )[index];
}

/// Whether two boxes are so far apart that searching both is cheaper than searching their union. The factor keeps
/// bodies that move by up to about three times their size per update in one leaf.
CLT_HD bool cltIsLargeDisplacement( const cltAabb* before, const cltAabb* now, const cltAabb* both )
{
    return cltAabb_LongestEdge( both ) > 2.0f * ( cltAabb_LongestEdge( before ) + cltAabb_LongestEdge( now ) );
}

/// Step: makes the leaves of one slot. \return their number, 0 to 2
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
    // if the proxy was destroyed, its pairs ended with it
    bool hadBefore = ( state & CLT_SLOT_DESTROYED ) == 0 && !cltAabb_HasNan( &before );
    if ( hasNow && hadBefore )
    {
        seeds[0].box = cltAabb_Union( &before, &now );
        seeds[0].kind = CLT_LEAF_MOVED;
        if ( !cltIsLargeDisplacement( &before, &now, &seeds[0].box ) )
        {
            return 1u;
        }
        seeds[1].box = before;
        seeds[1].kind = CLT_LEAF_PREVIOUS;
    }
    seeds[0].box = hasNow ? now : before;
    seeds[0].kind = hasNow ? CLT_LEAF_CURRENT : CLT_LEAF_PREVIOUS;
    return (uint32_t)hasNow + (uint32_t)hadBefore;
}

/// The array that holds a slot's previous box at the slot's index: the current boxes if the slot did not change.
CLT_HD const void* cltSlots_PreviousBoxes( const cltSlots* slots, uint32_t slot )
{
    const bool changed = slots->states != NULL && ( slots->states[slot] & CLT_SLOT_CHANGED ) != 0;
    return changed ? slots->before : slots->now;
}

#endif
