// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.h
/// Bullet's hashed pair cache with an index that stays fast at millions of pairs, lists of each proxy's pairs, and adds
/// and removes in batches. To everyone else it is a btHashedOverlappingPairCache: same results, same pair array in the
/// same order, same calls of filter and ghost callbacks, but for a pair that is there already, of which the filter is not
/// asked again. It holds fewer than 2^30 pairs, as Bullet's does.
#ifndef CULLET_PAIR_CACHE_H
#define CULLET_PAIR_CACHE_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletNeighbours.h"
#include "CulletPairIndex.h"

/// A pair of a batch. m_pProxy0 has the smaller uid.
struct CulletProxyPair
{
    btBroadphaseProxy* m_pProxy0;
    btBroadphaseProxy* m_pProxy1;
};

/// A pair that may be gone when it is looked at again. Its proxies' memory must stay readable.
struct CulletPairNote
{
    CulletProxyPair m_pair;
    int m_uid0;
    int m_uid1;

    explicit CulletPairNote( const CulletProxyPair& pair )
        : m_pair( pair ), m_uid0( pair.m_pProxy0->m_uniqueId ), m_uid1( pair.m_pProxy1->m_uniqueId )
    {
    }

    CulletPairNote()
    {
    }

    bool isAlive() const
    {
        return m_pair.m_pProxy0->m_uniqueId == m_uid0 && m_pair.m_pProxy1->m_uniqueId == m_uid1;
    }

    uint64_t key() const
    {
        return ( uint64_t( uint32_t( m_uid0 ) ) << 32 ) | uint32_t( m_uid1 );
    }

    bool operator<( const CulletPairNote& other ) const
    {
        return key() < other.key();
    }
};

/// The pairs are kept in the base's array. The base's own hash table stays empty: every base function that would read
/// it is overridden here, and the others (sortOverlappingPairs, processAllOverlappingPairs) reach the pairs through these
/// overrides.
class CulletPairCache : public btHashedOverlappingPairCache
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    CulletPairCache();

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;
    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override;
    btBroadphasePair* findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;

    /// Cost: the number of the proxy's own pairs, and sorting them; after a step in which an eighth of all pairs changed,
    /// once one pass over the array. NULL: nothing.
    void removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    // What follows is for the broadphase that owns the cache.

    /// Memory for this many pairs, so that adding them does not copy the array. What is not filled is not touched.
    void reservePairs( int count );

    /// So many pairs are about to be added and removed.
    void expectChanges( size_t count );

    /// addOverlappingPair, but not an edit.
    btBroadphasePair* addPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );

    /// The same on each pair in turn; the waits for memory overlap each other.
    /// \param rejected  gets those that the filter did not let in
    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected );

    /// The same as removeOverlappingPair on each pair in turn, but no edits.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// Adds a pair without asking the filter.
    btBroadphasePair* insertPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );

    /// Takes out all pairs of a proxy that is about to be destroyed.
    void forgetProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher );

    /// The indices of the proxy's pairs, ascending.
    void listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& indices );

    bool hasPairs( const btBroadphaseProxy* proxy )
    {
        provideNeighbours();
        return m_neighbours.hasAny( proxy->m_uniqueId );
    }

    bool hasGhostCallback() const
    {
        return m_ghostPairCallback != 0;
    }

    /// Pairs that somebody else than the owner added or removed, while this is switched on.
    void noteEdits( bool wanted )
    {
        m_notesEdits = wanted;
    }

    btAlignedObjectArray<CulletPairNote>& getEdits()
    {
        return m_edits;
    }

private:
    static uint32_t hashOf( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1 )
    {
        return CulletPairIndex::hash( proxy0->m_uniqueId, proxy1->m_uniqueId );
    }

    uint32_t search( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1, uint32_t hash );
    btBroadphasePair* append( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash );
    btBroadphasePair* addHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash );
    void* removeHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash, btDispatcher* dispatcher );
    void* removeAt( int pairIndex, btDispatcher* dispatcher );
    void takeOut( int pairIndex );
    void provideNeighbours();
    void noteEdit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );
    void hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const;
    void prefetchLists( const CulletProxyPair* pairs, int count ) const;
    void prefetchRemovals( const uint32_t* hashes, int count ) const;

    CulletPairIndex m_index;
    CulletNeighbours m_neighbours;
    btAlignedObjectArray<uint32_t> m_hashes; ///< of each pair in the array, so that moving a pair reads no proxy
    btAlignedObjectArray<CulletPairNote> m_edits;
    bool m_notesEdits;
};

#endif
