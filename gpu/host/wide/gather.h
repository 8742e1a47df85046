// SPDX-License-Identifier: Zlib
/// \file gather.h
/// Copies current boxes into lanes: the boxes of all bodies if many moved, of the changed bodies if few moved.
#ifndef CLT_HOST_WIDE_GATHER_H
#define CLT_HOST_WIDE_GATHER_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/lanes.h"
#include "gpu/host/wide/movers.h"
#include "gpu/host/wide/tree.h"

typedef struct cltGather
{
    cltLanes* lanes;
    cltMovers* movers;
    cltWideTree* tree; ///< gets the bounds of blocks
    const cltWideKernels* kernels;
    const cltUpload* upload;
    cltWorkerPool* pool;          ///< NULL: the calling thread works alone
    const uint32_t* blocksToCopy; ///< blocks in which current boxes become the previous ones; NULL: all
    uint64_t jumpedCount;         ///< bodies that cltGather_All found to have jumped
} cltGather;

/// For an update in which few bodies moved: makes the current box of every lane the previous one. If `allDiffer` is
/// false, only blocks with previous movers are copied: no other block differs. Lanes with neither box become free.
void cltGather_CurrentToPrevious( cltGather* gather, bool allDiffer );

/// Removes from their lanes the slots that were destroyed and those that appeared. Lists the latter as unplaced.
void cltGather_ApplyCreatedAndDestroyed( cltGather* gather );

/// Copies the boxes of the changed slots, and makes their lanes movers. Lists bodies that jumped as unplaced.
void cltGather_Changed( cltGather* gather );

/// Copies every lane's box from its slot. No body may have jumped.
void cltGather_Refresh( cltGather* gather );

/// Copies every lane's box from its slot, and marks bodies that jumped. If no body of an ordered block jumped, computes
/// the block's bounds at once, while the block is in the cache.
void cltGather_All( cltGather* gather );

/// Counts bodies that jumped since the last committed update, in one of every cltSampleStride blocks. Changes no lane.
/// \param[out] seenCount  lanes in these blocks
uint32_t cltGather_CountJumped( const cltGather* gather, uint32_t* seenCount );

/// cltWideTree_Spread with the upload's boxes. Changes no lane.
float cltGather_Spread( const cltGather* gather );

/// Copies the boxes of a block's lanes from `slots`, the boxes of all slots, cltAabb or cltAabbD. Returns the lanes
/// without a box, as bits.
uint32_t cltBlock_Gather( cltBoxLanes* block, const cltLeafRef* refs, const void* slots, bool isDouble );

/// Detaches bodies that jumped from their lanes, and lists them as unplaced.
void cltGather_DetachJumped( cltGather* gather );

#endif
