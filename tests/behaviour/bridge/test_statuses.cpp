// SPDX-License-Identifier: Zlib
// What every call on a broadphase answers to NULL, to ids that mean nothing and to boxes of the other precision.
#include "cullet_queries.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

using namespace test;

namespace
{

const cltAabb floatBox = toFloat( span( 0, 1 ) );
const cltAabbD doubleBox = span( 0, 1 );
const cltFilter someFilter = { 1, 1 };
const double origin[3] = { 0, 0, 0 };

bool goOn( cltProxyId, uint64_t, void* )
{
    return true;
}

double castOn( cltProxyId, uint64_t, double, double maxFraction, void* )
{
    return maxFraction;
}

uint32_t touchAll( const cltBoxLanes*, void* )
{
    return UINT16_MAX;
}

class Statuses : public testing::Test
{
protected:
    BroadphasePtr m_single = createBroadphase( defOf( clt_algorithmAuto ) );
    BroadphasePtr m_double = createBroadphase( defOf( clt_algorithmAuto, clt_precisionDouble ) );
    cltBroadphase* single = m_single.get();
    cltBroadphase* twice = m_double.get(); // "double" is taken
    cltProxyId proxy = CLT_NULL_PROXY;
    cltProxyId proxyD = CLT_NULL_PROXY;
    cltAabb box;
    cltAabbD boxD;
    cltFilter filter;
    uint64_t userData;
    const cltPair* pairs;
    size_t count;
    cltStats stats;

    void SetUp() override
    {
        ASSERT_EQ( clt_ok, cltBroadphase_CreateProxy( single, &floatBox, nullptr, 0, &proxy ) );
        ASSERT_EQ( clt_ok, cltBroadphase_CreateProxyD( twice, &doubleBox, nullptr, 0, &proxyD ) );
    }

    /// Every call that names a proxy.
    void expectEach( cltStatus expected, cltProxyId id )
    {
        EXPECT_EQ( expected, cltBroadphase_MoveProxy( single, id, &floatBox ) );
        EXPECT_EQ( expected, cltBroadphase_MoveProxies( single, 1, &id, &floatBox ) );
        EXPECT_EQ( expected, cltBroadphase_MoveProxyD( twice, id, &doubleBox ) );
        EXPECT_EQ( expected, cltBroadphase_MoveProxiesD( twice, 1, &id, &doubleBox ) );
        EXPECT_EQ( expected, cltBroadphase_SetFilter( single, id, &someFilter ) );
        EXPECT_EQ( expected, cltBroadphase_SetFilters( single, 1, &id, &someFilter ) );
        EXPECT_EQ( expected, cltBroadphase_GetBox( single, id, &box ) );
        EXPECT_EQ( expected, cltBroadphase_GetBoxD( single, id, &boxD ) );
        EXPECT_EQ( expected, cltBroadphase_GetBoxD( twice, id, &boxD ) );
        EXPECT_EQ( expected, cltBroadphase_GetFilter( single, id, &filter ) );
        EXPECT_EQ( expected, cltBroadphase_GetUserData( single, id, &userData ) );
        EXPECT_EQ( expected, cltBroadphase_GetUserDataOf( single, 1, &id, &userData ) );
        EXPECT_EQ( expected, cltBroadphase_QueryNew( single, id, goOn, nullptr ) );
        EXPECT_EQ( expected, cltBroadphase_DestroyProxies( twice, 1, &id ) );
        EXPECT_EQ( expected, cltBroadphase_DestroyProxy( single, id ) );
    }
};

} // namespace

TEST_F( Statuses, NullBroadphase )
{
    single = twice = nullptr;
    expectEach( clt_invalidArgument, proxy );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxy( nullptr, &floatBox, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxyD( nullptr, &doubleBox, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxies( nullptr, 1, &floatBox, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxiesD( nullptr, 1, &doubleBox, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument,
               cltBroadphase_CreateProxiesAlike( nullptr, 1, &floatBox, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument,
               cltBroadphase_CreateProxiesAlikeD( nullptr, 1, &doubleBox, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxies( nullptr, 1, nullptr, &floatBox ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxiesD( nullptr, 1, nullptr, &doubleBox ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_SetFilters( nullptr, 1, nullptr, &someFilter ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetUserDataOf( nullptr, 1, nullptr, &userData ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetPairs( nullptr, &pairs, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryBox( nullptr, &floatBox, goOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryBoxD( nullptr, &doubleBox, goOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CastRay( nullptr, origin, origin, castOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryVolume( nullptr, touchAll, goOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetStats( nullptr, &stats ) );
    const cltPair stale = { 1, 2 };
    cltPairChanges changes = { &stale, &stale, 1, 1 };
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_Update( nullptr, &changes ) );
    EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
}

TEST_F( Statuses, NullPointers )
{
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxy( single, nullptr, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxyD( twice, nullptr, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxies( single, 1, nullptr, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxiesD( twice, 1, nullptr, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxiesAlike( single, 1, nullptr, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxiesAlikeD( twice, 1, nullptr, nullptr, nullptr, &proxy ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxy( single, proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxyD( twice, proxyD, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxies( single, 1, &proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxiesD( twice, 1, &proxyD, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxies( single, 1, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_MoveProxiesD( twice, 1, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_SetFilter( single, proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_SetFilters( single, 1, &proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_DestroyProxies( single, 1, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetBox( single, proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetBoxD( single, proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetFilter( single, proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetUserData( single, proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetUserDataOf( single, 1, &proxy, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetPairs( single, nullptr, &count ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetPairs( single, &pairs, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryBox( single, nullptr, goOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryBox( single, &floatBox, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryBoxD( twice, nullptr, goOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryBoxD( twice, &doubleBox, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryNew( single, proxy, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CastRay( single, nullptr, origin, castOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CastRay( single, origin, nullptr, castOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CastRay( single, origin, origin, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryVolume( single, nullptr, goOn, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_QueryVolume( single, touchAll, nullptr, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_GetStats( single, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_Update( single, nullptr ) ); // documented as not wanted
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxy( single, &floatBox, nullptr, 0, nullptr ) );
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_CreateProxyD( twice, &doubleBox, nullptr, 0, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( single, 1, &floatBox, nullptr, nullptr, nullptr ) );
    ASSERT_EQ( clt_ok, cltBroadphase_GetStats( single, &stats ) );
    EXPECT_EQ( 2u, stats.proxyCount ); // the refused ones were not created
}

TEST_F( Statuses, NothingToDoIsFine )
{
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( single, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesD( twice, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesAlike( single, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesAlikeD( twice, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_SetFilters( single, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_GetUserDataOf( single, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxies( single, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxiesD( twice, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_DestroyProxies( single, 0, nullptr ) );
}

TEST_F( Statuses, IdsNeverGivenOutOrOfDestroyedProxies )
{
    for ( cltProxyId id : { proxy + 1, 1000u, CLT_MAX_PROXIES, CLT_MAX_PROXIES + 1u, CLT_NULL_PROXY } )
    {
        expectEach( clt_unknownProxy, id );
    }
    ASSERT_EQ( clt_ok, cltBroadphase_DestroyProxy( single, proxy ) );
    ASSERT_EQ( clt_ok, cltBroadphase_DestroyProxy( twice, proxyD ) );
    ASSERT_EQ( proxy, proxyD );
    expectEach( clt_unknownProxy, proxy );
    ASSERT_EQ( clt_ok, cltBroadphase_Update( single, nullptr ) );
    ASSERT_EQ( clt_ok, cltBroadphase_Update( twice, nullptr ) );
    expectEach( clt_unknownProxy, proxy );
}

TEST_F( Statuses, BoxesOfTheOtherPrecision )
{
    EXPECT_EQ( clt_wrongPrecision, cltBroadphase_CreateProxyD( single, &doubleBox, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_wrongPrecision, cltBroadphase_CreateProxiesD( single, 1, &doubleBox, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_wrongPrecision,
               cltBroadphase_CreateProxiesAlikeD( single, 1, &doubleBox, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_wrongPrecision, cltBroadphase_MoveProxyD( single, 0, &doubleBox ) );
    EXPECT_EQ( clt_wrongPrecision, cltBroadphase_MoveProxiesD( single, 1, nullptr, &doubleBox ) );
    EXPECT_EQ( clt_wrongPrecision, cltBroadphase_MoveProxiesD( single, 1, &proxyD, &doubleBox ) );
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( single, &doubleBox, goOn, nullptr ) ); // nothing would be rounded
    EXPECT_EQ( clt_ok, cltBroadphase_GetBoxD( single, 0, &boxD ) );

    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxy( twice, &floatBox, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( twice, 1, &floatBox, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxy( twice, proxyD, &floatBox ) );
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxies( twice, 1, &proxyD, &floatBox ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesAlike( twice, 1, &floatBox, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( twice, &floatBox, goOn, nullptr ) );
    EXPECT_EQ( clt_wrongPrecision, cltBroadphase_GetBox( twice, proxyD, &box ) );
    EXPECT_EQ( clt_ok, cltBroadphase_GetBoxD( twice, proxyD, &boxD ) );
}

TEST_F( Statuses, MoreProxiesThanThereAreIds )
{
    for ( size_t tooMany : { size_t( CLT_MAX_PROXIES ), size_t( CLT_MAX_PROXIES ) + 1, SIZE_MAX / 2, SIZE_MAX } )
    {
        // Refused for the count alone: one is alive already, and the arrays must not be read.
        EXPECT_EQ( clt_tooManyProxies,
                   cltBroadphase_CreateProxies( single, tooMany, &floatBox, nullptr, nullptr, nullptr ) );
        EXPECT_EQ( clt_tooManyProxies,
                   cltBroadphase_CreateProxiesD( twice, tooMany, &doubleBox, nullptr, nullptr, nullptr ) );
    }
}
