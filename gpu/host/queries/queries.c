// SPDX-License-Identifier: Zlib
// Walks over base, forest, rest and overview, and the decision when looking one by one has cost enough.

#include "gpu/queries.h"

#include "gpu/host/queries/query_forest.h"

#include <pthread.h>

/// A box that is put into a tree costs about as much as this many that are looked at.
#define INDEX_COST 16u

/// Trees over fewer boxes than this save nothing.
#define FEWEST_INDEXED ( CLT_LOOKED_AT_MANY / INDEX_COST )

struct cltQueries
{
    pthread_mutex_t mutex;   ///< held by the one that builds
    _Atomic uint64_t baseOf; ///< generation of the leaves that `base` belongs to, 0: none
    cltBoxTree base;
    cltBoxTree overview;
    cltBoxTreeScratch scratch;
    cltBuffer list;
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
    *queries = ( cltQueries ){ .memory = memory };
    atomic_init( &queries->baseOf, 0u );
    pthread_mutex_init( &queries->mutex, NULL );
    return clt_ok;
}

void cltDestroyQueries( cltQueries* queries, cltMemory* memory )
{
    if ( queries == NULL )
    {
        return;
    }
    pthread_mutex_destroy( &queries->mutex );
    cltBoxTree_Release( &queries->base, memory );
    cltBoxTree_Release( &queries->overview, memory );
    cltBoxTreeScratch_Release( &queries->scratch, memory );
    cltBuffer_Release( &queries->list, memory );
    cltQueryForest_Release( &queries->forest, memory );
    cltMemory_Release( memory, queries, sizeof *queries );
}

// ------------------------------------------------------------------------------------------- building, by one thread

/// True if there is a tree over the backend's leaves: its own, or `base`, which is built if need be.
static bool ProvideBase( cltQueries* queries, const cltQueryView* view )
{
    const cltLeafView* leaves = &view->leaves;
    if ( leaves->generation == 0 || leaves->tree != NULL )
    {
        return leaves->generation != 0;
    }
    if ( atomic_load_explicit( &queries->baseOf, memory_order_acquire ) == leaves->generation )
    {
        return true;
    }
    pthread_mutex_lock( &queries->mutex );
    bool built = atomic_load_explicit( &queries->baseOf, memory_order_relaxed ) == leaves->generation;
    if ( !built && cltBoxTree_Borrow( &queries->base, leaves->blocks, leaves->refs, leaves->blockedCount,
                                      queries->memory ) == clt_ok )
    {
        atomic_store_explicit( &queries->baseOf, leaves->generation, memory_order_release );
        built = true;
    }
    pthread_mutex_unlock( &queries->mutex );
    return built;
}

/// A tree over every proxy that the base does not hold.
static cltStatus BuildOverview( cltQueries* queries, const cltQueryView* view, bool needsAll )
{
    const uint32_t most = needsAll ? view->slotCount : view->changedCount;
    CLT_TRY( cltBuffer_Reserve( &queries->list, queries->memory, most + 1u, sizeof( uint32_t ) ) );
    uint32_t* slots = queries->list.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < most; ++i )
    {
        const uint32_t slot = needsAll ? i : view->changed[i];
        slots[count] = slot;
        count += ( view->states[slot] & CLT_SLOT_LIVE ) != 0;
    }
    const cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = slots, .count = count };
    return cltBoxTree_Build( &queries->overview, &list, &queries->scratch, queries->memory );
}

/// True if building the overview would cost no more than what was spent on looking one by one, this time included.
static bool OverviewPays( const cltQueryView* view, bool hasBase )
{
    const cltLooseSlots loose = cltQueryView_Loose( view, hasBase );
    const uint32_t looseCount = cltLooseSlots_Count( &loose );
    if ( looseCount < FEWEST_INDEXED )
    {
        return false;
    }
    const uint64_t most = cltQueryView_NeedsAll( view, hasBase ) ? view->slotCount : view->changedCount;
    return atomic_fetch_add_explicit( &view->notes->looked, looseCount, memory_order_relaxed ) >= INDEX_COST * most;
}

/// True if the overview is there, built now if that pays.
static bool ProvideOverview( cltQueries* queries, const cltQueryView* view, bool hasBase )
{
    atomic_uint* overview = &view->notes->overview;
    const bool needsAll = cltQueryView_NeedsAll( view, hasBase );
    const unsigned wanted = needsAll ? CLT_OVERVIEW_ALL : CLT_OVERVIEW_CHANGED;
    const unsigned there = atomic_load_explicit( overview, memory_order_acquire );
    if ( there != CLT_OVERVIEW_NONE || !OverviewPays( view, hasBase ) )
    {
        return there == wanted;
    }
    pthread_mutex_lock( &queries->mutex );
    if ( atomic_load_explicit( overview, memory_order_relaxed ) == CLT_OVERVIEW_NONE &&
         BuildOverview( queries, view, needsAll ) == clt_ok )
    {
        atomic_store_explicit( overview, wanted, memory_order_release );
    }
    const bool built = atomic_load_explicit( overview, memory_order_relaxed ) == wanted;
    pthread_mutex_unlock( &queries->mutex );
    return built;
}

void cltQueries_BeforeChange( cltQueries* queries, const cltQueryView* view )
{
    const uint64_t looked = atomic_load_explicit( &view->notes->looked, memory_order_relaxed );
    const bool hasBase = view->leaves.generation != 0;
    const cltLooseSlots loose = cltQueryView_Loose( view, hasBase );
    if ( looked < (uint64_t)INDEX_COST * cltLooseSlots_Count( &loose ) )
    {
        return;
    }
    atomic_store_explicit( &view->notes->looked, 0u, memory_order_relaxed );
    (void)cltQueryForest_Index( &queries->forest, view, hasBase, queries->memory ); // without memory: one by one
}

void cltQueries_Forget( cltQueries* queries, const cltQueryView* view )
{
    cltQueryForest_Clear( &queries->forest, view, queries->memory );
    cltQueryNotes_Changed( view->notes );
    atomic_store_explicit( &view->notes->looked, 0u, memory_order_relaxed );
}

// --------------------------------------------------------------------------------------------------------- walking

/// One question under way.
typedef struct Question
{
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
        // lanes beyond the last repeat it; nobody looks at them
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

static bool AskLoose( const Question* question, bool hasBase )
{
    const cltLooseSlots loose = cltQueryView_Loose( question->view, hasBase );
    uint32_t slots[CLT_LANE_COUNT];
    uint32_t count = 0;
    for ( uint32_t i = 0; i < cltLooseSlots_Count( &loose ); ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( &loose, i );
        if ( cltQueryView_IsLoose( question->view, slot ) )
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

/// The base's leaves are as of the last update: of a body that jumped then, one is where it was; and who changed since is
/// elsewhere.
static bool IsPresent( const cltQueryView* view, cltLeafRef ref )
{
    return cltLeafRef_Kind( ref ) != CLT_LEAF_BEFORE &&
           ( view->states[cltLeafRef_Slot( ref )] & CLT_SLOT_CHANGED ) == 0;
}

static bool AskBase( const cltQueries* queries, const Question* question )
{
    const cltLeafView* leaves = &question->view->leaves;
    const cltBoxTree* tree = leaves->tree != NULL ? leaves->tree : &queries->base;
    cltBoxWalk walk = cltBoxWalk_Start( tree, question->touches, question->context );
    for ( uint32_t i = cltBoxWalk_Next( &walk ); i != CLT_WALK_END; i = cltBoxWalk_Next( &walk ) )
    {
        if ( IsPresent( question->view, leaves->refs[i] ) &&
             !question->visit( cltLeafRef_Slot( leaves->refs[i] ), question->context ) )
        {
            return false;
        }
    }
    for ( uint32_t i = 0; i < leaves->asideCount; ++i )
    {
        const uint32_t slot = cltLeafRef_Slot( leaves->asideRefs[i] );
        if ( IsPresent( question->view, leaves->asideRefs[i] ) && !AskSlots( question, &slot, 1u ) )
        {
            return false;
        }
    }
    return true;
}

/// \param number  of the tree in the forest; 0: all of its entries are present
static bool AskTree( const cltBoxTree* tree, uint32_t number, const Question* question )
{
    cltBoxWalk walk = cltBoxWalk_Start( tree, question->touches, question->context );
    for ( uint32_t i = cltBoxWalk_Next( &walk ); i != CLT_WALK_END; i = cltBoxWalk_Next( &walk ) )
    {
        const uint32_t slot = cltLeafRef_Slot( tree->refs[i] );
        const bool present = number == 0 || cltQueryForest_TreeOf( question->view->states[slot] ) == number;
        if ( present && !question->visit( slot, question->context ) )
        {
            return false;
        }
    }
    return true;
}

void cltQueries_Walk( cltQueries* queries, const cltQueryView* view, cltLanesFcn* touches, cltVisitFcn* visit,
                      void* context )
{
    const Question question = { view, touches, visit, context };
    cltQueryNotes_Ask( view->notes );
    const bool hasBase = ProvideBase( queries, view );
    const bool hasOverview = ProvideOverview( queries, view, hasBase );
    if ( hasBase && !AskBase( queries, &question ) )
    {
        return;
    }
    if ( hasOverview )
    {
        AskTree( &queries->overview, 0, &question );
        return;
    }
    for ( uint32_t number = 1; number <= CLT_FOREST_SIZE; ++number )
    {
        if ( !AskTree( queries->forest.trees + number - 1u, number, &question ) )
        {
            return;
        }
    }
    AskLoose( &question, hasBase );
}
