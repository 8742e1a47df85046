// SPDX-License-Identifier: Zlib
/// \file write_pairs.h
/// From a search's keys to the pairs that callers read.
#ifndef CLT_HOST_WRITE_PAIRS_H
#define CLT_HOST_WRITE_PAIRS_H

#include "gpu/host/meshes/mesh_tree.h"

/// Of one pair of the search's kind.
size_t cltMeshSearch_PairBytes( const cltMeshSearch* search );

/// \param keys   partA's number in the set, and in the lower `bitsB` bits partB's
/// \param pairs  room for `count` pairs of the search's kind
void cltMeshSearch_WritePairs( const cltMeshSearch* search, const uint64_t* keys, size_t count, uint32_t bitsB,
                               cltWorkerPool* pool, void* pairs );

#endif
