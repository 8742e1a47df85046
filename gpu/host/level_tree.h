// SPDX-License-Identifier: Zlib
/// \file level_tree.h Level trees on the host: their memory, and the computation of inner nodes.
#ifndef CLT_HOST_LEVEL_TREE_H
#define CLT_HOST_LEVEL_TREE_H

#include "gpu/core/level_tree.h"
#include "gpu/platform/worker_pool.h"

/// The memory of a tree. Empty and valid if zero-initialized.
typedef struct cltLevelStorage
{
    cltBuffer nodes;
    cltBuffer moves;
} cltLevelStorage;

/// Makes a tree of `leafCount` leaves, with nodes not yet written. It is valid until the next call, or until release.
/// \param recordsMoves  whether each node records if any leaf below it has moved
cltStatus cltLevelStorage_Make( cltLevelStorage* storage, cltMemory* memory, uint32_t leafCount, bool recordsMoves,
                                cltLevelTree* tree );

void cltLevelStorage_Release( cltLevelStorage* storage, cltMemory* memory );

/// Computes all inner nodes, after the caller wrote the leaves' nodes and moves. Same bytes on any number of threads.
void cltLevelTree_ComputeInnerNodes( const cltLevelTree* tree, cltWorkerPool* pool );

#endif
