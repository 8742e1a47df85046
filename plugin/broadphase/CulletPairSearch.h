// SPDX-License-Identifier: Zlib
/// \file CulletPairSearch.h
/// Finds pairs between two updates, for callers that read the cache on the line after createProxy or setAabb, as
/// character controllers do. The changes of the next update contain these pairs again, unless they ended before it.
///
/// Most programs do not read the cache between updates. So if no callback observes single pairs, createProxy and
/// setAabb only make their search pending, and the next read of the cache makes it. An update leaves no search pending.
///
/// Callbacks about pairs may destroy, create and move any proxy. While the cache is being changed, searches for new and
/// moved proxies are delayed until the change is over.
#ifndef CULLET_PAIR_SEARCH_H
#define CULLET_PAIR_SEARCH_H

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "CulletBox.h"
#include "CulletPairFilter.h"

#include <mutex>

class CulletPairSearch : public CulletPairSource
{
public:
    CulletPairSearch( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter )
        : m_core( core ), m_store( store ), m_filter( filter ), m_eagerMoves( CulletBroadphase::EAGER_MOVES ),
          m_changeDepth( 0 )
    {
    }

    /// Resets to the state after construction. There must be no proxies.
    void clear()
    {
        m_eagerMoves = CulletBroadphase::EAGER_MOVES;
        m_offered.resize( 0 );
        m_due.resize( 0 );
    }

    void searchCreated( CulletProxy* proxy )
    {
        if ( proxy->m_slot == CLT_NULL_PROXY || m_store.isDeferring() )
        {
            return;
        }
        isChanging() || !isObserved() ? addPending( proxy ) : search( proxy, true );
    }

    /// Called for a proxy with a slot, after its box changed.
    /// \param mayBeSearched  false: the proxy is not searched before the next update, even if it is among the first
    ///                       EAGER_MOVES, a ghost, or moved by a callback
    void afterMoving( CulletProxy* proxy, bool mayBeSearched )
    {
        m_isAnyMoved = true;
        if ( !m_filter.getRejected().isEmpty() )
        {
            m_filter.retry( proxy ); // before the search, because pairs that it finds are offered by it
        }
        if ( mayBeSearched && ( m_eagerMoves > 0 || isChanging() || m_store.hasCollisionObjects() ) )
        {
            searchIfEager( proxy );
        }
    }

    /// Must be called before a proxy is destroyed: drops its pending search.
    void forget( const CulletProxy* proxy )
    {
        for ( int i = 0; i < m_pending.size(); ++i )
        {
            m_pending[i] = m_pending[i] == proxy ? 0 : m_pending[i];
        }
    }

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

    /// Called when the core was updated, before its changes are passed to the cache. Drops the pending searches: the
    /// changes contain their pairs.
    void beginUpdate()
    {
        empty( m_pending );
        setPending( false );
        m_eagerMoves = CulletBroadphase::EAGER_MOVES;
        m_isAnyMoved = false;
        m_isUpdating = true;
    }

    void endUpdate()
    {
        m_isUpdating = false;
    }

    /// The number of pairs that were offered to the cache before the core reported them: those that it accepted, and
    /// rejected ones that were pairs at the last update.
    int getOfferedCount() const
    {
        return m_offered.size();
    }

    void forgetOffered()
    {
        empty( m_offered );
    }

    /// Lists the pair as due: the next update compares it with the core.
    void noteDue( const CulletPairNote& note )
    {
        m_due.push_back( note );
    }

    /// True if a pair is due: then the cache may lack a pair that is not new.
    bool isAnyDue() const
    {
        return m_due.size() > 0;
    }

    /// Moves the due pairs to `due`, ascending by uids. Adds offered pairs that ended or that the core does not hold,
    /// because the core's changes do not report their end.
    void takeDue( CulletPairNotes& due )
    {
        due.copyFromArray( m_due );
        m_due.resize( 0 );
        const CulletProxyPool& proxies = m_core.getProxies();
        for ( int i = 0; i < m_offered.size(); ++i )
        {
            const cltPair& slots = m_offered[i];
            if ( proxies.getUid( slots.proxyA ) != 0 && proxies.getUid( slots.proxyB ) != 0 )
            {
                const CulletProxyPair pair = culletPairOf( proxies.get( slots.proxyA ), proxies.get( slots.proxyB ) );
                if ( !culletOverlap( pair ) || !m_core.holds( pair ) )
                {
                    due.push_back( culletNoteOf( pair ) );
                }
            }
        }
        culletSort( due );
    }

private:
    /// Due pairs that are tested as fast as the core is queried.
    static const int MOST_TESTED = 64;

    static bool isGhost( const btBroadphaseProxy& proxy )
    {
        const btCollisionObject* object = static_cast<const btCollisionObject*>( proxy.m_clientObject );
        return object && ( object->getInternalType() & btCollisionObject::CO_GHOST_OBJECT ) != 0;
    }

    /// Empties an array, but keeps its capacity for the next step. If the array held very many items, as after filling
    /// a world, its memory is freed.
    template <typename Item>
    static void empty( btAlignedObjectArray<Item>& array )
    {
        const int many = 65536;
        array.size() > many ? array.clear() : array.resize( 0 );
    }

    void pairEdited( const CulletProxyPair& pair ) override
    {
        m_filter.getRejected().remove( &pair, 1 );
        noteDue( culletNoteOf( pair ) );
    }

    /// After an update, all pairs of the cache overlap, except some due ones, until a box is moved. False also if a
    /// query would take longer than the caller's own search.
    bool findPairsOf( btBroadphaseProxy* proxy, int most, CulletPairNotes& found ) const override
    {
        if ( m_isAnyMoved || m_isUpdating || mayAnyDueBeSeparated() || !m_core.hasTree() )
        {
            return false;
        }
        return m_core.queryAll( static_cast<CulletProxy*>( proxy ), most, found );
    }

    /// A pair that a mask edited in place rejects remains due while its boxes overlap, perhaps for ever.
    bool mayAnyDueBeSeparated() const
    {
        bool isAny = m_due.size() > MOST_TESTED;
        for ( int i = 0; i < m_due.size() && !isAny; ++i )
        {
            isAny = m_due[i].isAlive() && !culletOverlap( m_due[i].m_pair );
        }
        return isAny;
    }

    /// Several threads that read the cache at the same time may call this. One makes the searches; the others wait for
    /// it and find none left. Pending searches call no callbacks: with callbacks, searches are not made pending.
    void searchNow() override
    {
        const std::lock_guard<std::mutex> lock( m_pendingLock );
        change( [this] { searchAllPending(); } );
        setPending( false );
    }

    void searchIfEager( CulletProxy* proxy )
    {
        const bool isEager = m_eagerMoves > 0 || isChanging() || isGhost( *proxy );
        m_eagerMoves -= m_eagerMoves > 0;
        if ( isEager && !m_store.isDeferring() )
        {
            isChanging() || !isObserved() ? addPending( proxy ) : search( proxy, false );
        }
    }

    void addPending( CulletProxy* proxy )
    {
        m_pending.push_back( proxy );
        if ( !isChanging() ) // else endChange decides
        {
            setPending( true );
        }
    }

    /// Makes the pending searches, and those that callbacks about the found pairs add meanwhile.
    void searchAllPending()
    {
        for ( int i = 0; i < m_pending.size(); ++i )
        {
            if ( m_pending[i] )
            {
                search( m_pending[i], false );
            }
        }
        m_pending.resize( 0 );
    }

    void endChange()
    {
        if ( m_changeDepth == 1 && m_pending.size() > 0 )
        {
            isObserved() ? searchAllPending() : setPending( true );
        }
        if ( m_changeDepth == 1 )
        {
            m_filter.noticeCallback(); // one that was installed meanwhile, even if it is gone before the next update
        }
        --m_changeDepth;
    }

    /// Offers the cache all pairs of the proxy that are not present, ascending by uids, so that the order does not
    /// depend on how they were found. Rejected pairs wait for the next update.
    /// \param isNew  true if the proxy was just created, so that the cache has none of its pairs
    void search( CulletProxy* proxy, bool isNew )
    {
        m_filter.noticeCallback();
        const bool isAnyRejected = !m_filter.getRejected().isEmpty();
        const bool isAnyAbsent = isAnyDue() || m_store.isEdited(); // offered again, if not new either
        m_core.query( proxy, !isAnyAbsent, m_found );
        if ( !isNew )
        {
            leaveOutKnown( m_found );
        }
        culletSort( m_found );
        for ( int i = 0; i < m_found.size() && isAnyRejected; ++i )
        {
            m_filter.getRejected().prefetch( m_found[i].m_pair ); // among many pairs, offer waits for this memory
        }
        change(
            [&]
            {
                for ( int i = 0; i < m_found.size(); ++i )
                {
                    if ( m_found[i].isAlive() )
                    {
                        offerFound( m_found[i].m_pair );
                    }
                }
            } );
    }

    /// Removes pairs that are present, before sorting: if a large ghost moves little, nearly all its pairs are present.
    /// Also removes rejected pairs, which wait for the next update.
    void leaveOutKnown( CulletPairNotes& found )
    {
        if ( !m_filter.getRejected().isEmpty() )
        {
            const CulletRejectedPairs& rejected = m_filter.getRejected();
            culletRemoveIf( found, [&]( const CulletPairNote& note ) { return rejected.has( note.m_pair ); } );
        }
        m_store.leaveOutPresent( found );
    }

    /// Offers a pair that was absent when the search began. If a callback has added it since, the cache detects this.
    void offerFound( const CulletProxyPair& pair )
    {
        const cltPair slots = { static_cast<const CulletProxy*>( pair.m_pProxy0 )->m_slot,
                                static_cast<const CulletProxy*>( pair.m_pProxy1 )->m_slot };
        if ( m_filter.offer( pair ) || m_filter.isAnyEdited() || m_core.holds( pair ) )
        {
            culletAppend( m_offered, slots ); // else the pair's end would not be reported
        }
    }

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletPairFilter& m_filter;
    int m_eagerMoves;                             ///< boxes that may still be searched before the next update
    btAlignedObjectArray<CulletProxy*> m_pending; ///< to be searched when the cache is read, or the change is over
    std::mutex m_pendingLock;                     ///< held by the thread that searches
    int m_changeDepth;
    bool m_isAnyMoved = false;               ///< since the last update
    bool m_isUpdating = false;               ///< an update passes its changes to the cache
    btAlignedObjectArray<cltPair> m_offered; ///< by slots, as the proxies may be gone
    CulletPairNotes m_due;
    CulletPairNotes m_found; ///< scratch of search
};

#endif
