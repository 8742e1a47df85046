// SPDX-License-Identifier: Zlib
/// \file drawing.h
/// A debug drawing in progress (bridge/cullet_debug.h): backends and queries draw into it.
#ifndef CLT_GPU_DRAWING_H
#define CLT_GPU_DRAWING_H

#include "bridge/cullet_debug.h"
#include "gpu/core/aabb.h"
#include "gpu/core/slots.h"

/// Draws the body of a slot with a box without a NaN.
typedef void cltDrawSlotFcn( uint32_t slot, const cltAabb* box, cltDebugPlace place, void* context );

typedef struct cltDrawing
{
    const cltDebugDraw* callbacks;
    const uint8_t* states; ///< CLT_SLOT_* bits, by slot
    uint32_t slotCount;
    cltDrawSlotFcn* drawSlot;
    void* context; ///< of drawSlot
} cltDrawing;

/// Whether a slot in the structure of the last update still has its proxy. No other proxy can have it: slots are reused
/// only after the next update.
static inline bool cltDrawing_HasProxy( const cltDrawing* drawing, uint32_t slot )
{
    return slot < drawing->slotCount && ( drawing->states[slot] & CLT_SLOT_LIVE ) != 0;
}

/// Draws a body of the structure of the last update, unless its proxy was destroyed since or the body has no box.
static inline void cltDrawing_Body( const cltDrawing* drawing, uint32_t slot, const cltAabb* box, cltDebugPlace place )
{
    if ( cltDrawing_HasProxy( drawing, slot ) && !cltAabb_HasNan( box ) )
    {
        drawing->drawSlot( slot, box, place, drawing->context );
    }
}

static inline void cltDrawing_Node( const cltDrawing* drawing, const cltAabb* bounds, uint32_t level, bool isLeaf )
{
    if ( drawing->callbacks->drawNode != NULL )
    {
        drawing->callbacks->drawNode( bounds, level, isLeaf, drawing->callbacks->context );
    }
}

static inline void cltDrawing_Cell( const cltDrawing* drawing, const cltAabb* cell, uint32_t bodyCount )
{
    if ( drawing->callbacks->drawCell != NULL )
    {
        drawing->callbacks->drawCell( cell, bodyCount, drawing->callbacks->context );
    }
}

#endif
