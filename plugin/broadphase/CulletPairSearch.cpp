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

/// Empties an array, but keeps its capacity for the next step. If the array held very many items, as after filling a
/// world, its memory is freed.
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

/// \return true if the proxy was searched, so that all its pairs were offered to the cache
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

/// Several threads that read the cache at the same time may call this. One makes the searches; the others wait for it
/// and find none left. Pending searches call no callbacks: with callbacks, searches are not made pending.
void CulletPairSearch::searchNow()
{
    const std::lock_guard<std::mutex> lock( m_pendingLock );
    change( [this] { searchPutOff(); } );
    setPending( false );
}

/// Callbacks about the pairs found may delay further searches, which are then made too.
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
/// \param isNew  true if the proxy was just created, so that the cache has none of its pairs
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

/// Removes pairs that are present, before sorting: if a large ghost moves little, nearly all its pairs are present.
/// Also removes pairs that the cache rejected in this round, which wait for the next one.
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

/// Offers a pair that was absent when the search began. If a callback has added it since, the cache detects this.
void CulletPairSearch::offerFound( const CulletProxyPair& pair )
{
    const cltPair slots = { static_cast<const CulletProxy*>( pair.m_pProxy0 )->m_slot,
                            static_cast<const CulletProxy*>( pair.m_pProxy1 )->m_slot };
    if ( m_filter.offer( pair ) || m_core.holds( pair ) )
    {
        m_offered.push_back( slots ); // else the pair's end would not be reported
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
