// SPDX-License-Identifier: Zlib
/// \file gather.h
/// Boxes as they are now into lanes: of all bodies when many moved, of the changed ones when few did.
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

/// Few moved: the box before of every lane becomes what the one now was. Only the blocks that moved before are looked
/// at, or, if `allDiffer`, all. Lanes that hold neither box are free then (gather_changed.c).
void cltGather_Settle( cltGather* gather, bool allDiffer );

/// Takes their lanes from slots that were destroyed or come into sight elsewhere, and lists the latter as unplaced.
void cltGather_ComeAndGo( cltGather* gather );

/// Takes the boxes of the changed slots, and makes their lanes movers. Those that jumped are listed as unplaced.
void cltGather_Changed( cltGather* gather );

/// Takes the box of every lane from the slots, and no more: nobody has jumped.
void cltGather_Refresh( cltGather* gather );

/// Takes the box of every lane from the slots, and notes who jumped. While they are at hand, the blocks in which nobody
/// did are fitted (gather_all.c).
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
