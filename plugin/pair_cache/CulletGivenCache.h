// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.h
/// A pair cache of the application, used pair by pair through Bullet's interface. It may be of any class; a class that
/// overrides needsBroadphaseCollision has a filter of its own. Such a cache does not report edits, and some leave it to
/// the broadphase to remove pairs that ended (deferred removal).
#ifndef CULLET_GIVEN_CACHE_H
#define CULLET_GIVEN_CACHE_H

#include "CulletPairStore.h"

class CulletGivenCache : public CulletPairStore
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    explicit CulletGivenCache( btOverlappingPairCache& cache );

    btOverlappingPairCache* getCache() final
    {
        return &m_cache;
    }

    /// Always NULL before Bullet 3.05: its caches have no function that returns it.
    const btOverlapFilterCallback* getFilterCallback() final;

    bool isFilteredByMasks() final
    {
        return m_hasBulletsFilter && !getFilterCallback();
    }

    bool isObserved() final
    {
        return true;
    }

    bool hasPair( const CulletProxyPair& pair ) const final
    {
        return m_cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    }

    void leaveOutPresent( CulletPairNotes& notes ) const final;

    /// \return also true for a cache with deferred removal, which may take the pair without saying so
    bool addPair( const CulletProxyPair& pair ) final;

    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected ) final;

    /// Asks the cache to remove only pairs that are alive and present. Callbacks about contacts that end may change the
    /// cache.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher ) final;

    void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) final;

    bool askAgain( const CulletProxyPair& pair ) final
    {
        return addPair( pair );
    }

    int selectAbsent( CulletProxyPair* pairs, int count ) const final;

    /// Detects an edit by comparing the number of pairs, the first pair and the last pair with the remembered ones.
    /// Always false for a cache with deferred removal.
    bool isEdited() final
    {
        noticeEdits();
        return m_isEdited;
    }

    void acceptEdits() final;

private:
    void removePair( const CulletProxyPair& pair, btDispatcher* dispatcher );
    void noticeEdits();
    void remember();

    btOverlappingPairCache& m_cache;
    bool m_hasBulletsFilter;
    bool m_isEdited;
    int m_count; ///< pairs after the broadphase last changed the cache; m_first and m_last are the outer two
    btBroadphasePair m_first;
    btBroadphasePair m_last;
};

#endif
