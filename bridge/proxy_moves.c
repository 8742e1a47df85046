// SPDX-License-Identifier: Zlib
// Many moves: mostly a box is compared, written and listed, and memory is what takes the time. Where ids ascend, no two
// threads meet the same proxy, and each lists what it moved in a place of its own.

#include "bridge/proxy_moves.h"

#include "bridge/box_compare.h"

#include <string.h>

/// From so many on, two threads are faster: below, the work is done before the second one is awake.
#define MOVES_TO_SHARE 32768u

/// Ranges of moves, enough for any number of processors that a memory bus can feed; the smallest is about 10
/// microseconds of work.
#define MAX_MOVE_RANGES 64u
#define MIN_MOVES_A_RANGE 4096u

/// Memory takes as long as about this many moves.
#define MOVES_AHEAD 16u

/// Moves one after the other, and what has become of them.
typedef struct MoveRange
{
    size_t next; ///< the first that has not been made
    size_t end;
    uint32_t* listed; ///< room for as many
    uint32_t listedCount;
    bool differ; ///< some box was another
} MoveRange;

typedef struct Moves
{
    cltProxyTable* table;
    const cltProxyId* proxies;
    const cltAabb* boxes;
    MoveRange ranges[MAX_MOVE_RANGES];
} Moves;

/// How many moves there are to a range. \param[out] rangeCount  of these
static size_t RangeSize( size_t count, uint32_t* rangeCount )
{
    const size_t equal = count / MAX_MOVE_RANGES + 1u;
    const size_t size = equal > MIN_MOVES_A_RANGE ? equal : MIN_MOVES_A_RANGE;
    *rangeCount = (uint32_t)( ( count + size - 1u ) / size );
    return size;
}

// -------------------------------------------------------------------------------------------------------- checking

typedef struct CheckPass
{
    const cltProxyTable* table;
    const cltProxyId* proxies;
    size_t count;
    size_t rangeSize;
    uint32_t missing; ///< ranges in which something is not so
    uint32_t unordered;
} CheckPass;

static bool AreThere( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        if ( !cltProxyTable_Has( table, proxies[i] ) )
        {
            return false;
        }
    }
    return true;
}

static bool Ascend( const cltProxyId* proxies, size_t count )
{
    uint32_t wrong = 0;
    for ( size_t i = 1; i < count; ++i )
    {
        wrong |= proxies[i - 1u] >= proxies[i];
    }
    return wrong == 0;
}

static void CheckRanges( uint32_t first, uint32_t last, void* context )
{
    CheckPass* pass = context;
    for ( uint32_t range = first; range < last; ++range )
    {
        const cltProxyId* proxies = pass->proxies + range * pass->rangeSize;
        const size_t rest = pass->count - range * pass->rangeSize;
        const size_t size = rest < pass->rangeSize ? rest : pass->rangeSize;
        const size_t withNext = size < rest ? size + 1u : size;
        __atomic_fetch_or( &pass->missing, !AreThere( pass->table, proxies, size ), __ATOMIC_RELAXED );
        __atomic_fetch_or( &pass->unordered, !Ascend( proxies, withNext ), __ATOMIC_RELAXED );
    }
}

cltProxyCheck cltProxyTable_Check( const cltProxyTable* table, size_t count, const cltProxyId* proxies,
                                   cltWorkerPool* pool )
{
    if ( count < MOVES_TO_SHARE )
    {
        return ( cltProxyCheck ){ .areThere = AreThere( table, proxies, count ) };
    }
    CheckPass pass = { .table = table, .proxies = proxies, .count = count };
    uint32_t rangeCount;
    pass.rangeSize = RangeSize( count, &rangeCount );
    cltWorkerPool_Run( pool, CheckRanges, rangeCount, 1u, &pass );
    return ( cltProxyCheck ){ .areThere = pass.missing == 0, .ascend = pass.unordered == 0 };
}

// ---------------------------------------------------------------------------------------------------------- moving

/// Makes the moves of a range up to one that has a NaN, now or before: to come into sight, or to leave it, is more than
/// to move.
static void MakeMoves( const Moves* moves, MoveRange* range )
{
    cltAabb* const places = moves->table->boxes.data;
    uint8_t* const states = moves->table->states.data;
    const cltProxyId* const proxies = moves->proxies;
    uint32_t* const listed = range->listed;
    uint32_t listedCount = range->listedCount;
    bool differ = range->differ;
    size_t i = range->next;
    for ( ; i < range->end; ++i )
    {
        if ( i + MOVES_AHEAD < range->end )
        {
            __builtin_prefetch( places + proxies[i + MOVES_AHEAD], 1 );
        }
        const cltProxyId proxy = proxies[i];
        const cltAabb box = moves->boxes[i];
        if ( !cltAabb_IsSame( places + proxy, &box ) )
        {
            if ( cltAabb_AnyNan( places + proxy, &box ) )
            {
                break;
            }
            differ = true;
            if ( ( states[proxy] & CLT_SLOT_CHANGED ) == 0 )
            {
                states[proxy] |= CLT_SLOT_CHANGED;
                listed[listedCount++] = proxy;
            }
        }
        places[proxy] = box; // also where it is the same: -0 and +0 are, but what was given is kept
    }
    range->next = i;
    range->listedCount = listedCount;
    range->differ = differ;
}

static void MakeRanges( uint32_t first, uint32_t last, void* context )
{
    Moves* moves = context;
    for ( uint32_t range = first; range < last; ++range )
    {
        MakeMoves( moves, moves->ranges + range );
    }
}

/// What a range listed, behind what the table has listed.
static void TakeListed( cltProxyTable* table, MoveRange* range )
{
    uint32_t* end = (uint32_t*)table->changed.data + table->changedCount;
    if ( range->listed != end && range->listedCount > 0 )
    {
        memmove( end, range->listed, range->listedCount * sizeof *end );
    }
    table->changedCount += range->listedCount;
    table->settledCount -= range->listedCount;
    range->listedCount = 0;
    if ( range->differ )
    {
        atomic_store_explicit( &table->queries->overviewHolds, false, memory_order_relaxed );
    }
}

/// The moves of a range that are left, one with a NaN first; and all others, wherever the table lists.
static void FinishRange( const Moves* moves, MoveRange* range )
{
    cltProxyTable* table = moves->table;
    for ( TakeListed( table, range ); range->next < range->end; TakeListed( table, range ) )
    {
        cltProxyTable_Move( table, moves->proxies[range->next], moves->boxes + range->next );
        ++range->next;
        range->listed = (uint32_t*)table->changed.data + table->changedCount;
        MakeMoves( moves, range );
    }
}

/// True if all there is to do for a box that changes is to list it and to keep it: there are no anchors, no boxes
/// before, and no tree of boxes as they are.
static bool OnlyLists( const cltProxyTable* table )
{
    return table->precision == clt_precisionFloat && table->anchors.count == 0 && !table->keepsBefore &&
           table->queries->indexedSlots == 0;
}

/// Cuts the moves into ranges; into one, if threads could meet in a proxy, or there is no room for their lists.
static uint32_t CutMoves( Moves* moves, size_t count, bool ascend )
{
    uint32_t* end = (uint32_t*)moves->table->changed.data + moves->table->changedCount;
    const bool isShared = ascend && count <= moves->table->capacity - moves->table->changedCount;
    uint32_t rangeCount = 1;
    const size_t size = isShared ? RangeSize( count, &rangeCount ) : count;
    for ( uint32_t range = 0; range < rangeCount; ++range )
    {
        const size_t first = range * size;
        const size_t rest = count - first;
        moves->ranges[range] = ( MoveRange ){
            .next = first, .end = rest < size ? count : first + size, .listed = isShared ? end + first : end };
    }
    return rangeCount;
}

void cltProxyTable_MoveAll( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes,
                            cltProxyCheck check, cltWorkerPool* pool )
{
    if ( !OnlyLists( table ) )
    {
        cltProxyTable_MoveEach( table, count, proxies, boxes );
        return;
    }
    Moves moves;
    moves.table = table;
    moves.proxies = proxies;
    moves.boxes = boxes;
    const uint32_t rangeCount = CutMoves( &moves, count, check.ascend );
    cltWorkerPool_Run( pool, MakeRanges, rangeCount, 1u, &moves );
    for ( uint32_t range = 0; range < rangeCount; ++range )
    {
        FinishRange( &moves, moves.ranges + range );
    }
}
