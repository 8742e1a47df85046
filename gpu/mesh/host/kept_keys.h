// SPDX-License-Identifier: Zlib
/// \file kept_keys.h
/// The pair keys that the last search for triangles, vertices or edges found, kept for the next search of that kind.
/// If two meshes did not move, the pairs between them are unchanged, as are the pairs within a mesh that did not move.
/// So only pairs of meshes of which at least one moved are searched again.
#ifndef CLT_HOST_KEPT_KEYS_H
#define CLT_HOST_KEPT_KEYS_H

#include "gpu/host/pair_sink.h"
#include "gpu/mesh/host/mesh_tree.h"

/// Zero-initialized it is empty and valid.
typedef struct cltKeptKeys
{
    cltPairSink sink;    ///< between searches, `next` keys in ascending order
    uint64_t searchedAt; ///< the largest cltMeshArrays::fitStamp when the keys were found; 0: they are invalid
    uint64_t layout;     ///< see cltMeshSearch
    cltMeshTest test;
} cltKeptKeys;

/// Removes the kept keys of meshes that moved; or all keys, if meshes were added or removed or another test is asked
/// for.
/// \param fitStamp     the last one that a mesh got
/// \param[out] walked   room for all pairs of meshes: those that are to be searched
/// \return how many pairs of meshes these are
size_t cltKeptKeys_Begin( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp, cltPair* walked );

/// \param fitStamp  as for Begin: meshes that are fitted later have moved since
void cltKeptKeys_End( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp );

#endif
