// SPDX-License-Identifier: Zlib
// Checks an array of ids before any proxy is changed, and moves many proxies. Most moves only compare, write and list a
// box, so memory takes most of the time. If ids ascend, several threads share the work: each proxy belongs to one
// thread, and each thread has a list of its own.

#include "bridge/proxy_moves.h"

#include "bridge/box_compare.h"
#include "bridge/cullet_bits.h"

#include <string.h>

/// Ids per task: about 5 microseconds of work.
#define CHECK_GRAIN 8192u

typedef struct CheckPass
{
    const cltProxyTable* table;
    const cltProxyId* proxies;
    uint32_t missing;   ///< not 0 if some id has no proxy
    uint32_t unordered; ///< not 0 if the ids do not ascend
} CheckPass;

static bool AllExist( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
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

/// True if all ids have a proxy. The ids must ascend: if the last one is below slotCount, all are.
static bool AscendingExist( const cltProxyTable* table, const cltProxyId* proxies, size_t count )
{
    const uint8_t* states = table->states.data;
    uint32_t all = CLT_SLOT_LIVE;
    if ( proxies[count - 1u] >= table->slotCount )
    {
        return false;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        all &= states[proxies[i]];
    }
    return all != 0;
}

static void CheckRange( uint32_t first, uint32_t last, void* context )
{
    CheckPass* pass = context;
    const cltProxyId* proxies = pass->proxies + first;
    const size_t count = last - first;
    const bool ascend = Ascend( proxies, count );
    const bool follow = first == 0 || proxies[-1] < proxies[0];
    const bool allExist = ( ascend ? AscendingExist : AllExist )( pass->table, proxies, count );
    __atomic_fetch_or( &pass->missing, !allExist, __ATOMIC_RELAXED );
    __atomic_fetch_or( &pass->unordered, !( ascend && follow ), __ATOMIC_RELAXED );
}

cltProxyCheck cltProxyTable_Check( const cltProxyTable* table, size_t count, const cltProxyId* proxies,
                                   cltWorkerPool* pool )
{
    if ( count < CLT_MOVES_TO_SHARE || count > UINT32_MAX )
    {
        return ( cltProxyCheck ){ .allExist = AllExist( table, proxies, count ) };
    }
    CheckPass pass = { .table = table, .proxies = proxies };
    cltWorkerPool_Run( pool, CheckRange, (uint32_t)count, CHECK_GRAIN, &pass );
    return ( cltProxyCheck ){ .allExist = pass.missing == 0, .ascend = pass.unordered == 0 };
}

// ------------------------------------------------------------------------------------------------------------ moves

/// Largest number of ranges: with more threads, the memory bus limits the speed. The smallest range is about 10
/// microseconds of work.
#define MAX_MOVE_RANGES 64u
#define MIN_MOVES_A_RANGE 4096u

/// Moves between a prefetch and its use: they take about as long as a memory access.
#define MOVES_AHEAD 16u

/// A word of four states that are all 1.
#define EACH_OF_FOUR 0x01010101u

/// A range of moves for one thread, and its results.
typedef struct MoveRange
{
    size_t next; ///< the next move to make
    size_t end;
    uint32_t* listed; ///< proxies that changed; at most as many as the range has moves
    uint32_t listedCount;
    bool differ; ///< some box changed
} MoveRange;

typedef struct Moves
{
    cltAabb* tableBoxes; ///< boxes of the table, by id
    cltAabb* before;     ///< previous boxes, by id; NULL: not kept
    uint8_t* states;
    const cltProxyId* proxies;
    const cltAabb* boxes;
} Moves;

typedef struct MovePass
{
    Moves moves;
    MoveRange ranges[MAX_MOVE_RANGES];
} MovePass;

/// Lists a proxy that will get a new box, unless it is listed already.
static inline void ListMoved( const Moves* moves, MoveRange* range, cltProxyId proxy )
{
    if ( ( moves->states[proxy] & CLT_SLOT_CHANGED ) == 0 )
    {
        if ( moves->before != NULL )
        {
            moves->before[proxy] = moves->tableBoxes[proxy];
        }
        moves->states[proxy] |= CLT_SLOT_CHANGED;
        range->listed[range->listedCount++] = proxy;
    }
}

static inline bool AreFourUnlisted( const Moves* moves, cltProxyId first )
{
    uint32_t states;
    memcpy( &states, moves->states + first, sizeof states );
    return ( states & CLT_SLOT_CHANGED * EACH_OF_FOUR ) == 0;
}

static inline void ListFour( const Moves* moves, MoveRange* range, cltProxyId first )
{
    uint32_t states;
    if ( moves->before != NULL )
    {
        memcpy( moves->before + first, moves->tableBoxes + first, 4u * sizeof *moves->before );
    }
    memcpy( &states, moves->states + first, sizeof states );
    states |= CLT_SLOT_CHANGED * EACH_OF_FOUR;
    memcpy( moves->states + first, &states, sizeof states );
    for ( uint32_t i = 0; i < 4u; ++i )
    {
        range->listed[range->listedCount + i] = first + i;
    }
    range->listedCount += 4u;
}

/// Of four consecutive proxies, lists each that has a new box. \param same  the result of cltAabb_SameOfFour
static inline void ListDiffering( const Moves* moves, MoveRange* range, cltProxyId first, uint32_t same )
{
    for ( uint32_t i = 0; i < 4u; ++i )
    {
        if ( ( same >> ( CLT_SAME_BITS * i ) & 1u ) == 0 )
        {
            range->differ = true;
            ListMoved( moves, range, first + i );
        }
    }
}

/// Makes the next move. \return false if the current or the new box has a NaN; the move is then not made
static inline bool MakeMove( const Moves* moves, MoveRange* range )
{
    const cltProxyId proxy = moves->proxies[range->next];
    const cltAabb box = moves->boxes[range->next];
    cltAabb* place = moves->tableBoxes + proxy;
    if ( !cltAabb_IsSame( place, &box ) )
    {
        if ( cltAabb_AnyNan( place, &box ) )
        {
            return false;
        }
        range->differ = true;
        ListMoved( moves, range, proxy );
    }
    *place = box; // even if equal: -0 and +0 are equal, and the bits of the new box are kept
    ++range->next;
    return true;
}

/// True if the next four moves are of consecutive proxies.
static inline bool AreFourInARow( const Moves* moves, const MoveRange* range )
{
    const cltProxyId* next = moves->proxies + range->next;
    return range->end - range->next >= 4u && next[3] - next[0] == 3u &&
           ( ( next[1] - next[0] == 1u ) & ( next[2] - next[0] == 2u ) ) != 0;
}

/// Makes the next four moves, of consecutive proxies. \return false if there is a NaN
static inline bool MakeFourMoves( const Moves* moves, MoveRange* range )
{
    const cltProxyId first = moves->proxies[range->next];
    const cltAabb* boxes = moves->boxes + range->next;
    cltAabb* tableBoxes = moves->tableBoxes + first;
    bool anyNan;
    const uint32_t same = cltAabb_SameOfFour( tableBoxes, boxes, &anyNan );
    if ( anyNan )
    {
        return false;
    }
    if ( same == 0 && AreFourUnlisted( moves, first ) )
    {
        range->differ = true;
        ListFour( moves, range, first );
    }
    else
    {
        ListDiffering( moves, range, first, same );
    }
    memcpy( tableBoxes, boxes, 4u * sizeof *tableBoxes );
    range->next += 4u;
    return true;
}

/// Makes the moves of a range, up to the first that has a NaN.
static void MakeMoves( const Moves* all, MoveRange* range )
{
    const Moves moves = *all; // copies stay in registers, because byte writes cannot alias them
    MoveRange made = *range;
    bool goesOn = true;
    while ( goesOn && made.next < made.end )
    {
        if ( AreFourInARow( &moves, &made ) && MakeFourMoves( &moves, &made ) )
        {
            continue;
        }
        if ( made.next + MOVES_AHEAD < made.end )
        {
            cltPrefetchForWriting( moves.tableBoxes + moves.proxies[made.next + MOVES_AHEAD] );
        }
        goesOn = MakeMove( &moves, &made );
    }
    *range = made;
}

static void MakeRanges( uint32_t first, uint32_t last, void* context )
{
    MovePass* pass = context;
    for ( uint32_t range = first; range < last; ++range )
    {
        MakeMoves( &pass->moves, pass->ranges + range );
    }
}

/// Appends the list of a range to that of the table.
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

/// Makes the rest of a range: moves with a NaN by cltProxyTable_Move, the moves between them by MakeMoves.
static void FinishRange( cltProxyTable* table, const Moves* moves, MoveRange* range )
{
    for ( TakeListed( table, range ); range->next < range->end; TakeListed( table, range ) )
    {
        cltProxyTable_Move( table, moves->proxies[range->next], moves->boxes + range->next );
        ++range->next;
        range->listed = (uint32_t*)table->changed.data + table->changedCount;
        MakeMoves( moves, range );
    }
}

/// True if a change only writes and lists a box: no box is in lanes, no proxy is at rest, and queries have no tree of
/// current boxes.
static bool OnlyLists( const cltProxyTable* table )
{
    return cltProxyTable_Lanes( table ) == NULL && table->precision == clt_precisionFloat &&
           !cltRest_IsAnyAtRest( &table->rest ) && table->queries->indexedSlots == 0;
}

/// Moves per range. \param[out] rangeCount  number of ranges
static size_t RangeSize( size_t count, uint32_t* rangeCount )
{
    const size_t equal = count / MAX_MOVE_RANGES + 1u;
    const size_t size = equal > MIN_MOVES_A_RANGE ? equal : MIN_MOVES_A_RANGE;
    *rangeCount = (uint32_t)( ( count + size - 1u ) / size );
    return size;
}

/// Splits the moves into ranges: into only one if two threads could change the same proxy, or if the lists do not fit.
static uint32_t SplitMoves( const cltProxyTable* table, MoveRange* ranges, size_t count, bool ascend )
{
    uint32_t* end = (uint32_t*)table->changed.data + table->changedCount;
    const bool isShared = ascend && count <= table->capacity - table->changedCount;
    uint32_t rangeCount = 1;
    const size_t size = isShared ? RangeSize( count, &rangeCount ) : count;
    for ( uint32_t range = 0; range < rangeCount; ++range )
    {
        const size_t first = range * size;
        const size_t rest = count - first;
        ranges[range] = ( MoveRange ){
            .next = first, .end = rest < size ? count : first + size, .listed = isShared ? end + first : end };
    }
    return rangeCount;
}

void cltProxyTable_MoveAll( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes,
                            cltProxyCheck check, cltWorkerPool* pool )
{
    if ( count == 0 || !OnlyLists( table ) )
    {
        cltProxyTable_MoveEach( table, count, proxies, boxes );
        return;
    }
    MovePass pass;
    pass.moves = ( Moves ){ .tableBoxes = table->boxes.data,
                            .before = table->before.data,
                            .states = table->states.data,
                            .proxies = proxies,
                            .boxes = boxes };
    const uint32_t rangeCount = SplitMoves( table, pass.ranges, count, check.ascend );
    cltWorkerPool_Run( pool, MakeRanges, rangeCount, 1u, &pass );
    for ( uint32_t range = 0; range < rangeCount; ++range )
    {
        FinishRange( table, &pass.moves, pass.ranges + range );
    }
}
