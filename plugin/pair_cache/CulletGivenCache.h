// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.h
/// A pair cache of the application's, used pair by pair through Bullet's interface. It does not say what others do to
/// it, and it may leave it to the broadphase to take out what ended (deferred removal). It may be of any class; one
/// that overrides needsBroadphaseCollision has a rule of its own.
#ifndef CULLET_GIVEN_CACHE_H
#define CULLET_GIVEN_CACHE_H

#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "CulletPairNote.h"

class CulletGivenCache
{
public:
    /// \param cache  NULL: only isDeferring may be called
    explicit CulletGivenCache( btOverlappingPairCache* cache );

    bool isDeferring() const
    {
        return m_isDeferring;
    }

    /// The cache's, or NULL if it has none, or is older than Bullet 3.05 and does not tell.
    const btOverlapFilterCallback* getFilterCallback() const;

    /// Groups and masks alone decide at present which pairs it takes: it has no filter callback, and no rule of its
    /// own.
    bool isFilteredByMasks() const
    {
        return m_hasBulletsRule && !getFilterCallback();
    }

    bool hasPair( const CulletProxyPair& pair ) const
    {
        return m_cache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    }

    /// \return false if the cache did not take it, or does not tell
    bool addPair( const CulletProxyPair& pair );

    /// addPair on each pair in turn that is alive.
    /// \param rejected  gets those that were not taken
    void addPairs( const CulletProxyPair* pairs, int count, btAlignedObjectArray<CulletProxyPair>& rejected );

    /// Those that are alive and there: the cache hears of no others. A callback that hears of a contact's end may
    /// change the cache.
    void removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    void forgetProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher );

    /// What overlaps no more leaves a cache with deferred removal.
    void dropSeparated( btDispatcher* dispatcher );

    /// Appends the pairs that do not overlap.
    void listSeparated( CulletPairNotes& separated ) const;

    /// Whether somebody else changed it, until it is accepted as it is. Knows it by the number of pairs, the first and
    /// the last.
    bool isEdited()
    {
        noticeEdits();
        return m_isEdited;
    }

    void accept();

private:
    void removePair( const CulletProxyPair& pair, btDispatcher* dispatcher );
    void noticeEdits();
    void remember();

    btOverlappingPairCache* m_cache;
    bool m_isDeferring;
    bool m_hasBulletsRule;
    bool m_isEdited;
    int m_count; ///< of pairs after we last touched it, and the first and the last of them
    btBroadphasePair m_first;
    btBroadphasePair m_last;
};

#endif
