// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.h
/// The broadphase's own pair cache: Bullet's hashed cache with an index that stays fast at millions of pairs, lists of
/// each proxy's pairs, and adds and removes in batches. Programs can use it as a btHashedOverlappingPairCache: same
/// results, same pair array in the same order, same calls of filter and ghost callbacks. There are two differences: the
/// filter is not called again for a pair that is present, and an exchange (CulletPairExchange.h) puts new pairs in the
/// places of old ones. The cache holds fewer than 2^30 pairs, as Bullet's does.
///
/// Ghost callbacks, and callbacks for contacts that end, may add and remove other pairs. Bullet's cache does not allow
/// this. Here a pair's algorithm is detached before it is destroyed, and a pair is removed from the array before its
/// ghost callback is called.
#ifndef CULLET_PAIR_CACHE_H
#define CULLET_PAIR_CACHE_H

#include "CulletPairExchange.h"
#include "CulletPairStore.h"

/// The pairs are kept in the base's array. The base's own hash table stays empty: every base function that would read
/// it is overridden here.
///
/// Every virtual function that reads or changes pairs first makes the pending searches. Three ways to the array do not:
/// btHashedOverlappingPairCache's GetCount() and const getOverlappingPairArray(), called on that class, and a reference
/// to the array that was obtained earlier. They show the pairs as of the last pending searches. The broadphase's
/// getOverlappingPairCache makes the pending searches. From calculateOverlappingPairs until the next setAabb no search
/// is pending, so a read only tests a flag, and any number of threads may read.
class CulletPairCache : public btHashedOverlappingPairCache, public CulletPairStore
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;
    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override;
    btBroadphasePair* findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override;

    btBroadphasePair* getOverlappingPairArrayPtr() override;
    const btBroadphasePair* getOverlappingPairArrayPtr() const override;
    btBroadphasePairArray& getOverlappingPairArray() override;
    const btBroadphasePairArray& getOverlappingPairArray() const;
    int getNumOverlappingPairs() const override;
    void processAllOverlappingPairs( btOverlapCallback* callback, btDispatcher* dispatcher ) override;
    using btHashedOverlappingPairCache::processAllOverlappingPairs; // its other form calls this one
    void sortOverlappingPairs( btDispatcher* dispatcher ) override;

    // The pending searches are made first, so the new callback is not called for their pairs.
    void setOverlapFilterCallback( btOverlapFilterCallback* callback ) override;
    void setInternalGhostPairCallback( btOverlappingPairCallback* callback ) override;

    void cleanOverlappingPair( btBroadphasePair& pair, btDispatcher* dispatcher ) override;

    /// Cost: see CulletPairArray::listPairsOf. NULL does nothing.
    void removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;
    void cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override;

    // For the broadphase that owns the cache. These functions neither make pending searches nor count as edits.

    btOverlappingPairCache* getCache() final
    {
        return this;
    }

    void setSource( CulletPairSource* source ) final
    {
        m_source = source;
    }

    CulletPairArray& getPairs()
    {
        return m_pairs;
    }

    const btOverlapFilterCallback* getFilterCallback() final
    {
        return getOverlapFilterCallback();
    }

    bool isFilteredByMasks() final
    {
        return !getOverlapFilterCallback();
    }

    bool isObserved() final
    {
        return m_ghostPairCallback || getOverlapFilterCallback();
    }

    bool hasPair( const CulletProxyPair& pair ) const final
    {
        return m_pairs.find( pair ) != CulletPairArray::NONE;
    }

    void leaveOutPresent( CulletPairNotes& notes ) const final;
    bool addPair( const CulletProxyPair& pair ) final;
    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected ) final;
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher ) final;
    void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) final;

    bool askAgain( const CulletProxyPair& pair ) final
    {
        return needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
    }

    void addAccepted( const CulletProxyPair& pair ) final;

    void expectChanges( size_t count ) final
    {
        m_pairs.expectChanges( count );
    }

    void expectAdded( size_t count ) final
    {
        if ( !getOverlapFilterCallback() ) // a filter may reject all of these pairs
        {
            m_pairs.reserveFor( count, 0 );
        }
    }

    /// Keeps all pairs: addPairs itself skips pairs that are present.
    int selectAbsent( CulletProxyPair*, int count ) const final
    {
        return count;
    }

    CulletPairExchange* getExchange() final
    {
        return isObserved() ? 0 : &m_exchange;
    }

private:
    void searchPending() const
    {
        if ( m_source )
        {
            m_source->searchPending();
        }
    }

    CulletProxyPair edit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 );
    btBroadphasePair* insertHashed( const CulletProxyPair& pair, uint32_t hash );
    btBroadphasePair* addHashed( const CulletProxyPair& pair, uint32_t hash );
    void* removeHashed( const CulletProxyPair& pair, uint32_t hash, btDispatcher* dispatcher );
    void* removeAt( int place, btDispatcher* dispatcher );

    CulletPairArray m_pairs{ btHashedOverlappingPairCache::getOverlappingPairArray() };
    CulletPairExchange m_exchange{ m_pairs, *this };
    CulletPairSource* m_source = 0;
};

#endif
