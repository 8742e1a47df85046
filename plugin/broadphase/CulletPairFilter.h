// SPDX-License-Identifier: Zlib
/// \file CulletPairFilter.h
/// Decides which of the core's pairs enter the pair cache.
///
/// If only groups and masks decide, the core applies them, and rejected pairs are never searched. If the cache has a
/// filter callback, or its class has a filter of its own, the core pairs all overlapping boxes. The cache's filter is
/// then called once for each pair that begins. Rejected pairs are remembered. They are offered again when a box or a
/// filter of either proxy has changed, because Bullet does not report that a callback's answer changed.
#ifndef CULLET_PAIR_FILTER_H
#define CULLET_PAIR_FILTER_H

#include "CulletBox.h"
#include "CulletBroadphase.h"
#include "CulletCore.h"
#include "CulletRejectedPairs.h"
#include "pair_cache/CulletPairStore.h"

class CulletPairFilter
{
public:
    /// An update checks as many proxies for edited groups and masks as were created and set since the last update, but
    /// at least CulletBroadphase::LOOKS and at most this many. Successive updates check different proxies: checking all
    /// would cost more than a step in which few bodies move.
    static const int MOST_LOOKS = 4096;

    CulletPairFilter( CulletCore& core, CulletPairStore& store ) : m_core( core ), m_store( store )
    {
        clear();
    }

    /// Resets to the state after construction. There must be no proxies.
    void clear()
    {
        m_knownCallback = m_store.getFilterCallback();
        m_core.setFiltering( m_store.isFilteredByMasks() );
        m_rejected.retryAll( false );
        m_round = 0;
        m_setCount = 0;
        m_isAnyEdited = false;
        m_nextLook = 0;
    }

    // ----------------------------------------------------------------------------------------- edits of filters

    /// Must be called for each proxy that is created: its pairs also depend on the filters of the proxies that it
    /// meets.
    void noteCreation()
    {
        ++m_setCount;
    }

    /// Must be called before each setAabb of a proxy, even if its box does not change.
    void beforeSetting( CulletProxy* proxy )
    {
        ++m_setCount;
        if ( proxy->isFilterEdited() )
        {
            readFilter( proxy );
        }
    }

    /// Checks whether another filter callback was installed, and makes the core filter or stop filtering accordingly.
    /// Pairs that the core thereby gains or loses are among the changes of the next update.
    void noticeCallback()
    {
        const btOverlapFilterCallback* callback = m_store.getFilterCallback();
        if ( callback == m_knownCallback )
        {
            return;
        }
        m_knownCallback = callback;
        m_isAnyEdited = true;
        ++m_round;
        m_rejected.retryAll( !m_rejected.isEmpty() );
        if ( m_store.isFilteredByMasks() != m_core.isFiltering() )
        {
            m_core.setFiltering( !m_core.isFiltering() );
        }
    }

    /// Checks some proxies for groups and masks edited in place. beforeSetting checks only the proxies that are set.
    /// \param isAnyDue  the update compares pairs of the cache with those of the core
    void lookForEdits( bool isAnyDue )
    {
        if ( m_setCount == 0 && !isAnyDue )
        {
            return; // no pair is to be offered again
        }
        const CulletProxyPool& proxies = m_core.getProxies();
        const uint32_t wanted =
            btMin( btMax( m_setCount, uint32_t( CulletBroadphase::LOOKS ) ), uint32_t( MOST_LOOKS ) );
        for ( uint32_t left = btMin( uint32_t( proxies.getCount() ), wanted ); left > 0; --left )
        {
            cltProxyId slot = proxies.nextInUse( m_nextLook );
            slot = slot != CLT_NULL_PROXY ? slot : proxies.nextInUse( 0 );
            if ( slot == CLT_NULL_PROXY )
            {
                return;
            }
            CulletProxy* proxy = proxies.get( slot );
            if ( proxy->isFilterEdited() )
            {
                readFilter( proxy );
            }
            m_nextLook = slot + 1;
        }
    }

    /// True if a proxy was created or set since the last call.
    bool takeIsAnySet()
    {
        const bool isAnySet = m_setCount > 0;
        m_setCount = 0;
        return isAnySet;
    }

    /// True if a filter changed since the last call of takeIsAnyEdited.
    bool isAnyEdited() const
    {
        return m_isAnyEdited;
    }

    /// True if a filter changed since the last call. The core may then end pairs that still overlap.
    bool takeIsAnyEdited()
    {
        const bool isAnyEdited = m_isAnyEdited;
        m_isAnyEdited = false;
        return isAnyEdited;
    }

    // ---------------------------------------------------------------------------------------------------- pairs

    /// Offers an absent pair to the cache. \return true if the cache accepted the pair
    bool offer( const CulletProxyPair& pair )
    {
        const uint32_t changeCount = getChangeCount();
        const bool isTaken = m_store.addPair( pair );
        isTaken ? m_rejected.remove( &pair, 1 ) : reject( pair, changeCount );
        return isTaken;
    }

    /// Offers pairs that just began. Pairs may be present or have destroyed proxies: callbacks may destroy proxies of
    /// later pairs.
    void offerAll( const CulletProxyPair* pairs, int count )
    {
        m_newlyRejected.resize( 0 );
        const uint32_t changeCount = getChangeCount();
        m_store.addPairs( pairs, count, m_newlyRejected );
        for ( int i = 0; i < m_newlyRejected.size(); ++i )
        {
            reject( m_newlyRejected[i], changeCount );
        }
    }

    /// Removes the pairs from the cache and from the rejected pairs. Neither contains pairs of destroyed proxies.
    void remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
    {
        m_rejected.remove( pairs, count );
        m_store.removePairs( pairs, count, dispatcher );
    }

    /// Forgets rejected pairs that have entered the cache.
    void forgetRejected( const CulletPairNotes& notes )
    {
        for ( int i = 0; i < notes.size(); ++i )
        {
            if ( notes[i].isAlive() )
            {
                m_rejected.remove( &notes[i].m_pair, 1 );
            }
        }
    }

    /// Marks the rejected pairs of the proxy, so that askAgain offers them again.
    void retry( CulletProxy* proxy )
    {
        m_rejected.retry( proxy, m_core.getProxies().getCount() );
    }

    /// Offers the marked rejected pairs again.
    /// In one round (see m_round) the filter is called at most once for a pair. If a box of the pair moves after that
    /// call, the pair stays marked until the next round, so an update right after another one changes nothing. A given
    /// cache adds accepted pairs one by one. The broadphase's own cache receives all accepted pairs at the end, in
    /// canonical order.
    void askAgain()
    {
        CulletPairNotes accepted;
        btAlignedObjectArray<int> places;
        uint32_t version;
        do
        {
            version = m_rejected.getVersion();
            places.resize( 0 );
            m_rejected.takeRetried( places );
            for ( int i = 0; i < places.size() && m_rejected.getVersion() == version; ++i )
            {
                askAgainAt( places[i], accepted );
            }
            if ( m_rejected.getVersion() != version ) // a filter destroyed a proxy, so pairs changed places
            {
                m_rejected.retryAll( true );
            }
        } while ( m_rejected.getVersion() != version );
        forgetRejected( accepted );
        culletSort( accepted );
        for ( int i = 0; i < accepted.size(); ++i )
        {
            if ( accepted[i].isAlive() ) // the ghost callback of another pair may have destroyed a proxy
            {
                m_store.addAccepted( accepted[i].m_pair );
            }
        }
    }

    /// Ends the round of filter calls: filters may be called again for pairs that they rejected in it. Frees memory.
    void endRound()
    {
        ++m_round;
        m_rejected.giveBack();
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
    /// Handles an edit of the proxy's group or mask. A filter callback may also depend on group and mask.
    void readFilter( CulletProxy* proxy )
    {
        if ( proxy->m_slot != CLT_NULL_PROXY ) // else it has no pairs, and its filter is read when it gets a slot
        {
            m_core.readFilter( proxy );
            m_isAnyEdited = true;
            ++m_round;
            retry( proxy );
        }
    }

    /// Differs after a proxy was set or created, and after a filter callback was installed in the broadphase's own
    /// cache.
    uint32_t getChangeCount() const
    {
        return m_setCount + m_store.getInstallCount();
    }

    /// Remembers a pair that the core holds and the cache rejected. If the core filters, this happens only after a mask
    /// was edited in place. After an edit that the core has not committed, it may still hold the pair.
    /// \param changeCount  getChangeCount before the pair was offered
    void reject( const CulletProxyPair& pair, uint32_t changeCount )
    {
        if ( pair.isAlive() && ( m_isAnyEdited || m_core.holds( pair ) ) )
        {
            m_rejected.add( pair, m_round );
            noteRejection( pair, changeCount );
        }
    }

    /// Must be called for each rejected pair. The pair is to be offered again if another filter than the known one
    /// rejected it, or if callbacks changed something meanwhile, when it could not be marked yet.
    void noteRejection( const CulletProxyPair& pair, uint32_t changeCount )
    {
        for ( btBroadphaseProxy* proxy : { pair.m_pProxy0, pair.m_pProxy1 } )
        {
            CulletProxy* own = static_cast<CulletProxy*>( proxy );
            own->m_isRejectedByEdit = own->isFilterEdited();
        }
        if ( changeCount != getChangeCount() || m_store.getFilterCallback() != m_knownCallback )
        {
            m_rejected.retry( pair );
        }
    }

    void askAgainAt( int place, CulletPairNotes& accepted )
    {
        const CulletProxyPair pair = m_rejected.getPair( place );
        const CulletPairNote note = culletNoteOf( pair );
        const bool isAsked = !m_core.isFiltering() && m_rejected.getRound( place ) == m_round;
        if ( isAsked || !culletOverlap( pair ) || !m_core.holds( pair ) ) // or a callback changed it in this update
        {
            m_rejected.retry( pair );
            return;
        }
        m_rejected.setRound( place, m_round ); // first: the filter may move another pair to `place`
        const uint32_t changeCount = getChangeCount();
        if ( m_store.askAgain( pair ) )
        {
            accepted.push_back( note );
        }
        else if ( note.isAlive() )
        {
            noteRejection( pair, changeCount );
        }
    }

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletRejectedPairs m_rejected;
    const btOverlapFilterCallback* m_knownCallback; ///< the cache's filter callback when last checked
    uint32_t m_round;      ///< number of the round of filter calls; an update or an edit of a filter starts a round
    uint32_t m_setCount;   ///< calls of noteCreation and beforeSetting since the last update
    bool m_isAnyEdited;    ///< a filter changed since the last update
    cltProxyId m_nextLook; ///< first slot that the next lookForEdits checks
    btAlignedObjectArray<CulletProxyPair> m_newlyRejected; ///< scratch of offerAll
};

#endif
