// SPDX-License-Identifier: Zlib
// Doing everything twice, and comparing.
#include "tests/support/world.h"

namespace test
{

BroadphasePtr createBroadphase( const cltBroadphaseDef& def )
{
    cltBroadphase* broadphase = nullptr;
    cltStatus status = cltCreateBroadphase( &def, &broadphase );
    EXPECT_EQ( clt_ok, status ) << cltStatusMessage( status );
    return BroadphasePtr( broadphase );
}

World::World( const cltBroadphaseDef& def ) : World( createBroadphase( def ), def )
{
    m_device = def.device;
}

World::World( BroadphasePtr broadphase, const cltBroadphaseDef& def )
    : m_broadphase( std::move( broadphase ) ), m_oracle( def.filterMasks ),
      m_isDouble( def.precision == clt_precisionDouble )
{
}

cltProxyId World::create( const cltAabbD& box, const cltFilter& filter )
{
    cltProxyId proxy = CLT_NULL_PROXY;
    cltAabb floatBox = toFloat( box );
    cltStatus status = m_isDouble ? cltBroadphase_CreateProxyD( m_broadphase.get(), &box, &filter, 0, &proxy )
                                  : cltBroadphase_CreateProxy( m_broadphase.get(), &floatBox, &filter, 0, &proxy );
    EXPECT_EQ( clt_ok, status );
    EXPECT_TRUE( m_oracle.create( proxy, asGiven( box ), filter ) ) << "id " << proxy << " was given out too early";
    return proxy;
}

std::vector<cltProxyId> World::createAll( const std::vector<cltAabbD>& boxes )
{
    std::vector<cltProxyId> proxies;
    proxies.reserve( boxes.size() );
    for ( const cltAabbD& box : boxes )
    {
        proxies.push_back( create( box ) );
    }
    return proxies;
}

void World::move( cltProxyId proxy, const cltAabbD& box )
{
    cltAabb floatBox = toFloat( box );
    cltStatus status = m_isDouble ? cltBroadphase_MoveProxyD( m_broadphase.get(), proxy, &box )
                                  : cltBroadphase_MoveProxy( m_broadphase.get(), proxy, &floatBox );
    EXPECT_EQ( clt_ok, status );
    m_oracle.move( proxy, asGiven( box ) );
}

void World::setFilter( cltProxyId proxy, const cltFilter& filter )
{
    EXPECT_EQ( clt_ok, cltBroadphase_SetFilter( m_broadphase.get(), proxy, &filter ) );
    m_oracle.setFilter( proxy, filter );
}

void World::destroy( cltProxyId proxy )
{
    EXPECT_EQ( clt_ok, cltBroadphase_DestroyProxy( m_broadphase.get(), proxy ) );
    m_oracle.destroy( proxy );
}

void World::update()
{
    updateOnly();
    expectPairs();
}

void World::updateOnly()
{
    ASSERT_EQ( clt_ok, tryUpdate() );
}

cltStatus World::tryUpdate()
{
    cltPair stale = { 1, 2 };
    cltPairChanges changes = { &stale, &stale, 1, 1 };
    const cltStatus status = cltBroadphase_Update( m_broadphase.get(), &changes );
    if ( status != clt_ok )
    {
        EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
        return status;
    }
    EXPECT_TRUE( m_device == clt_deviceAuto || m_device == stats().device ) << "another device did the update";
    Oracle::Changes expected = m_oracle.update();
    EXPECT_TRUE( samePairs( expected.began, copyPairs( changes.began, changes.beganCount ) ) ) << "in began";
    EXPECT_TRUE( samePairs( expected.ended, copyPairs( changes.ended, changes.endedCount ) ) ) << "in ended";
    return clt_ok;
}

void World::expectPairs()
{
    const cltPair* pairs = nullptr;
    size_t count = 0;
    ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( m_broadphase.get(), &pairs, &count ) );
    EXPECT_TRUE( samePairs( m_oracle.pairs(), copyPairs( pairs, count ) ) ) << "in GetPairs";
}

cltStats World::stats() const
{
    cltStats stats = {};
    EXPECT_EQ( clt_ok, cltBroadphase_GetStats( m_broadphase.get(), &stats ) );
    return stats;
}

} // namespace test
