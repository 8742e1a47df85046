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
    const btOverlapFilterCallback* callback = m_ownPairCache ? m_ownPairCache->getOverlapFilterCallback() : 0;
    m_circumstances += callback != m_knownCallback ? 2u : 0u;
    m_knownCallback = callback;
    const bool coreFilters = m_ownPairCache && !callback;
    if ( coreFilters == m_coreFilters )
    {
        return;
    }
    m_coreFilters = coreFilters;
    m_filtersMixed = true;
    m_circumstances += 2;
    m_offerAll = coreFilters;
    m_proxies.forEach(
        [&]( CulletProxy& proxy )
        {
            proxy.readFilter();
            if ( proxy.m_slot != CLT_NULL_PROXY )
            {
                tellFilter( proxy );
            }
        } );
}

void CulletBroadphase::tellFilter( const CulletProxy& proxy )
{
    const cltFilter filter = filterOf( proxy );
    const cltStatus status = cltBroadphase_SetFilter( m_core, proxy.m_slot, &filter );
    btAssert( status == clt_ok );
    (void)status;
}

/// Tells the core if the proxy's group or mask was edited.
void CulletBroadphase::noteFilter( CulletProxy* proxy )
{
    if ( proxy->isFilterEdited() )
    {
        proxy->readFilter();
        tellFilter( *proxy );
        m_filtersMixed = true;
        m_circumstances += 2;
    }
}

/// A pair must also be tried again when the one that was edited is not the one that was set. Walking all proxies would
/// cost more than a step in which little moves, so that they are looked through in turns, more of them where more is set.
void CulletBroadphase::lookForEdits()
{
    if ( m_setCount == 0 )
    {
        return; // no pair has to be tried again
    }
    const uint32_t wanted = btMin( btMax( m_setCount, uint32_t( LOOKS ) ), uint32_t( MOST_LOOKS ) );
    cltProxyId slot = m_nextLook;
    for ( cltProxyId left = btMin( m_freshSlot, wanted ); left > 0; --left )
    {
        slot = slot < m_freshSlot ? slot : 0;
        CulletProxy* proxy = m_proxies.get( slot );
        if ( proxy && proxy->m_slot == slot )
        {
            noteFilter( proxy );
        }
        ++slot;
    }
    m_nextLook = slot;
}

/// A proxy is set, and its filter was edited or some pair was turned down, perhaps not of this proxy.
void CulletBroadphase::noteRareSetting( CulletProxy* proxy )
{
    if ( proxy->m_slot == CLT_NULL_PROXY )
    {
        return; // it has no pairs, and its filter is read when it gets a slot
    }
    noteFilter( proxy );
    if ( m_offerAll || m_turnedDown.getPairCount() == 0 || !m_turnedDown.hasPairs( proxy ) )
    {
        return;
    }
    m_setAgain.push_back( proxy );
    if ( m_setAgain.size() > m_proxies.getCount() / 2 )
    {
        m_offerAll = true; // one pass over what was turned down is faster than half of it looked up twice
        m_setAgain.resize( 0 );
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

/// True if the cache was asked in this step, by all that is known under the same circumstances, and said no.
bool CulletBroadphase::wasAsked( const CulletProxyPair& pair ) const
{
    if ( m_turnedDown.getPairCount() == 0 || m_coreFilters )
    {
        return false; // masks may be compared as often as one likes
    }
    const btBroadphasePair* found =
        const_cast<CulletPairCache&>( m_turnedDown ).findPair( pair.m_pProxy0, pair.m_pProxy1 );
    return found && uint32_t( found->m_internalTmpValue ) == m_circumstances;
}

/// Remembers a pair that the core holds and the cache did not take. With the core filtering there are none, but for those
/// whose masks were edited since their proxies were set. A cache with deferred removal may have taken the pair and say
/// nothing.
void CulletBroadphase::turnDown( const CulletProxyPair& pair )
{
    if ( coreHolds( pair ) && !m_cacheDefers )
    {
        m_turnedDown.insertPair( pair.m_pProxy0, pair.m_pProxy1 )->m_internalTmpValue = int( m_circumstances );
    }
}

/// Lists what was turned down and is to be offered again, some of it twice: pairs of proxies that were set again, or all.
void CulletBroadphase::listTurnedDown( btAlignedObjectArray<int>& indices )
{
    for ( int i = 0; i < m_setAgain.size() && !m_offerAll; ++i )
    {
        m_turnedDown.listPairsOf( m_setAgain[i], indices );
    }
    for ( int i = 0; i < m_turnedDown.getPairCount() && m_offerAll; ++i )
    {
        indices.push_back( i );
    }
}

/// Asks about each pair once. One that was asked about in this step already, and then set, waits for the next step in which
/// anything is set, unless a mask or the callback is another by now: no filter is asked twice in a step for the same
/// answer, no pair is forgotten, and a second calculateOverlappingPairs in a row changes nothing.
void CulletBroadphase::offerTurnedDown()
{
    if ( m_setCount == 0 && !m_offerAll )
    {
        return;
    }
    btAlignedObjectArray<int> indices;
    listTurnedDown( indices );
    m_setAgain.resize( 0 );
    m_offerAll = false;
    btAlignedObjectArray<CulletPairNote> settled;
    btAlignedObjectArray<CulletPairNote> letIn;
    btBroadphasePairArray& turnedDown = m_turnedDown.getOverlappingPairArray();
    const int askedBefore = int( m_circumstances );
    const int askedNow = int( m_circumstances + 1u );
    for ( int i = 0; i < indices.size(); ++i )
    {
        btBroadphasePair& entry = turnedDown[indices[i]];
        const CulletProxyPair pair = { entry.m_pProxy0, entry.m_pProxy1 };
        if ( entry.m_internalTmpValue == askedBefore && !m_coreFilters )
        {
            m_setAgain.push_back( static_cast<CulletProxy*>( pair.m_pProxy0 ) );
        }
        if ( ( entry.m_internalTmpValue == askedBefore && !m_coreFilters ) || entry.m_internalTmpValue == askedNow )
        {
            continue;
        }
        entry.m_internalTmpValue = askedNow;
        // Over: it was turned down at once, and ended before the core heard of it, so that the core never told.
        const bool isOver = !culletOverlap( *pair.m_pProxy0, *pair.m_pProxy1 );
        const bool isSettled = isOver || !coreHolds( pair );
        if ( isSettled || askCache( pair ) )
        {
            ( isSettled ? settled : letIn ).push_back( CulletPairNote( pair ) );
        }
    }
    forgetTurnedDown( settled );
    forgetTurnedDown( letIn );
    for ( int i = 0; i < letIn.size() && m_ownPairCache; ++i )
    {
        m_ownPairCache->insertPair( letIn[i].m_pair.m_pProxy0, letIn[i].m_pair.m_pProxy1 );
    }
}

/// Whether the cache lets the pair in now. A given cache takes it at once, for it would ask its filter a second time;
/// our own gets all that are let in later, in order.
bool CulletBroadphase::askCache( const CulletProxyPair& pair )
{
    return m_ownPairCache ? m_ownPairCache->needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 )
                          : m_pairCache->addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
}

/// Leaves the notes in the canonical order.
void CulletBroadphase::forgetTurnedDown( btAlignedObjectArray<CulletPairNote>& notes )
{
    if ( notes.size() > 1 )
    {
        std::sort( &notes[0], &notes[0] + notes.size() );
    }
    for ( int i = 0; i < notes.size(); ++i )
    {
        m_turnedDown.removePairs( &notes[i].m_pair, 1, 0 );
    }
}
