// SPDX-License-Identifier: Zlib
// When enough moves, auto goes from the CPU to the device: changes, pairs and queries are as if it had stayed.
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"
#include "tests/takeover/life.h"

using namespace test;

namespace
{

/// What live() moves in most of its updates.
constexpr uint32_t few = 6;

cltBroadphaseDef autoDef( Config config )
{
    config.device = clt_deviceAuto;
    return defOf( config );
}

class MoveUp : public testing::TestWithParam<Config>
{
};

/// A row of cubes, as an update left them.
std::vector<cltProxyId> createRow( World& world, uint32_t count )
{
    std::vector<cltProxyId> proxies;
    for ( uint32_t i = 0; i < count; ++i )
    {
        proxies.push_back( world.create( span( i, i + 1 ) ) );
    }
    world.updateOnly();
    return proxies;
}

void moveSome( World& world, const std::vector<cltProxyId>& proxies, uint32_t count, double to )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        world.move( proxies[i], span( to + i, to + i + 1 ) );
    }
}

bool goOn( cltProxyId, uint64_t, void* )
{
    return true;
}

double goOnAlong( cltProxyId, uint64_t, double, double maxFraction, void* )
{
    return maxFraction;
}

uint32_t touchesAll( const cltBoxLanes*, void* )
{
    return 0xffff;
}

void query( const World& world, int kind )
{
    const cltAabbD box = span( 0, 1 );
    const double from[3] = { 0, 0, 0 }, to[3] = { 1, 1, 1 };
    switch ( kind )
    {
    case 0:
        EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( world.broadphase(), &box, goOn, nullptr ) );
        break;
    case 1:
        EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, goOnAlong, nullptr ) );
        break;
    default:
        EXPECT_EQ( clt_ok, cltBroadphase_QueryVolume( world.broadphase(), touchesAll, goOn, nullptr ) );
        break;
    }
}

std::vector<Config> autoConfigs()
{
    std::vector<Config> configs;
    for ( const Config& config : allConfigs() )
    {
        const bool isPlain = config.device == clt_deviceCpu && config.simd == clt_simdAuto;
        if ( isPlain && config.algorithm != clt_algorithmWide &&
             ( config.threadCount == 1 || config.threadCount == 3 ) )
        {
            configs.push_back( config );
        }
    }
    return configs;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, MoveUp, testing::ValuesIn( autoConfigs() ), configName );

TEST_P( MoveUp, InTheMiddleOfALife )
{
    for ( uint64_t seed = 1; seed <= 12; ++seed )
    {
        SCOPED_TRACE( seed );
        DevicePlan plan;
        plan.worthFrom = few;
        plan.showsBoxes = seed % 2 == 0;
        cltBroadphaseDef def = autoDef( GetParam() );
        installLog( def );
        World world( createOnDevice( def ), def );
        EXPECT_EQ( 0u, plan.createdCount );
        live( world, seed );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
        EXPECT_EQ( 1u, plan.createdCount );
        EXPECT_EQ( 1u, world.stats().deviceBytes );
        EXPECT_EQ( 0u, world.stats().deviceFailureCount );
        EXPECT_EQ( 0u, plan.log.size() );
        live( world, seed + 100 );
        EXPECT_EQ( 1u, plan.createdCount );
        ASSERT_FALSE( HasFailure() );
    }
}

/// What the CPU's update handed out is still there when the CPU's backend is not.
TEST_P( MoveUp, ChangesAndPairsOutliveTheCpusBackend )
{
    DevicePlan plan;
    plan.worthFrom = 40;
    const cltBroadphaseDef def = autoDef( GetParam() );
    World world( createOnDevice( def ), def );
    const std::vector<cltProxyId> proxies = createRow( world, 60 );
    moveSome( world, proxies, 39, 100 );
    world.updateOnly();
    EXPECT_EQ( clt_deviceCpu, world.stats().device );
    moveSome( world, proxies, 40, 200 );
    world.updateOnly(); // holds the changes against the oracle after the move
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
    world.expectPairs();
    expectQuery( world, span( 200, 220 ) );
    const uint32_t stages = plan.callCount;
    world.updateOnly();
    EXPECT_EQ( stages, plan.callCount ) << "nothing had changed since";
}

TEST( MoveUpCount, IsOfWhatMoved )
{
    DevicePlan plan;
    plan.worthFrom = 10;
    const cltBroadphaseDef def = autoDef( { clt_deviceAuto, clt_algorithmAuto, clt_precisionFloat, 1 } );
    World world( createOnDevice( def ), def );
    std::vector<cltProxyId> proxies = createRow( world, 100 ); // many came
    moveSome( world, proxies, 9, 200 );
    world.updateOnly(); // few moved
    createRow( world, 20 );
    moveSome( world, proxies, 5, 300 );
    for ( uint32_t i = 0; i < 20; ++i ) // many went
    {
        world.destroy( proxies.back() );
        proxies.pop_back();
    }
    world.updateOnly();
    for ( uint32_t i = 0; i < 9; ++i ) // many at the same place as before
    {
        world.move( proxies[i], world.oracle().proxies().at( proxies[i] ).box );
    }
    world.updateOnly();
    EXPECT_EQ( 0u, plan.createdCount );
    EXPECT_EQ( clt_deviceCpu, world.stats().device );
    moveSome( world, proxies, 10, 400 );
    world.updateOnly();
    EXPECT_EQ( 1u, plan.createdCount );
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
}

/// A world that queries finds its tree on the CPU alone, so it stays there until it has been quiet for a while.
TEST( MoveUpPatience, EndsAfterQuietUpdates )
{
    for ( int kind = 0; kind < 3; ++kind )
    {
        DevicePlan plan;
        plan.worthFrom = 5;
        plan.patience = 3;
        const cltBroadphaseDef def = autoDef( { clt_deviceAuto, clt_algorithmAuto, clt_precisionFloat, 1 } );
        World world( createOnDevice( def ), def );
        const std::vector<cltProxyId> proxies = createRow( world, 5 );
        double to = 0;
        const auto moveAndUpdate = [&]( uint32_t count )
        {
            moveSome( world, proxies, count, to += 10 );
            world.updateOnly();
            return plan.createdCount;
        };
        EXPECT_EQ( 0u, moveAndUpdate( 5 ) );
        EXPECT_EQ( 0u, moveAndUpdate( 5 ) );
        query( world, kind ); // so it begins anew
        EXPECT_EQ( 0u, moveAndUpdate( 5 ) );
        EXPECT_EQ( 0u, moveAndUpdate( 5 ) );
        EXPECT_EQ( 0u, moveAndUpdate( 4 ) ); // too few, which does not count
        EXPECT_EQ( 0u, moveAndUpdate( 5 ) );
        EXPECT_EQ( 1u, moveAndUpdate( 5 ) );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
    }
}

TEST( MoveUpNever, WhereTheCpuOrWideWasAskedFor )
{
    DevicePlan plan;
    plan.worthFrom = 1;
    const Config onCpu = { clt_deviceCpu, clt_algorithmAuto, clt_precisionFloat, 1 };
    const Config wide = { clt_deviceAuto, clt_algorithmWide, clt_precisionFloat, 1 };
    for ( const Config& config : { onCpu, wide } )
    {
        World world( createOnDevice( defOf( config ) ), defOf( config ) );
        live( world, 1 );
        EXPECT_EQ( clt_deviceCpu, world.stats().device );
        EXPECT_EQ( 0u, plan.createdCount );
    }
}

/// Nor to another one from a device.
TEST( MoveUpNever, FromADevice )
{
    DevicePlan plan;
    plan.worthFrom = 1;
    cltBroadphaseDef def = defOf( clt_algorithmAuto );
    def.device = clt_deviceCuda;
    World world( createOnDevice( def ), def );
    live( world, 1 );
    EXPECT_EQ( 1u, plan.createdCount );
}

/// What auto says before, after, and where nobody answers is a sentence for people.
TEST( MoveUpReason, IsSaid )
{
    DevicePlan plan;
    plan.worthFrom = 3;
    const cltBroadphaseDef def = autoDef( { clt_deviceAuto, clt_algorithmAuto, clt_precisionFloat, 1 } );
    for ( cltStatus creation : { clt_ok, clt_noDevice } )
    {
        plan.creation = creation;
        World world( createOnDevice( def ), def );
        const std::vector<cltProxyId> proxies = createRow( world, 3 );
        EXPECT_NE( std::string::npos, std::string( world.stats().deviceReason ).find( "begins on the CPU" ) );
        moveSome( world, proxies, 3, 10 );
        world.updateOnly();
        const char* const expected = creation == clt_ok ? "enough bodies moved" : "none can be used";
        EXPECT_NE( std::string::npos, std::string( world.stats().deviceReason ).find( expected ) );
    }
}
