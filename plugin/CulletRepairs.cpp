// SPDX-License-Identifier: Zlib
/// \file CulletRepairs.cpp
/// Pairs whose place in the cache does not follow from the core's changes: offered before the core heard of them, kept
/// though the filter would no longer let them in, put in or taken out by the application.

#include "CulletBroadphase.h"

#include "CulletBox.h"

#include <algorithm>

namespace
{
/// More pairs offered at once than a step offers.
const int MANY_OFFERED = 65536;

bool overlaps( const CulletProxyPair& pair )
{
    return culletOverlap( *pair.m_pProxy0, *pair.m_pProxy1 );
}

CulletProxyPair proxiesOf( const btBroadphasePair& pair )
{
    const CulletProxyPair proxies = { pair.m_pProxy0, pair.m_pProxy1 };
    return proxies;
}

bool isPair( const btBroadphasePair& pair, const CulletProxyPair& proxies )
{
    return pair.m_pProxy0 == proxies.m_pProxy0 && pair.m_pProxy1 == proxies.m_pProxy1;
}
} // namespace

/// Of pairs that ended for the core, those whose boxes still overlap ended by a filter alone, and stay in the cache if
/// they are there. Moves the others to the front and returns how many there are.
int CulletBroadphase::setAsideKept( CulletProxyPair* pairs, int count )
{
    int ended = 0;
    for ( int i = 0; i < count; ++i )
    {
        if ( overlaps( pairs[i] ) && isCached( pairs[i] ) )
        {
            m_kept.push_back( CulletPairNote( pairs[i] ) );
        }
        else
        {
            pairs[ended++] = pairs[i];
        }
    }
    return ended;
}

/// Takes a pair that is over out of the cache. One that is not stays under watch if the core will not tell when it ends.
void CulletBroadphase::keepOrRemove( const CulletProxyPair& pair, btDispatcher* dispatcher )
{
    if ( !overlaps( pair ) )
    {
        removeEndedBlock( &pair, 1, dispatcher );
    }
    else if ( !coreHolds( pair ) && isCached( pair ) )
    {
        m_kept.push_back( CulletPairNote( pair ) );
    }
}

/// Slots are used again after an update, so these still are whose they were, or nobody's. A proxy created right here, by
/// somebody whom the dispatcher calls, may have one of them: looking at its pair once more than needed does no harm.
void CulletBroadphase::reviewOffered( btDispatcher* dispatcher )
{
    for ( int i = 0; i < m_offered.size(); ++i )
    {
        const int uidA = m_proxies.getUid( m_offered[i].proxyA );
        const int uidB = m_proxies.getUid( m_offered[i].proxyB );
        if ( uidA != 0 && uidB != 0 )
        {
            CulletProxy* a = m_proxies.get( m_offered[i].proxyA );
            CulletProxy* b = m_proxies.get( m_offered[i].proxyB );
            const CulletProxyPair pair = { uidA < uidB ? a : b, uidA < uidB ? b : a };
            keepOrRemove( pair, dispatcher );
        }
    }
    if ( m_offered.size() > MANY_OFFERED )
    {
        m_offered.clear(); // a world was filled, which does not come again soon: gives the memory back
    }
    m_offered.resize( 0 );
}

void CulletBroadphase::reviewKept( btDispatcher* dispatcher )
{
    if ( m_kept.size() == 0 )
    {
        return;
    }
    btAlignedObjectArray<CulletPairNote> kept;
    kept.copyFromArray( m_kept );
    m_kept.resize( 0 );
    std::sort( &kept[0], &kept[0] + kept.size() );
    for ( int i = 0; i < kept.size(); ++i )
    {
        const bool isTwice = i > 0 && kept[i - 1].key() == kept[i].key();
        if ( kept[i].isAlive() && !isTwice )
        {
            keepOrRemove( kept[i].m_pair, dispatcher );
        }
    }
}

/// What the application did to our own cache is noted there, pair by pair.
void CulletBroadphase::reviewEdits( btDispatcher* dispatcher )
{
    if ( !m_ownPairCache || m_ownPairCache->getEdits().size() == 0 )
    {
        return;
    }
    btAlignedObjectArray<CulletPairNote>& edits = m_ownPairCache->getEdits();
    for ( int i = 0; i < edits.size(); ++i )
    {
        const CulletProxyPair& pair = edits[i].m_pair;
        if ( !edits[i].isAlive() )
        {
            continue;
        }
        if ( overlaps( pair ) && !isCached( pair ) && !wasAsked( pair ) )
        {
            offer( pair );
        }
        keepOrRemove( pair, dispatcher );
    }
    edits.resize( 0 );
}

/// A given cache does not tell. But what was taken out leaves another number of pairs, and what was put in instead
/// another last one. To be called before we touch the cache.
void CulletBroadphase::noticeEdits()
{
    if ( m_ownPairCache || m_cacheDefers )
    {
        return;
    }
    const btBroadphasePairArray& pairs = m_pairCache->getOverlappingPairArray();
    const int last = pairs.size() - 1;
    m_cacheEdited = m_cacheEdited || pairs.size() != m_knownCount ||
                    ( last >= 0 && !( isPair( pairs[0], m_knownFirst ) && isPair( pairs[last], m_knownLast ) ) );
}

/// To be called after we touched the cache.
void CulletBroadphase::rememberCache()
{
    if ( m_ownPairCache || m_cacheDefers )
    {
        return;
    }
    const btBroadphasePairArray& pairs = m_pairCache->getOverlappingPairArray();
    m_knownCount = pairs.size();
    if ( m_knownCount > 0 )
    {
        m_knownFirst = proxiesOf( pairs[0] );
        m_knownLast = proxiesOf( pairs[m_knownCount - 1] );
    }
}

/// Somebody changed a given cache: holds all of it against all pairs of the core.
void CulletBroadphase::repairCache( btDispatcher* dispatcher )
{
    const btBroadphasePairArray& cached = m_pairCache->getOverlappingPairArray();
    for ( int i = cached.size() - 1; i >= 0; --i )
    {
        const CulletProxyPair pair = proxiesOf( cached[i] );
        if ( !overlaps( pair ) )
        {
            m_pairCache->removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
        }
    }
    const cltPair* pairs;
    size_t count;
    const cltStatus status = cltBroadphase_GetPairs( m_core, &pairs, &count );
    if ( status != clt_ok )
    {
        m_status = status;
        return; // m_cacheEdited stays, so that the next calculateOverlappingPairs tries again
    }
    m_cacheEdited = false;
    const cltPair* ordered = orderByUid( pairs, count );
    for ( size_t i = 0; i < count; ++i )
    {
        CulletProxyPair pair;
        lookUp( ordered + i, 1, &pair );
        if ( !isCached( pair ) && !wasAsked( pair ) )
        {
            offer( pair );
        }
    }
}

void CulletBroadphase::performDeferredRemoval( btDispatcher* dispatcher )
{
    if ( m_cacheDefers )
    {
        dropSeparated( dispatcher );
    }
}

/// Caches with deferred removal ignore removeOverlappingPair and leave it to the broadphase to thin out their array.
void CulletBroadphase::dropSeparated( btDispatcher* dispatcher )
{
    btBroadphasePairArray& pairs = m_pairCache->getOverlappingPairArray();
    int kept = 0;
    for ( int i = 0; i < pairs.size(); ++i )
    {
        const CulletProxyPair pair = proxiesOf( pairs[i] );
        if ( overlaps( pair ) )
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
