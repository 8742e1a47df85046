// SPDX-License-Identifier: Zlib
// Searching from a front. Each entry that is due stays where it is, goes up, goes, or gives way to others below it, the
// first of which takes its place; the rest are appended. Threads share nothing but the end of the front.

#include "gpu/host/front.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/// Levels below the root at which a front begins: 2,080 pairs at most, enough for any number of threads.
#define ENTRY_LEVEL 6u

#define BEGINNING_SHARE 16u
#define ENTRY_SHARE 4096u
#define LEAF_GRAIN 4096u

/// Pairs that wait on the way down: two more a level, and a pair has at most two times 31.
#define STACK_SIZE 128u

#define BLOCK_SIZE 256u

/// Box tests that take as long as sorting a leaf.
#define SORT_TESTS 8.0

/// By how much slacks are shortened and ways lengthened, for the roundings of their own sums.
#define SHORTER ( 1.0 - 1e-6 )
#define LONGER ( 1.0 + 1e-9 )

/// Boxes are unions of floats, which are doubles rounded outward where boxes are double: off by less than this share of
/// their largest coordinate, four bounds of them in a slack.
#define SLOP_SHARE 4.8e-7f // 2^-21

typedef struct FrontSearch
{
    cltFront* front;
    const cltFrontScene* scene;
    cltPairTree trees;
    cltPairSink* sink;
    float limit;   ///< of marks: those up to here are due
    uint64_t room; ///< entries that fit
    uint64_t entryCount;
    uint32_t shareSize; ///< entries may be more than a worker pool can count
    uint32_t shareCount;
} FrontSearch;

/// A thread's own. Lives on the stack of a task.
typedef struct FrontTask
{
    const FrontSearch* search;
    uint64_t place; ///< of the entry that is looked at, as long as it has not been filled again; UINT64_MAX: has been
    uint64_t testCount;
    uint64_t holeCount;
    uint32_t appendedCount;
    cltNodePair appended[BLOCK_SIZE];
    float marks[BLOCK_SIZE];
    cltPairBlock keys;
} FrontTask;

// ----------------------------------------------------------------------------------------------------------- the way

typedef struct WayMeasurement
{
    const cltLeaves* leaves;
    uint64_t furthest; ///< bits of a double: as long as it is not negative, they ascend as it does
} WayMeasurement;

static cltAabbD WideBox( const void* boxes, bool isDouble, uint32_t i )
{
    return isDouble ? ( (const cltAabbD*)boxes )[i] : cltAabb_ToDouble( (const cltAabb*)boxes + i );
}

static double Greater( double a, double b )
{
    return a > b ? a : b;
}

/// Of an infinity from itself none.
static double Distance( double a, double b )
{
    return a == b ? 0.0 : fabs( a - b );
}

/// How far the bound of leaf i went that went furthest.
static double WayOfLeaf( const cltLeaves* leaves, uint32_t i )
{
    const cltAabbD before = WideBox( leaves->before, leaves->isDouble, i );
    const cltAabbD now = WideBox( leaves->now, leaves->isDouble, i );
    double way = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        way = Greater( way, Distance( before.lower[axis], now.lower[axis] ) );
        way = Greater( way, Distance( before.upper[axis], now.upper[axis] ) );
    }
    return way;
}

static void MeasureLeaves( uint32_t first, uint32_t last, void* context )
{
    WayMeasurement* measurement = context;
    double furthest = 0.0;
    for ( uint32_t i = first; i < last; ++i )
    {
        if ( cltLeafRef_Kind( measurement->leaves->refs[i] ) == CLT_LEAF_MOVED )
        {
            furthest = Greater( furthest, WayOfLeaf( measurement->leaves, i ) );
        }
    }
    uint64_t bits;
    memcpy( &bits, &furthest, sizeof bits );
    uint64_t known = __atomic_load_n( &measurement->furthest, __ATOMIC_RELAXED );
    while ( bits > known && !__atomic_compare_exchange_n( &measurement->furthest, &known, bits, true, __ATOMIC_RELAXED,
                                                          __ATOMIC_RELAXED ) )
    {
    }
}

static double WayOfUpdate( const cltFrontScene* scene, cltWorkerPool* pool )
{
    WayMeasurement measurement = { scene->leaves, 0 };
    cltWorkerPool_Run( pool, MeasureLeaves, scene->searchableCount, LEAF_GRAIN, &measurement );
    double furthest;
    memcpy( &furthest, &measurement.furthest, sizeof furthest );
    return furthest;
}

static float SlopOf( const cltLevelTree* tree )
{
    const cltAabb* root = &tree->nodes[tree->levels.starts[tree->levels.top]].box;
    float reach = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = fabsf( root->lower[axis] );
        const float upper = fabsf( root->upper[axis] );
        reach = lower > reach ? lower : reach;
        reach = upper > reach ? upper : reach;
    }
    return reach * SLOP_SHARE;
}

/// What pairs by was the same in this update and the last one. In one in which filters change, nodes hold both.
static bool AreFiltersAsBefore( cltFront* front, const cltPairFilters* filters )
{
    const bool wereMixed = front->filtersWereMixed;
    const bool wereThere = front->filtersWereThere;
    front->filtersWereMixed = filters->now != filters->before;
    front->filtersWereThere = filters->now != NULL;
    return !wereMixed && !front->filtersWereMixed && wereThere == front->filtersWereThere;
}

void cltFront_BeginUpdate( cltFront* front, const cltFrontScene* scene, bool isSameOrder, cltWorkerPool* pool )
{
    const double way = WayOfUpdate( scene, pool );
    front->isNewOrder = !isSameOrder;
    const bool isAsBefore = AreFiltersAsBefore( front, &scene->leaves->filters ) && isSameOrder;
    const bool isKnown = front->isSearched || front->looksAtMarks;
    front->looksAtMarks = isKnown && isAsBefore && front->way < (double)INFINITY;
    front->isSearched = false;
    front->wayBefore = front->looksAtMarks ? front->way : 0.0;
    front->way = front->wayBefore + way;
    front->slop = cltLevels_LeafCount( &scene->tree->levels ) > 0 ? SlopOf( scene->tree ) : 0.0f;
}

/// A box that has moved by no more than `slack` since this update has not moved more than that since the last one
/// either, in which it was where the box of a leaf that moved still is: hence from the way before.
static float MarkAfter( const cltFront* front, double slack )
{
    const double spare = slack * SHORTER - (double)front->slop;
    return cltRoundDown( front->wayBefore + ( spare > 0.0 ? spare : 0.0 ) );
}

// ------------------------------------------------------------------------------------------------------------ entries

static void FlushEntries( FrontTask* task )
{
    cltFront* front = task->search->front;
    const uint64_t first = cltClaim( &front->count, task->appendedCount );
    for ( uint32_t i = 0; i < task->appendedCount && first + i < task->search->room; ++i )
    {
        ( (cltNodePair*)front->pairs.data )[first + i] = task->appended[i];
        ( (float*)front->marks.data )[first + i] = task->marks[i];
    }
    task->appendedCount = 0;
}

/// Puts an entry where the one was that is looked at, or at the end.
static void PutEntry( FrontTask* task, const cltPairPlace* place, double slack )
{
    cltFront* front = task->search->front;
    const cltNodePair pair = { place->a, place->b };
    const float mark = MarkAfter( front, slack );
    if ( task->place != UINT64_MAX )
    {
        ( (cltNodePair*)front->pairs.data )[task->place] = pair;
        ( (float*)front->marks.data )[task->place] = mark;
        task->place = UINT64_MAX;
        return;
    }
    task->appended[task->appendedCount] = pair;
    task->marks[task->appendedCount] = mark;
    if ( ++task->appendedCount == BLOCK_SIZE )
    {
        FlushEntries( task );
    }
}

/// Nothing took the place of the entry that was looked at.
static void LeaveHole( FrontTask* task )
{
    cltFront* front = task->search->front;
    ( (cltNodePair*)front->pairs.data )[task->place].a = CLT_FRONT_HOLE;
    ( (float*)front->marks.data )[task->place] = INFINITY;
    ++task->holeCount;
}

static double Lesser( double a, double b )
{
    return a < b ? a : b;
}

/// Of a pair that does not meet: while it does not, and the one above does, it stays.
static double SlackApart( const cltPairTree* trees, const cltPairPlace* place, const cltPairPlace* above )
{
    return Lesser( (double)cltPairTree_Slack( trees, place ), (double)cltPairTree_Slack( trees, above ) );
}

/// The same as cltAabb_Clearance, of the true boxes of two leaves as they are now.
static double ClearanceNow( const cltLeaves* leaves, uint32_t i, uint32_t j )
{
    const cltAabbD a = WideBox( leaves->now, leaves->isDouble, i );
    const cltAabbD b = WideBox( leaves->now, leaves->isDouble, j );
    double most = a.lower[0] - b.upper[0];
    bool isKnown = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double aFromB = a.lower[axis] - b.upper[axis];
        const double bFromA = b.lower[axis] - a.upper[axis];
        isKnown = isKnown && aFromB == aFromB && bFromA == bFromA;
        most = aFromB > most ? aFromB : most;
        most = bFromA > most ? bFromA : most;
    }
    return isKnown ? most : 0.0;
}

/// Two leaves that meet: reports what changed. The entry stays while their boxes overlap, or are apart. The pair above
/// needs no look: it meets now, and if these two are apart, they went further than their slack to come from where they
/// met, and are due again in the next update.
static void PutLeaves( FrontTask* task, const cltPairPlace* place )
{
    const cltLeaves* leaves = task->search->scene->leaves;
    cltPairBlock_Add( &task->keys, cltLeaves_Key( leaves, clt_findChanges, place->a, place->b ) );
    PutEntry( task, place, 0.5 * fabs( ClearanceNow( leaves, place->a, place->b ) ) );
}

/// Goes down from a pair that meets to where the search stops.
static void Descend( FrontTask* task, const cltPairPlace* from )
{
    const cltPairTree* trees = &task->search->trees;
    cltPairPlace stack[STACK_SIZE];
    uint32_t depth = 0;
    stack[depth++] = *from;
    while ( depth > 0 )
    {
        const cltPairPlace above = stack[--depth];
        cltPairPlace below[CLT_MOST_PAIRS_BELOW];
        const uint32_t count = cltPairTree_Below( trees, &above, below );
        for ( uint32_t k = 0; k < count; ++k )
        {
            const bool isSelf = cltPairTree_IsSelf( trees, below + k );
            const bool areLeaves = cltPairPlace_AreLeaves( below + k );
            task->testCount += !isSelf;
            if ( !cltPairTree_Meets( trees, below + k ) )
            {
                PutEntry( task, below + k, SlackApart( trees, below + k, &above ) );
            }
            else if ( !areLeaves )
            {
                stack[depth++] = below[k];
            }
            else if ( !isSelf ) // a leaf and itself is nothing to keep
            {
                PutLeaves( task, below + k );
            }
        }
    }
}

static void LookAtEntry( FrontTask* task, uint64_t entry )
{
    const cltPairTree* trees = &task->search->trees;
    const cltNodePair pair = ( (const cltNodePair*)task->search->front->pairs.data )[entry];
    cltPairPlace place = cltPairPlace_Make( trees, pair.a, pair.b );
    cltPairPlace above;
    task->place = entry;
    switch ( cltFront_MoveStep( trees, &place, &above, &task->testCount ) )
    {
    case clt_frontKeep:
        PutEntry( task, &place, SlackApart( trees, &place, &above ) );
        break;
    case clt_frontDrop:
        break;
    case clt_frontDown:
        if ( !cltPairPlace_AreLeaves( &place ) )
        {
            Descend( task, &place );
        }
        else if ( !cltPairTree_IsSelf( trees, &place ) )
        {
            PutLeaves( task, &place );
        }
        break;
    }
    if ( task->place != UINT64_MAX )
    {
        LeaveHole( task );
    }
}

static void LookAtShares( uint32_t firstShare, uint32_t lastShare, void* context )
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
    cltPairBlock_Init( &task.keys, search->sink );
    for ( uint64_t i = first; i < last; ++i )
    {
        if ( ( (const float*)front->marks.data )[i] <= search->limit &&
             ( (const cltNodePair*)front->pairs.data )[i].a != CLT_FRONT_HOLE )
        {
            LookAtEntry( &task, i );
        }
    }
    FlushEntries( &task );
    cltPairBlock_Flush( &task.keys );
    cltClaim( &front->testCount, task.testCount );
    cltClaim( &front->holeCount, task.holeCount );
}

// ---------------------------------------------------------------------------------------------------------- the front

static cltStatus MakeEntryRoom( cltFront* front, cltMemory* memory, uint64_t count )
{
    CLT_TRY( cltBuffer_Grow( &front->pairs, memory, count, sizeof( cltNodePair ) ) );
    return cltBuffer_Grow( &front->marks, memory, count, sizeof( float ) );
}

static uint64_t RoomOf( const cltFront* front )
{
    const size_t pairs = front->pairs.bytes / sizeof( cltNodePair );
    const size_t marks = front->marks.bytes / sizeof( float );
    return pairs < marks ? pairs : marks;
}

/// A front below the root, of pairs that are all due.
static cltStatus Begin( cltFront* front, const cltLevelTree* tree, cltMemory* memory )
{
    const cltNodePairs pairs = cltNodePairs_Entry( &tree->levels, &tree->levels, ENTRY_LEVEL, true );
    front->count = 0; // what is there need not be kept
    front->holeCount = 0;
    front->leafCount = 0;
    CLT_TRY( MakeEntryRoom( front, memory, cltNodePairs_Count( &pairs ) ) );
    front->count = cltNodePairs_Count( &pairs );
    for ( uint64_t k = 0; k < front->count; ++k )
    {
        ( (cltNodePair*)front->pairs.data )[k] = cltNodePairs_At( &pairs, k );
        ( (float*)front->marks.data )[k] = -INFINITY;
    }
    front->leafCount = cltLevels_LeafCount( &tree->levels );
    return clt_ok;
}

/// True if all entries found room; else `count` is how many there were.
static bool LookOnce( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                      bool isBeginning )
{
    FrontSearch search = { .front = front,
                           .scene = scene,
                           .trees = { scene->tree, scene->tree },
                           .sink = sink,
                           .limit = front->looksAtMarks ? cltRoundUp( front->way * LONGER ) : INFINITY,
                           .room = RoomOf( front ),
                           .entryCount = front->count,
                           .shareSize = isBeginning ? BEGINNING_SHARE : ENTRY_SHARE };
    search.shareCount = (uint32_t)( ( front->count + search.shareSize - 1u ) / search.shareSize );
    cltWorkerPool_Run( pool, LookAtShares, search.shareCount, 1u, &search );
    return front->count <= search.room;
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

/// Looks from where the front is, or from below the root; and where room was short once more from below the root.
static cltStatus LookAtEntries( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                                cltMemory* memory )
{
    const uint64_t foundBefore = sink->next;
    bool isBeginning = front->leafCount != cltLevels_LeafCount( &scene->tree->levels );
    if ( isBeginning )
    {
        CLT_TRY( Begin( front, scene->tree, memory ) );
    }
    else
    {
        CLT_TRY( MakeEntryRoom( front, memory, front->count + front->count / 8u ) );
    }
    while ( !LookOnce( front, scene, sink, pool, isBeginning ) )
    {
        CLT_TRY( MakeEntryRoom( front, memory, front->count + front->count / 8u ) );
        CLT_TRY( Begin( front, scene->tree, memory ) );
        sink->next = foundBefore;
        isBeginning = true;
    }
    return clt_ok;
}

/// What the entries that there would not be in a new order have cost in this update.
static void PayRent( cltFront* front )
{
    const uint64_t count = cltFront_Size( front );
    if ( front->isNewOrder )
    {
        front->countWhenNew = count;
        front->price = (double)front->testCount + SORT_TESTS * (double)front->leafCount;
        front->rent = 0.0;
    }
    else if ( count > front->countWhenNew )
    {
        front->rent += (double)front->testCount * (double)( count - front->countWhenNew ) / (double)count;
    }
}

cltStatus cltFront_FindChanges( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                                cltMemory* memory )
{
    front->testCount = 0;
    const cltStatus status = LookAtEntries( front, scene, sink, pool, memory );
    front->isSearched = status == clt_ok;
    if ( status != clt_ok )
    {
        front->leafCount = 0;
        return status;
    }
    if ( front->holeCount > front->count / 8u )
    {
        FillHoles( front );
    }
    PayRent( front );
    assert( cltFront_CoveredCount( front, scene->tree ) ==
            (uint64_t)front->leafCount * ( front->leafCount - 1u ) / 2u );
    return clt_ok;
}

uint64_t cltFront_CoveredCount( const cltFront* front, const cltLevelTree* tree )
{
    const cltPairTree trees = { tree, tree };
    uint64_t covered = 0;
    for ( uint64_t i = 0; i < front->count; ++i )
    {
        const cltNodePair pair = ( (const cltNodePair*)front->pairs.data )[i];
        if ( pair.a != CLT_FRONT_HOLE )
        {
            const cltPairPlace place = cltPairPlace_Make( &trees, pair.a, pair.b );
            covered += cltPairTree_Size( &trees, &place );
        }
    }
    return covered;
}

void cltFront_Release( cltFront* front, cltMemory* memory )
{
    cltBuffer_Release( &front->pairs, memory );
    cltBuffer_Release( &front->marks, memory );
}
