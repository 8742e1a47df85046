// SPDX-License-Identifier: Zlib
// Walks trees of boxes or of rest boxes, and tests proxies that are in no tree, sixteen at a time.

#include "gpu/host/queries/ask.h"

#include "bridge/cullet_bits.h"

#include <string.h>

/// Up to sixteen proxies and their boxes, which are tested at once.
typedef struct Batch
{
    cltBoxLanes boxes;
    uint32_t slots[CLT_LANE_COUNT];
    uint32_t count;
} Batch;

static void BeginBatch( Batch* batch )
{
    batch->count = 0;
    memset( &batch->boxes, 0xff, sizeof batch->boxes ); // NaN, because unused lanes are tested, too
}

/// Tests the boxes of the batch and empties it. Returns false if a visit ended the walk.
static bool AskBatch( const cltQuestion* question, Batch* batch )
{
    const uint32_t used = ( 1u << batch->count ) - 1u;
    batch->count = 0;
    for ( uint32_t hits = used == 0 ? 0 : question->shape.touches( &batch->boxes, question->shape.context ) & used;
          hits != 0; hits &= hits - 1u )
    {
        if ( !question->visit( batch->slots[cltLowestBit( hits )], question->context ) )
        {
            return false;
        }
    }
    return true;
}

static bool AddToBatch( const cltQuestion* question, Batch* batch, uint32_t slot )
{
    const cltAabb box = cltCoverBox( question->view->boxes, question->view->isDouble, slot );
    cltBoxLanes_Set( &batch->boxes, batch->count, &box );
    batch->slots[batch->count++] = slot;
    return batch->count < CLT_LANE_COUNT || AskBatch( question, batch );
}

static bool AskTree( const cltQuestion* question, const cltBoxTree* tree, uint32_t number )
{
    cltBoxWalk walk = cltBoxWalk_Start( tree, question->shape.touches, question->shape.context );
    for ( uint32_t i = cltBoxWalk_Next( &walk ); i != CLT_WALK_END; i = cltBoxWalk_Next( &walk ) )
    {
        const cltLeafRef ref = tree->refs[i];
        if ( cltQuestion_IsCurrent( question, ref, number ) &&
             !question->visit( cltLeafRef_Slot( ref ), question->context ) )
        {
            return false;
        }
    }
    return true;
}

/// The lanes of a block of rest boxes that the shape touches after rest boxes are inflated, as bits. Proxies' boxes lie
/// inside the inflated rest boxes, so the shape may touch only boxes in these lanes.
static uint32_t TouchesInflated( const cltBoxLanes* block, void* context )
{
    const cltQuestion* question = context;
    const float margin = question->view->base->maxRestMargin;
    cltBoxLanes wider;
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            wider.lower[axis][lane] = block->lower[axis][lane] - margin;
            wider.upper[axis][lane] = block->upper[axis][lane] + margin;
        }
    }
    return question->shape.touches( &wider, question->shape.context );
}

cltQueryShape cltQuestion_BaseShape( const cltQuestion* question )
{
    return question->view->base->maxRestMargin > 0.0f ? ( cltQueryShape ){ TouchesInflated, (void*)question }
                                                      : question->shape;
}

/// If the shape touches a proxy's inflated rest box, tests the proxy's box. The boxes of a block are tested before the
/// walk goes on, because a visit may end the walk or change the shape.
static bool AskRestBoxes( const cltQuestion* question )
{
    const cltBoxTree* tree = question->view->base->tree;
    Batch batch;
    BeginBatch( &batch );
    cltBoxWalk walk = cltBoxWalk_Start( tree, TouchesInflated, (void*)question );
    for ( uint32_t i = cltBoxWalk_Next( &walk ); i != CLT_WALK_END; i = cltBoxWalk_Next( &walk ) )
    {
        const cltLeafRef ref = tree->refs[i];
        if ( cltQuestion_IsCurrent( question, ref, CLT_BASE_TREE ) &&
             !AddToBatch( question, &batch, cltLeafRef_Slot( ref ) ) )
        {
            return false;
        }
        if ( walk.lanes[0] == 0 && !AskBatch( question, &batch ) )
        {
            return false;
        }
    }
    return true;
}

bool cltAsk_BaseTree( const cltQuestion* question )
{
    return question->view->base->maxRestMargin > 0.0f ? AskRestBoxes( question )
                                                      : AskTree( question, question->view->base->tree, CLT_BASE_TREE );
}

bool cltAsk_Overview( const cltQuestion* question, const cltBoxTree* overview )
{
    return AskTree( question, overview, CLT_OVERVIEW_TREE );
}

bool cltAsk_Forest( const cltQuestion* question )
{
    for ( uint32_t number = 1; number <= question->forest->treeCount; ++number )
    {
        const cltBoxTree* tree = question->forest->trees + number - 1u;
        if ( tree->counts[0] > 0 && !AskTree( question, tree, number ) )
        {
            return false;
        }
    }
    return true;
}

/// Tests all slots. Those without a proxy have a NaN, which no visit takes for a box.
static bool AskLanes( const cltQuestion* question )
{
    const cltQueryView* view = question->view;
    for ( uint32_t first = 0; first < view->slotCount; first += CLT_LANE_COUNT )
    {
        const uint32_t count = view->slotCount - first < CLT_LANE_COUNT ? view->slotCount - first : CLT_LANE_COUNT;
        const uint32_t asked = ( ( 1u << count ) - 1u ) & ~(uint32_t)( question->skipped >> first );
        const uint32_t touched =
            question->shape.touches( view->lanes + first / CLT_LANE_COUNT, question->shape.context );
        for ( uint32_t hits = touched & asked; hits != 0; hits &= hits - 1u )
        {
            if ( !question->visit( first + cltLowestBit( hits ), question->context ) )
            {
                return false;
            }
        }
    }
    return true;
}

/// Tests proxies that are too large for the base's tree.
static bool AskOutliers( const cltQuestion* question, Batch* batch )
{
    const cltQueryBase* base = question->view->base;
    for ( uint32_t i = 0; i < base->outlierCount; ++i )
    {
        if ( cltQuestion_IsCurrent( question, base->outlierRefs[i], CLT_BASE_TREE ) &&
             !AddToBatch( question, batch, cltLeafRef_Slot( base->outlierRefs[i] ) ) )
        {
            return false;
        }
    }
    return true;
}

static bool AskLoose( const cltQuestion* question, Batch* batch )
{
    const cltLooseSlots loose = cltQueryForest_Loose( question->forest, question->view );
    const uint32_t count = cltLooseSlots_Count( &loose );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t slot = cltLooseSlots_Get( &loose, i );
        if ( cltQueryForest_IsLoose( question->forest, question->view, slot ) && !AddToBatch( question, batch, slot ) )
        {
            return false;
        }
    }
    return true;
}

bool cltAsk_OutsideTrees( const cltQuestion* question, bool withOutliers, bool withLoose )
{
    if ( question->view->lanes != NULL )
    {
        return AskLanes( question );
    }
    Batch batch;
    BeginBatch( &batch );
    return ( !withOutliers || AskOutliers( question, &batch ) ) && ( !withLoose || AskLoose( question, &batch ) ) &&
           AskBatch( question, &batch );
}
