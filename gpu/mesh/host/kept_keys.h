// SPDX-License-Identifier: Zlib
/// \file kept_keys.h Keys of the last search of a kind, reused by the next one. Pairs between two meshes, and within a
/// mesh, are unchanged if these did not move, so only the others are searched.
#ifndef CLT_HOST_KEPT_KEYS_H
#define CLT_HOST_KEPT_KEYS_H

#include "gpu/host/pair_sink.h"
#include "gpu/mesh/host/mesh_tree.h"

/// Zero-initialized it is empty and valid.
typedef struct cltKeptKeys
{
    cltPairSink sink;    ///< between searches, `next` keys in ascending order
    uint64_t searchedAt; ///< the latest fit stamp when the keys were found; 0 if they are invalid
    uint64_t layout;     ///< see cltMeshSearch
    cltMeshTest test;
} cltKeptKeys;

/// Takes the keys of meshes that moved out of those of the last search, or all of them if meshes came or went, or
/// another test is asked for.
/// \param fitStamp     the last one that a mesh got
/// \param[out] walked   room for all pairs of meshes: those that are to be searched
/// \return how many pairs of meshes these are
size_t cltKeptKeys_Begin( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp, cltPair* walked );

/// \param fitStamp  as for Begin: meshes that are fitted later have moved since
void cltKeptKeys_End( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp );

#endif
