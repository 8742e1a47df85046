// SPDX-License-Identifier: Zlib
/// \file mesh_keys.h Converts a search's keys to the pairs that callers read, and keeps keys.
///
/// The keys that the last search for triangles, vertices or edges found are kept for the next search of that kind. If
/// two meshes did not move, the pairs between them are unchanged, as are the pairs within a mesh that did not move. So
/// two meshes are searched again only if at least one of them moved.
#ifndef CLT_HOST_MESH_KEYS_H
#define CLT_HOST_MESH_KEYS_H

#include "gpu/host/pair_sink.h"
#include "gpu/mesh/host/mesh_tree.h"

/// The keys kept from one search. Empty and valid if zero-initialized.
typedef struct cltKeptKeys
{
    cltPairSink sink;    ///< between searches, `next` keys in ascending order
    uint64_t searchedAt; ///< the largest cltMeshArrays::fitStamp when the keys were found; 0: they are invalid
    uint64_t layout;     ///< see cltMeshSearch
    cltMeshTest test;
} cltKeptKeys;

/// Begins a search: removes the kept keys of meshes that moved, or all keys if meshes, filters or the test changed, or
/// if all pairs of meshes must be searched.
/// \param fitStamp     the largest fit stamp of all meshes
/// \param[out] walked  the pairs of meshes to search; has capacity for all pairs
/// \return the number of pairs in `walked`
size_t cltKeptKeys_Begin( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp, cltPair* walked );

/// Ends a search. \param fitStamp  as for cltKeptKeys_Begin; a mesh that moves later gets a larger stamp
void cltKeptKeys_End( cltKeptKeys* kept, const cltMeshSearch* search, uint64_t fitStamp );

/// The size of a pair of the search's kind, in bytes.
size_t cltMeshSearch_PairBytes( const cltMeshSearch* search );

/// Converts keys to pairs. \param[out] pairs  an array of `count` pairs of the search's kind
void cltMeshSearch_WritePairs( const cltMeshSearch* search, const uint64_t* keys, size_t count, cltWorkerPool* pool,
                               void* pairs );

#endif
