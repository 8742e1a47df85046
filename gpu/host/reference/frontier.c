// SPDX-License-Identifier: Zlib
// `frontier` on the host. A pass writes the pairs that it finds to an array for the next pass. Pairs that do not fit
// are searched down to the leaves at once, by the thread that found them. So no pair is lost or found twice, whatever
// the capacity.

#include "gpu/host/reference/reference.h"

#include "bridge/cullet_bits.h"

#include <string.h>

#define ADD_LEAF_GRAIN 2048u

/// Entry tiles per task, and pairs of a pass per task.
#define ENTRY_GRAIN 64u
#define PAIRS_PER_TASK 512u

/// Pairs buffered for the next pass.
#define KEPT_COUNT 256u

typedef struct Passes
{
    const cltReference* reference;
    cltLevelTree tree;
    cltPairSink* sink;
    cltFind find;
    uint32_t depthStep;
    uint32_t above; ///< the level of the pairs that the pass reads
    uint32_t level; ///< the level of the pairs that the pass tests
    cltNodePairs entry;
    const cltNodePair* from; ///< the result of the previous pass; NULL in the first
    uint64_t fromCount;
    cltNodePair* to;
    uint64_t room;
    uint64_t next;                        ///< pairs in `to`; may exceed the capacity
    uint64_t testCount;                   ///< of all passes
    uint64_t foundCounts[CLT_MAX_LEVELS]; ///< pairs that met, by level
} Passes;

/// A task's state.
typedef struct DepthWalk
{
    Passes* passes;
    bool isDeep; ///< searches down to the leaves, instead of writing pairs for the next pass
    cltPairBlock block;
    uint64_t testCount;
    uint64_t foundCounts[CLT_MAX_LEVELS];
    uint32_t keptCount;
    cltNodePair kept[KEPT_COUNT];
} DepthWalk;

static void AddLeaves( uint32_t first, uint32_t last, void* context )
{
    const cltReference* reference = context;
    const cltLevelTree* tree = &reference->frontier.tree;
    for ( uint32_t i = first; i < last; ++i )
    {
        if ( i < reference->table.searchableCount )
        {
            cltLevelTree_AddLeafStep( tree, &reference->table.leaves, i );
        }
        else
        {
            tree->nodes[i] = cltLevelNode_Empty();
        }
    }
}

void cltReference_FillLevels( cltReference* reference )
{
    const cltLevelTree* tree = &reference->frontier.tree;
    cltWorkerPool_Run( reference->resources.pool, AddLeaves, cltLevels_LeafCount( &tree->levels ), ADD_LEAF_GRAIN,
                       reference );
    cltLevelTree_ComputeInnerNodes( tree, reference->resources.pool );
}

cltStatus cltReference_BuildLevels( cltReference* reference, uint32_t slotCount, uint32_t changedCount )
{
    cltFrontier* frontier = &reference->frontier;
    cltMemory* memory = reference->resources.memory;
    const uint32_t leafCount = reference->table.searchableCount;
    const bool recordsMoves = changedCount < slotCount / CLT_FEW_MOVERS_RATIO;
    CLT_TRY( cltLevelStorage_Make( &frontier->room, memory, leafCount, recordsMoves, &frontier->tree ) );
    const uint64_t wanted = frontier->peak + frontier->peak / 8u + leafCount;
    for ( int i = 0; i < 2; ++i ) // if out of memory, pairs that do not fit are searched at once
    {
        (void)cltBuffer_Reserve( frontier->pairs + i, memory, wanted, sizeof( cltNodePair ) );
    }
    cltReference_FillLevels( reference );
    return clt_ok;
}

static void GoBelow( DepthWalk* walk, cltNodePair pair, uint32_t level );

/// Writes buffered pairs to the array for the next pass, and searches the pairs that do not fit.
static void FlushKept( DepthWalk* walk, uint32_t level )
{
    Passes* passes = walk->passes;
    const uint32_t count = walk->keptCount;
    const uint64_t first = cltClaim( &passes->next, count );
    const uint64_t room = first < passes->room ? passes->room - first : 0;
    const uint32_t fitting = room < count ? (uint32_t)room : count;
    if ( fitting > 0 )
    {
        memcpy( passes->to + first, walk->kept, fitting * sizeof( cltNodePair ) );
    }
    walk->isDeep = true;
    for ( uint32_t i = fitting; i < count; ++i )
    {
        GoBelow( walk, walk->kept[i], level );
    }
    walk->isDeep = false;
    walk->keptCount = 0;
}

/// Tests the pairs of a tile. If two leaves meet, their exact boxes are tested. If two inner nodes meet, the pair is
/// kept for the next pass or searched now.
static void TestTile( DepthWalk* walk, const cltNodePairs* tile, uint32_t level )
{
    const Passes* passes = walk->passes;
    uint32_t meeting = cltNodePairs_Meeting( tile, &passes->tree, &passes->tree );
    meeting &= level == 0 && tile->isTriangle ? ~CLT_TILE_DIAGONAL : UINT32_MAX;
    walk->testCount += cltNodePairs_Count( tile );
    walk->foundCounts[level] += cltBitCount( meeting );
    for ( ; meeting != 0; meeting &= meeting - 1u )
    {
        const cltNodePair pair = cltNodePairs_OfBit( tile, cltLowestBit( meeting ) );
        if ( level == 0 )
        {
            cltPairBlock_Add( &walk->block,
                              cltLeaves_Key( &passes->reference->table.leaves, passes->find, pair.a, pair.b ) );
        }
        else if ( walk->isDeep )
        {
            GoBelow( walk, pair, level );
        }
        else
        {
            walk->kept[walk->keptCount++] = pair;
            if ( walk->keptCount == KEPT_COUNT )
            {
                FlushKept( walk, level );
            }
        }
    }
}

static void GoBelow( DepthWalk* walk, cltNodePair pair, uint32_t level )
{
    const Passes* passes = walk->passes;
    const cltLevels* levels = &passes->tree.levels;
    const uint32_t step = passes->depthStep < level ? passes->depthStep : level;
    const cltNodePairs below = cltNodePair_Below( levels, level, levels, level, pair, step, pair.a == pair.b );
    const cltNodePairs tiles = cltNodePairs_Tiles( &below );
    for ( uint32_t i = 0; i < tiles.a.count; ++i )
    {
        for ( uint32_t j = tiles.isTriangle ? i : 0u; j < tiles.b.count; ++j )
        {
            const cltNodePairs tile = cltNodePairs_Tile( &below, ( cltNodePair ){ i, j } );
            TestTile( walk, &tile, level - step );
        }
    }
}

static void BeginWalk( DepthWalk* walk, Passes* passes )
{
    walk->passes = passes;
    walk->isDeep = false;
    walk->testCount = 0;
    walk->keptCount = 0;
    memset( walk->foundCounts, 0, sizeof walk->foundCounts );
    cltPairBlock_Init( &walk->block, passes->sink );
}

static void EndWalk( DepthWalk* walk )
{
    FlushKept( walk, walk->passes->level );
    cltPairBlock_Flush( &walk->block );
    cltClaim( &walk->passes->testCount, walk->testCount );
    for ( uint32_t level = 0; level <= walk->passes->level; ++level )
    {
        if ( walk->foundCounts[level] > 0 )
        {
            cltClaim( walk->passes->foundCounts + level, walk->foundCounts[level] );
        }
    }
}

static void TestEntry( uint32_t first, uint32_t last, void* context )
{
    Passes* passes = context;
    const cltNodePairs tiles = cltNodePairs_Tiles( &passes->entry );
    DepthWalk walk;
    BeginWalk( &walk, passes );
    for ( uint32_t k = first; k < last; ++k )
    {
        const cltNodePairs tile = cltNodePairs_Tile( &passes->entry, cltNodePairs_At( &tiles, k ) );
        TestTile( &walk, &tile, passes->level );
    }
    EndWalk( &walk );
}

static void TestBelow( uint32_t firstTask, uint32_t lastTask, void* context )
{
    Passes* passes = context;
    const uint64_t most = (uint64_t)lastTask * PAIRS_PER_TASK;
    const uint64_t end = most < passes->fromCount ? most : passes->fromCount;
    DepthWalk walk;
    BeginWalk( &walk, passes );
    for ( uint64_t k = (uint64_t)firstTask * PAIRS_PER_TASK; k < end; ++k )
    {
        GoBelow( &walk, passes->from[k], passes->above );
    }
    EndWalk( &walk );
}

static Passes BeginPasses( const cltReference* reference, cltFind find, cltPairSink* sink )
{
    const cltResearchDef* research = reference->resources.def->research;
    const uint32_t entryLevel = research->entryLevel < 0 ? CLT_ENTRY_LEVEL : (uint32_t)research->entryLevel;
    Passes passes = { .reference = reference,
                      .tree = reference->frontier.tree,
                      .sink = sink,
                      .find = find,
                      .depthStep = (uint32_t)research->depthStep };
    const cltLevels* levels = &passes.tree.levels;
    passes.level = levels->top - ( entryLevel < levels->top ? entryLevel : levels->top );
    passes.entry = cltNodePairs_Entry( levels, levels, entryLevel, true );
    if ( find == clt_findPairs )
    {
        passes.tree.moves = NULL; // a search for all pairs also finds pairs of two still bodies
    }
    return passes;
}

/// Swaps the buffers: each pass reads the output of the previous one.
static void NextPass( Passes* passes, const cltBuffer buffers[2], uint32_t pass )
{
    const cltBuffer* to = buffers + pass % 2u;
    passes->from = buffers[( pass + 1u ) % 2u].data;
    passes->fromCount = passes->next < passes->room ? passes->next : passes->room;
    passes->to = to->data;
    passes->room = to->bytes / sizeof( cltNodePair );
    passes->next = 0;
}

void cltReference_RunPasses( cltReference* reference, cltFind find, cltPairSink* sink )
{
    cltFrontier* frontier = &reference->frontier;
    cltWorkerPool* pool = reference->resources.pool;
    Passes passes = BeginPasses( reference, find, sink );
    const cltNodePairs tiles = cltNodePairs_Tiles( &passes.entry );
    const uint32_t passCount = cltFrontier_PassCount( passes.level, passes.depthStep );
    NextPass( &passes, frontier->pairs, 0 );
    cltWorkerPool_Run( pool, TestEntry, (uint32_t)cltNodePairs_Count( &tiles ), ENTRY_GRAIN, &passes );
    for ( uint32_t pass = 1; pass < passCount; ++pass )
    {
        passes.above = passes.level;
        passes.level -= passes.depthStep < passes.level ? passes.depthStep : passes.level;
        NextPass( &passes, frontier->pairs, pass );
        const uint64_t taskCount = ( passes.fromCount + PAIRS_PER_TASK - 1u ) / PAIRS_PER_TASK;
        cltWorkerPool_Run( pool, TestBelow, (uint32_t)taskCount, 1u, &passes );
    }
    frontier->passCount = passCount;
    frontier->testCount = passes.testCount;
    frontier->peak = 0;
    for ( uint32_t level = 1; level < CLT_MAX_LEVELS; ++level )
    {
        frontier->peak = passes.foundCounts[level] > frontier->peak ? passes.foundCounts[level] : frontier->peak;
    }
}

// ---------------------------------------------------------------------------------------------------- a front

// With a front the order of leaves is kept from update to update, the tree has spare leaves so that its shape stays the
// same, and a search begins at the node pairs at which the last search stopped.

cltStatus cltReference_ArrangeLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount )
{
    cltFrontier* frontier = &reference->frontier;
    const bool mayStay = frontier->isOrdered && !cltFrontCost_ShouldSort( &frontier->front.frontCost );
    if ( mayStay && cltReference_UpdateLeaves( reference, slots, appearedCount ) )
    {
        return clt_ok;
    }
    frontier->isOrdered = false;
    frontier->isNewOrder = true;
    CLT_TRY( cltReference_MakeLeaves( reference, slots, false ) );
    frontier->isOrdered = true;
    return clt_ok;
}

cltStatus cltReference_BuildFrontTree( cltReference* reference )
{
    cltFrontier* frontier = &reference->frontier;
    frontier->leafCapacity = cltFront_LeafCapacity( reference->table.searchableCount, frontier->leafCapacity );
    CLT_TRY( cltLevelStorage_Make( &frontier->room, reference->resources.memory, frontier->leafCapacity, false,
                                   &frontier->tree ) );
    cltReference_FillLevels( reference );
    return clt_ok;
}

static cltFrontScene SceneOf( const cltReference* reference )
{
    return ( cltFrontScene ){ &reference->frontier.tree, &reference->table.leaves, reference->table.searchableCount };
}

void cltReference_BeginFront( cltReference* reference )
{
    cltFrontier* frontier = &reference->frontier;
    const cltFrontScene scene = SceneOf( reference );
    cltFront_BeginUpdate( &frontier->front, &scene, !frontier->isNewOrder, reference->resources.pool );
    frontier->isNewOrder = false;
}

cltStatus cltReference_SearchFromFront( cltReference* reference, cltPairSink* sink )
{
    cltFrontier* frontier = &reference->frontier;
    const cltFrontScene scene = SceneOf( reference );
    CLT_TRY( cltFront_FindChanges( &frontier->front, &scene, sink, reference->resources.pool,
                                   reference->resources.memory ) );
    if ( !frontier->front.isSearched )
    {
        frontier->frontlessUpdates = CLT_FRONTLESS_UPDATES;
        frontier->isOrdered = false;
        cltReference_RunPasses( reference, clt_findChanges, sink );
        frontier->testCount += frontier->front.testCount;
        return clt_ok;
    }
    frontier->testCount = frontier->front.testCount;
    frontier->passCount = 1;
    frontier->peak = 0;
    return clt_ok;
}
