// SPDX-License-Identifier: Zlib
// Walks over base, forest, rest and overview, and the decision when looking one by one has cost enough.

#include "gpu/queries.h"

#include "gpu/host/queries/query_forest.h"
#include "gpu/platform/system.h"

/// A box that is put into a tree costs about as much as this many that are looked at.
#define INDEX_COST 16u

/// Trees over fewer boxes than this save nothing.
#define FEWEST_INDEXED ( CLT_LOOKED_AT_MANY / INDEX_COST )

struct cltQueries
{
    cltQueryNotes notes;
    atomic_bool asked;
    cltMutex mutex; ///< held by the query that builds the overview
    cltBoxTree overview;
    cltQueryForest forest;
    cltMemory* memory;
};

cltStatus cltCreateQueries( cltMemory* memory, cltQueries** result )
{
    cltQueries* queries = cltMemory_Allocate( memory, sizeof *queries );
    *result = queries;
    if ( queries == NULL )
    {
        return clt_hostMemory;
    }
    *queries = ( cltQueries ){ .notes = { .forest = &queries->forest }, .memory = memory };
    cltMutex_Init( &queries->mutex );
    return clt_ok;
}

void cltDestroyQueries( cltQueries* queries )
{
    if ( queries == NULL )
    {
        return;
    }
    cltMemory* memory = queries->memory;
    cltMutex_Destroy( &queries->mutex );
    cltBoxTree_Release( &queries->overview, memory );
    cltQueryForest_Release( &queries->forest, memory );
    cltMemory_Release( memory, queries, sizeof *queries );
}

cltQueryNotes* cltQueries_Notes( cltQueries* queries )
{
    return &queries->notes;
}

bool cltQueries_WereAsked( cltQueries* queries )
{
    return atomic_exchange_explicit( &queries->asked, false, memory_order_relaxed );
}

// ------------------------------------------------------------------------------------------- building, by one thread

/// A tree over every proxy that the base does not hold.
static cltStatus BuildOverview( cltQueries* queries, const cltQueryView* view )
{
    const cltLooseSlots loose = cltQueryView_Loose( view );
    const uint32_t most = cltLooseSlots_Count( &loose );
    cltBoxTreeScratch* scratch = &queries->forest.scratch;
    CLT_TRY( cltBuffer_Reserve( &scratch->slots, queries->memory, most + 1u, sizeof( uint32_t ) ) );
    uint32_t* slots = scratch->slots.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < most; ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( &loose, i );
        slots[count] = slot;
        count += ( view->states[slot] & CLT_SLOT_LIVE ) != 0;
    }
    const cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = slots, .count = count };
    return cltBoxTree_Build( &queries->overview, &list, scratch, queries->memory );
}

/// True if building the overview would cost no more than what was spent on looking one by one, this time included.
static bool OverviewPays( cltQueries* queries, const cltQueryView* view )
{
    const cltLooseSlots all = cltQueryView_Loose( view );
    const cltLooseSlots loose = cltQueryForest_Loose( &queries->forest, view );
    const uint32_t looseCount = cltLooseSlots_Count( &loose );
    if ( looseCount < FEWEST_INDEXED )
    {
        return false;
    }
    const uint64_t most = cltLooseSlots_Count( &all );
    return atomic_fetch_add_explicit( &queries->notes.looked, looseCount, memory_order_relaxed ) >= INDEX_COST * most;
}

/// True if the overview is there, built now if that pays.
static bool ProvideOverview( cltQueries* queries, const cltQueryView* view )
{
    atomic_bool* holds = &queries->notes.overviewHolds;
    if ( atomic_load_explicit( holds, memory_order_acquire ) )
    {
        return true;
    }
    if ( !OverviewPays( queries, view ) )
    {
        return false;
    }
    cltMutex_Lock( &queries->mutex );
    bool built = atomic_load_explicit( holds, memory_order_relaxed );
    if ( !built && BuildOverview( queries, view ) == clt_ok )
    {
        atomic_store_explicit( holds, true, memory_order_release );
        built = true;
    }
    cltMutex_Unlock( &queries->mutex );
    return built;
}

void cltQueries_BeforeChange( cltQueries* queries, const cltQueryView* view )
{
    cltQueryNotes* notes = &queries->notes;
    const cltLooseSlots loose = cltQueryForest_Loose( &queries->forest, view );
    if ( atomic_load_explicit( &notes->looked, memory_order_relaxed ) <
         (uint64_t)INDEX_COST * cltLooseSlots_Count( &loose ) )
    {
        return;
    }
    atomic_store_explicit( &notes->looked, 0u, memory_order_relaxed );
    if ( cltQueryForest_Index( &queries->forest, view, queries->memory ) == clt_ok ) // without memory: one by one
    {
        notes->indexedSlots = view->slotCount;
    }
}

void cltQueries_Forget( cltQueries* queries )
{
    cltQueryForest_Clear( &queries->forest, queries->memory );
    atomic_store_explicit( &queries->notes.overviewHolds, false, memory_order_relaxed );
    atomic_store_explicit( &queries->notes.wereAsked, false, memory_order_relaxed );
    queries->notes.indexedSlots = 0;
    atomic_store_explicit( &queries->notes.looked, 0u, memory_order_relaxed );
}

// --------------------------------------------------------------------------------------------------------- walking

/// One question under way.
typedef struct Question
{
    const cltQueryForest* forest;
    const cltQueryView* view;
    cltLanesFcn* touches;
    cltVisitFcn* visit;
    void* context;
} Question;

/// Looks at up to a block of boxes one by one, side by side. False: the walk is over.
static bool AskSlots( const Question* question, const uint32_t* slots, uint32_t count )
{
    cltBoxLanes lanes;
    for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i )
    {
        // lanes beyond the last repeat it, and are not looked at
        const uint32_t slot = slots[i < count ? i : count - 1u];
        const cltAabb box = cltCoverBox( question->view->boxes, question->view->isDouble, slot );
        cltBoxLanes_Set( &lanes, i, &box );
    }
    const uint32_t used = ( 1u << count ) - 1u;
    for ( uint32_t hits = question->touches( &lanes, question->context ) & used; hits != 0; hits &= hits - 1u )
    {
        if ( !question->visit( slots[(uint32_t)__builtin_ctz( hits )], question->context ) )
        {
            return false;
        }
    }
    return true;
}

static bool AskLoose( const Question* question )
{
    const cltLooseSlots loose = cltQueryForest_Loose( question->forest, question->view );
    uint32_t slots[CLT_LANE_COUNT];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < cltLooseSlots_Count( &loose ); ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( &loose, i );
        if ( cltQueryForest_IsLoose( question->forest, question->view, slot ) )
        {
            slots[count++] = slot;
        }
        if ( count == CLT_LANE_COUNT )
        {
            if ( !AskSlots( question, slots, count ) )
            {
                return false;
            }
            count = 0;
        }
    }
    return count == 0 || AskSlots( question, slots, count );
}

/// The number of the base's tree and of the overview; those of the forest are 1 to CLT_FOREST_SIZE.
#define BASE UINT32_MAX
#define OVERVIEW 0u

/// True if an entry holds a box as it is. The base is as of the last update: of a body that jumped then, one entry is
/// where it was; and what changed since is elsewhere.
static bool IsCurrent( const Question* question, cltLeafRef ref, uint32_t number )
{
    if ( number == BASE )
    {
        return cltLeafRef_Kind( ref ) != CLT_LEAF_BEFORE &&
               ( question->view->states[cltLeafRef_Slot( ref )] & CLT_SLOT_CHANGED ) == 0;
    }
    return number == OVERVIEW || cltQueryForest_TreeOf( question->forest, cltLeafRef_Slot( ref ) ) == number;
}

static bool AskTree( const Question* question, const cltBoxTree* tree, uint32_t number )
{
    cltBoxWalk walk = cltBoxWalk_Start( tree, question->touches, question->context );
    for ( uint32_t i = cltBoxWalk_Next( &walk ); i != CLT_WALK_END; i = cltBoxWalk_Next( &walk ) )
    {
        const cltLeafRef ref = tree->refs[i];
        if ( IsCurrent( question, ref, number ) && !question->visit( cltLeafRef_Slot( ref ), question->context ) )
        {
            return false;
        }
    }
    return true;
}

static bool AskBase( const Question* question )
{
    const cltQueryBase* base = question->view->base;
    if ( !AskTree( question, base->tree, BASE ) )
    {
        return false;
    }
    for ( uint32_t i = 0; i < base->outlierCount; ++i )
    {
        const uint32_t slot = cltLeafRef_Slot( base->outlierRefs[i] );
        if ( IsCurrent( question, base->outlierRefs[i], BASE ) && !AskSlots( question, &slot, 1u ) )
        {
            return false;
        }
    }
    return true;
}

/// Many threads ask, and share the cache line: it is written once.
static void NoteAsked( atomic_bool* asked )
{
    if ( !atomic_load_explicit( asked, memory_order_relaxed ) )
    {
        atomic_store_explicit( asked, true, memory_order_relaxed );
    }
}

void cltQueries_Walk( cltQueries* queries, const cltQueryView* view, cltLanesFcn* touches, cltVisitFcn* visit,
                      void* context )
{
    const Question question = { &queries->forest, view, touches, visit, context };
    NoteAsked( &queries->asked );
    NoteAsked( &queries->notes.wereAsked );
    const bool hasOverview = ProvideOverview( queries, view );
    if ( view->base != NULL && !AskBase( &question ) )
    {
        return;
    }
    if ( hasOverview )
    {
        AskTree( &question, &queries->overview, OVERVIEW );
        return;
    }
    for ( uint32_t number = 1; number <= CLT_FOREST_SIZE; ++number )
    {
        if ( !AskTree( &question, queries->forest.trees + number - 1u, number ) )
        {
            return;
        }
    }
    AskLoose( &question );
}
