// SPDX-License-Identifier: Zlib
// Applies each operation to the broadphase and to the World's copies of boxes and filters, and compares the two.
#include "tests/support/world.h"

#include <cstring>

namespace test
{

BroadphasePtr createBroadphase( const cltBroadphaseDef& def )
{
    cltBroadphase* broadphase = nullptr;
    cltStatus status = cltCreateBroadphase( &def, &broadphase );
    EXPECT_EQ( clt_ok, status ) << cltStatusMessage( status );
    return BroadphasePtr( broadphase );
}

PairSet copyPairs( const cltPair* pairs, size_t count )
{
    PairSet copy( count );
    std::transform( pairs, pairs + count, copy.begin(),
                    []( const cltPair& pair ) { return cullet::PairKey( pair.proxyA ) << 32 | pair.proxyB; } );
    return copy;
}

/// Expects the same pairs in the same order, each once.
static void expectSame( const char* what, const PairSet& expected, const cltPair* pairs, size_t count )
{
    EXPECT_EQ( "", cullet::firstWrongPair( copyPairs( pairs, count ), expected, true ) ) << "in " << what;
}

static std::vector<cltAabb> floatsOf( const Boxes& boxes )
{
    std::vector<cltAabb> floats( boxes.size() );
    std::transform( boxes.begin(), boxes.end(), floats.begin(), []( const cltAabbD& box ) { return toFloat( box ); } );
    return floats;
}

World::World( const cltBroadphaseDef& def ) : World( createBroadphase( def ), def )
{
    m_device = def.device;
}

World::World( BroadphasePtr broadphase, const cltBroadphaseDef& def )
    : m_broadphase( std::move( broadphase ) ), m_isDouble( def.precision == clt_precisionDouble ),
      m_givesDoubles( m_isDouble ), m_filterMasks( def.filterMasks ), m_reportsDestroyed( def.reportDestroyed )
{
}

void World::call( const std::function<cltStatus()>& function ) const
{
    cltStatus status = function();
    if ( status == clt_hostMemory && onOutOfMemory )
    {
        onOutOfMemory();
        status = function();
    }
    EXPECT_EQ( clt_ok, status );
}

void World::move( cltProxyId proxy, const cltAabbD& box )
{
    const cltAabb floatBox = toFloat( box );
    call(
        [&]
        {
            return m_givesDoubles ? cltBroadphase_MoveProxyD( m_broadphase.get(), proxy, &box )
                                  : cltBroadphase_MoveProxy( m_broadphase.get(), proxy, &floatBox );
        } );
    m_proxies.at( proxy ).box = roundedToPrecision( box );
}

void World::setFilters( const Ids& ids, const std::vector<cltFilter>& filters )
{
    call( [&] { return cltBroadphase_SetFilters( m_broadphase.get(), ids.size(), ids.data(), filters.data() ); } );
    for ( size_t i = 0; i < ids.size(); ++i )
    {
        m_proxies.at( ids[i] ).filter = filters[i];
    }
}

Ids World::createAll( const Boxes& boxes, const cltFilter& filter )
{
    Ids ids( boxes.size() );
    cltBroadphase* it = m_broadphase.get();
    const std::vector<cltAabb> floats = floatsOf( boxes );
    call(
        [&]
        {
            return m_givesDoubles
                       ? cltBroadphase_CreateProxiesAlikeD( it, ids.size(), boxes.data(), &filter, nullptr, ids.data() )
                       : cltBroadphase_CreateProxiesAlike( it, ids.size(), floats.data(), &filter, nullptr,
                                                           ids.data() );
        } );
    for ( size_t i = 0; i < ids.size(); ++i )
    {
        const bool isNew = m_proxies.insert( { ids[i], { roundedToPrecision( boxes[i] ), filter } } ).second;
        EXPECT_TRUE( isNew && m_destroyed.count( ids[i] ) == 0 ) << "id " << ids[i] << " was given out too early";
    }
    return ids;
}

void World::moveAll( size_t count, const cltProxyId* ids, const Boxes& boxes )
{
    const std::vector<cltAabb> floats = floatsOf( boxes );
    call(
        [&]
        {
            return m_givesDoubles ? cltBroadphase_MoveProxiesD( m_broadphase.get(), count, ids, boxes.data() )
                                  : cltBroadphase_MoveProxies( m_broadphase.get(), count, ids, floats.data() );
        } );
    for ( size_t i = 0; i < count; ++i )
    {
        const auto proxy = m_proxies.find( ids ? ids[i] : cltProxyId( i ) );
        if ( proxy != m_proxies.end() )
        {
            proxy->second.box = roundedToPrecision( boxes[i] );
        }
    }
}

/// The pairs of destroyed proxies end at once. def.reportDestroyed decides whether the next update reports them.
void World::destroyAll( const Ids& ids )
{
    call( [&] { return cltBroadphase_DestroyProxies( m_broadphase.get(), ids.size(), ids.data() ); } );
    for ( cltProxyId proxy : ids )
    {
        m_proxies.erase( proxy );
        m_destroyed.insert( proxy );
    }
    const auto isOfLiving = [this]( cullet::PairKey key )
    { return m_proxies.count( cltProxyId( key >> 32 ) ) != 0 && m_proxies.count( cltProxyId( key ) ) != 0; };
    const auto first = std::stable_partition( m_pairs.begin(), m_pairs.end(), isOfLiving );
    if ( m_reportsDestroyed )
    {
        m_pairsOfDestroyed.insert( m_pairsOfDestroyed.end(), first, m_pairs.end() );
    }
    m_pairs.erase( first, m_pairs.end() );
}

PairSet World::findPairs() const
{
    std::vector<cullet::Candidate<cltAabbD>> candidates;
    for ( const auto& [id, proxy] : m_proxies )
    {
        candidates.push_back( { proxy.box, m_filterMasks ? proxy.filter : cullet::openFilter, id } );
    }
    return cullet::sweptPairs( std::move( candidates ) );
}

void World::update()
{
    updateOnly();
    expectPairs();
}

void World::updateOnly()
{
    call( [this] { return tryUpdate(); } );
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
    PairSet before = std::move( m_pairs );
    before.insert( before.end(), m_pairsOfDestroyed.begin(), m_pairsOfDestroyed.end() );
    std::sort( before.begin(), before.end() );
    m_pairs = findPairs();
    m_pairsOfDestroyed.clear();
    m_destroyed.clear();
    expectSame( "began", cullet::difference( m_pairs, before ), changes.began, changes.beganCount );
    expectSame( "ended", cullet::difference( before, m_pairs ), changes.ended, changes.endedCount );
    return clt_ok;
}

void World::expectPairs()
{
    const cltPair* pairs = nullptr;
    size_t count = 0;
    call( [&] { return cltBroadphase_GetPairs( m_broadphase.get(), &pairs, &count ); } );
    expectSame( "GetPairs", m_pairs, pairs, count );
}

void World::expectProxies() const
{
    EXPECT_EQ( m_proxies.size(), stats().proxyCount );
    for ( const auto& [id, known] : m_proxies )
    {
        cltAabbD box = {};
        cltFilter filter = {};
        EXPECT_EQ( clt_ok, cltBroadphase_GetBoxD( m_broadphase.get(), id, &box ) );
        EXPECT_EQ( clt_ok, cltBroadphase_GetFilter( m_broadphase.get(), id, &filter ) );
        EXPECT_EQ( 0, std::memcmp( &known.box, &box, sizeof box ) ) << "proxy " << id;
        EXPECT_TRUE( known.filter.group == filter.group && known.filter.mask == filter.mask ) << "proxy " << id;
    }
}

static bool collectId( cltProxyId proxy, uint64_t, void* ids )
{
    static_cast<Ids*>( ids )->push_back( proxy );
    return true;
}

Ids World::query( const cltAabbD& box ) const
{
    Ids met;
    const cltAabb floatBox = toFloat( box );
    EXPECT_EQ( clt_ok, m_givesDoubles ? cltBroadphase_QueryBoxD( m_broadphase.get(), &box, collectId, &met )
                                      : cltBroadphase_QueryBox( m_broadphase.get(), &floatBox, collectId, &met ) );
    std::sort( met.begin(), met.end() );
    return met;
}

void World::expectQuery( const cltAabbD& box ) const
{
    Ids expected;
    for ( const auto& [id, proxy] : m_proxies )
    {
        if ( overlaps( proxy.box, roundedToPrecision( box ) ) )
        {
            expected.push_back( id );
        }
    }
    EXPECT_EQ( expected, query( box ) );
}

void World::expectQueries( Random& random, int count ) const
{
    for ( int i = 0; i < count && !testing::Test::HasFailure(); ++i )
    {
        expectQuery( randomCube( random, 4 ) );
    }
}

cltStats World::stats() const
{
    cltStats stats = {};
    EXPECT_EQ( clt_ok, cltBroadphase_GetStats( m_broadphase.get(), &stats ) );
    return stats;
}

cltResearchStats World::researchStats() const
{
    cltResearchStats stats = {};
    EXPECT_EQ( clt_ok, cltBroadphase_GetResearchStats( m_broadphase.get(), &stats ) );
    return stats;
}

} // namespace test
