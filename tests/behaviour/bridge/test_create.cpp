// SPDX-License-Identifier: Zlib
// Creation refuses every invalid option, and sets the out parameter to NULL.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cstring>
#include <functional>

using namespace test;

/// Creates a broadphase from the default def as edited by `change`, destroys it, and returns the status of creation.
static cltStatus statusOf( const std::function<void( cltBroadphaseDef& )>& change )
{
    cltBroadphaseDef def = defOf( clt_algorithmAuto );
    change( def );
    cltBroadphase* broadphase = reinterpret_cast<cltBroadphase*>( &def ); // must be overwritten
    cltStatus status = cltCreateBroadphase( &def, &broadphase );
    EXPECT_EQ( status != clt_ok, broadphase == nullptr );
    cltDestroyBroadphase( broadphase );
    return status;
}

TEST( Create, DefaultsAreAsTheHeaderSays )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    EXPECT_EQ( clt_deviceAuto, def.device );
    EXPECT_EQ( 0u, def.promoteFrom );
    EXPECT_EQ( clt_algorithmAuto, def.algorithm );
    EXPECT_EQ( clt_precisionFloat, def.precision );
    EXPECT_EQ( clt_simdAuto, def.simd );
    EXPECT_TRUE( def.filterMasks );
    EXPECT_EQ( 0u, def.proxyCapacity );
    EXPECT_EQ( 0, def.threadCount );
    EXPECT_TRUE( def.hooks.allocate == nullptr && def.hooks.release == nullptr && def.hooks.log == nullptr );
    EXPECT_TRUE( def.hooks.parallelFor == nullptr && def.hooks.userContext == nullptr && def.research == nullptr );
    const cltResearchDef research = cltDefaultResearchDef();
    EXPECT_EQ( clt_rootHardware, research.root );
    EXPECT_EQ( 2, research.rootSteps );
    EXPECT_EQ( clt_outputKeys, research.output );
    EXPECT_EQ( -1, research.entryLevel );
    EXPECT_EQ( 2, research.depthStep );
    EXPECT_FALSE( research.keepFront );
    EXPECT_EQ( clt_ok, statusOf( []( cltBroadphaseDef& any ) { any = cltDefaultBroadphaseDef(); } ) );
}

/// Plain C runs everywhere. SSE2 and NEON belong to two families of processors, so at least one is refused.
TEST( Create, InstructionSetsThatTheCpuLacksAreRefused )
{
    EXPECT_EQ( clt_ok, statusOf( []( cltBroadphaseDef& def ) { def.simd = clt_simdPlain; } ) );
    const cltStatus sse2 = statusOf( []( cltBroadphaseDef& def ) { def.simd = clt_simdSse2; } );
    const cltStatus neon = statusOf( []( cltBroadphaseDef& def ) { def.simd = clt_simdNeon; } );
    EXPECT_TRUE( sse2 == clt_invalidArgument || neon == clt_invalidArgument );
#if defined( CLT_NO_SIMD )
    EXPECT_TRUE( sse2 == clt_invalidArgument && neon == clt_invalidArgument );
#elif defined( __x86_64__ ) || defined( __EMSCRIPTEN__ )
    EXPECT_EQ( clt_ok, sse2 );
#endif
}

TEST( Create, RefusesNullArgumentsAndADefWithoutDefaults )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltBroadphase* broadphase = reinterpret_cast<cltBroadphase*>( &def );
    EXPECT_EQ( clt_invalidArgument, cltCreateBroadphase( nullptr, &broadphase ) );
    EXPECT_EQ( nullptr, broadphase );
    EXPECT_EQ( clt_invalidArgument, cltCreateBroadphase( &def, nullptr ) );
    cltDestroyBroadphase( nullptr );
    EXPECT_EQ( clt_invalidArgument, statusOf( []( cltBroadphaseDef& empty ) { empty = {}; } ) );
    EXPECT_EQ( clt_invalidArgument, statusOf( []( cltBroadphaseDef& wrong ) { wrong.internalValue += 1; } ) );
}

/// For each of `values`: expects creation with the default def, after `set( def, value )`, to return `expected`.
template <typename Set, typename Value>
static void expectEach( cltStatus expected, std::initializer_list<Value> values, const Set& set )
{
    for ( Value value : values )
    {
        EXPECT_EQ( expected, statusOf( [&]( cltBroadphaseDef& def ) { set( def, value ); } ) ) << value;
    }
}

TEST( Create, RefusesValuesOutsideTheirEnumerations )
{
    const auto refused = []( const auto& set ) { expectEach( clt_invalidArgument, { -1, 6, 99 }, set ); };
    refused( []( cltBroadphaseDef& def, int value ) { def.device = static_cast<cltDevice>( value ); } );
    refused( []( cltBroadphaseDef& def, int value ) { def.algorithm = static_cast<cltAlgorithm>( value ); } );
    refused( []( cltBroadphaseDef& def, int value ) { def.precision = static_cast<cltPrecision>( value ); } );
    refused( []( cltBroadphaseDef& def, int value ) { def.simd = static_cast<cltSimd>( value ); } );
}

TEST( Create, AcceptsNumbersInTheirRangeOnly )
{
    const auto setThreads = []( cltBroadphaseDef& def, int value ) { def.threadCount = value; };
    expectEach( clt_invalidArgument, { -1, 257, 100000, -100000 }, setThreads );
    expectEach( clt_ok, { 0, 256 }, setThreads );
    const auto setCapacity = []( cltBroadphaseDef& def, uint32_t value ) { def.proxyCapacity = value; };
    expectEach( clt_invalidArgument, { CLT_MAX_PROXIES + 1u, UINT32_MAX }, setCapacity );
    expectEach( clt_ok, { 1000u }, setCapacity );
}

TEST( Create, AcceptsResearchOptionsInTheirRangeOnly )
{
    cltResearchDef research;
    const auto setting = [&research]( auto set )
    {
        return [&research, set]( cltBroadphaseDef& def, int value )
        {
            research = cltDefaultResearchDef();
            set( research, value );
            def.research = &research;
        };
    };
    const auto root = setting( []( cltResearchDef& def, int value ) { def.root = static_cast<cltRoot>( value ); } );
    expectEach( clt_invalidArgument, { -1, 4, 99 }, root );
    const auto output =
        setting( []( cltResearchDef& def, int value ) { def.output = static_cast<cltOutput>( value ); } );
    expectEach( clt_invalidArgument, { -1, 2, 99 }, output );
    const auto steps = setting( []( cltResearchDef& def, int value ) { def.rootSteps = value; } );
    expectEach( clt_invalidArgument, { 0, 5, -1, 1000 }, steps );
    expectEach( clt_ok, { 1, 4 }, steps );
    const auto entry = setting( []( cltResearchDef& def, int value ) { def.entryLevel = value; } );
    expectEach( clt_invalidArgument, { -2, 13, 1000 }, entry );
    expectEach( clt_ok, { -1, 0, CLT_MAX_ENTRY_LEVEL }, entry );
    const auto depth = setting( []( cltResearchDef& def, int value ) { def.depthStep = value; } );
    expectEach( clt_invalidArgument, { 0, 5, -1 }, depth );
    expectEach( clt_ok, { 1, 4 }, depth );
}

TEST( Create, RefusesOneMemoryHookWithoutTheOther )
{
    Hooks hooks;
    cltBroadphaseDef hooked = {};
    hooks.installMemory( hooked );
    EXPECT_EQ( clt_invalidArgument,
               statusOf( [&]( cltBroadphaseDef& def ) { def.hooks.allocate = hooked.hooks.allocate; } ) );
    EXPECT_EQ( clt_invalidArgument,
               statusOf( [&]( cltBroadphaseDef& def ) { def.hooks.release = hooked.hooks.release; } ) );
    EXPECT_EQ( clt_ok, statusOf( [&]( cltBroadphaseDef& def ) { hooks.installMemory( def ); } ) );
    EXPECT_EQ( 0u, hooks.bytesHeld() );
}

TEST( Create, AcceptsExactlyTheDevicesReportedAsUsable )
{
    std::vector<cltDeviceReport> reports( cltGetDevices( nullptr, 0 ) );
    ASSERT_GE( reports.size(), 1u );
    EXPECT_EQ( reports.size(), cltGetDevices( reports.data(), reports.size() ) );
    bool hasCpu = false;
    for ( const cltDeviceReport& report : reports )
    {
        hasCpu = hasCpu || ( report.device == clt_deviceCpu && report.usable );
        EXPECT_STRNE( "", report.name );
        EXPECT_STRNE( "", report.reason );
        EXPECT_NE( clt_deviceAuto, report.device );
        cltStatus expected = report.usable ? clt_ok : clt_noDevice;
        EXPECT_EQ( expected, statusOf( [&]( cltBroadphaseDef& def ) { def.device = report.device; } ) );
    }
    EXPECT_TRUE( hasCpu );
    std::strcpy( reports.back().name, "untouched" );
    EXPECT_EQ( reports.size(), cltGetDevices( reports.data(), reports.size() - 1 ) );
    EXPECT_STREQ( "untouched", reports.back().name );
}
