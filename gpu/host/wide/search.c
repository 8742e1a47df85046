// SPDX-License-Identifier: Zlib
// Searches all ordered blocks, each against later blocks only, and all unsorted lanes; or searches the movers alone. A
// search is split into tasks. If the keys of a task do not fit, the task is repeated with a larger buffer, and the keys
// of all other tasks are kept.

#include "gpu/host/wide/wide.h"
#include "gpu/platform/system.h"

/// Blocks per task: 10 to 20 microseconds of work, so that no thread waits longer than that for the last task.
#define ORDERED_GRAIN 16u
#define MOVER_GRAIN 32u
#define UNSORTED_GRAIN 8u

/// One kind of search over some blocks.
typedef struct SearchPass
{
    const cltWideKernels* kernels;
    const cltWideSearch* search;
    const uint32_t* listed; ///< only the movers of these blocks search; NULL: all lanes of blocks from `first` on
    uint32_t first;
    uint32_t count; ///< the number of blocks
    uint32_t grain;
    const uint32_t* tasks; ///< the numbers of the tasks to run; NULL: all tasks
    uint32_t* undone;      ///< the numbers of the tasks with keys that did not fit
    uint64_t undoneCount;
} SearchPass;

static bool RunTask( const SearchPass* pass, uint32_t task )
{
    const uint32_t first = task * pass->grain;
    const uint32_t rest = pass->count - first;
    const uint32_t count = rest < pass->grain ? rest : pass->grain;
    if ( cltPairSink_IsFull( pass->search->sink ) )
    {
        return false;
    }
    return pass->listed != NULL
               ? pass->kernels->searchMovers( pass->search, pass->listed + first, count )
               : pass->kernels->searchBlocks( pass->search, pass->first + first, pass->first + first + count );
}

static void RunTasks( uint32_t first, uint32_t last, void* context )
{
    SearchPass* pass = context;
    for ( uint32_t i = first; i < last; ++i )
    {
        const uint32_t task = pass->tasks != NULL ? pass->tasks[i] : i;
        if ( !RunTask( pass, task ) )
        {
            pass->undone[cltClaim( &pass->undoneCount, 1u )] = task;
        }
    }
}

/// Grows the sink for the remaining tasks, by the average number of keys of the finished tasks.
static cltStatus GrowSink( cltPairSink* sink, cltMemory* memory, uint64_t foundBefore, uint32_t taskCount,
                           uint32_t leftCount )
{
    const uint64_t capacity = cltPairSink_Capacity( sink );
    const uint32_t doneCount = taskCount > leftCount ? taskCount - leftCount : 1u;
    const uint64_t found = capacity - foundBefore;
    const uint64_t more = found / doneCount * leftCount;
    return cltPairSink_Grow( sink, memory, capacity + capacity / 2u + more );
}

static cltStatus RunSearchPass( cltWide* wide, SearchPass pass )
{
    cltPairSink* sink = pass.search->sink;
    const uint64_t foundBefore = sink->next;
    const uint32_t taskCount = ( pass.count + pass.grain - 1u ) / pass.grain;
    CLT_TRY( cltBuffer_Reserve( &wide->tasks, wide->memory, 2u * (size_t)taskCount, sizeof( uint32_t ) ) );
    uint32_t* lists = wide->tasks.data;
    pass.kernels = wide->kernels;
    for ( uint32_t left = taskCount, round = 0; left > 0; ++round )
    {
        pass.undone = lists + ( round % 2u ) * taskCount;
        pass.undoneCount = 0;
        cltWorkerPool_Run( wide->activePool, RunTasks, left, 1u, &pass );
        pass.tasks = pass.undone;
        left = (uint32_t)pass.undoneCount;
        if ( left > 0 )
        {
            CLT_TRY( GrowSink( sink, wide->memory, foundBefore, taskCount, left ) );
        }
    }
    return clt_ok;
}

cltWideSearch cltWide_SearchOf( const cltWide* wide, cltWideFind find, const cltSearchInput* input, cltPairSink* sink )
{
    const cltLanes* lanes = &wide->lanes;
    const bool prunes =
        wide->tree.hasFilters && input->filters.now != NULL; // hasFilters may be due to bodies destroyed since then
    return ( cltWideSearch ){ .current = cltLanes_Current( lanes ),
                              .previous = cltLanes_Previous( lanes ),
                              .movers = cltMovers_Masks( &wide->movers ),
                              .refs = cltLanes_Refs( lanes ),
                              .tree = &wide->tree.levels,
                              .filters = prunes ? wide->tree.filterLevels : NULL,
                              .blockFilters = cltBlockFilters_Blocks( &lanes->filters ),
                              .outlierBlockCount = cltBlocksFor( lanes->outlierCount ),
                              .orderedEnd = lanes->orderedEnd,
                              .blockCount = lanes->blockCount,
                              .onlyMoversDiffer = cltWide_IsFew( wide ),
                              .boxesDecide = !input->slots.isDouble && input->filters.now == input->filters.before,
                              .find = find,
                              .input = input,
                              .slotBits = cltIndexBits( input->slots.count ),
                              .sink = sink };
}

static cltStatus SearchWithAll( cltWide* wide, const cltWideSearch* search )
{
    const cltBlockList* unsorted = cltMovers_SetRange( &wide->movers, search->orderedEnd, search->blockCount );
    CLT_TRY( RunSearchPass( wide, ( SearchPass ){ .search = search,
                                                  .first = CLT_OUTLIER_BLOCKS,
                                                  .count = search->orderedEnd - CLT_OUTLIER_BLOCKS,
                                                  .grain = ORDERED_GRAIN } ) );
    CLT_TRY( RunSearchPass( wide, ( SearchPass ){ .search = search,
                                                  .listed = unsorted->blocks.data,
                                                  .count = unsorted->count,
                                                  .grain = UNSORTED_GRAIN } ) );
    return RunSearchPass(
        wide, ( SearchPass ){ .search = search, .count = search->outlierBlockCount, .grain = CLT_OUTLIER_BLOCKS } );
}

static cltStatus SearchWithMovers( cltWide* wide, const cltWideSearch* search )
{
    const cltBlockList* movers = &wide->movers.now;
    return RunSearchPass(
        wide, ( SearchPass ){
                  .search = search, .listed = movers->blocks.data, .count = movers->count, .grain = MOVER_GRAIN } );
}

static cltStatus FindWideChanges( cltWide* wide, const cltSearchInput* input, cltPairSink* sink )
{
    sink->hasSplits = wide->lanes.split;
    cltWideSearch search = cltWide_SearchOf( wide, clt_wideChanges, input, sink );
    search.find = search.boxesDecide ? clt_wideChanges : clt_wideTouching;
    return cltWide_IsFew( wide ) ? SearchWithMovers( wide, &search ) : SearchWithAll( wide, &search );
}

/// Removes keys that repeated tasks found twice. Must be called before near pairs add duplicate keys, which must stay.
static cltStatus DropRepeats( cltWide* wide, uint32_t slotBits, cltPairSink* sink )
{
    if ( sink->hasRepeats )
    {
        CLT_TRY( cltRadixSort_Run( &wide->order.sort, wide->activePool, wide->memory, &sink->buffer, (size_t)sink->next,
                                   0, 2u * slotBits + 1u ) );
        cltPairSink_DropRepeats( sink );
        sink->hasRepeats = false;
    }
    return clt_ok;
}

static cltStatus FindWidePairs( cltWide* wide, const cltSearchInput* input, cltPairSink* sink )
{
    cltWide_WakePool( wide, wide->lanes.end ); // for a search of all lanes, however few the update changed
    const cltWideSearch search = cltWide_SearchOf( wide, clt_widePairs, input, sink );
    return SearchWithAll( wide, &search );
}

cltStatus cltWide_Find( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input, cltPairSink* sink )
{
    cltWide* wide = (cltWide*)algorithm;
    const bool byChanges = find == clt_findChanges && !wide->isFresh;
    CLT_TRY( ( byChanges ? FindWideChanges : FindWidePairs )( wide, input, sink ) );
    if ( wide->rest != NULL && cltNearPairs_ReportCount( &wide->rest->nearPairs, find ) > 0 )
    {
        CLT_TRY( DropRepeats( wide, cltIndexBits( input->slots.count ), sink ) );
        return cltWide_ReportNearPairs( wide, find, &input->slots, sink );
    }
    return clt_ok;
}
