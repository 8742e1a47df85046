// SPDX-License-Identifier: Zlib
/// \file CulletPairUpdate.h
/// Keeps the pair cache in step with the core: pairs that ended leave it, pairs that began enter it, in canonical
/// order.
///
/// Normally a pair is either held by the core and present in the cache, or neither. If the core's changes do not ensure
/// this for a pair, the pair is due: the next update checks it. There are three kinds of due pairs. The cache has the
/// pair but the core does not hold it, because the filter would now reject it. The application itself added or removed
/// it. Or the pair was offered before the core reported it, and then ended.
#ifndef CULLET_PAIR_UPDATE_H
#define CULLET_PAIR_UPDATE_H

#include "CulletPairSearch.h"

class CulletPairUpdate
{
public:
    CulletPairUpdate( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter, CulletPairSearch& search );

    /// Updates the core, then the cache. Must not be called while the cache is being changed.
    void update( btDispatcher* dispatcher );

    /// Removes pairs that do not overlap from a cache with deferred removal. Other caches have no such pairs.
    void performDeferredRemoval( btDispatcher* dispatcher );

    /// Milliseconds that the last update spent on the cache; 0 if it failed.
    float getCacheMs() const
    {
        return m_cacheMs;
    }

    void clear()
    {
        m_cacheMs = 0;
        m_store.acceptEdits();
    }

private:
    void handOver( const cltPairChanges& changes, btDispatcher* dispatcher );
    bool mayExchange( const cltPairChanges& changes ) const;
    bool exchangePairs( CulletPairExchange& exchange, const cltPairChanges& changes, btDispatcher* dispatcher );
    void removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher );
    int keepAccepted( CulletProxyPair* pairs, int count );
    void addBegan( const cltPair* pairs, size_t count );
    void removeSeparatedDue( btDispatcher* dispatcher );
    void settleDue();
    void dropSeparated( btDispatcher* dispatcher );
    void repair( btDispatcher* dispatcher );

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletPairFilter& m_filter;
    CulletPairSearch& m_search;
    float m_cacheMs;

    // State of the update in progress.
    bool m_isAnyFilterEdited;
    CulletPairNotes m_due; ///< ascending by uids
};

#endif
