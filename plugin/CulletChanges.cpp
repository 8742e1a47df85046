// SPDX-License-Identifier: Zlib
/// \file CulletChanges.cpp
/// From the core's changes to Bullet's pair cache: what ended leaves, what began enters, in the canonical order.

#include "CulletBroadphase.h"

#include <algorithm>

namespace
{
/// Pairs looked up at a time: the list of pointers stays in the cache and off the heap.
const int BLOCK_SIZE = 512;

void appendPairs( btAlignedObjectArray<cltPair>& pairs, const cltPair* more, size_t count )
{
    const int size = pairs.size();
    pairs.resizeNoInitialize( size + int( count ) );
    std::copy( more, more + count, count > 0 ? &pairs[size] : 0 );
}
} // namespace

uint64_t CulletBroadphase::keyOf( const cltPair& pair ) const
{
    CulletProxyPair found;
    lookUp( &pair, 1, &found );
    return CulletPairNote( found ).key();
}

void CulletBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    settleWaiting();
    if ( !m_core )
    {
        return;
    }
    chooseWhoFilters();
    lookForEdits();
    noticeEdits();
    cltPairChanges changes;
    const cltStatus status = cltBroadphase_Update( m_core, &changes );
    if ( status != clt_ok )
    {
        m_status = status;
        return;
    }
    if ( m_ownPairCache )
    {
        m_ownPairCache->expectChanges( changes.beganCount + changes.endedCount );
    }
    size_t freshCount = changes.beganCount;
    removeEnded( changes.ended, changes.endedCount, dispatcher );
    const cltPair* fresh = leaveOutOffered( orderByUid( changes.began, freshCount ), freshCount );
    reviewOffered( dispatcher );
    reviewKept( dispatcher );
    addBegan( fresh, freshCount );
    reviewEdits( dispatcher );
    offerTurnedDown();
    if ( m_cacheEdited )
    {
        repairCache( dispatcher );
    }
    rememberCache();
    m_filtersMixed = false;
    m_anySet = false;
    m_eagerMoves = EAGER_MOVES;
    m_circumstances += 2;
}

void CulletBroadphase::removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher )
{
    if ( count > 0 && m_cacheDefers )
    {
        dropSeparated( dispatcher );
        return;
    }
    const cltPair* ordered = orderByUid( pairs, count );
    CulletProxyPair block[BLOCK_SIZE];
    for ( size_t first = 0; first < count; first += BLOCK_SIZE )
    {
        const int size = int( btMin( size_t( BLOCK_SIZE ), count - first ) );
        lookUp( ordered + first, size, block );
        removeEndedBlock( block, m_filtersMixed ? setAsideKept( block, size ) : size, dispatcher );
    }
}

void CulletBroadphase::removeEndedBlock( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    if ( m_turnedDown.getNumOverlappingPairs() > 0 )
    {
        m_turnedDown.removePairs( pairs, count, 0 );
    }
    if ( m_ownPairCache )
    {
        m_ownPairCache->removePairs( pairs, count, dispatcher );
        return;
    }
    for ( int i = 0; i < count; ++i )
    {
        m_pairCache->removeOverlappingPair( pairs[i].m_pProxy0, pairs[i].m_pProxy1, dispatcher );
    }
}

/// The pairs that nobody has offered yet.
/// \param pairs  ascending by uids
/// \return `pairs` itself, or an array that lives until the next call
const cltPair* CulletBroadphase::leaveOutOffered( const cltPair* pairs, size_t& count )
{
    if ( m_offered.size() == 0 || count == 0 )
    {
        return pairs;
    }
    std::sort( &m_offered[0], &m_offered[0] + m_offered.size() );
    m_fresh.resize( 0 );
    m_fresh.reserve( int( count ) );
    size_t next = 0;
    for ( int i = 0; i < m_offered.size(); ++i )
    {
        const uint64_t key = m_offered[i].key();
        const cltPair* found =
            std::lower_bound( pairs + next, pairs + count, key,
                              [this]( const cltPair& pair, uint64_t wanted ) { return keyOf( pair ) < wanted; } );
        const size_t at = size_t( found - pairs );
        appendPairs( m_fresh, pairs + next, at - next );
        next = at + ( at < count && keyOf( *found ) == key ? 1u : 0u );
    }
    appendPairs( m_fresh, pairs + next, count - next );
    count = size_t( m_fresh.size() );
    return count > 0 ? &m_fresh[0] : pairs;
}

/// \param pairs  ascending by uids
void CulletBroadphase::addBegan( const cltPair* pairs, size_t count )
{
    if ( m_ownPairCache && count > 0 )
    {
        const size_t pairCount = size_t( m_ownPairCache->getNumOverlappingPairs() ) + count;
        m_ownPairCache->reservePairs( int( btMin( pairCount, size_t( INT32_MAX ) ) ) );
    }
    CulletProxyPair block[BLOCK_SIZE];
    for ( size_t first = 0; first < count; first += BLOCK_SIZE )
    {
        const int size = int( btMin( size_t( BLOCK_SIZE ), count - first ) );
        lookUp( pairs + first, size, block );
        if ( !m_ownPairCache )
        {
            for ( int i = 0; i < size; ++i )
            {
                offer( block[i] );
            }
            continue;
        }
        m_rejected.resize( 0 );
        m_ownPairCache->addPairs( block, size, m_rejected );
        for ( int i = 0; i < m_rejected.size(); ++i )
        {
            turnDown( m_rejected[i] );
        }
    }
}

/// The core's order is by slot. Once slots have been used again the canonical order, by uid, is another one.
/// \return `pairs` itself, or an array that lives until the next call
const cltPair* CulletBroadphase::orderByUid( const cltPair* pairs, size_t count )
{
    if ( m_slotsFollowUids || count == 0 )
    {
        return pairs;
    }
    m_keyedPairs.resizeNoInitialize( int( count ) );
    for ( int i = 0; i < int( count ); ++i )
    {
        cltPair slots = pairs[i];
        uint32_t uidA = uint32_t( m_proxies.get( slots.proxyA )->m_uniqueId );
        uint32_t uidB = uint32_t( m_proxies.get( slots.proxyB )->m_uniqueId );
        if ( uidA > uidB )
        {
            btSwap( uidA, uidB );
            btSwap( slots.proxyA, slots.proxyB );
        }
        m_keyedPairs[i].m_uids = ( uint64_t( uidA ) << 32 ) | uidB;
        m_keyedPairs[i].m_slots = slots;
    }
    std::sort( &m_keyedPairs[0], &m_keyedPairs[0] + count );

    m_orderedPairs.resizeNoInitialize( int( count ) );
    for ( int i = 0; i < int( count ); ++i )
    {
        m_orderedPairs[i] = m_keyedPairs[i].m_slots;
    }
    return &m_orderedPairs[0];
}

void CulletBroadphase::lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const
{
    for ( int i = 0; i < count; ++i )
    {
        found[i].m_pProxy0 = m_proxies.get( pairs[i].proxyA );
        found[i].m_pProxy1 = m_proxies.get( pairs[i].proxyB );
    }
}
