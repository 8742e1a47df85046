// SPDX-License-Identifier: Zlib
// Chooses the trees that a query walks: base, forest, overview (gpu/queries.h). Builds a tree once testing boxes one by
// one has cost as much as that build.

#include "gpu/queries.h"

#include "gpu/host/queries/ask.h"
#include "gpu/host/queries/draw.h"
#include "gpu/host/wide/kernels.h"
#include "gpu/platform/system.h"
#include "gpu/rest/rest.h"

/// Putting a box into a tree costs about as much as testing this many boxes one by one: less if boxes are in order
/// already, or if the box is only appended to the forest's first tree.
#define INDEX_COST 16u
#define ORDERED_COST 4u
#define APPEND_COST 4u

/// A walk over rest boxes costs as much as a walk over boxes plus testing this many boxes one by one.
#define REST_BOXES_COST 256u

/// Fewer boxes than this are not indexed: a test of the root of a tree takes as long as testing all of them.
#define FEWEST_INDEXED CLT_LANE_COUNT

/// With a changed proxy for every WHOLE_RATIO unchanged ones, one tree over all proxies is better than two trees.
#define WHOLE_RATIO 4u

struct cltQueries
{
    cltQueryNotes notes;
    atomic_bool asked;
    cltMutex mutex; ///< held by the query that builds the overview
    cltBoxTree overview;
    bool overviewIsWhole;      ///< the overview holds all proxies, not only those that are not in the base
    bool isAdopted;            ///< the forest's last tree is a former overview of all proxies
    _Atomic uint64_t walks;    ///< walks over rest boxes since the last update or the last overview
    uint64_t indexedTestCount; ///< boxes tested one by one from the last update to the last indexing
    cltQueryForest forest;
    const cltWideKernels* kernels;
    cltMemory* memory;
};

cltStatus cltCreateQueries( cltMemory* memory, cltSimd simd, cltQueries** result )
{
    cltQueries* queries = cltMemory_Allocate( memory, sizeof *queries );
    *result = queries;
    if ( queries == NULL )
    {
        return clt_hostMemory;
    }
    *queries = ( cltQueries ){
        .notes = { .forest = &queries->forest }, .kernels = cltWideKernels_Get( simd ), .memory = memory };
    queries->forest.bound = queries->kernels->bound;
    cltMutex_Init( &queries->mutex );
    return clt_ok;
}

static void FreeTrees( cltQueries* queries )
{
    cltBoxTree_Release( &queries->overview, queries->memory );
    cltQueryForest_Release( &queries->forest, queries->memory );
}

void cltDestroyQueries( cltQueries* queries )
{
    if ( queries == NULL )
    {
        return;
    }
    FreeTrees( queries );
    cltMutex_Destroy( &queries->mutex );
    cltMemory_Release( queries->memory, queries, sizeof *queries );
}

cltQueryNotes* cltQueries_Notes( cltQueries* queries )
{
    return &queries->notes;
}

bool cltQueries_WereAsked( cltQueries* queries )
{
    return atomic_exchange_explicit( &queries->asked, false, memory_order_relaxed );
}

// -------------------------------------------------------------------------------------------------- overviews

/// If blocks have grown by more than this factor since the base was built, some hold bodies that jumped.
#define MAX_EDGE_GROWTH 2.0

/// True if an entry of the base belongs to a proxy that still exists, whether it moved or not.
static bool HasLiveProxy( const cltQueryView* view, cltLeafRef ref )
{
    return cltLeafRef_Kind( ref ) != CLT_LEAF_PREVIOUS &&
           ( view->states[cltLeafRef_Slot( ref )] & ( CLT_SLOT_LIVE | CLT_SLOT_APPEARED ) ) == CLT_SLOT_LIVE;
}

/// Lists every proxy: first those in the base, in its order. Returns their number.
static uint32_t ListAll( const cltQueryView* view, uint32_t* slots, bool* inOrder )
{
    const cltQueryBase* base = view->base;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < base->tree->counts[0]; ++i )
    {
        slots[count] = cltLeafRef_Slot( base->tree->refs[i] );
        count += HasLiveProxy( view, base->tree->refs[i] );
    }
    const uint32_t orderedCount = count;
    for ( uint32_t i = 0; i < base->outlierCount; ++i )
    {
        slots[count] = cltLeafRef_Slot( base->outlierRefs[i] );
        count += HasLiveProxy( view, base->outlierRefs[i] );
    }
    for ( uint32_t i = 0; i < view->changedCount; ++i )
    {
        const uint8_t wanted = CLT_SLOT_LIVE | CLT_SLOT_APPEARED;
        slots[count] = view->changed[i];
        count += ( view->states[view->changed[i]] & wanted ) == wanted;
    }
    *inOrder = count - orderedCount <= orderedCount / CLT_LANE_COUNT;
    return count;
}

/// Builds an overview of every proxy. There must be a base; its order is used, without a sort, if few proxies are new
/// and few jumped.
static cltStatus BuildWhole( cltBoxTree* overview, const cltQueryView* view, cltBoundFcn* bound,
                             cltBoxTreeScratch* scratch, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &scratch->slots, memory, view->slotCount + 1u, sizeof( uint32_t ) ) );
    cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = scratch->slots.data };
    list.count = ListAll( view, scratch->slots.data, &list.inOrder );
    CLT_TRY( cltBoxTree_Build( overview, &list, bound, scratch, memory ) );
    if ( list.inOrder &&
         cltBoxTree_SumLongestEdges( overview ) > MAX_EDGE_GROWTH * cltBoxTree_SumLongestEdges( view->base->tree ) )
    {
        list.inOrder = false;
        CLT_TRY( cltBoxTree_Build( overview, &list, bound, scratch, memory ) );
    }
    return clt_ok;
}

/// Builds an overview of every proxy that is not in the base.
static cltStatus BuildLoose( cltBoxTree* overview, const cltQueryView* view, cltBoundFcn* bound,
                             cltBoxTreeScratch* scratch, cltMemory* memory )
{
    const cltLooseSlots loose = cltQueryView_Loose( view );
    const uint32_t most = cltLooseSlots_Count( &loose );
    CLT_TRY( cltBuffer_Reserve( &scratch->slots, memory, most + 1u, sizeof( uint32_t ) ) );
    uint32_t* slots = scratch->slots.data;
    uint32_t count = 0;
    for ( uint32_t i = 0; i < most; ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( &loose, i );
        slots[count] = slot;
        count += ( view->states[slot] & CLT_SLOT_LIVE ) != 0;
    }
    const cltBoxList list = { .boxes = view->boxes, .isDouble = view->isDouble, .slots = slots, .count = count };
    return cltBoxTree_Build( overview, &list, bound, scratch, memory );
}

// ------------------------------------------------------------------------------------------- building, by one thread

static cltStatus BuildOverview( cltQueries* queries, const cltQueryView* view, bool isWhole )
{
    CLT_TRY( ( isWhole ? BuildWhole : BuildLoose )( &queries->overview, view, queries->kernels->bound,
                                                    &queries->forest.scratch, queries->memory ) );
    queries->overviewIsWhole = isWhole;
    atomic_store_explicit( &queries->walks, 0u, memory_order_relaxed ); // so that the next move causes no build at once
    return clt_ok;
}

/// Whether the base holds rest boxes. If so, the forest adopts no overview: moves within rest margins are not reported.
static bool HasRestBoxes( const cltQueryView* view )
{
    return view->base != NULL && view->base->maxRestMargin > 0.0f;
}

static bool PrefersWholeOverview( const cltQueries* queries, const cltQueryView* view )
{
    return view->base != NULL &&
           ( queries->isAdopted || HasRestBoxes( view ) || view->changedCount >= view->settledCount / WHOLE_RATIO );
}

static uint64_t WholeOverviewCost( const cltQueryView* view )
{
    return (uint64_t)ORDERED_COST * ( view->settledCount + view->changedCount );
}

static uint32_t LooseCount( const cltQueries* queries, const cltQueryView* view )
{
    const cltLooseSlots loose = cltQueryForest_Loose( &queries->forest, view );
    return cltLooseSlots_Count( &loose );
}

/// True if building the overview costs no more than testing boxes one by one has cost since proxies were last indexed.
/// Adds the cost of this query, for the next call.
/// \param countsRestBoxes  whether the extra cost of walks over rest boxes counts as well
static bool OverviewPays( cltQueries* queries, const cltQueryView* view, bool countsRestBoxes )
{
    const bool usesRestBoxes = countsRestBoxes && HasRestBoxes( view );
    const cltLooseSlots all = cltQueryView_Loose( view );
    const uint32_t looseCount = LooseCount( queries, view );
    const bool hasMany = looseCount >= FEWEST_INDEXED;
    if ( !hasMany && !usesRestBoxes )
    {
        return false;
    }
    const uint64_t cost = PrefersWholeOverview( queries, view ) ? WholeOverviewCost( view )
                                                                : (uint64_t)INDEX_COST * cltLooseSlots_Count( &all );
    const uint64_t walks = usesRestBoxes ? atomic_fetch_add_explicit( &queries->walks, 1u, memory_order_relaxed ) : 0u;
    const uint64_t boxTestCount =
        hasMany ? atomic_fetch_add_explicit( &queries->notes.boxTestCount, looseCount, memory_order_relaxed ) : 0u;
    return REST_BOXES_COST * walks + boxTestCount >= cost;
}

/// Builds the overview if there is none and building it pays. \return whether there is an overview
static bool ProvideOverview( cltQueries* queries, const cltQueryView* view, bool countsRestBoxes )
{
    atomic_bool* holds = &queries->notes.overviewHolds;
    if ( atomic_load_explicit( holds, memory_order_acquire ) )
    {
        return true;
    }
    if ( view->lanes != NULL || !OverviewPays( queries, view, countsRestBoxes ) )
    {
        return false;
    }
    cltMutex_Lock( &queries->mutex );
    bool built = atomic_load_explicit( holds, memory_order_relaxed );
    if ( !built && BuildOverview( queries, view, PrefersWholeOverview( queries, view ) ) == clt_ok )
    {
        atomic_store_explicit( holds, true, memory_order_release );
        built = true;
    }
    cltMutex_Unlock( &queries->mutex );
    return built;
}

/// Makes the overview the forest's last tree, in which single boxes can be replaced. Called before boxes change.
static cltStatus AdoptOverview( cltQueries* queries, const cltQueryView* view )
{
    CLT_TRY( cltQueryForest_Adopt( &queries->forest, &queries->overview, view, queries->memory ) );
    queries->isAdopted = true;
    atomic_store_explicit( &queries->notes.overviewHolds, false, memory_order_relaxed );
    queries->notes.indexedSlots = view->slotCount;
    return clt_ok;
}

/// Indexes the changed proxies in the forest. Once tests and indexing have cost as much as building one tree over all
/// proxies, builds that tree instead.
static cltStatus IndexChanges( cltQueries* queries, const cltQueryView* view )
{
    if ( view->base != NULL && !HasRestBoxes( view ) && !queries->isAdopted &&
         ORDERED_COST * queries->indexedTestCount >= WholeOverviewCost( view ) )
    {
        atomic_store_explicit( &queries->notes.overviewHolds, false, memory_order_relaxed ); // the build replaces it
        CLT_TRY( BuildOverview( queries, view, true ) );
        return AdoptOverview( queries, view );
    }
    CLT_TRY( cltQueryForest_Index( &queries->forest, view, queries->memory ) );
    queries->notes.indexedSlots = view->slotCount;
    return clt_ok;
}

static uint64_t CostOfIndexing( const cltQueries* queries, uint32_t looseCount )
{
    const bool areAppended = cltQueryForest_WouldAppend( &queries->forest, looseCount );
    return (uint64_t)( areAppended ? APPEND_COST : INDEX_COST ) * looseCount;
}

void cltQueries_BeforeChange( cltQueries* queries, const cltQueryView* view )
{
    cltQueryNotes* notes = &queries->notes;
    const uint32_t looseCount = LooseCount( queries, view );
    const bool isKnown = atomic_load_explicit( &notes->overviewHolds, memory_order_relaxed );
    const uint64_t boxTestCount = atomic_load_explicit( &notes->boxTestCount, memory_order_relaxed );
    if ( isKnown && queries->overviewIsWhole && looseCount >= FEWEST_INDEXED && !HasRestBoxes( view ) )
    {
        atomic_store_explicit( &notes->boxTestCount, 0u, memory_order_relaxed );
        (void)AdoptOverview( queries, view ); // if out of memory, proxies are tested one by one
    }
    else if ( looseCount >= FEWEST_INDEXED && boxTestCount >= CostOfIndexing( queries, looseCount ) )
    {
        queries->indexedTestCount += boxTestCount;
        atomic_store_explicit( &notes->boxTestCount, 0u, memory_order_relaxed );
        (void)IndexChanges( queries, view ); // if out of memory, proxies are tested one by one
    }
}

void cltQueries_Forget( cltQueries* queries )
{
    if ( queries->isAdopted )
    {
        cltQueryForest_SwapLast( &queries->forest, &queries->overview ); // so that the tree's memory is not freed
    }
    cltQueryForest_Clear( &queries->forest, queries->memory );
    atomic_store_explicit( &queries->notes.overviewHolds, false, memory_order_relaxed );
    queries->notes.indexedSlots = 0;
    queries->isAdopted = false;
    queries->indexedTestCount = 0;
    atomic_store_explicit( &queries->walks, 0u, memory_order_relaxed );
    atomic_store_explicit( &queries->notes.boxTestCount, 0u, memory_order_relaxed );
}

void cltQueries_GiveBack( cltQueries* queries )
{
    cltQueries_Forget( queries );
    FreeTrees( queries );
}

// --------------------------------------------------------------------------------------------------------- walking

cltQueryShape cltQueries_Box( const cltQueries* queries, cltAabb* box )
{
    return ( cltQueryShape ){ queries->kernels->meetBox, box };
}

cltQueryShape cltQueries_Ray( const cltQueries* queries, cltSlabs* slabs )
{
    return ( cltQueryShape ){ queries->kernels->meetRay, slabs };
}

/// Sets the flag unless it is set, because many querying threads share its cache line.
static void NoteAsked( atomic_bool* asked )
{
    if ( !atomic_load_explicit( asked, memory_order_relaxed ) )
    {
        atomic_store_explicit( asked, true, memory_order_relaxed );
    }
}

/// What a walk visits besides the forest and loose proxies, which the overview replaces.
typedef struct WalkPlan
{
    bool usesBase;
    bool isWhole; ///< the overview holds all proxies
} WalkPlan;

/// \param withUnchanged  whether to visit proxies that have not changed since the last committed update, too
static WalkPlan PlanWalk( const cltQueries* queries, const cltQueryView* view, bool hasOverview, bool withUnchanged )
{
    const bool isWhole = hasOverview && queries->overviewIsWhole;
    return ( WalkPlan ){ .usesBase = withUnchanged && view->lanes == NULL && view->base != NULL &&
                                     view->settledCount > 0 && !isWhole && !queries->isAdopted,
                         .isWhole = isWhole };
}

/// \return false if a visit ended the walk
static bool Walk( cltQueries* queries, const cltQuestion* question, bool hasOverview, bool withUnchanged )
{
    const WalkPlan plan = PlanWalk( queries, question->view, hasOverview, withUnchanged );
    const bool goesOn = ( !plan.usesBase || cltAsk_BaseTree( question ) ) &&
                        ( hasOverview ? cltAsk_Overview( question, &queries->overview ) : cltAsk_Forest( question ) );
    return goesOn && ( plan.isWhole || cltAsk_OutsideTrees( question, plan.usesBase, !hasOverview ) );
}

void cltQueries_Walk( cltQueries* queries, const cltQueryView* view, cltQueryShape shape, cltVisitFcn* visit,
                      void* context )
{
    const cltQuestion question = {
        .forest = &queries->forest, .view = view, .shape = shape, .visit = visit, .context = context };
    NoteAsked( &queries->asked );
    Walk( queries, &question, ProvideOverview( queries, view, true ), true );
}

/// Visits what cltQueries_Walk would, but is not counted as a query and builds nothing.
void cltQueries_Draw( cltQueries* queries, const cltQueryView* view, cltQueryShape shape, const cltDrawing* drawing )
{
    const cltQuestion question = { .forest = &queries->forest, .view = view, .shape = shape };
    const bool hasOverview = atomic_load_explicit( &queries->notes.overviewHolds, memory_order_acquire );
    const WalkPlan plan = PlanWalk( queries, view, hasOverview, true );
    if ( plan.usesBase )
    {
        cltDraw_BaseTree( &question, drawing );
    }
    if ( hasOverview )
    {
        cltDraw_Overview( &question, &queries->overview, drawing );
    }
    else
    {
        cltDraw_Forest( &question, drawing );
    }
    if ( !plan.isWhole )
    {
        cltDraw_OutsideTrees( &question, plan.usesBase, !hasOverview, drawing );
    }
}

static bool HasChanged( const cltQueryView* view, uint32_t slot )
{
    return ( view->states[slot] & CLT_SLOT_CHANGED ) != 0;
}

static void VisitNear( const cltQuestion* question, const cltNearProxies* near )
{
    for ( uint32_t i = near->first; i != CLT_NEAR_PROXIES_END; i = near->links[i].next )
    {
        if ( !HasChanged( question->view, near->links[i].other ) &&
             !question->visit( near->links[i].other, question->context ) )
        {
            return;
        }
    }
}

/// Walks over rest boxes are no reason to build an overview: boxes change before an overview is used a second time.
void cltQueries_WalkNewOverlaps( cltQueries* queries, const cltQueryView* view, cltRest* rest, uint32_t slot,
                                 uint64_t known, cltQueryShape shape, cltVisitFcn* visit, void* context )
{
    const cltQuestion question = { &queries->forest, view, shape, visit, context, known };
    NoteAsked( &queries->asked );
    cltNearProxies near = { NULL, CLT_NEAR_PROXIES_END };
    const bool isKnown =
        view->lanes == NULL && !HasChanged( view, slot ) && cltRest_FindNew( rest, slot, queries->memory, &near );
    if ( isKnown && view->changedCount == 0 )
    {
        VisitNear( &question, &near );
        return;
    }
    const bool hasOverview = ProvideOverview( queries, view, false );
    if ( Walk( queries, &question, hasOverview, !isKnown ) && !( hasOverview && queries->overviewIsWhole ) )
    {
        VisitNear( &question, &near );
    }
}
