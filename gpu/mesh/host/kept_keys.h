// SPDX-License-Identifier: Zlib
/// \file kept_keys.h
/// What a search finds, kept for the next one of its kind: between two meshes that did not move since then, and in one
/// that did not, the pairs are the same, so only the others are walked.
#ifndef CLT_HOST_KEPT_KEYS_H
#define CLT_HOST_KEPT_KEYS_H

#include "gpu/host/pair_sink.h"
#include "gpu/mesh/host/mesh_tree.h"

/// Zero-initialised it is empty and valid.
typedef struct cltKeptKeys
{
    cltPairSink sink;    ///< between searches `next` keys, ascending
    uint64_t searchedAt; ///< the last fit stamp before the search that found them; 0: they are good for nothing
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
