// SPDX-License-Identifier: Zlib
/// \file CulletPairSearch.cpp

#include "CulletPairSearch.h"

#include "CulletBox.h"

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"

namespace
{
bool isGhost( const btBroadphaseProxy& proxy )
{
    const btCollisionObject* object = static_cast<const btCollisionObject*>( proxy.m_clientObject );
    return object && ( object->getInternalType() & btCollisionObject::CO_GHOST_OBJECT ) != 0;
}

/// Empties an array but keeps its capacity for the next step. After a world was filled, which does not happen again
/// soon, the memory is given back.
template <typename Item>
void empty( btAlignedObjectArray<Item>& array )
{
    const int many = 65536;
    array.size() > many ? array.clear() : array.resize( 0 );
}
} // namespace

CulletPairSearch::CulletPairSearch( CulletCore& core, CulletPairStore& store, CulletPairFilter& filter )
    : m_core( core ), m_store( store ), m_filter( filter ), m_eagerMoves( EAGER_MOVES ), m_changeDepth( 0 )
{
}

void CulletPairSearch::clear()
{
    m_eagerMoves = EAGER_MOVES;
    m_offered.resize( 0 );
    m_due.resize( 0 );
}

void CulletPairSearch::forget( const CulletProxy* proxy )
{
    for ( int i = 0; i < m_pending.size(); ++i )
    {
        m_pending[i] = m_pending[i] == proxy ? 0 : m_pending[i];
    }
}

// ----------------------------------------------------------------------------------------------- at once or pending

void CulletPairSearch::searchCreated( CulletProxy* proxy )
{
    if ( proxy->m_slot == CLT_NULL_PROXY || m_store.isDeferring() )
    {
        return;
    }
    isChanging() || !isObserved() ? putOff( proxy ) : search( proxy, true );
}

/// \return true if it was searched, so that the cache was asked about all its pairs
bool CulletPairSearch::searchIfEager( CulletProxy* proxy )
{
    const bool isEager = m_eagerMoves > 0 || isGhost( *proxy );
    m_eagerMoves -= m_eagerMoves > 0;
    if ( !isEager || m_store.isDeferring() )
    {
        return false;
    }
    const bool isPutOff = isChanging() || !isObserved();
    isPutOff ? putOff( proxy ) : search( proxy, false );
    return !isPutOff;
}

void CulletPairSearch::putOff( CulletProxy* proxy )
{
    m_pending.push_back( proxy );
    if ( !isChanging() ) // else endChange decides
    {
        setPending( true );
    }
}

/// Several threads may come here when they read the cache at once: the others wait, and find nothing left to do. No
/// callback is called, or the search would not be pending.
void CulletPairSearch::searchNow()
{
    const std::lock_guard<std::mutex> lock( m_pendingLock );
    change( [this] { searchPutOff(); } );
    setPending( false );
}

/// A callback about a pair that is found may put off more searches.
void CulletPairSearch::searchPutOff()
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

void CulletPairSearch::endChange()
{
    if ( m_changeDepth == 1 && m_pending.size() > 0 )
    {
        isObserved() ? searchPutOff() : setPending( true );
    }
    --m_changeDepth;
}

void CulletPairSearch::dropPending()
{
    empty( m_pending );
    setPending( false );
}

// -------------------------------------------------------------------------------------------------------------- search

/// Offers the cache every pair of the proxy that it does not have, ascending by uids, so that the order does not depend
/// on how the pairs were found.
/// \param isNew  the proxy was created a moment ago, and the cache has none of its pairs
void CulletPairSearch::search( CulletProxy* proxy, bool isNew )
{
    m_filter.noticeCallback();
    const bool isAnyRejected = !m_filter.getRejected().isEmpty();
    m_core.query( proxy, !isAnyRejected, m_found ); // rejected pairs are offered again
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

/// Pairs that the cache has need not be sorted; if a large ghost moves little, these are nearly all. Pairs that it
/// rejected in this round wait.
void CulletPairSearch::leaveOutKnown( CulletPairNotes& found )
{
    if ( !m_filter.getRejected().isEmpty() )
    {
        culletLeaveOut( found,
                        [this]( const CulletPairNote& note )
                        {
                            const bool isWaiting = m_filter.wasAsked( note.m_pair );
                            if ( isWaiting )
                            {
                                m_filter.getRejected().retry( note.m_pair );
                            }
                            return isWaiting;
                        } );
    }
    m_store.leaveOutPresent( found );
}

/// The pair was not known when the search began; the cache itself finds out whether a callback added it since.
void CulletPairSearch::offerFound( const CulletProxyPair& pair )
{
    const cltPair slots = { static_cast<const CulletProxy*>( pair.m_pProxy0 )->m_slot,
                            static_cast<const CulletProxy*>( pair.m_pProxy1 )->m_slot };
    if ( m_filter.offer( pair ) || m_core.holds( pair ) )
    {
        m_offered.push_back( slots ); // else nothing will ever report it again
    }
}

// ----------------------------------------------------------------------------------------- what the next update needs

void CulletPairSearch::pairEdited( const CulletProxyPair& pair )
{
    m_filter.getRejected().remove( &pair, 1 );
    noteDue( culletNoteOf( pair ) );
}

void CulletPairSearch::forgetOffered()
{
    empty( m_offered );
}

void CulletPairSearch::takeDue( CulletPairNotes& due )
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
