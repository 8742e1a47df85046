// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.h
/// A pair cache of the application's, used pair by pair through Bullet's interface. It does not say what others do to
/// it, and it may leave it to the broadphase to take out what ended (deferred removal).
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

    bool hasPair( const CulletProxyPair& pair ) const
    {
        return m_cache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    }

    /// \return false if the cache did not take it, or does not tell
    bool addPair( const CulletProxyPair& pair );

    /// Whoever hears of the contact's end may change the cache.
    void removePair( const CulletProxyPair& pair, btDispatcher* dispatcher );

    void removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher );

    /// What overlaps no more leaves a cache with deferred removal.
    void dropSeparated( btDispatcher* dispatcher );

    /// Appends the pairs that do not overlap.
    void listSeparated( btAlignedObjectArray<CulletPairNote>& separated ) const;

    /// Whether somebody else changed it, until setEdited( false ). Knows it by the number of pairs, the first and the
    /// last.
    bool isEdited();

    void setEdited( bool isEdited )
    {
        m_isEdited = isEdited;
    }

    /// Takes it as it is.
    void remember();

private:
    void noticeEdits();

    btOverlappingPairCache* m_cache;
    bool m_isDeferring;
    bool m_isEdited;
    int m_count; ///< of pairs after we last touched it, and the first and the last of them
    CulletProxyPair m_first;
    CulletProxyPair m_last;
};

#endif
