// SPDX-License-Identifier: Zlib
/// \file CulletCore.cpp
/// A call that needs memory may fail; any other error of the core is a bug in this file.

#include "CulletCore.h"

#include "pair_cache/CulletPrefetch.h"

#include "cullet_queries.h"

namespace
{
/// Any two proxies with this filter pair.
const cltFilter PAIRS_WITH_ALL = { 1, 1 };

void expectOk( cltStatus status )
{
    btAssert( status == clt_ok );
    (void)status;
}

struct Collector
{
    const CulletProxyPool& m_proxies;
    CulletProxy* m_proxy;
    CulletPairNotes& m_found;
    bool m_isFiltering;
};

/// Compares the current groups and masks of the proxies, which the core may not have yet.
bool doFiltersAllow( const CulletProxy& a, const CulletProxy& b )
{
    return ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 &&
           ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
}

/// Without filtering, the other proxy is only prefetched, not read: the receiver of the pair reads it soon after.
bool collectPair( cltProxyId slot, uint64_t, void* context )
{
    const Collector& collector = *static_cast<const Collector*>( context );
    CulletProxy* proxy = collector.m_proxy;
    CulletProxy* other = collector.m_proxies.get( slot );
    if ( other != proxy && ( !collector.m_isFiltering || doFiltersAllow( *proxy, *other ) ) )
    {
        culletPrefetch( other );
        collector.m_found.push_back(
            culletNoteOf( proxy, proxy->m_uniqueId, other, collector.m_proxies.getUid( slot ) ) );
    }
    return true;
}
} // namespace

// -------------------------------------------------------------------------------------------- creation and destruction

CulletCore::CulletCore( const cltBroadphaseDef& def )
    : m_def( def ), m_pendingCount( 0 ), m_lastUid( 0 ), m_destroyedCount( 0 ), m_freshSlot( 0 ),
      m_slotsFollowUids( true ), m_isFiltering( true )
{
    m_creationStatus = open( &m_core );
    if ( m_creationStatus == clt_invalidArgument )
    {
        m_def = cltDefaultBroadphaseDef();
    }
    else if ( m_creationStatus == clt_noDevice || m_creationStatus == clt_deviceMemory ||
              m_creationStatus == clt_deviceFailed )
    {
        m_def.device = clt_deviceCpu;
    }
    if ( m_def.research )
    {
        m_research = *m_def.research;
        m_def.research = &m_research;
    }
    m_status = m_core ? clt_ok : open( &m_core );
}

CulletCore::~CulletCore()
{
    cltDestroyBroadphase( m_core );
}

cltStatus CulletCore::open( cltBroadphase** core )
{
    m_def.precision = CULLET_PRECISION;
    m_def.filterMasks = true;
    *core = 0;
    return cltCreateBroadphase( &m_def, core );
}

bool CulletCore::reset()
{
    cltBroadphase* core;
    if ( m_proxies.getCount() > 0 || open( &core ) != clt_ok )
    {
        return false;
    }
    cltDestroyBroadphase( m_core ); // a new core assigns slots in order again, which saves the sort by uid
    m_core = core;
    m_pendingCount = 0;
    m_lastUid = 0;
    m_freshSlot = 0;
    m_slotsFollowUids = true;
    return true;
}

// ------------------------------------------------------------------------------------------------------------- proxies

CulletProxy* CulletCore::create( const btVector3& aabbMin, const btVector3& aabbMax, void* userPtr, int group,
                                 int mask )
{
    CulletProxy proxy( aabbMin, aabbMax, userPtr, group, mask );
    proxy.m_uniqueId = ++m_lastUid;
    const cltProxyId slot = takeSlot( proxy );
    m_pendingCount += slot == CLT_NULL_PROXY;
    m_census.add( group, mask );
    return m_proxies.add( proxy, slot );
}

/// \return CLT_NULL_PROXY if the core has no memory for one more
cltProxyId CulletCore::takeSlot( const CulletProxy& proxy )
{
    const CulletBox box = culletBox( proxy.m_aabbMin, proxy.m_aabbMax );
    cltProxyId slot = CLT_NULL_PROXY;
    const cltFilter filter = filterOf( proxy );
    const cltStatus status = m_core ? culletCreateProxy( m_core, &box, &filter, 0, &slot ) : clt_hostMemory;
    if ( status != clt_ok )
    {
        m_status = status;
        return CLT_NULL_PROXY;
    }
    m_slotsFollowUids = m_slotsFollowUids && slot >= m_freshSlot;
    m_freshSlot = btMax( m_freshSlot, slot + 1 );
    return slot;
}

void CulletCore::move( CulletProxy* proxy )
{
    const CulletBox box = culletBox( proxy->m_aabbMin, proxy->m_aabbMax );
    expectOk( culletMoveProxy( m_core, proxy->m_slot, &box ) );
}

void CulletCore::destroy( CulletProxy* proxy )
{
    if ( proxy->m_slot == CLT_NULL_PROXY )
    {
        --m_pendingCount;
    }
    else
    {
        expectOk( cltBroadphase_DestroyProxy( m_core, proxy->m_slot ) );
    }
    m_census.remove( proxy->m_knownGroup, proxy->m_knownMask );
    m_proxies.remove( proxy );
    ++m_destroyedCount;
}

/// Creates the pending proxies in the core, oldest first. m_status says whether memory sufficed for all.
void CulletCore::settlePending()
{
    m_status = m_core ? clt_ok : open( &m_core );
    const btAlignedObjectArray<CulletProxy*>& apart = m_proxies.getApart();
    for ( int i = 0; m_pendingCount > 0 && i < apart.size(); ++i )
    {
        if ( apart[i]->m_slot != CLT_NULL_PROXY )
        {
            continue;
        }
        noteFilter( apart[i] );
        const cltProxyId slot = takeSlot( *apart[i] );
        if ( slot == CLT_NULL_PROXY )
        {
            return;
        }
        m_proxies.settle( apart[i], slot );
        m_slotsFollowUids = false;
        --m_pendingCount;
    }
}

// --------------------------------------------------------------------------------------------------------------- pairs

bool CulletCore::update( cltPairChanges& changes )
{
    settlePending();
    if ( !m_core )
    {
        return false;
    }
    m_proxies.reuseRemoved();
    if ( areAllAlive() ) // else pair notes may still read destroyed proxies
    {
        m_proxies.giveBack();
    }
    m_destroyedCount = 0;
    const cltStatus status = cltBroadphase_Update( m_core, &changes );
    m_uidOrder.expectChanges( changes.beganCount + changes.endedCount );
    m_status = status != clt_ok ? status : m_status;
    return status == clt_ok;
}

cltStatus CulletCore::listPairs( const cltPair** pairs, size_t* count )
{
    const cltStatus status = cltBroadphase_GetPairs( m_core, pairs, count );
    m_status = status != clt_ok ? status : m_status;
    return status;
}

void CulletCore::query( CulletProxy* proxy, bool onlyNew, CulletPairNotes& found ) const
{
    found.resize( 0 );
    if ( m_isFiltering && !m_census.hasPartner( proxy->m_knownGroup, proxy->m_knownMask ) )
    {
        return;
    }
    Collector collector = { m_proxies, proxy, found, m_isFiltering };
    if ( onlyNew )
    {
        expectOk( cltBroadphase_QueryNew( m_core, proxy->m_slot, collectPair, &collector ) );
        return;
    }
    const CulletBox box = culletBox( proxy->m_aabbMin, proxy->m_aabbMax );
    expectOk( culletQueryBox( m_core, &box, collectPair, &collector ) );
}

/// Finds the proxies of the pairs of the last update, and leaves out pairs of destroyed proxies. Reads no proxy.
/// \return number of pairs found
int CulletCore::lookUp( const cltPair* pairs, int count, CulletProxyPair* found ) const
{
    for ( int i = 0; i < count; ++i )
    {
        found[i] = { m_proxies.get( pairs[i].proxyA ), m_proxies.get( pairs[i].proxyB ) };
    }
    int alive = areAllAlive() ? count : 0;
    for ( int i = 0; i < count && alive < count; ++i )
    {
        found[alive] = found[i];
        alive += m_proxies.getUid( pairs[i].proxyA ) != 0 && m_proxies.getUid( pairs[i].proxyB ) != 0;
    }
    return alive;
}

/// \return the pairs ascending by uids: `pairs` itself, or an array that is valid until the next call
const cltPair* CulletCore::orderByUid( const cltPair* pairs, size_t count )
{
    return m_slotsFollowUids || count == 0 ? pairs : m_uidOrder.sort( m_proxies, pairs, int( count ), m_lastUid );
}

// ------------------------------------------------------------------------------------------------------------- filters

cltFilter CulletCore::filterOf( const CulletProxy& proxy ) const
{
    const cltFilter own = { proxy.m_knownGroup, proxy.m_knownMask };
    return m_isFiltering ? own : PAIRS_WITH_ALL;
}

void CulletCore::setFiltering( bool isFiltering )
{
    m_isFiltering = isFiltering;
    for ( cltProxyId slot = m_proxies.nextInUse( 0 ); slot != CLT_NULL_PROXY; slot = m_proxies.nextInUse( slot + 1 ) )
    {
        readFilter( m_proxies.get( slot ) );
    }
}

void CulletCore::noteFilter( CulletProxy* proxy )
{
    m_census.remove( proxy->m_knownGroup, proxy->m_knownMask );
    proxy->readFilter();
    m_census.add( proxy->m_knownGroup, proxy->m_knownMask );
}

void CulletCore::readFilter( CulletProxy* proxy )
{
    noteFilter( proxy );
    const cltFilter filter = filterOf( *proxy );
    expectOk( cltBroadphase_SetFilter( m_core, proxy->m_slot, &filter ) );
}
