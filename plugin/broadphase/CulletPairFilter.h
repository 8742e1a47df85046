// SPDX-License-Identifier: Zlib
/// \file CulletPairFilter.h
/// Which of the core's pairs enter the pair cache.
///
/// While groups and masks alone decide, the core applies them: pairs that they reject are never searched. Once the
/// cache has a filter callback, or its class a filter of its own, the core pairs whatever overlaps, and the cache is
/// asked once for each pair that begins. Rejected pairs are remembered, and offered again when a box or a filter of
/// either proxy has changed, since Bullet does not report when a callback would answer otherwise.
#ifndef CULLET_PAIR_FILTER_H
#define CULLET_PAIR_FILTER_H

#include "CulletCore.h"
#include "CulletRejectedPairs.h"
#include "pair_cache/CulletPairStore.h"

class CulletPairFilter
{
public:
    /// An update looks for edited groups and masks at as many proxies as were set since the last one, but at least and
    /// at most at these. It takes them in turns: to look at all would cost more than a step in which little moves.
    static const int LOOKS = 256;
    static const int MOST_LOOKS = 4096;

    CulletPairFilter( CulletCore& core, CulletPairStore& store );

    /// As after construction. There are no proxies.
    void clear();

    // ----------------------------------------------------------------------------------------- edits of filters

    /// To be called for every proxy that is set, changed box or not.
    void beforeSetting( CulletProxy* proxy )
    {
        ++m_setCount;
        if ( proxy->isFilterEdited() )
        {
            readFilter( proxy );
        }
        else if ( m_core.isFiltering() && !m_rejected.isEmpty() ) // by a mask that was edited, and perhaps edited back
        {
            retry( proxy );
        }
    }

    /// Notices that another filter callback was installed: the core filters, or stops.
    void noticeCallback();

    /// Looks for proxies with a group or mask that was edited in place.
    void lookForEdits();

    /// Whether a proxy was set since the last call.
    bool takeIsAnySet();

    /// Whether a filter changed since the last call. Then pairs may end for the core that still overlap.
    bool takeIsAnyEdited();

    // ---------------------------------------------------------------------------------------------------- pairs

    /// Offers the cache a pair that it does not have. \return whether it took it
    bool offer( const CulletProxyPair& pair );

    /// The same for pairs that just began; any of them may be present or dead. Callbacks may destroy proxies of others.
    void offerAll( const CulletProxyPair* pairs, int count );

    /// Removes the pairs from the cache and from the rejected ones. Dead pairs are in neither.
    void remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// True if the cache rejected the pair in this round. Masks are compared each time.
    bool wasAsked( const CulletProxyPair& pair ) const
    {
        return !m_core.isFiltering() && m_rejected.wasAsked( pair, m_round );
    }

    /// The rejected pairs of the proxy are to be offered again.
    void retry( CulletProxy* proxy )
    {
        m_rejected.retry( proxy, m_core.getProxies().getCount() );
    }

    /// Offers again what is to be retried.
    void askAgain();

    /// Filters may be asked again about pairs that they rejected in the round that ends.
    void endRound()
    {
        ++m_round;
    }

    CulletRejectedPairs& getRejected()
    {
        return m_rejected;
    }

    const CulletRejectedPairs& getRejected() const
    {
        return m_rejected;
    }

private:
    void readFilter( CulletProxy* proxy );
    void reject( const CulletProxyPair& pair );
    void askAgainAt( int place, CulletPairNotes& settled, CulletPairNotes& accepted );
    void forgetRejected( const CulletPairNotes& notes );

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletRejectedPairs m_rejected;
    const btOverlapFilterCallback* m_knownCallback; ///< of the cache, when last looked at
    uint32_t m_round;      ///< of asking filters: another one begins with every update and every edit of a filter
    uint32_t m_setCount;   ///< proxies that were set since the last update, changed box or not
    bool m_isAnyEdited;    ///< a filter changed since the last update
    cltProxyId m_nextLook; ///< where lookForEdits goes on
    btAlignedObjectArray<CulletProxyPair> m_newlyRejected; ///< scratch of offerAll
};

#endif
