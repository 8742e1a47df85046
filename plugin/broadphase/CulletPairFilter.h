// SPDX-License-Identifier: Zlib
/// \file CulletPairFilter.h
/// Which of the core's pairs enter the pair cache.
///
/// If only groups and masks decide, the core applies them, and rejected pairs are never searched. If the cache has a
/// filter callback, or its class has a filter of its own, the core pairs all overlapping boxes. The cache's filter is
/// then called once for each pair that begins. Rejected pairs are remembered. They are offered again when a box or a
/// filter of either proxy has changed, because Bullet does not report that a callback's answer changed.
#ifndef CULLET_PAIR_FILTER_H
#define CULLET_PAIR_FILTER_H

#include "CulletCore.h"
#include "CulletRejectedPairs.h"
#include "pair_cache/CulletPairStore.h"

class CulletPairFilter
{
public:
    /// Least and largest number of proxies that an update checks for edited groups and masks. Between these, it checks
    /// as many proxies as were set since the last update. Successive updates check different proxies: checking all
    /// would cost more than a step in which few bodies move.
    static const int LOOKS = 256;
    static const int MOST_LOOKS = 4096;

    CulletPairFilter( CulletCore& core, CulletPairStore& store );

    /// As after construction. There are no proxies.
    void clear();

    // ----------------------------------------------------------------------------------------- edits of filters

    /// Must be called before each setAabb of a proxy, even if its box does not change.
    void beforeSetting( CulletProxy* proxy )
    {
        ++m_setCount;
        if ( proxy->isFilterEdited() )
        {
            readFilter( proxy );
        }
        else if ( m_core.isFiltering() &&
                  !m_rejected.isEmpty() ) // pairs rejected by a mask that may have been edited back
        {
            retry( proxy );
        }
    }

    /// Notices that another filter callback was installed: the core filters, or stops.
    void noticeCallback();

    /// Checks some proxies for a group or mask that was edited in place.
    void lookForEdits();

    /// True if a proxy was set since the last call.
    bool takeIsAnySet();

    /// True if a filter changed since the last call. The core may then end pairs that still overlap.
    bool takeIsAnyEdited();

    // ---------------------------------------------------------------------------------------------------- pairs

    /// Offers an absent pair to the cache. \return true if the cache accepted the pair
    bool offer( const CulletProxyPair& pair );

    /// Offers pairs that just began. Pairs may be present or have destroyed proxies: callbacks may destroy proxies of
    /// later pairs.
    void offerAll( const CulletProxyPair* pairs, int count );

    /// Removes the pairs from the cache and from the rejected pairs. Neither contains pairs of destroyed proxies.
    void remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher );

    /// True if the cache rejected the pair in this round. Masks are compared each time.
    bool wasAsked( const CulletProxyPair& pair ) const
    {
        return !m_core.isFiltering() && m_rejected.wasAsked( pair, m_round );
    }

    /// Marks the rejected pairs of the proxy, so that askAgain offers them again.
    void retry( CulletProxy* proxy )
    {
        m_rejected.retry( proxy, m_core.getProxies().getCount() );
    }

    /// Offers the marked rejected pairs again.
    void askAgain();

    /// Starts a new round: filters may be called again for pairs that they rejected in the old one.
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
    const btOverlapFilterCallback* m_knownCallback; ///< the cache's filter callback when last checked
    uint32_t m_round;      ///< of filter calls; every update and every edit of a filter starts a new round
    uint32_t m_setCount;   ///< calls of beforeSetting since the last update
    bool m_isAnyEdited;    ///< a filter changed since the last update
    cltProxyId m_nextLook; ///< first slot that the next lookForEdits checks
    btAlignedObjectArray<CulletProxyPair> m_newlyRejected; ///< scratch of offerAll
};

#endif
