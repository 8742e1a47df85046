// SPDX-License-Identifier: Zlib
/// \file movers.h
/// Movers: lanes that are searched against all others (walk.h), as bits by block. Two lists hold the blocks with movers
/// in this update and in the previous one.
#ifndef CLT_HOST_WIDE_MOVERS_H
#define CLT_HOST_WIDE_MOVERS_H

#include "gpu/host/wide/blocks.h"
#include "gpu/platform/memory.h"

/// Numbers of blocks, without duplicates.
typedef struct cltBlockList
{
    cltBuffer blocks; ///< uint32_t
    uint32_t count;
} cltBlockList;

typedef struct cltMovers
{
    cltBuffer masks;     ///< uint16_t, by block
    cltBlockList now;    ///< blocks with movers in this update
    cltBlockList before; ///< blocks with movers in the previous update
    cltBlockList joined; ///< scratch: the last result of cltMovers_ListCurrentAndPrevious or cltMovers_SetRange
} cltMovers;

static inline uint16_t* cltMovers_Masks( const cltMovers* movers )
{
    return movers->masks.data;
}

cltStatus cltMovers_Reserve( cltMovers* movers, cltMemory* memory, uint32_t blockCapacity );

/// Shrinks the buffers to `blockCapacity` blocks; keeps the movers of the first `blockCount` blocks.
void cltMovers_Shrink( cltMovers* movers, cltMemory* memory, uint32_t blockCount, uint32_t blockCapacity );

/// Clears the movers' bits of blocks [first, end); the lists do not change.
void cltMovers_Clear( cltMovers* movers, uint32_t first, uint32_t end );

/// Makes the current list the previous one, and empties the current one. The bits do not change.
void cltMovers_NextUpdate( cltMovers* movers );

/// Adds blocks [first, end) to the previous list. No block may have a mover.
void cltMovers_AddPrevious( cltMovers* movers, uint32_t first, uint32_t end );

/// Clears both lists and all bits, because lane numbers have changed.
void cltMovers_ClearAll( cltMovers* movers, uint32_t blockCount );

/// Makes the lane a mover and lists its block.
void cltMovers_Add( cltMovers* movers, uint32_t lane );

/// Makes the lane a mover. Callable from any thread; afterwards cltMovers_ListMarked must list the blocks.
void cltMovers_Mark( cltMovers* movers, uint32_t lane );

/// Replaces the current list by all blocks with a mover's bit, in ascending order.
void cltMovers_ListMarked( cltMovers* movers, uint32_t blockCount );

/// The blocks with current or previous movers, each once. The caller may overwrite the list.
cltBlockList* cltMovers_ListCurrentAndPrevious( cltMovers* movers );

/// Makes all lanes of blocks [first, end) movers, and clears the movers' bits of lower blocks. Returns the list of
/// blocks [first, end). The current and previous lists do not change.
cltBlockList* cltMovers_SetRange( cltMovers* movers, uint32_t first, uint32_t end );

void cltMovers_Release( cltMovers* movers, cltMemory* memory );

#endif
