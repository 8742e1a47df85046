// SPDX-License-Identifier: Zlib
/// \file CulletPairUpdate.h
/// Keeps the pair cache in step with the core: pairs that ended leave it, pairs that began enter it, in canonical
/// order. Pairs that are due (CulletDuePairs.h) are brought into line, too. If a given cache was edited, which it does
/// not report, the next update compares all pairs.
#ifndef CULLET_PAIR_UPDATE_H
#define CULLET_PAIR_UPDATE_H

#include "CulletDuePairs.h"
#include "CulletPairDifference.h"
#include "pair_cache/CulletPairExchange.h"
#include "pair_cache/CulletPairMerge.h"
#include <chrono>

class CulletPairUpdate
{
public:
    CulletPairUpdate( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter, CulletPairSearch& search )
        : m_core( core ), m_store( store ), m_filter( filter ), m_search( search ),
          m_due( core, store, filter, search ), m_isAnyFilterEdited( false )
    {
        clear();
    }

    /// Updates the core, then the cache. Must not be called while the cache is being changed.
    void update( btDispatcher* dispatcher )
    {
        m_cacheMs = 0;
        m_filter.noticeCallback();
        m_filter.lookForEdits( m_search.isAnyDue() || m_store.isEdited() );
        cltPairChanges changes;
        if ( !m_core.update( changes ) )
        {
            m_search.searchPending();
            return;
        }
        m_search.beginUpdate();
        m_isAnyFilterEdited = m_filter.takeIsAnyEdited();
        if ( m_isAnyFilterEdited && m_store.isDeferring() )
        {
            m_store.countAsEdited(); // pairs that a filter ended stay in the cache, where single pairs cannot be found
        }
        const bool isAnySet = m_filter.takeIsAnySet();
        m_store.expectChanges( changes.beganCount + changes.endedCount );
        if ( isHandOverDue( changes ) )
        {
            const bool isTimed = m_core.getProxies().getCount() > CulletBroadphase::UNTIMED;
            const Clock::time_point begin = isTimed ? Clock::now() : Clock::time_point();
            m_search.change( [&] { handOver( m_core.orderByUid( changes ), isAnySet, dispatcher ); } );
            m_cacheMs = isTimed ? std::chrono::duration<float, std::milli>( Clock::now() - begin ).count() : 0;
        }
        m_filter.endRound();
        m_search.endUpdate();
    }

    /// Removes pairs that do not overlap from a cache with deferred removal. Other caches have no such pairs. The core
    /// still holds pairs that separated since the last update, so the next update compares all pairs.
    void performDeferredRemoval( btDispatcher* dispatcher )
    {
        if ( m_store.isDeferring() )
        {
            CulletPairNotes present;
            m_store.listPairs( present );
            culletRemoveIf( present, []( const CulletPairNote& note ) { return culletOverlap( note.m_pair ); } );
            m_search.change( [&] { m_store.removeTogether( present, dispatcher ); } );
            m_store.countAsEdited();
        }
    }

    /// Milliseconds that the last update spent on the cache; 0 if it failed or if there was nothing to do, and with at
    /// most UNTIMED proxies.
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
    typedef std::chrono::steady_clock Clock;

    /// Changes of the core, for a merge or an exchange.
    struct Changes
    {
        const CulletCore& m_core;
        const cltPair* m_pairs;
        size_t m_count;

        size_t getCount() const
        {
            return m_count;
        }

        CulletProxyPair pairAt( size_t i ) const
        {
            return m_core.lookUp( m_pairs[i] );
        }

        uint64_t keyAt( size_t i ) const
        {
            return m_core.getUids( m_pairs[i] );
        }

        void prefetch( size_t i ) const
        {
            m_core.prefetchUids( m_pairs[i] );
        }
    };

    /// False if the cache is as it should be, as in most steps of worlds with few bodies.
    bool isHandOverDue( const cltPairChanges& changes ) const
    {
        return changes.endedCount + changes.beganCount > 0 || m_search.getOfferedCount() > 0 || m_search.isAnyDue() ||
               m_store.isEdited() || !m_filter.getRejected().isEmpty();
    }

    /// Passes the changes to the cache. Proxies and filters that callbacks change meanwhile wait for the next update.
    void handOver( const cltPairChanges& changes, bool isAnySet, btDispatcher* dispatcher )
    {
        m_due.take();
        if ( m_store.isEdited() )
        {
            compareAll( changes, dispatcher );
        }
        else if ( !mayExchange( changes ) || !exchangePairs( changes, dispatcher ) )
        {
            // Callbacks observe all removals before the first addition, both in canonical order.
            removeEnded( changes.ended, changes.endedCount, dispatcher );
            m_due.removeSeparated( dispatcher );
            addBegan( changes.began, changes.beganCount );
        }
        m_search.forgetOffered();
        m_due.settle();
        if ( isAnySet ||
             ( m_isAnyFilterEdited && m_filter.getRejected().areAllRetried() ) ) // else the next step offers them again
        {
            m_filter.askAgain();
        }
    }

    /// True if nothing observes single pairs, no filter keeps an ended pair or rejects a begun one, and the cache has
    /// at most half of the begun pairs. The last condition fails after a world was filled: an exchange would then
    /// reserve capacity for all begun pairs a second time.
    bool mayExchange( const cltPairChanges& changes ) const
    {
        const bool isMostlyPresent = size_t( m_search.getOfferedCount() ) > changes.beganCount / 2;
        return !m_search.isObserved() && !isMostlyPresent && !m_isAnyFilterEdited && m_filter.getRejected().isEmpty();
    }

    /// Adds and removes pairs by a merge or an exchange.
    /// \return false if the dispatcher changed the cache or destroyed a proxy: then pairs are handled one by one
    bool exchangePairs( const cltPairChanges& changes, btDispatcher* dispatcher )
    {
        m_due.removeSeparated( dispatcher );
        CulletPairMerge* merge = m_store.getMerge();
        CulletPairExchange* exchange = m_store.getExchange();
        if ( !merge || !exchange || !m_core.areAllAlive() )
        {
            return false;
        }
        const Changes ended = { m_core, changes.ended, changes.endedCount };
        const Changes began = { m_core, changes.began, changes.beganCount };
        if ( merge->isFaster( changes.endedCount + changes.beganCount ) )
        {
            merge->replace( ended, began, dispatcher );
            return true;
        }
        return exchange->replace( ended, began, dispatcher, [&] { return m_core.areAllAlive(); } );
    }

    void removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher )
    {
        m_core.forBlocks( pairs, count,
                          [&]( CulletProxyPair* block, int size )
                          {
                              if ( m_store.isDeferring() )
                              {
                                  m_due.noteSeparated( block, size );
                                  return;
                              }
                              const int ended = m_isAnyFilterEdited ? keepAccepted( block, size ) : size;
                              m_filter.remove( block, ended, dispatcher );
                          } );
    }

    /// Moves pairs that no longer overlap to the front. If the boxes of an ended pair still overlap, the pair ended by
    /// a filter alone, and stays in the cache. \return number of pairs at the front
    int keepAccepted( CulletProxyPair* pairs, int count )
    {
        int ended = 0;
        for ( int i = 0; i < count; ++i )
        {
            if ( culletOverlap( pairs[i] ) && m_store.hasPair( pairs[i] ) )
            {
                m_search.noteDue( culletNoteOf( pairs[i] ) );
            }
            else
            {
                pairs[ended++] = pairs[i];
            }
        }
        return ended;
    }

    /// Offers the begun pairs, except those that were offered earlier: the filter has already decided on these.
    void addBegan( const cltPair* pairs, size_t count )
    {
        const size_t offeredCount = size_t( m_search.getOfferedCount() );
        const CulletRejectedPairs& rejected = m_filter.getRejected();
        m_store.expectAdded( count - btMin( count, offeredCount ) );
        m_core.forBlocks( pairs, count,
                          [&]( CulletProxyPair* block, int size )
                          {
                              if ( offeredCount > 0 )
                              {
                                  const auto isRejected = [&]( const CulletProxyPair& pair )
                                  { return rejected.has( pair ); };
                                  size = int( std::remove_if( block, block + size, isRejected ) - block );
                                  size = m_store.selectAbsent( block, size );
                              }
                              m_filter.offerAll( block, size );
                          } );
    }

    /// Compares all pairs of a given cache with all pairs of the core, instead of passing the changes. What is to be
    /// done is decided first, because callbacks change boxes and the cache.
    void compareAll( const cltPairChanges& changes, btDispatcher* dispatcher )
    {
        m_core.forBlocks( changes.ended, changes.endedCount,
                          [&]( const CulletProxyPair* block, int size )
                          { m_filter.getRejected().remove( block, size ); } );
        CulletPairDifference difference;
        if ( difference.list( m_core, m_store ) ) // else the cache still counts as edited: the next update tries again
        {
            m_store.acceptEdits();
        }
        m_filter.forgetRejected( difference.m_present );
        m_due.noteUnheld( difference.m_unheld );
        m_due.removeSeparated( dispatcher );
        for ( int i = 0; i < difference.m_absent.size(); ++i )
        {
            const CulletPairNote note = difference.m_absent[i];
            if ( note.isAlive() && !m_filter.getRejected().has( note.m_pair ) )
            {
                m_filter.offer( note.m_pair );
            }
        }
    }

    CulletCore& m_core;
    CulletPairStore& m_store;
    CulletPairFilter& m_filter;
    CulletPairSearch& m_search;
    CulletDuePairs m_due;
    float m_cacheMs;
    bool m_isAnyFilterEdited; ///< before the update in progress
};

#endif
