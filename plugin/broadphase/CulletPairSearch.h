// SPDX-License-Identifier: Zlib
/// \file CulletPairSearch.h
/// Pairs between two updates, for callers that read the cache on the line after createProxy or setAabb, as character
/// controllers do. The changes of the next update contain these pairs again, unless they ended before it.
///
/// Most programs do not read the cache between updates. So if no callback observes single pairs, createProxy and
/// setAabb only make their search pending, and the next read of the cache makes it. An update leaves no search pending.
///
/// Callbacks about pairs may destroy, create and move any proxy. While the cache is being changed, searches for new and
/// moved proxies are delayed until the change is over.
#ifndef CULLET_PAIR_SEARCH_H
#define CULLET_PAIR_SEARCH_H

#include "CulletPairFilter.h"

#include <mutex>

class CulletPairSearch : public CulletPairSource
{
public:
    /// For the first 16 boxes that change after an update, pairs are present if the cache is read after setAabb.
    static const int EAGER_MOVES = 16;

    CulletPairSearch( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter );

    /// As after construction. There are no proxies.
    void clear();

    void searchCreated( CulletProxy* proxy );

    /// Called for a proxy with a slot, after its box changed.
    /// \param mayBeSearched  false: the proxy is not searched before the next update, even if it is among the first
    ///                       EAGER_MOVES or a ghost
    void afterMoving( CulletProxy* proxy, bool mayBeSearched )
    {
        const bool mayBeEager = mayBeSearched && ( m_eagerMoves > 0 || m_store.hasCollisionObjects() );
        if ( !( mayBeEager && searchIfEager( proxy ) ) && !m_filter.getRejected().isEmpty() )
        {
            m_filter.retry( proxy );
        }
    }

    /// Must be called before a proxy is destroyed: drops its pending search.
    void forget( const CulletProxy* proxy );

    // -------------------------------------------------------------------------------------------- changes of the cache

    /// Runs `action`, which changes the cache. At the end of the outermost change, delayed searches are made or become
    /// pending.
    template <typename Action>
    void change( Action action )
    {
        ++m_changeDepth;
        action();
        endChange();
    }

    /// True while the cache is being changed, so in every callback about pairs.
    bool isChanging() const
    {
        return m_changeDepth > 0;
    }

    // ---------------------------------------------------------------------------------------------------- for updates

    /// True if a filter, a ghost callback or a given cache observes single pairs and their order.
    bool isObserved() const
    {
        return !m_core.isFiltering() || m_store.isObserved();
    }

    /// Drops the pending searches: the changes of the update contain their pairs.
    void dropPending();

    void allowEagerMoves()
    {
        m_eagerMoves = EAGER_MOVES;
    }

    /// The number of pairs that were offered before the core reported them, and that the cache accepted or the core
    /// holds.
    int getOfferedCount() const
    {
        return m_offered.size();
    }

    void forgetOffered();

    /// Lists the pair as due: the next update compares it with the core.
    void noteDue( const CulletPairNote& note )
    {
        m_due.push_back( note );
    }

    /// Moves the due pairs to `due`, ascending by uids. Adds offered pairs that ended or that the core does not hold,
    /// because the core's changes do not report their end.
    void takeDue( CulletPairNotes& due );

private:
    void pairEdited( const CulletProxyPair& pair ) override;
    void searchNow() override;
    bool searchIfEager( CulletProxy* proxy );
    void putOff( CulletProxy* proxy );
    void searchPutOff();
    void endChange();
    void search( CulletProxy* proxy, bool isNew );
    void leaveOutKnown( CulletPairNotes& found );
    void offerFound( const CulletProxyPair& pair );

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletPairFilter& m_filter;
    int m_eagerMoves;                             ///< boxes that may still be searched before the next update
    btAlignedObjectArray<CulletProxy*> m_pending; ///< to be searched when the cache is read, or the change is over
    std::mutex m_pendingLock;                     ///< held by the thread that searches
    int m_changeDepth;
    btAlignedObjectArray<cltPair> m_offered; ///< by slots, as the proxies may be gone
    CulletPairNotes m_due;
    CulletPairNotes m_found; ///< scratch of search
};

#endif
