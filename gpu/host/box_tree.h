// SPDX-License-Identifier: Zlib
/// \file box_tree.h
/// Boxes in the curve's order, CLT_LANE_COUNT = 16 to a block, and an implicit tree of blocks above them. Lane i of
/// block b bounds block 16b + i of the level below. The sixteen children of a node are tested at once.
///
///     level 2              [ 0 1 2 ... 15 ]                  one block, the root
///     level 1      [0..15] [16..31] ... [240..255]           up to 16 blocks
///     level 0      blocks of bodies, 16 boxes each           up to 256 blocks, 4,096 bodies
#ifndef CLT_HOST_BOX_TREE_H
#define CLT_HOST_BOX_TREE_H

#include "gpu/core/box_lanes.h"
#include "gpu/core/leaf.h"
#include "gpu/host/radix_sort.h"

/// The largest number of levels, more than the 8 that 2^30 bodies need.
#define CLT_BOX_TREE_LEVELS 10u

typedef struct cltBoxTree
{
    const cltBoxLanes* levels[CLT_BOX_TREE_LEVELS]; ///< the blocks of each level
    const cltLeafRef* refs;                         ///< the references of the boxes in level 0, lane by lane
    uint32_t counts[CLT_BOX_TREE_LEVELS];           ///< by level, the number of boxes; counts[0] == 0: an empty tree
    uint32_t levelCount;
    cltBuffer own;      ///< the blocks of level 0; empty if another object owns them
    cltBuffer ownRefs;  ///< cltLeafRef; empty if another object owns the blocks of level 0
    cltBuffer branches; ///< the levels above 0
} cltBoxTree;

/// What a tree is built of: all boxes by slot, cltAabb or cltAabbD, and the slots to put into the tree.
typedef struct cltBoxList
{
    const void* boxes;
    bool isDouble;
    const uint32_t* slots;
    uint32_t count;
    bool inOrder; ///< the slots lie along a curve already
} cltBoxList;

/// Scratch memory of a build. Empty and valid if zero-initialised.
typedef struct cltBoxTreeScratch
{
    cltBuffer slots; ///< uint32_t: memory in which callers may write cltBoxList::slots
    cltBuffer keys;
    cltRadixSort sort;
} cltBoxTreeScratch;

/// The box around the boxes of `block` and, unless `other` is NULL, those of `other` (cltWideKernels::bound).
typedef cltAabb cltBoundFcn( const cltBoxLanes* block, const cltBoxLanes* other );

/// Builds a tree over the listed slots without a NaN in their box. It owns its blocks. On an error it is empty.
cltStatus cltBoxTree_Build( cltBoxTree* tree, const cltBoxList* list, cltBoundFcn* bound, cltBoxTreeScratch* scratch,
                            cltMemory* memory );

/// A measure of how large blocks are: the sum of the longest edges of their bounds.
double cltBoxTree_SumLongestEdges( const cltBoxTree* tree );

/// The capacity of a small tree, in boxes: sixteen blocks below one root block.
#define CLT_SMALL_TREE_CAPACITY ( CLT_LANE_COUNT * CLT_LANE_COUNT )

/// Turns an empty tree into a small one, to which boxes are appended in any order.
cltStatus cltBoxTree_BeginSmall( cltBoxTree* tree, cltMemory* memory );

/// Appends a slot to a small tree that is not full. `box`, the slot's box, must have no NaN.
void cltBoxTree_Append( cltBoxTree* tree, uint32_t slot, const cltAabb* box );

/// Removes entry i from a small tree; the last entry becomes entry i.
void cltBoxTree_RemoveEntry( cltBoxTree* tree, uint32_t i );

/// Replaces the box of entry i in a tree that owns its blocks; bounds above it may grow. `box` must have no NaN.
void cltBoxTree_SetBox( cltBoxTree* tree, uint32_t i, const cltAabb* box );

void cltBoxTree_Release( cltBoxTree* tree, cltMemory* memory );
void cltBoxTreeScratch_Release( cltBoxTreeScratch* scratch, cltMemory* memory );

/// Cursor: a walk over the boxes of a tree that pass a test. Branches that do not pass it are skipped.
typedef struct cltBoxWalk
{
    const cltBoxTree* tree;
    cltLanesFcn* test;
    void* context;
    uint32_t level;
    uint32_t blocks[CLT_BOX_TREE_LEVELS]; ///< by level, the block that the walk is in
    uint32_t lanes[CLT_BOX_TREE_LEVELS];  ///< by level, the lanes of the current block not yet visited, as bits
} cltBoxWalk;

#define CLT_WALK_END UINT32_MAX

cltBoxWalk cltBoxWalk_Start( const cltBoxTree* tree, cltLanesFcn* test, void* context );

/// The index in level 0 of the next box that passes the test, or CLT_WALK_END.
uint32_t cltBoxWalk_Next( cltBoxWalk* walk );

#endif
