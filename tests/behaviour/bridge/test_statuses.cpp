// SPDX-License-Identifier: Zlib
// What every call on a broadphase returns for NULL, unknown ids, boxes of the other precision, and nothing to do; the
// names of statuses and options.
#include "cullet_debug.h"
#include "cullet_queries.h"
#include "cullet_research.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

using namespace test;

namespace
{

const cltAabb box = toFloat( span( 0, 1 ) );
const cltAabbD boxD = span( 0, 1 );
const cltFilter filter = { 1, 1 };
const double origin[3] = { 0, 0, 0 };
const cltRay ray = { { 0, 0, 0 }, { 1, 1, 1 }, 1, { { 0, 0, 0 }, { 0, 0, 0 } } };

cltQueryFcn* const query = []( cltProxyId, uint64_t, void* ) { return true; };
cltCastFcn* const cast = []( cltProxyId, uint64_t, double, double maxFraction, void* ) { return maxFraction; };
cltRayFcn* const castRay = []( size_t, cltProxyId, uint64_t, double, double length, void* ) { return length; };
const cltDebugDraw debugDraw = {};
cltLanesFcn* const touchAll = []( const cltBoxLanes*, void* ) { return uint32_t( UINT16_MAX ); };

struct Call
{
    const char* name;
    bool namesProxy;         ///< passes `id`
    cltStatus inOtherResult; ///< on a broadphase of the other precision
    std::function<cltStatus()> make;
};

class Statuses : public testing::Test
{
protected:
    BroadphasePtr floats = createBroadphase( defOf( clt_algorithmAuto ) );
    BroadphasePtr doubles = createBroadphase( defOf( clt_algorithmAuto, clt_precisionDouble ) );
    cltBroadphase* single = floats.get();
    cltBroadphase* twice = doubles.get(); // "double" is taken
    cltProxyId id = CLT_NULL_PROXY;
    int nullAt = -1; ///< which of a call's pointers is NULL, counted from 0; -1: none
    int pointerCount = 0;

    void SetUp() override
    {
        for ( cltBroadphase* it : { single, twice } )
        {
            ASSERT_EQ( clt_ok, cltBroadphase_CreateProxy( it, &box, nullptr, 0, &id ) );
        }
    }

    /// Wraps each pointer that a call needs: returns NULL for the one at nullAt, else the pointer.
    template <typename Type>
    Type* n( Type* pointer )
    {
        return pointerCount++ == nullAt ? nullptr : pointer;
    }

    cltStatus make( const Call& call )
    {
        pointerCount = 0;
        return call.make();
    }

    struct
    {
        cltProxyId id;
        cltAabb box;
        cltAabbD boxD;
        cltFilter filter;
        uint64_t userData;
        const cltPair* pairs;
        size_t count;
        cltStats stats;
        cltResearchStats research;
    } out;

    static constexpr cltStatus wrong = clt_wrongPrecision;
    const std::vector<Call> calls = {
        { "CreateProxy", false, clt_ok,
          [&] { return cltBroadphase_CreateProxy( n( single ), n( &box ), nullptr, 0, n( &out.id ) ); } },
        { "CreateProxyD", false, wrong,
          [&] { return cltBroadphase_CreateProxyD( n( twice ), n( &boxD ), nullptr, 0, n( &out.id ) ); } },
        { "CreateProxies", false, clt_ok,
          [&] { return cltBroadphase_CreateProxies( n( single ), 1, n( &box ), nullptr, nullptr, nullptr ); } },
        { "CreateProxiesD", false, wrong,
          [&] { return cltBroadphase_CreateProxiesD( n( twice ), 1, n( &boxD ), nullptr, nullptr, nullptr ); } },
        { "CreateProxiesAlike", false, clt_ok,
          [&] { return cltBroadphase_CreateProxiesAlike( n( single ), 1, n( &box ), nullptr, nullptr, nullptr ); } },
        { "CreateProxiesAlikeD", false, wrong,
          [&] { return cltBroadphase_CreateProxiesAlikeD( n( twice ), 1, n( &boxD ), nullptr, nullptr, nullptr ); } },
        { "MoveProxy", true, clt_ok, [&] { return cltBroadphase_MoveProxy( n( single ), id, n( &box ) ); } },
        { "MoveProxyD", true, wrong, [&] { return cltBroadphase_MoveProxyD( n( twice ), id, n( &boxD ) ); } },
        { "MoveProxies", true, clt_ok, [&] { return cltBroadphase_MoveProxies( n( single ), 1, &id, n( &box ) ); } },
        { "MoveProxiesD", true, wrong, [&] { return cltBroadphase_MoveProxiesD( n( twice ), 1, &id, n( &boxD ) ); } },
        { "MoveProxies in order", false, clt_ok,
          [&] { return cltBroadphase_MoveProxies( n( single ), 1, nullptr, n( &box ) ); } },
        { "MoveProxiesD in order", false, wrong,
          [&] { return cltBroadphase_MoveProxiesD( n( twice ), 1, nullptr, n( &boxD ) ); } },
        { "SetFilter", true, clt_ok, [&] { return cltBroadphase_SetFilter( n( single ), id, n( &filter ) ); } },
        { "SetFilters", true, clt_ok, [&] { return cltBroadphase_SetFilters( n( single ), 1, &id, n( &filter ) ); } },
        { "SetFilters in order", false, clt_ok,
          [&] { return cltBroadphase_SetFilters( n( single ), 1, nullptr, n( &filter ) ); } },
        { "GetBox", true, wrong, [&] { return cltBroadphase_GetBox( n( single ), id, n( &out.box ) ); } },
        { "GetBoxD", true, clt_ok, [&] { return cltBroadphase_GetBoxD( n( twice ), id, n( &out.boxD ) ); } },
        { "GetFilter", true, clt_ok, [&] { return cltBroadphase_GetFilter( n( single ), id, n( &out.filter ) ); } },
        { "GetUserData", true, clt_ok,
          [&] { return cltBroadphase_GetUserData( n( single ), id, n( &out.userData ) ); } },
        { "GetUserDataOf", true, clt_ok,
          [&] { return cltBroadphase_GetUserDataOf( n( single ), 1, &id, n( &out.userData ) ); } },
        { "GetPairs", false, clt_ok,
          [&] { return cltBroadphase_GetPairs( n( single ), n( &out.pairs ), n( &out.count ) ); } },
        { "GetStats", false, clt_ok, [&] { return cltBroadphase_GetStats( n( single ), n( &out.stats ) ); } },
        { "GetResearchStats", false, clt_ok,
          [&] { return cltBroadphase_GetResearchStats( n( single ), n( &out.research ) ); } },
        { "QueryBox", false, clt_ok,
          [&] { return cltBroadphase_QueryBox( n( single ), n( &box ), n( query ), nullptr ); } },
        { "QueryBoxD", false, clt_ok,
          [&] { return cltBroadphase_QueryBoxD( n( twice ), n( &boxD ), n( query ), nullptr ); } },
        { "QueryNew", true, clt_ok, [&] { return cltBroadphase_QueryNew( n( single ), id, n( query ), nullptr ); } },
        { "QueryVolume", false, clt_ok,
          [&] { return cltBroadphase_QueryVolume( n( single ), n( touchAll ), n( query ), nullptr ); } },
        { "CastRay", false, clt_ok,
          [&] { return cltBroadphase_CastRay( n( single ), n( origin ), n( origin ), n( cast ), nullptr ); } },
        { "CastRays", false, clt_ok,
          [&] { return cltBroadphase_CastRays( n( single ), 1, n( &ray ), n( castRay ), nullptr ); } },
        { "DebugDraw", false, clt_ok, [&] { return cltBroadphase_DebugDraw( n( single ), n( &debugDraw ) ); } },
        { "DebugDrawQueryBox", false, clt_ok,
          [&] { return cltBroadphase_DebugDrawQueryBox( n( single ), n( &box ), n( &debugDraw ) ); } },
        { "DebugDrawCastRay", false, clt_ok,
          [&] { return cltBroadphase_DebugDrawCastRay( n( single ), n( origin ), n( origin ), n( &debugDraw ) ); } },
        { "Update", false, clt_ok, [&] { return cltBroadphase_Update( n( single ), nullptr ); } },
        { "DestroyProxies", true, clt_ok, [&] { return cltBroadphase_DestroyProxies( n( twice ), 1, n( &id ) ); } },
        { "DestroyProxy", true, clt_ok, [&] { return cltBroadphase_DestroyProxy( n( single ), id ); } },
    };
};

} // namespace

TEST_F( Statuses, OfValidCallsAreOk )
{
    for ( const Call& call : calls )
    {
        EXPECT_EQ( clt_ok, make( call ) ) << call.name;
    }
}

TEST_F( Statuses, OfCallsOnABroadphaseOfTheOtherPrecision )
{
    std::swap( single, twice );
    for ( const Call& call : calls )
    {
        EXPECT_EQ( call.inOtherResult, make( call ) ) << call.name;
    }
}

TEST_F( Statuses, OfCallsWithANullPointerAreInvalidArgument )
{
    for ( const Call& call : calls )
    {
        nullAt = 0;
        do
        {
            EXPECT_EQ( clt_invalidArgument, make( call ) ) << call.name << ", pointer " << nullAt;
        } while ( ++nullAt < pointerCount );
    }
    for ( cltBroadphase* it : { single, twice } )
    {
        ASSERT_EQ( clt_ok, cltBroadphase_GetStats( it, &out.stats ) );
        EXPECT_EQ( 1u, out.stats.proxyCount ) << "created or destroyed by a refused call";
    }
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_DestroyProxies( single, 1, nullptr ) );
    const cltPair stale = { 1, 2 };
    cltPairChanges changes = { &stale, &stale, 1, 1 };
    EXPECT_EQ( clt_invalidArgument, cltBroadphase_Update( nullptr, &changes ) );
    EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
}

TEST_F( Statuses, OfCallsWithAnUnknownIdAreUnknownProxy )
{
    const auto expectUnknown = [&]( cltProxyId unknown )
    {
        id = unknown;
        for ( const Call& call : calls )
        {
            EXPECT_TRUE( !call.namesProxy || make( call ) == clt_unknownProxy ) << call.name << " of " << id;
        }
    };
    const cltProxyId known = id;
    for ( cltProxyId unknown : { known + 1, 1000u, CLT_MAX_PROXIES, CLT_MAX_PROXIES + 1u, CLT_NULL_PROXY } )
    {
        expectUnknown( unknown );
    }
    for ( cltBroadphase* it : { single, twice } )
    {
        ASSERT_EQ( clt_ok, cltBroadphase_DestroyProxy( it, known ) );
    }
    expectUnknown( known );
    ASSERT_EQ( clt_ok, cltBroadphase_Update( single, nullptr ) );
    ASSERT_EQ( clt_ok, cltBroadphase_Update( twice, nullptr ) );
    expectUnknown( known );
}

TEST_F( Statuses, OfEmptyArraysAreOk )
{
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( single, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesD( twice, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesAlike( single, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxiesAlikeD( twice, 0, nullptr, nullptr, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_SetFilters( single, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_GetUserDataOf( single, 0, nullptr, nullptr ) );
    const cltProxyId none[1] = { 0 };
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxies( single, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxies( single, 0, none, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_MoveProxiesD( twice, 0, nullptr, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_DestroyProxies( single, 0, nullptr ) );
    EXPECT_EQ( clt_ok, cltBroadphase_CastRays( single, 0, nullptr, nullptr, nullptr ) );
}

TEST_F( Statuses, OfMoreProxiesThanIdsAreTooManyProxies )
{
    for ( size_t tooMany : { size_t( CLT_MAX_PROXIES ), size_t( CLT_MAX_PROXIES ) + 1, SIZE_MAX / 2, SIZE_MAX } )
    {
        // One proxy exists already, so each of these counts exceeds the limit. The arrays, of one item, are not read.
        EXPECT_EQ( clt_tooManyProxies,
                   cltBroadphase_CreateProxies( single, tooMany, &box, nullptr, nullptr, nullptr ) );
        EXPECT_EQ( clt_tooManyProxies,
                   cltBroadphase_CreateProxiesD( twice, tooMany, &boxD, nullptr, nullptr, nullptr ) );
    }
}

// -------------------------------------------------------------------------------------------------------------- names

TEST( Names, EveryStatusHasTheNameOfItsEnumeratorAndAMessageOfItsOwn )
{
    const std::pair<int, const char*> statuses[] = { { clt_ok, "clt_ok" },
                                                     { clt_invalidArgument, "clt_invalidArgument" },
                                                     { clt_unknownProxy, "clt_unknownProxy" },
                                                     { clt_wrongPrecision, "clt_wrongPrecision" },
                                                     { clt_tooManyProxies, "clt_tooManyProxies" },
                                                     { clt_wrongMemory, "clt_wrongMemory" },
                                                     { clt_hostMemory, "clt_hostMemory" },
                                                     { clt_deviceMemory, "clt_deviceMemory" },
                                                     { clt_noDevice, "clt_noDevice" },
                                                     { clt_deviceFailed, "clt_deviceFailed" },
                                                     { 30, "clt_unknownStatus" } };
    std::set<std::string> messages = { "" };
    for ( const auto& [status, name] : statuses )
    {
        EXPECT_STREQ( name, cltStatusName( cltStatus( status ) ) );
        ASSERT_NE( nullptr, cltStatusMessage( cltStatus( status ) ) );
        EXPECT_TRUE( messages.insert( cltStatusMessage( cltStatus( status ) ) ).second ) << name;
    }
}

template <typename Value>
static void expectNames( const char* ( *nameOf )( Value ), std::initializer_list<const char*> names )
{
    int value = 0;
    for ( const char* name : names )
    {
        EXPECT_STREQ( name, nameOf( static_cast<Value>( value++ ) ) );
    }
    EXPECT_STREQ( "unknown", nameOf( static_cast<Value>( value ) ) );
    EXPECT_STREQ( "unknown", nameOf( static_cast<Value>( -1 ) ) );
}

TEST( Names, OptionsAreNamedAsInTheHeader )
{
    expectNames( cltDeviceName, { "auto", "cpu", "cuda" } );
    expectNames( cltAlgorithmName, { "auto", "bruteForce", "grid", "lbvh", "wide", "frontier" } );
    expectNames( cltSimdName, { "auto", "plain", "sse2", "avx2", "avx512", "neon" } );
}

TEST( Names, VersionEqualsThatOfTheHeader )
{
    const cltVersion version = cltGetVersion();
    EXPECT_EQ( CLT_VERSION_MAJOR, version.major );
    EXPECT_EQ( CLT_VERSION_MINOR, version.minor );
    EXPECT_EQ( CLT_VERSION_PATCH, version.patch );
}
