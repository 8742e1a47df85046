// SPDX-License-Identifier: Zlib
/// \file CulletChanges.cpp
/// From the core's changes to Bullet's pair cache: what ended leaves, what began enters, in the canonical order.

#include "CulletBroadphase.h"

#include "CulletBox.h"
#include "CulletPairCache.h"

#include <algorithm>

namespace
{
/// Pairs looked up at a time: the list of pointers stays in the cache and off the heap.
const int BLOCK_SIZE = 512;
} // namespace

void CulletBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    settleWaiting();
    if ( !m_core )
    {
        return;
    }
    cltPairChanges changes;
    const cltStatus status = cltBroadphase_Update( m_core, &changes );
    if ( status != clt_ok )
    {
        m_status = status;
        return;
    }
    removeEnded( changes.ended, changes.endedCount, dispatcher );
    addBegan( changes.began, changes.beganCount );
}

void CulletBroadphase::removeEnded( const cltPair* pairs, size_t count, btDispatcher* dispatcher )
{
    if ( count > 0 && m_pairCache->hasDeferredRemoval() )
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
        if ( m_ownPairCache )
        {
            m_ownPairCache->removePairs( block, size, dispatcher );
            continue;
        }
        for ( int i = 0; i < size; ++i )
        {
            m_pairCache->removeOverlappingPair( block[i].m_pProxy0, block[i].m_pProxy1, dispatcher );
        }
    }
}

void CulletBroadphase::addBegan( const cltPair* pairs, size_t count )
{
    if ( m_ownPairCache && count > 0 )
    {
        const size_t pairCount = size_t( m_ownPairCache->getNumOverlappingPairs() ) + count;
        m_ownPairCache->reservePairs( int( btMin( pairCount, size_t( INT32_MAX ) ) ) );
    }
    const cltPair* ordered = orderByUid( pairs, count );
    CulletProxyPair block[BLOCK_SIZE];
    for ( size_t first = 0; first < count; first += BLOCK_SIZE )
    {
        const int size = int( btMin( size_t( BLOCK_SIZE ), count - first ) );
        lookUp( ordered + first, size, block );
        if ( m_ownPairCache )
        {
            m_ownPairCache->addPairs( block, size );
            continue;
        }
        for ( int i = 0; i < size; ++i )
        {
            m_pairCache->addOverlappingPair( block[i].m_pProxy0, block[i].m_pProxy1 );
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

/// Caches with deferred removal ignore removeOverlappingPair and leave it to the broadphase to thin out their array.
void CulletBroadphase::dropSeparated( btDispatcher* dispatcher )
{
    btBroadphasePairArray& pairs = m_pairCache->getOverlappingPairArray();
    int kept = 0;
    for ( int i = 0; i < pairs.size(); ++i )
    {
        const btBroadphaseProxy* proxy0 = pairs[i].m_pProxy0;
        const btBroadphaseProxy* proxy1 = pairs[i].m_pProxy1;
        if ( culletOverlap( proxy0->m_aabbMin, proxy0->m_aabbMax, proxy1->m_aabbMin, proxy1->m_aabbMax ) )
        {
            pairs[kept++] = pairs[i];
        }
        else if ( dispatcher ) // without one, btSortedOverlappingPairCache would call through NULL
        {
            m_pairCache->cleanOverlappingPair( pairs[i], dispatcher );
        }
    }
    pairs.resize( kept );
}
