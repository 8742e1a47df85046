// SPDX-License-Identifier: Zlib
/// \file CulletFilters.cpp
/// Who may pair, and who decides it. As long as group and mask alone decide, the core applies them, and a crowd that may
/// not pair costs nothing. Once a callback or a cache of the application's has a say, the core pairs whatever overlaps,
/// the cache is asked once for each pair that begins, and what it turned down is remembered, to be offered again when
/// either proxy is set again: answers may change, and Bullet tells nobody.

#include "CulletBroadphase.h"

#include "CulletBox.h"

#include <algorithm>

namespace
{
/// Two of these pair whatever they are.
const cltFilter PAIRS_WITH_ALL = { 1, 1 };
} // namespace

cltFilter CulletBroadphase::filterOf( const CulletProxy& proxy ) const
{
    const cltFilter own = { proxy.m_knownGroup, proxy.m_knownMask };
    return m_coreFilters ? own : PAIRS_WITH_ALL;
}

/// Callbacks are installed and taken away at any time. What the core's pairs lose or gain by that shows as changes of the
/// next update.
void CulletBroadphase::chooseWhoFilters()
{
    const bool coreFilters = m_ownPairCache && !m_ownPairCache->getOverlapFilterCallback();
    if ( coreFilters == m_coreFilters )
    {
        return;
    }
    m_coreFilters = coreFilters;
    m_filtersMixed = true;
    m_offerAll = coreFilters;
    m_proxies.forEach(
        [&]( CulletProxy& proxy )
        {
            proxy.m_knownGroup = proxy.m_collisionFilterGroup;
            proxy.m_knownMask = proxy.m_collisionFilterMask;
            if ( proxy.m_slot != CLT_NULL_PROXY )
            {
                const cltFilter filter = filterOf( proxy );
                cltBroadphase_SetFilter( m_core, proxy.m_slot, &filter );
            }
        } );
}

/// Tells the core if the proxy's group or mask was edited.
void CulletBroadphase::noteFilter( CulletProxy* proxy )
{
    if ( proxy->m_knownGroup != proxy->m_collisionFilterGroup || proxy->m_knownMask != proxy->m_collisionFilterMask )
    {
        proxy->m_knownGroup = proxy->m_collisionFilterGroup;
        proxy->m_knownMask = proxy->m_collisionFilterMask;
        const cltFilter filter = filterOf( *proxy );
        cltBroadphase_SetFilter( m_core, proxy->m_slot, &filter );
        m_filtersMixed = true;
    }
}

/// A pair must also be tried again when the one that was edited is not the one that was set. Walking all proxies would
/// cost more than a step in which little moves, so that large worlds are looked through in turns.
void CulletBroadphase::lookForEdits()
{
    if ( !m_anySet || !m_coreFilters )
    {
        return; // nobody may ask for a pair, or the cache is asked anyway
    }
    for ( cltProxyId left = btMin( m_freshSlot, cltProxyId( LOOKS ) ); left > 0; --left )
    {
        m_nextLook = m_nextLook < m_freshSlot ? m_nextLook : 0;
        CulletProxy* proxy = m_proxies.get( m_nextLook );
        if ( proxy && proxy->m_slot == m_nextLook )
        {
            noteFilter( proxy );
        }
        ++m_nextLook;
    }
}

/// Called for every proxy that is set, changed box or not, so it has to cost next to nothing.
void CulletBroadphase::noteSetting( CulletProxy* proxy )
{
    m_anySet = true;
    noteFilter( proxy );
    if ( m_turnedDown.getNumOverlappingPairs() > 0 && m_turnedDown.hasPairs( proxy ) )
    {
        m_setAgain.push_back( proxy );
    }
}

/// True if the core counts this pair of overlapping boxes among its own, so that it will say when the pair ends.
bool CulletBroadphase::coreHolds( const CulletProxyPair& pair ) const
{
    const CulletProxy* proxy0 = static_cast<const CulletProxy*>( pair.m_pProxy0 );
    const CulletProxy* proxy1 = static_cast<const CulletProxy*>( pair.m_pProxy1 );
    return !m_coreFilters || ( ( proxy0->m_knownGroup & proxy1->m_knownMask ) != 0 &&
                               ( proxy1->m_knownGroup & proxy0->m_knownMask ) != 0 );
}

/// Offers the cache a pair that it does not have. Returns whether it took it.
bool CulletBroadphase::offer( const CulletProxyPair& pair )
{
    const bool taken = m_ownPairCache ? m_ownPairCache->addPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0
                                      : m_pairCache->addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    if ( !taken )
    {
        turnDown( pair );
    }
    return taken;
}

/// True if the cache was asked in this step and said no.
bool CulletBroadphase::isTurnedDown( const CulletProxyPair& pair ) const
{
    if ( m_turnedDown.getNumOverlappingPairs() == 0 )
    {
        return false;
    }
    const btBroadphasePair* found =
        const_cast<CulletPairCache&>( m_turnedDown ).findPair( pair.m_pProxy0, pair.m_pProxy1 );
    return found && found->m_internalTmpValue == m_step;
}

/// Remembers a pair that the core holds and the cache did not take. With the core filtering there are none, but for those
/// whose masks were edited since their proxies were set. A cache with deferred removal may have taken the pair and say
/// nothing.
void CulletBroadphase::turnDown( const CulletProxyPair& pair )
{
    if ( coreHolds( pair ) && !m_cacheDefers )
    {
        m_turnedDown.insertPair( pair.m_pProxy0, pair.m_pProxy1 )->m_internalTmpValue = m_step;
    }
}

/// What was turned down and is to be offered again, ascending by uids: pairs of proxies that were set again, or all.
void CulletBroadphase::listTurnedDown( btAlignedObjectArray<CulletPairNote>& notes )
{
    const btBroadphasePairArray& turnedDown = m_turnedDown.getOverlappingPairArray();
    btAlignedObjectArray<int> indices;
    for ( int i = 0; i < m_setAgain.size() && !m_offerAll; ++i )
    {
        m_turnedDown.listPairsOf( m_setAgain[i], indices );
    }
    for ( int i = 0; i < turnedDown.size() && m_offerAll; ++i )
    {
        indices.push_back( i );
    }
    for ( int i = 0; i < indices.size(); ++i )
    {
        const CulletProxyPair pair = { turnedDown[indices[i]].m_pProxy0, turnedDown[indices[i]].m_pProxy1 };
        notes.push_back( CulletPairNote( pair ) );
    }
    if ( notes.size() > 1 )
    {
        std::sort( &notes[0], &notes[0] + notes.size() );
    }
}

void CulletBroadphase::offerTurnedDown()
{
    btAlignedObjectArray<CulletPairNote> again;
    listTurnedDown( again );
    m_setAgain.resize( 0 );
    m_offerAll = false;
    for ( int i = 0; i < again.size(); ++i )
    {
        const CulletProxyPair& pair = again[i].m_pair;
        const bool isTwice = i > 0 && again[i - 1].key() == again[i].key(); // both proxies were set again
        if ( isTwice || isTurnedDown( pair ) )
        {
            continue;
        }
        // Turned down at once and over before the core heard of it, so that the core never told.
        const bool isOver = !culletOverlap( pair.m_pProxy0->m_aabbMin, pair.m_pProxy0->m_aabbMax,
                                            pair.m_pProxy1->m_aabbMin, pair.m_pProxy1->m_aabbMax );
        if ( isOver || !coreHolds( pair ) || m_pairCache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) || offer( pair ) )
        {
            m_turnedDown.removePairs( &pair, 1, 0 );
        }
    }
}
