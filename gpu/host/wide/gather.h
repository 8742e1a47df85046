// SPDX-License-Identifier: Zlib
/// \file gather.h
/// Copies current boxes into lanes: of all bodies if many moved, of changed bodies if few did.
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
    cltWideTree* tree; ///< takes bounds
    const cltWideKernels* kernels;
    const cltUpload* upload;
    cltWorkerPool* pool;     ///< NULL: by this thread alone
    const uint32_t* settled; ///< blocks that are settled; NULL: all
    uint64_t jumpedCount;    ///< bodies that cltGather_All found to have jumped
} cltGather;

/// If few bodies moved: the current box of every lane becomes the previous one. Only blocks with movers in the last
/// update are copied, or all if `allDiffer`. Lanes that hold neither box become free (gather_changed.c).
void cltGather_CurrentToPrevious( cltGather* gather, bool allDiffer );

/// Takes their lanes from slots that were destroyed or come into sight elsewhere, and lists the latter as unplaced.
void cltGather_ApplyCreatedAndDestroyed( cltGather* gather );

/// Takes the boxes of the changed slots, and makes their lanes movers. Those that jumped are listed as unplaced.
void cltGather_Changed( cltGather* gather );

/// Takes the box of every lane from the slots. No body may have jumped.
void cltGather_Refresh( cltGather* gather );

/// Takes the box of every lane from the slots, and notes bodies that jumped. Blocks without one are fitted at once,
/// while they are in the cache (gather_all.c).
void cltGather_All( cltGather* gather );

/// How many lanes have jumped since the last committed update, of one block in `stride`. Takes nothing.
/// \param[out] seenCount  lanes of these blocks
uint32_t cltGather_CountJumped( const cltGather* gather, uint32_t stride, uint32_t* seenCount );

/// Takes the boxes of a block's lanes from all slots' boxes, cltAabb or cltAabbD. Returns the lanes that have none, as
/// bits.
uint32_t cltBlock_Gather( cltBoxLanes* block, const cltLeafRef* refs, const void* slots, bool isDouble );

/// Those that jumped leave their lanes, and are listed as unplaced.
void cltGather_DetachJumped( cltGather* gather );

#endif
