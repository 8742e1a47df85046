// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.h
/// Bullet's hashed pair cache with an index that stays fast at millions of pairs, and adds and removes in batches. To
/// everyone else it is a btHashedOverlappingPairCache: same results, same pair array in the same order, same calls of
/// filter and ghost callbacks. It holds fewer than 2^30 pairs, as Bullet's does.
#ifndef CULLET_PAIR_CACHE_H
#define CULLET_PAIR_CACHE_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletPairIndex.h"

/// A pair of a batch. m_pProxy0 has the smaller uid.
struct CulletProxyPair
{
    btBroadphaseProxy* m_pProxy0;
    btBroadphaseProxy* m_pProxy1;
};

/// The pairs are kept in the base's array. The base's own hash table stays empty: every base function that would read
/// it is overridden here, and the others (sortOverlappingPairs, removeOverlappingPairsContainingProxy,
/// cleanProxyFromPairs, processAllOverlappingPairs) reach the pairs through these overrides.
class CulletPairCache : public btHashedOverlappingPairCache
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    CulletPairCache();

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;
    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override;
    btBroadphasePair* findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;

    /// Memory for this many pairs, so that adding them does not copy the array. What is not filled is not touched.
    void reservePairs( int count );

    /// The same as addOverlappingPair on each pair in turn; the waits for memory overlap each other.
    void addPairs( const CulletProxyPair* pairs, int count );

    /// The same as removeOverlappingPair on each pair in turn.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

private:
    uint32_t search( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1, uint32_t hash );
    btBroadphasePair* append( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash );
    btBroadphasePair* addHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash );
    void* removeHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash, btDispatcher* dispatcher );
    void takeOut( int pairIndex, uint32_t hash );
    void hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const;
    void prefetchRemovals( const uint32_t* hashes, int count );

    CulletPairIndex m_index;
    btAlignedObjectArray<uint32_t> m_hashes; ///< of each pair in the array, so that moving a pair reads no proxy
};

#endif
