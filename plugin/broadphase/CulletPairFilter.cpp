// SPDX-License-Identifier: Zlib
/// \file CulletPairFilter.cpp

#include "CulletPairFilter.h"

#include "CulletBox.h"

CulletPairFilter::CulletPairFilter( CulletCore& core, CulletPairStore& store ) : m_core( core ), m_store( store )
{
    clear();
}

void CulletPairFilter::clear()
{
    m_knownCallback = m_store.getFilterCallback();
    m_core.setFiltering( m_store.isFilteredByMasks() );
    m_rejected.retryAll( false );
    m_round = 0;
    m_setCount = 0;
    m_isAnyEdited = false;
    m_nextLook = 0;
}

// --------------------------------------------------------------------------------------------------- edits of filters

/// Pairs that the core gains or loses by the change of filtering are among the changes of the next update.
void CulletPairFilter::noticeCallback()
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

/// Finds edits of proxies that are not set themselves. beforeSetting checks only the proxy that is set.
void CulletPairFilter::lookForEdits()
{
    if ( m_setCount == 0 )
    {
        return; // no proxy was set, so no pair must be offered again
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

/// Handles an edit of the proxy's group or mask. A filter callback may also depend on these.
void CulletPairFilter::readFilter( CulletProxy* proxy )
{
    if ( proxy->m_slot != CLT_NULL_PROXY ) // else it has no pairs, and its filter is read when it gets a slot
    {
        m_core.readFilter( proxy );
        m_isAnyEdited = true;
        ++m_round;
        retry( proxy );
    }
}

bool CulletPairFilter::takeIsAnySet()
{
    const bool isAnySet = m_setCount > 0;
    m_setCount = 0;
    return isAnySet;
}

bool CulletPairFilter::takeIsAnyEdited()
{
    const bool isAnyEdited = m_isAnyEdited;
    m_isAnyEdited = false;
    return isAnyEdited;
}

// --------------------------------------------------------------------------------------------------------------- pairs

bool CulletPairFilter::offer( const CulletProxyPair& pair )
{
    const bool isTaken = m_store.addPair( pair );
    isTaken ? m_rejected.remove( &pair, 1 ) : reject( pair );
    return isTaken;
}

void CulletPairFilter::offerAll( const CulletProxyPair* pairs, int count )
{
    m_newlyRejected.resize( 0 );
    m_store.addPairs( pairs, count, m_newlyRejected );
    for ( int i = 0; i < m_newlyRejected.size(); ++i )
    {
        reject( m_newlyRejected[i] );
    }
}

void CulletPairFilter::remove( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    m_rejected.remove( pairs, count );
    m_store.removePairs( pairs, count, dispatcher );
}

/// Remembers a pair that the core holds and the cache rejected. If the core filters, there are such pairs only after a
/// mask was edited in place.
void CulletPairFilter::reject( const CulletProxyPair& pair )
{
    if ( pair.isAlive() && m_core.holds( pair ) )
    {
        m_rejected.add( pair, m_round );
    }
}

// ------------------------------------------------------------------------------------------------------ rejected pairs

/// Per round, the filter is called at most once for a pair. No pair is forgotten, and a second update in a row changes
/// nothing. So if a pair's boxes move after the filter call of this round, the pair waits for the next step in which a
/// proxy is set. A given cache adds accepted pairs one by one. The broadphase's own cache receives all accepted pairs
/// at the end, in canonical order.
void CulletPairFilter::askAgain()
{
    CulletPairNotes settled;
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
            askAgainAt( places[i], settled, accepted );
        }
        if ( m_rejected.getVersion() != version ) // a filter destroyed a proxy, so pairs changed places
        {
            m_rejected.retryAll( true );
        }
    } while ( m_rejected.getVersion() != version );
    forgetRejected( settled );
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

void CulletPairFilter::askAgainAt( int place, CulletPairNotes& settled, CulletPairNotes& accepted )
{
    const CulletProxyPair pair = m_rejected.getPair( place );
    const CulletPairNote note = culletNoteOf( pair );
    if ( !culletOverlap( pair ) || !m_core.holds( pair ) ) // the pair ended before the core was updated
    {
        settled.push_back( note );
    }
    else if ( !m_core.isFiltering() && m_rejected.getRound( place ) == m_round )
    {
        m_rejected.retry( pair );
    }
    else
    {
        m_rejected.setRound( place, m_round ); // first: the filter may change what lies at the place
        if ( m_store.askAgain( pair ) )
        {
            accepted.push_back( note );
        }
    }
}

void CulletPairFilter::forgetRejected( const CulletPairNotes& notes )
{
    for ( int i = 0; i < notes.size(); ++i )
    {
        if ( notes[i].isAlive() )
        {
            m_rejected.remove( &notes[i].m_pair, 1 );
        }
    }
}
