// SPDX-License-Identifier: Zlib
/// \file write_pairs.h Converts a search's keys to the pairs that callers read.
#ifndef CLT_HOST_WRITE_PAIRS_H
#define CLT_HOST_WRITE_PAIRS_H

#include "gpu/mesh/host/mesh_tree.h"

/// A key as meshes and numbers within them.
typedef struct cltKeyParts
{
    uint32_t numberA; ///< in its mesh
    uint32_t numberB;
    uint32_t meshA;
    uint32_t meshB;
} cltKeyParts;

/// \param bitsB  see cltMeshSearch_WritePairs
/// \param parts  in: those of the previous key, or zeros; its meshes are mostly the same. Out: those of `key`
void cltMeshSearch_ReadKey( const cltMeshSearch* search, uint64_t key, uint32_t bitsB, cltKeyParts* parts );

/// The size of a pair of the search's kind.
size_t cltMeshSearch_PairBytes( const cltMeshSearch* search );

/// \param keys   partA's number in the set, and in the lower `bitsB` bits partB's
/// \param pairs  an array of `count` pairs of the search's kind
void cltMeshSearch_WritePairs( const cltMeshSearch* search, const uint64_t* keys, size_t count, uint32_t bitsB,
                               cltWorkerPool* pool, void* pairs );

#endif
