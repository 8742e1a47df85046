// SPDX-License-Identifier: Zlib
/// \file CulletPairUpdate.h
/// Keeps the pair cache in step with the core: pairs that ended leave it, pairs that began enter it, in canonical
/// order.
///
/// As a rule a pair is held by the core and present in the cache, or neither. Pairs for which the core's changes do not
/// settle this are due: each is looked at in the next update. They are in the cache but not held by the core, as the
/// filter would reject them today; or the application itself added or removed them; or they were offered before the
/// core reported them, and ended.
#ifndef CULLET_PAIR_UPDATE_H
#define CULLET_PAIR_UPDATE_H

#include "CulletPairSearch.h"

class CulletPairUpdate
{
public:
    CulletPairUpdate( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter, CulletPairSearch& search );

    /// Updates the core, then the cache. Not to be called while the cache is being changed.
    void update( btDispatcher* dispatcher );

    /// Removes pairs that do not overlap from a cache with deferred removal; others have none.
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

    // Of the update in progress.
    bool m_isAnyFilterEdited;
    CulletPairNotes m_due; ///< ascending by uids
};

#endif
