// SPDX-License-Identifier: Zlib
// Builds a tree: sorts keys, fills blocks, then computes one level of bounds after the other. Uses one thread, because
// trees are built in queries, which may come from any thread.

#include "gpu/host/box_tree.h"

#include "bridge/cullet_bits.h"
#include "gpu/core/curve.h"
#include "gpu/host/scene_statistics.h"

// -------------------------------------------------------------------------------------------------------- building

static cltCurve CurveOver( const cltBoxList* list )
{
    // Of a small list, an eighth is sampled: sorting the sample must not cost more than sorting the list.
    const uint32_t wanted = list->count / 8u + 8u;
    const uint32_t stride = list->count / ( wanted < CLT_SAMPLE_SIZE ? wanted : CLT_SAMPLE_SIZE ) + 1u;
    cltCenterSample sample = { .count = 0 };
    for ( uint64_t i = 0; i < list->count; i += stride )
    {
        const cltAabb box = cltCoverBox( list->boxes, list->isDouble, list->slots[i] );
        cltCenterSample_Add( &sample, &box );
    }
    float lower[3] = { 0.0f, 0.0f, 0.0f };
    float upper[3] = { 0.0f, 0.0f, 0.0f };
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( !cltCenterSample_Region( &sample, axis, lower + axis, upper + axis ) )
        {
            lower[axis] = upper[axis] = 0.0f; // a curve without this axis
        }
    }
    return cltCurve_Make( lower, upper );
}

/// Writes a key for each box that has no NaN. Returns how many.
static uint32_t WriteBoxKeys( const cltBoxList* list, uint64_t* keys )
{
    const cltCurve curve = CurveOver( list );
    uint32_t count = 0;
    for ( uint32_t i = 0; i < list->count; ++i )
    {
        const cltAabb box = cltCoverBox( list->boxes, list->isDouble, list->slots[i] );
        keys[count] = ( (uint64_t)cltCurve_Key( &curve, &box ) << 32 ) | list->slots[i];
        count += !cltAabb_HasNan( &box );
    }
    return count;
}

/// Empties the unused lanes of the last block of a level with `count` boxes.
static void ClearUnusedLanes( cltBoxLanes* level, uint32_t count )
{
    for ( uint32_t i = count; i < cltBlocksFor( count ) * CLT_LANE_COUNT; ++i )
    {
        cltLane_Clear( level, i );
    }
}

/// Fills blocks in the order of the keys or, without keys, of the list. Omits boxes with a NaN. Returns the box count.
static uint32_t FillBlocks( const cltBoxList* list, const uint64_t* keys, uint32_t count, cltBoxLanes* blocks,
                            cltLeafRef* refs )
{
    uint32_t filled = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t slot = keys != NULL ? (uint32_t)keys[i] : list->slots[i];
        const cltAabb box = cltCoverBox( list->boxes, list->isDouble, slot );
        if ( !cltAabb_HasNan( &box ) )
        {
            refs[filled] = cltLeafRef_Make( slot, CLT_LEAF_STILL );
            cltLane_Set( blocks, filled++, &box );
        }
    }
    ClearUnusedLanes( blocks, filled );
    return filled;
}

static void FillUpperLevel( const cltBoxLanes* below, uint32_t belowCount, cltBoundFcn* bound, cltBoxLanes* level )
{
    for ( uint32_t i = 0; i < belowCount; ++i )
    {
        const cltAabb bounds = bound( below + i, NULL );
        cltLane_Set( level, i, &bounds );
    }
    ClearUnusedLanes( level, belowCount );
}

/// Builds the levels above level 0, which holds `count` > 0 boxes.
static cltStatus BuildUpperLevels( cltBoxTree* tree, uint32_t count, cltBoundFcn* bound, cltMemory* memory )
{
    uint32_t total = 0;
    for ( uint32_t blocks = cltBlocksFor( count ); blocks > 1u; total += blocks )
    {
        blocks = cltBlocksFor( blocks );
    }
    CLT_TRY( cltBuffer_Reserve( &tree->branches, memory, total, sizeof( cltBoxLanes ) ) );
    cltBoxLanes* next = tree->branches.data;
    uint32_t level = 0;
    tree->counts[0] = count;
    for ( uint32_t blocks = cltBlocksFor( count ); blocks > 1u; blocks = cltBlocksFor( blocks ) )
    {
        FillUpperLevel( tree->levels[level], blocks, bound, next );
        tree->counts[++level] = blocks;
        tree->levels[level] = next;
        next += cltBlocksFor( blocks );
    }
    tree->levelCount = level + 1u;
    return clt_ok;
}

/// Makes the keys of all boxes without a NaN, and sorts them.
static cltStatus SortByCurve( const cltBoxList* list, cltBoxTreeScratch* scratch, cltMemory* memory, uint32_t* count )
{
    CLT_TRY( cltBuffer_Reserve( &scratch->keys, memory, list->count, sizeof( uint64_t ) ) );
    *count = WriteBoxKeys( list, scratch->keys.data );
    return *count == 0
               ? clt_ok
               : cltRadixSort_Run( &scratch->sort, NULL, memory, &scratch->keys, *count, 32u, 32u + CLT_CURVE_BITS );
}

cltStatus cltBoxTree_Build( cltBoxTree* tree, const cltBoxList* list, cltBoundFcn* bound, cltBoxTreeScratch* scratch,
                            cltMemory* memory )
{
    tree->counts[0] = 0;
    uint32_t count = list->count;
    if ( !list->inOrder )
    {
        CLT_TRY( SortByCurve( list, scratch, memory, &count ) );
    }
    CLT_TRY( cltBuffer_Reserve( &tree->own, memory, cltBlocksFor( count ), sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->ownRefs, memory, count, sizeof( cltLeafRef ) ) );
    count = FillBlocks( list, list->inOrder ? NULL : scratch->keys.data, count, tree->own.data, tree->ownRefs.data );
    tree->levels[0] = tree->own.data;
    tree->refs = tree->ownRefs.data;
    return count > 0 ? BuildUpperLevels( tree, count, bound, memory ) : clt_ok;
}

cltStatus cltBoxTree_BeginSmall( cltBoxTree* tree, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &tree->own, memory, CLT_LANE_COUNT, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->ownRefs, memory, CLT_SMALL_TREE_CAPACITY, sizeof( cltLeafRef ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->branches, memory, 1u, sizeof( cltBoxLanes ) ) );
    tree->levels[0] = tree->own.data;
    tree->levels[1] = tree->branches.data;
    tree->refs = tree->ownRefs.data;
    tree->levelCount = 2u;
    return clt_ok;
}

void cltBoxTree_Append( cltBoxTree* tree, uint32_t slot, const cltAabb* box )
{
    const uint32_t i = tree->counts[0]++;
    ( (cltLeafRef*)tree->ownRefs.data )[i] = cltLeafRef_Make( slot, CLT_LEAF_STILL );
    if ( i % CLT_LANE_COUNT == 0 )
    {
        cltLane_Set( tree->branches.data, i / CLT_LANE_COUNT, box );
        tree->counts[1] = i / CLT_LANE_COUNT + 1u;
    }
    cltBoxTree_SetBox( tree, i, box );
}

void cltBoxTree_RemoveEntry( cltBoxTree* tree, uint32_t i )
{
    const uint32_t last = --tree->counts[0];
    tree->counts[1] = cltBlocksFor( last );
    if ( i < last )
    {
        cltLeafRef* refs = tree->ownRefs.data;
        refs[i] = refs[last];
        const cltAabb box = cltLane_Get( tree->own.data, last );
        cltBoxTree_SetBox( tree, i, &box );
    }
}

double cltBoxTree_SumLongestEdges( const cltBoxTree* tree )
{
    double sum = 0.0;
    for ( uint32_t block = 0; tree->counts[0] > 0 && tree->levelCount > 1u && block < tree->counts[1]; ++block )
    {
        const cltAabb bounds = cltLane_Get( tree->levels[1], block );
        const float edge = cltAabb_LongestEdge( &bounds );
        sum += edge > 0.0f ? (double)edge : 0.0;
    }
    return sum;
}

void cltBoxTree_SetBox( cltBoxTree* tree, uint32_t i, const cltAabb* box )
{
    cltLane_Set( tree->own.data, i, box );
    for ( uint32_t level = 1; level < tree->levelCount; ++level )
    {
        i /= CLT_LANE_COUNT;
        cltBoxLanes* nodes = (cltBoxLanes*)tree->branches.data + ( tree->levels[level] - tree->levels[1] );
        const cltAabb bounds = cltLane_Get( nodes, i );
        const cltAabb both = cltAabb_Union( &bounds, box );
        cltLane_Set( nodes, i, &both );
    }
}

void cltBoxTree_Release( cltBoxTree* tree, cltMemory* memory )
{
    tree->counts[0] = 0;
    cltBuffer_Release( &tree->own, memory );
    cltBuffer_Release( &tree->ownRefs, memory );
    cltBuffer_Release( &tree->branches, memory );
}

void cltBoxTreeScratch_Release( cltBoxTreeScratch* scratch, cltMemory* memory )
{
    cltBuffer_Release( &scratch->slots, memory );
    cltBuffer_Release( &scratch->keys, memory );
    cltRadixSort_Release( &scratch->sort, memory );
}

// --------------------------------------------------------------------------------------------------------- walking

/// Enters a block and tests its boxes. Results for empty lanes, which hold NaN, are ignored: the test may be a callback
/// that was compiled so that comparisons with NaN are not reliable.
static void EnterBlock( cltBoxWalk* walk, uint32_t level, uint32_t block )
{
    const cltBoxTree* tree = walk->tree;
    const uint32_t here = tree->counts[level] - block * CLT_LANE_COUNT;
    const uint32_t used = here < CLT_LANE_COUNT ? ( 1u << here ) - 1u : ( 1u << CLT_LANE_COUNT ) - 1u;
    walk->level = level;
    walk->blocks[level] = block;
    walk->lanes[level] = walk->test( tree->levels[level] + block, walk->context ) & used;
}

cltBoxWalk cltBoxWalk_Start( const cltBoxTree* tree, cltLanesFcn* test, void* context )
{
    cltBoxWalk walk;
    walk.tree = tree;
    walk.test = test;
    walk.context = context;
    walk.level = 0;
    walk.lanes[0] = 0;
    if ( tree->counts[0] > 0 )
    {
        EnterBlock( &walk, tree->levelCount - 1u, 0 );
    }
    return walk;
}

uint32_t cltBoxWalk_Next( cltBoxWalk* walk )
{
    const uint32_t top = walk->tree->counts[0] > 0 ? walk->tree->levelCount - 1u : 0;
    for ( ;; )
    {
        while ( walk->lanes[walk->level] == 0 )
        {
            if ( walk->level == top )
            {
                return CLT_WALK_END;
            }
            ++walk->level;
        }
        uint32_t* lanes = walk->lanes + walk->level;
        const uint32_t child = walk->blocks[walk->level] * CLT_LANE_COUNT + cltLowestBit( *lanes );
        *lanes &= *lanes - 1u;
        if ( walk->level == 0 )
        {
            return child;
        }
        EnterBlock( walk, walk->level - 1u, child );
    }
}
