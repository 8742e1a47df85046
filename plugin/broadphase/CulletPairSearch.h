// SPDX-License-Identifier: Zlib
/// \file CulletPairSearch.h
/// Pairs between two updates, for callers that read the cache on the line after createProxy or setAabb, as character
/// controllers do. These pairs come up again in the changes of the next update, unless they ended before it.
///
/// Most programs read nothing in between. So if only a reader could notice, createProxy and setAabb make their search
/// pending, and the cache has it made when it is read. An update leaves no search pending.
///
/// Callbacks about pairs may destroy, create and move any proxy. While the cache is being changed, searches for new and
/// moved proxies are put off until the change is over.
#ifndef CULLET_PAIR_SEARCH_H
#define CULLET_PAIR_SEARCH_H

#include "CulletPairFilter.h"

#include <mutex>

class CulletPairSearch : public CulletPairSource
{
public:
    /// This many boxes that change after an update have their pairs present when the cache is read after setAabb.
    static const int EAGER_MOVES = 16;

    CulletPairSearch( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter );

    /// As after construction. There are no proxies.
    void clear();

    void searchCreated( CulletProxy* proxy );

    /// The proxy has a slot, and a new box.
    /// \param mayBeSearched  its pairs are wanted before the next update, if it is one of the first or a ghost
    void afterMoving( CulletProxy* proxy, bool mayBeSearched )
    {
        const bool mayBeEager = mayBeSearched && ( m_eagerMoves > 0 || m_store.hasCollisionObjects() );
        if ( !( mayBeEager && searchIfEager( proxy ) ) && !m_filter.getRejected().isEmpty() )
        {
            m_filter.retry( proxy );
        }
    }

    /// The proxy is about to be destroyed.
    void forget( const CulletProxy* proxy );

    // -------------------------------------------------------------------------------------------- changes of the cache

    /// `action` changes the cache. When the outermost change is over, searches that were put off are made or pending.
    template <typename Action>
    void change( Action action )
    {
        ++m_changeDepth;
        action();
        endChange();
    }

    /// Called from within a callback about pairs.
    bool isChanging() const
    {
        return m_changeDepth > 0;
    }

    // ---------------------------------------------------------------------------------------------------- for updates

    /// Single pairs are reported to a filter, a ghost callback or a given cache, in the order in which they come.
    bool isObserved() const
    {
        return !m_core.isFiltering() || m_store.isObserved();
    }

    /// The update finds the pairs of pending searches among its changes.
    void dropPending();

    void allowEagerMoves()
    {
        m_eagerMoves = EAGER_MOVES;
    }

    /// Pairs that were offered before the core reported them, and that the cache took or the core holds.
    int getOfferedCount() const
    {
        return m_offered.size();
    }

    void forgetOffered();

    /// The next update is to compare the pair with the core.
    void noteDue( const CulletPairNote& note )
    {
        m_due.push_back( note );
    }

    /// Moves the due pairs to `due`, ascending by uids, together with offered pairs that ended or that the core does
    /// not hold: its changes do not report them.
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
    int m_eagerMoves;                             ///< left until the next update
    btAlignedObjectArray<CulletProxy*> m_pending; ///< to be searched when the cache is read, or the change is over
    std::mutex m_pendingLock;                     ///< held by the thread that searches
    int m_changeDepth;
    btAlignedObjectArray<cltPair> m_offered; ///< by slots, as the proxies may be gone
    CulletPairNotes m_due;
    CulletPairNotes m_found; ///< scratch of search
};

#endif
