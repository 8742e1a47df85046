// SPDX-License-Identifier: Zlib
/// \file level_tree.h
/// Level trees on the host: memory for one, and all nodes above leaves that are there.
#ifndef CLT_HOST_LEVEL_TREE_H
#define CLT_HOST_LEVEL_TREE_H

#include "gpu/core/level_tree.h"
#include "gpu/platform/worker_pool.h"

/// What a tree lies in. Zero-initialised it is empty and valid.
typedef struct cltLevelStorage
{
    cltBuffer nodes;
    cltBuffer moves;
} cltLevelStorage;

/// A tree of so many leaves, none of which is there yet. It is valid until the room is asked again or released.
/// \param asksMoves  whether nodes know if something below them is not still
cltStatus cltLevelStorage_Make( cltLevelStorage* room, cltMemory* memory, uint32_t leafCount, bool asksMoves,
                                cltLevelTree* tree );

void cltLevelStorage_Release( cltLevelStorage* room, cltMemory* memory );

/// Makes every node above the leaves, whose nodes and moves the caller has written. The same bytes on any number of
/// threads.
void cltLevelTree_Join( const cltLevelTree* tree, cltWorkerPool* pool );

#endif
