// SPDX-License-Identifier: Zlib
// Searches from a front. An entry that is due is kept, raised to an ancestor, dropped, or replaced by new entries below
// it: the first of these overwrites it, the others are appended. Threads share only the end of the array of entries.

#include "gpu/host/front.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/// A front begins this many levels below the root: with at most 2,080 pairs, enough for any number of threads.
#define ENTRY_LEVEL 6u

#define FIRST_ENTRIES_PER_TASK 16u
#define ENTRIES_PER_TASK 4096u

/// The stack size of a descent. Each step down adds at most two pairs, and there are at most 62 steps: 31 levels for
/// each node of a pair.
#define STACK_SIZE 128u

#define BLOCK_SIZE 256u
#define NO_VACANCY UINT64_MAX

typedef struct FrontSearch
{
    cltFront* front;
    const cltFrontScene* scene;
    cltPairSink* sink;
    float limit;            ///< an entry is due if its mark is at most this
    uint64_t entryCapacity; ///< capacity in entries
    uint64_t entryLimit;    ///< the search ends if there are more entries
    uint64_t entryCount;
    uint32_t shareSize; ///< entries per task: entries have 64-bit indices, and a worker pool counts in 32 bits
    uint32_t shareCount;
} FrontSearch;

/// A task's state, on its stack.
typedef struct FrontTask
{
    const FrontSearch* search;
    uint64_t vacancy; ///< the index of the current entry, or NO_VACANCY after another entry was put there
    uint64_t testCount;
    uint64_t holeCount;
    bool isOver; ///< the limit is exceeded
    uint32_t appendedCount;
    cltNodePair appended[BLOCK_SIZE];
    float marks[BLOCK_SIZE];
    cltPairBlock keys;
} FrontTask;

// ------------------------------------------------------------------------------------------------------------ entries

static void FlushEntries( FrontTask* task )
{
    cltFront* front = task->search->front;
    const uint64_t first = cltClaim( &front->count, task->appendedCount );
    for ( uint32_t i = 0; i < task->appendedCount && first + i < task->search->entryCapacity; ++i )
    {
        ( (cltNodePair*)front->pairs.data )[first + i] = task->appended[i];
        ( (float*)front->marks.data )[first + i] = task->marks[i];
    }
    task->isOver = first > task->search->entryLimit;
    task->appendedCount = 0;
}

/// Puts an entry in the place of the current one, or at the end if that place is already taken.
static void PutEntry( FrontTask* task, const cltLeveledPair* place, float slack )
{
    cltFront* front = task->search->front;
    const cltNodePair pair = { place->a, place->b };
    const float mark = cltFrontTravel_Mark( &front->travel, slack );
    if ( task->vacancy != NO_VACANCY )
    {
        ( (cltNodePair*)front->pairs.data )[task->vacancy] = pair;
        ( (float*)front->marks.data )[task->vacancy] = mark;
        task->vacancy = NO_VACANCY;
        return;
    }
    task->appended[task->appendedCount] = pair;
    task->marks[task->appendedCount] = mark;
    if ( ++task->appendedCount == BLOCK_SIZE )
    {
        FlushEntries( task );
    }
}

/// Makes the current entry a hole. Called if no other entry was put in its place.
static void LeaveHole( FrontTask* task )
{
    cltFront* front = task->search->front;
    ( (cltNodePair*)front->pairs.data )[task->vacancy].a = CLT_FRONT_HOLE;
    ( (float*)front->marks.data )[task->vacancy] = INFINITY;
    ++task->holeCount;
}

/// Reports the change, if any, of two leaves that meet, and makes an entry of them.
static void PutLeaves( FrontTask* task, const cltLeveledPair* place )
{
    const cltLeaves* leaves = task->search->scene->leaves;
    cltPairBlock_Add( &task->keys, cltLeaves_Key( leaves, clt_findChanges, place->a, place->b ) );
    PutEntry( task, place, cltLeaves_Clearance( leaves, place->a, place->b ) );
}

/// Descends from a pair that meets, and makes an entry of each pair at which the search stops.
static void Descend( FrontTask* task, const cltLeveledPair* from )
{
    const cltLevelTree* tree = task->search->scene->tree;
    cltLeveledPair stack[STACK_SIZE];
    uint32_t depth = 0;
    stack[depth++] = *from;
    while ( depth > 0 && !task->isOver )
    {
        const cltLeveledPair above = stack[--depth];
        cltLeveledPair below[CLT_MAX_PAIR_CHILDREN];
        const uint32_t count = cltPairTree_Children( tree, &above, below );
        for ( uint32_t k = 0; k < count; ++k )
        {
            const bool isSelf = cltLeveledPair_IsSelf( below + k );
            const bool areLeaves = cltLeveledPair_AreLeaves( below + k );
            task->testCount += !isSelf;
            if ( !cltPairTree_Meets( tree, below + k ) )
            {
                PutEntry( task, below + k, cltPairTree_ClearanceApart( tree, below + k, &above ) );
            }
            else if ( !areLeaves )
            {
                stack[depth++] = below[k];
            }
            else if ( !isSelf ) // a leaf paired with itself needs no entry
            {
                PutLeaves( task, below + k );
            }
        }
    }
}

static void UpdateEntry( FrontTask* task, uint64_t entry )
{
    const cltLevelTree* tree = task->search->scene->tree;
    const cltNodePair pair = ( (const cltNodePair*)task->search->front->pairs.data )[entry];
    cltLeveledPair place = cltLeveledPair_Make( tree, pair.a, pair.b );
    cltLeveledPair above;
    task->vacancy = entry;
    switch ( cltFront_TestEntryStep( tree, &place, &above, &task->testCount ) )
    {
    case clt_frontKeep:
        PutEntry( task, &place, cltPairTree_ClearanceApart( tree, &place, &above ) );
        break;
    case clt_frontDrop:
        break;
    case clt_frontDescend:
        if ( !cltLeveledPair_AreLeaves( &place ) )
        {
            Descend( task, &place );
        }
        else if ( !cltLeveledPair_IsSelf( &place ) )
        {
            PutLeaves( task, &place );
        }
        break;
    }
    if ( task->vacancy != NO_VACANCY )
    {
        LeaveHole( task );
    }
}

static void SearchFrontShares( uint32_t firstShare, uint32_t lastShare, void* context )
{
    FrontSearch* search = context;
    cltFront* front = search->front;
    const uint64_t first = (uint64_t)firstShare * search->shareSize;
    const uint64_t last =
        lastShare == search->shareCount ? search->entryCount : (uint64_t)lastShare * search->shareSize;
    FrontTask task;
    task.search = search;
    task.testCount = task.holeCount = 0;
    task.appendedCount = 0;
    task.isOver = false;
    cltPairBlock_Init( &task.keys, search->sink );
    for ( uint64_t i = first; i < last && !task.isOver; ++i )
    {
        if ( ( (const float*)front->marks.data )[i] <= search->limit &&
             ( (const cltNodePair*)front->pairs.data )[i].a != CLT_FRONT_HOLE )
        {
            UpdateEntry( &task, i );
        }
    }
    FlushEntries( &task );
    cltPairBlock_Flush( &task.keys );
    cltClaim( &front->testCount, task.testCount );
    cltClaim( &front->holeCount, task.holeCount );
}

// ---------------------------------------------------------------------------------------------------------- the front

static cltStatus EnsureEntryCapacity( cltFront* front, cltMemory* memory, uint64_t count )
{
    CLT_TRY( cltBuffer_Grow( &front->pairs, memory, count, sizeof( cltNodePair ) ) );
    return cltBuffer_Grow( &front->marks, memory, count, sizeof( float ) );
}

static uint64_t EntryCapacity( const cltFront* front )
{
    const size_t pairs = front->pairs.bytes / sizeof( cltNodePair );
    const size_t marks = front->marks.bytes / sizeof( float );
    return pairs < marks ? pairs : marks;
}

/// Begins a front with all pairs ENTRY_LEVEL levels below the root. All of them are due.
static cltStatus BeginFront( cltFront* front, const cltLevelTree* tree, cltMemory* memory )
{
    const cltNodePairs pairs = cltNodePairs_Entry( &tree->levels, &tree->levels, ENTRY_LEVEL, true );
    front->count = 0; // drops the old entries, even if memory runs out
    front->holeCount = 0;
    front->leafCount = 0;
    CLT_TRY( EnsureEntryCapacity( front, memory, cltNodePairs_Count( &pairs ) ) );
    front->count = cltNodePairs_Count( &pairs );
    for ( uint64_t k = 0; k < front->count; ++k )
    {
        ( (cltNodePair*)front->pairs.data )[k] = cltNodePairs_At( &pairs, k );
        ( (float*)front->marks.data )[k] = -INFINITY;
    }
    front->leafCount = cltLevels_LeafCount( &tree->levels );
    return clt_ok;
}

static uint64_t EntryLimit( const cltFrontScene* scene )
{
    return (uint64_t)CLT_FRONT_MAX_ENTRIES_PER_LEAF * cltLevels_LeafCount( &scene->tree->levels );
}

/// \return true if all entries fit; otherwise `front->count` is the capacity needed, or exceeds the limit
static bool SearchFrontOnce( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                             bool isBeginning )
{
    FrontSearch search = { .front = front,
                           .scene = scene,
                           .sink = sink,
                           .limit = cltFrontTravel_Limit( &front->travel ),
                           .entryCapacity = EntryCapacity( front ),
                           .entryLimit = EntryLimit( scene ),
                           .entryCount = front->count,
                           .shareSize = isBeginning ? FIRST_ENTRIES_PER_TASK : ENTRIES_PER_TASK };
    search.shareCount = (uint32_t)( ( front->count + search.shareSize - 1u ) / search.shareSize );
    cltWorkerPool_Run( pool, SearchFrontShares, search.shareCount, 1u, &search );
    return front->count <= search.entryCapacity;
}

static void FillHoles( cltFront* front )
{
    cltNodePair* pairs = front->pairs.data;
    float* marks = front->marks.data;
    uint64_t kept = 0;
    for ( uint64_t i = 0; i < front->count; ++i )
    {
        pairs[kept] = pairs[i];
        marks[kept] = marks[i];
        kept += pairs[i].a != CLT_FRONT_HOLE;
    }
    front->count = kept;
    front->holeCount = 0;
}

/// Searches from the front, if this tree has one. If not, or if entries did not fit, searches from below the root. Ends
/// early if entries exceed the limit.
static cltStatus SearchFrontUntilItFits( cltFront* front, const cltFrontScene* scene, cltPairSink* sink,
                                         cltWorkerPool* pool, cltMemory* memory )
{
    const uint64_t foundBefore = sink->next;
    bool isBeginning = front->leafCount != cltLevels_LeafCount( &scene->tree->levels );
    if ( isBeginning )
    {
        CLT_TRY( BeginFront( front, scene->tree, memory ) );
    }
    else
    {
        CLT_TRY( EnsureEntryCapacity( front, memory, front->count + front->count / 8u ) );
    }
    while ( !SearchFrontOnce( front, scene, sink, pool, isBeginning ) && front->count <= EntryLimit( scene ) )
    {
        CLT_TRY( EnsureEntryCapacity( front, memory, front->count + front->count / 8u ) );
        CLT_TRY( BeginFront( front, scene->tree, memory ) );
        sink->next = foundBefore;
        isBeginning = true;
    }
    return clt_ok;
}

cltStatus cltFront_FindChanges( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                                cltMemory* memory )
{
    const uint64_t foundBefore = sink->next;
    front->testCount = 0;
    const cltStatus status = SearchFrontUntilItFits( front, scene, sink, pool, memory );
    front->isSearched = status == clt_ok && front->count <= EntryLimit( scene );
    if ( !front->isSearched )
    {
        sink->next = foundBefore;
        front->leafCount = 0;
        front->count = front->holeCount = 0;
        cltFront_Release( front, memory );
        return status;
    }
    if ( front->holeCount > front->count / 8u )
    {
        FillHoles( front );
    }
    cltFrontCost_AddSearch( &front->frontCost, front->isNewOrder, cltFront_Size( front ), front->testCount,
                            front->leafCount );
    assert( cltFront_CoveredCount( front, scene->tree ) ==
            (uint64_t)front->leafCount * ( front->leafCount - 1u ) / 2u );
    return clt_ok;
}

uint64_t cltFront_CoveredCount( const cltFront* front, const cltLevelTree* tree )
{
    uint64_t covered = 0;
    for ( uint64_t i = 0; i < front->count; ++i )
    {
        const cltNodePair pair = ( (const cltNodePair*)front->pairs.data )[i];
        if ( pair.a != CLT_FRONT_HOLE )
        {
            const cltLeveledPair place = cltLeveledPair_Make( tree, pair.a, pair.b );
            covered += cltPairTree_LeafPairCount( tree, &place );
        }
    }
    return covered;
}

void cltFront_Release( cltFront* front, cltMemory* memory )
{
    cltBuffer_Release( &front->pairs, memory );
    cltBuffer_Release( &front->marks, memory );
}

// ------------------------------------------------------------------------------------- beginning an update

#define LEAF_GRAIN 4096u

typedef struct DisplacementSearch
{
    const cltLeaves* leaves;
    uint64_t furthest; ///< the largest displacement: the bits of a double, which order as non-negative doubles do
} DisplacementSearch;

static void MeasureDisplacements( uint32_t first, uint32_t last, void* context )
{
    DisplacementSearch* measurement = context;
    double furthest = 0.0;
    for ( uint32_t i = first; i < last; ++i )
    {
        const double travel = cltLeaves_Displacement( measurement->leaves, i );
        furthest = travel > furthest ? travel : furthest;
    }
    uint64_t bits;
    memcpy( &bits, &furthest, sizeof bits );
    uint64_t known = __atomic_load_n( &measurement->furthest, __ATOMIC_RELAXED );
    while ( bits > known && !__atomic_compare_exchange_n( &measurement->furthest, &known, bits, true, __ATOMIC_RELAXED,
                                                          __ATOMIC_RELAXED ) )
    {
    }
}

static double LargestDisplacement( const cltFrontScene* scene, cltWorkerPool* pool )
{
    DisplacementSearch measurement = { scene->leaves, 0 };
    cltWorkerPool_Run( pool, MeasureDisplacements, scene->searchableCount, LEAF_GRAIN, &measurement );
    double furthest;
    memcpy( &furthest, &measurement.furthest, sizeof furthest );
    return furthest;
}

/// Whether filters changed neither in this update nor in the previous one. In an update that changes filters, each node
/// has the union of its previous and current filters. One update later that union has shrunk: parents of entries may no
/// longer meet, so all entries are tested and raised at once (cltFront_TestEntryStep). If new bodies bring the first
/// filters, no case is needed here: they also bring a new order, for which all entries are tested.
static bool AreFiltersUnchanged( cltFront* front, const cltPairFilters* filters )
{
    const bool wereMixed = front->filtersWereMixed;
    front->filtersWereMixed = filters->now != filters->before;
    return !wereMixed && !front->filtersWereMixed;
}

void cltFront_BeginUpdate( cltFront* front, const cltFrontScene* scene, bool isSameOrder, cltWorkerPool* pool )
{
    const double travel = LargestDisplacement( scene, pool );
    const cltLevelNode nothing = cltLevelNode_Empty();
    const cltLevels* levels = &scene->tree->levels;
    const bool isTree = cltLevels_LeafCount( levels ) > 0;
    const cltLevelNode* root = isTree ? scene->tree->nodes + levels->starts[levels->top] : &nothing;
    const bool isAsBefore = AreFiltersUnchanged( front, &scene->leaves->filters ) && isSameOrder;
    const bool isKnown = front->isSearched || front->travel.areMarksValid;
    const cltFrontTravel last = front->travel;
    front->isNewOrder = !isSameOrder;
    front->isSearched = false;
    front->travel = cltFrontTravel_Add( &last, isKnown && isAsBefore, travel, &root->box );
}
