// SPDX-License-Identifier: Zlib
/// \file CulletPairs.cpp
/// What is known between two updates: pairs at once, and edits of filters. What is offered to the cache here comes up
/// again in the next update's changes, or is over before the core ever hears of it.
///
/// Mostly nobody reads in between. So where only a reader could tell, createProxy and setAabb note that a search is
/// pending, and the cache has it made when it is read. An update leaves nothing pending.

#include "CulletPairs.h"

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"

namespace
{
bool isGhost( const btBroadphaseProxy& proxy )
{
    const btCollisionObject* object = static_cast<const btCollisionObject*>( proxy.m_clientObject );
    return object && ( object->getInternalType() & btCollisionObject::CO_GHOST_OBJECT ) != 0;
}
} // namespace

CulletPairs::CulletPairs( CulletCore& core, btOverlappingPairCache* givenCache )
    : m_core( core ), m_own( givenCache ? 0 : new CulletPairCache ), m_cache( givenCache ? givenCache : m_own.get() ),
      m_given( givenCache ), m_changeDepth( 0 )
{
    if ( m_own )
    {
        m_own->setSource( this );
    }
    clear();
}

void CulletPairs::clear()
{
    m_moment = 0;
    m_knownCallback = getFilterCallback();
    m_core.setFiltering( isFilteredByMasks() );
    m_filtersMixed = false;
    m_setCount = 0;
    m_nextLook = 0;
    m_eagerMoves = EAGER_MOVES;
    m_cacheMs = 0;
    m_rejected.retryAll( false );
    m_due.resize( 0 );
    m_offered.resize( 0 );
    if ( !m_own )
    {
        m_given.accept();
    }
}

void CulletPairs::destroy( CulletProxy* proxy, btDispatcher* dispatcher )
{
    look(); // while all of them are alive, and before a dispatcher looks at a cache that is being thinned out
    change(
        [&]
        {
            m_rejected.forget( proxy );
            m_own ? m_own->forgetProxy( proxy, dispatcher ) : m_given.forgetProxy( proxy, dispatcher );
            for ( int i = 0; i < m_pending.size(); ++i )
            {
                m_pending[i] = m_pending[i] == proxy ? 0 : m_pending[i];
            }
            m_core.destroy( proxy );
        } );
}

// ------------------------------------------------------------------------------------------------------- pairs at once

/// Whether a filter, a ghost callback or a given cache hears of single pairs, in the order in which they come. If not,
/// the search may wait until somebody looks.
bool CulletPairs::isAnyoneAsked() const
{
    return !m_own || !m_core.isFiltering() || hasGhostCallback() || getFilterCallback();
}

void CulletPairs::searchCreated( CulletProxy* proxy )
{
    if ( proxy->m_slot == CLT_NULL_PROXY || m_given.isDeferring() )
    {
        return;
    }
    m_changeDepth > 0 || !isAnyoneAsked() ? putOff( proxy ) : search( proxy, true );
}

/// Returns whether it was searched, so that the cache was asked about all its pairs.
bool CulletPairs::searchIfEager( CulletProxy* proxy )
{
    const bool isEager = m_eagerMoves > 0 || ( m_own->hasCollisionObjects() && isGhost( *proxy ) );
    m_eagerMoves -= m_eagerMoves > 0;
    if ( !isEager || m_given.isDeferring() )
    {
        return false;
    }
    const bool isPutOff = m_changeDepth > 0 || !isAnyoneAsked();
    isPutOff ? putOff( proxy ) : search( proxy, false );
    return !isPutOff;
}

void CulletPairs::putOff( CulletProxy* proxy )
{
    m_pending.push_back( proxy );
    if ( m_own && m_changeDepth == 0 )
    {
        m_own->setPending( true );
    }
}

/// Several threads may get here when they read the cache at once: the others wait, and find nothing left to do. Nobody
/// is called, or the search would not have been put off.
void CulletPairs::searchPending()
{
    const std::lock_guard<std::mutex> lock( m_pendingLock );
    change( [this] { searchPutOff(); } );
    m_own->setPending( false );
}

/// A callback that hears of a pair that is found may put off more.
void CulletPairs::searchPutOff()
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

void CulletPairs::endChange()
{
    if ( m_changeDepth == 1 && m_pending.size() > 0 )
    {
        if ( isAnyoneAsked() )
        {
            searchPutOff();
        }
        else
        {
            m_own->setPending( true );
        }
    }
    --m_changeDepth;
}

/// Offers the cache every pair of the proxy that it does not have, by ascending uids, so that the order does not depend
/// on how they were found.
/// \param isNew  the proxy was created a moment ago, and no pair of its is known
void CulletPairs::search( CulletProxy* proxy, bool isNew )
{
    chooseWhoFilters();
    m_core.query( proxy, m_rejected.isEmpty(), m_found ); // what was rejected is asked about again
    if ( !isNew )
    {
        leaveOutKnown( m_found );
    }
    culletSort( m_found );
    for ( int i = 0; i < m_found.size() && !m_rejected.isEmpty(); ++i )
    {
        m_rejected.prefetch( m_found[i].m_pair ); // among many this is what offering a pair waits for
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

/// Pairs that the cache has need no order; where a large ghost moves little, that is nearly all. Those that it refused
/// in this step wait.
void CulletPairs::leaveOutKnown( CulletPairNotes& found )
{
    int fresh = 0;
    for ( int i = 0; i < found.size(); ++i )
    {
        if ( wasAsked( found[i].m_pair ) )
        {
            m_rejected.retry( found[i].m_pair );
        }
        else if ( !isCached( found[i].m_pair ) )
        {
            found[fresh++] = found[i];
        }
    }
    found.resize( fresh );
}

/// A pair that was not known when the search began; the cache finds by itself what a callback put in meanwhile.
void CulletPairs::offerFound( const CulletProxyPair& pair )
{
    const cltPair slots = { static_cast<const CulletProxy*>( pair.m_pProxy0 )->m_slot,
                            static_cast<const CulletProxy*>( pair.m_pProxy1 )->m_slot };
    if ( offer( pair ) || m_core.holds( pair ) )
    {
        m_offered.push_back( slots ); // else nobody will hear of it again
    }
}

/// Offers the cache a pair that it does not have. Returns whether it took it.
bool CulletPairs::offer( const CulletProxyPair& pair )
{
    const bool isTaken = m_own ? m_own->addPair( pair ) : m_given.addPair( pair );
    isTaken ? m_rejected.remove( &pair, 1 ) : reject( pair );
    return isTaken;
}

/// What died since it was looked up is not in the cache.
void CulletPairs::remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    m_rejected.remove( pairs, count );
    m_own ? m_own->removePairs( pairs, count, dispatcher ) : m_given.removePairs( pairs, count, dispatcher );
}

// ------------------------------------------------------------------------------------------------------- who may pair

const btOverlapFilterCallback* CulletPairs::getFilterCallback() const
{
    return m_own ? m_own->getOverlapFilterCallback() : m_given.getFilterCallback();
}

/// Groups and masks alone decide at present what the cache lets in.
bool CulletPairs::isFilteredByMasks() const
{
    return m_own ? !getFilterCallback() : m_given.isFilteredByMasks();
}

/// Callbacks are installed and taken away at any time. What the core's pairs lose or gain by that shows as changes of
/// the next update.
void CulletPairs::chooseWhoFilters()
{
    const btOverlapFilterCallback* callback = getFilterCallback();
    if ( callback == m_knownCallback )
    {
        return;
    }
    m_knownCallback = callback;
    m_filtersMixed = true;
    ++m_moment;
    m_rejected.retryAll( !m_rejected.isEmpty() );
    if ( isFilteredByMasks() != m_core.isFiltering() )
    {
        m_core.setFiltering( !m_core.isFiltering() );
    }
}

/// A pair must also be tried again when the one that was edited is not the one that was set. Walking all proxies would
/// cost more than a step in which little moves, so that they are looked through in turns, more of them where more is
/// set.
void CulletPairs::lookForEdits()
{
    if ( m_setCount == 0 )
    {
        return; // no pair has to be tried again
    }
    const CulletProxyPool& proxies = m_core.getProxies();
    const uint32_t wanted = btMin( btMax( m_setCount, uint32_t( LOOKS ) ), uint32_t( MOST_LOOKS ) );
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

/// Tells the core that the proxy's group or mask was edited. A callback may go by these.
void CulletPairs::readFilter( CulletProxy* proxy )
{
    if ( proxy->m_slot != CLT_NULL_PROXY ) // else it has no pairs, and its filter is read when it gets a slot
    {
        m_core.readFilter( proxy );
        m_filtersMixed = true;
        ++m_moment;
        retry( proxy );
    }
}

void CulletPairs::pairEdited( const CulletProxyPair& pair )
{
    m_rejected.remove( &pair, 1 );
    m_due.push_back( culletNoteOf( pair ) );
}
