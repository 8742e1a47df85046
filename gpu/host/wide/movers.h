// SPDX-License-Identifier: Zlib
/// \file movers.h
/// Movers: lanes that search on their own, as bits by block, and lists of the blocks that have movers in this update
/// and had movers in the last one.
#ifndef CLT_HOST_WIDE_MOVERS_H
#define CLT_HOST_WIDE_MOVERS_H

#include "gpu/host/wide/blocks.h"
#include "gpu/platform/memory.h"

/// Numbers of blocks, the same never twice.
typedef struct cltBlockList
{
    cltBuffer blocks; ///< uint32_t
    uint32_t count;
} cltBlockList;

typedef struct cltMovers
{
    cltBuffer masks;     ///< uint16_t, by block
    cltBlockList now;    ///< blocks with movers
    cltBlockList before; ///< those of the last update
    cltBlockList joined; ///< scratch: the list that was asked for last
} cltMovers;

static inline uint16_t* cltMovers_Masks( const cltMovers* movers )
{
    return movers->masks.data;
}

cltStatus cltMovers_Reserve( cltMovers* movers, cltMemory* memory, uint32_t blockCapacity );

/// Gives back room beyond so many blocks; what is noted of the first blockCount stays.
void cltMovers_Shrink( cltMovers* movers, cltMemory* memory, uint32_t blockCount, uint32_t blockCapacity );

/// Blocks [first, end) have no movers from now on; lists stay as they are.
void cltMovers_Clear( cltMovers* movers, uint32_t first, uint32_t end );

/// Makes the current movers the previous ones, and empties the list of movers. Leaves the bits.
void cltMovers_NextUpdate( cltMovers* movers );

/// Clears both lists of movers, because lanes have got other numbers.
void cltMovers_Forget( cltMovers* movers, uint32_t blockCount );

/// Makes the lane a mover and lists its block.
void cltMovers_Add( cltMovers* movers, uint32_t lane );

/// Makes the lane a mover, by any number of threads; cltMovers_ListMarked has to list the blocks.
void cltMovers_Mark( cltMovers* movers, uint32_t lane );

/// Lists all blocks with movers anew, in ascending order.
void cltMovers_ListMarked( cltMovers* movers, uint32_t blockCount );

/// The blocks with current or previous movers, each once. The caller may overwrite the list.
cltBlockList* cltMovers_NowOrBefore( cltMovers* movers );

/// All lanes of blocks [first, end) become movers, and no others are. Returns these blocks; the lists stay as they are.
cltBlockList* cltMovers_Only( cltMovers* movers, uint32_t first, uint32_t end );

void cltMovers_Release( cltMovers* movers, cltMemory* memory );

#endif
