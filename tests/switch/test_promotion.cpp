// SPDX-License-Identifier: Zlib
// When enough moves, auto goes from the CPU to the device: changes, pairs and queries are as if it had stayed, also
// where going there fails, or the device does later.
#include "tests/support/life.h"
#include "tests/switch/failing_device.h"

using namespace test;

namespace
{

/// What live() moves in most of its updates.
constexpr uint32_t few = 6;

class Promotion : public testing::TestWithParam<Config>
{
protected:
    static cltBroadphaseDef def()
    {
        return defOn( clt_deviceAuto, GetParam() );
    }
};

/// `wide` is never promoted.
std::vector<Config> promotedConfigs()
{
    std::vector<Config> configs;
    for ( const Config& config : algorithmConfigs() )
    {
        if ( config.algorithm != clt_algorithmWide )
        {
            configs.push_back( config );
        }
    }
    return configs;
}

/// A row of cubes, as an update left them.
Ids createRow( World& world, uint32_t count )
{
    Ids proxies;
    for ( uint32_t i = 0; i < count; ++i )
    {
        proxies.push_back( world.create( span( i, i + 1 ) ) );
    }
    world.updateOnly();
    return proxies;
}

void moveSome( World& world, const Ids& proxies, uint32_t count, double to )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        world.move( proxies[i], span( to + i, to + i + 1 ) );
    }
}

void query( const World& world, int kind )
{
    const auto goOn = []( cltProxyId, uint64_t, void* ) { return true; };
    const auto goOnAlong = []( cltProxyId, uint64_t, double, double maxFraction, void* ) { return maxFraction; };
    const auto touchesAll = []( const cltBoxLanes*, void* ) { return 0xffffu; };
    const cltAabbD box = span( 0, 1 );
    const double from[3] = { 0, 0, 0 }, to[3] = { 1, 1, 1 };
    const cltBroadphase* broadphase = world.broadphase();
    EXPECT_EQ( clt_ok, kind == 0   ? cltBroadphase_QueryBoxD( broadphase, &box, goOn, nullptr )
                       : kind == 1 ? cltBroadphase_CastRay( broadphase, from, to, goOnAlong, nullptr )
                                   : cltBroadphase_QueryVolume( broadphase, touchesAll, goOn, nullptr ) );
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, Promotion, testing::ValuesIn( promotedConfigs() ), configName );

TEST_P( Promotion, InTheMiddleOfALife )
{
    for ( uint64_t seed = 1; seed <= 12; ++seed )
    {
        SCOPED_TRACE( seed );
        DevicePlan plan;
        plan.worthFrom = few;
        plan.showsBoxes = seed % 2 == 0;
        World world = worldOn( def() );
        EXPECT_EQ( 0u, plan.createdCount );
        live( world, seed );
        expectSwitched( plan, world, clt_deviceCuda, 0 );
        live( world, seed + 100 );
        EXPECT_EQ( 1u, plan.createdCount );
        ASSERT_FALSE( HasFailure() );
    }
}

/// What the CPU's update handed out is still there when the CPU's backend is not.
TEST_P( Promotion, ChangesAndPairsOutliveTheCpusBackend )
{
    DevicePlan plan;
    plan.worthFrom = 40;
    World world = worldOn( def() );
    const Ids proxies = createRow( world, 60 );
    moveSome( world, proxies, 39, 100 );
    world.updateOnly();
    EXPECT_EQ( clt_deviceCpu, world.stats().device );
    moveSome( world, proxies, 40, 200 );
    world.updateOnly(); // holds the changes against the oracle after the switch
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
    world.expectPairs();
    world.expectQuery( span( 200, 220 ) );
    const uint32_t stages = plan.callCount;
    world.updateOnly();
    EXPECT_EQ( stages, plan.callCount ) << "nothing had changed since";
}

TEST( PromotionCount, IsOfWhatMoved )
{
    DevicePlan plan;
    plan.worthFrom = 10;
    World world = worldOn( defOn( clt_deviceAuto ) );
    Ids proxies = createRow( world, 100 ); // many came
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
        world.move( proxies[i], world.proxies().at( proxies[i] ).box );
    }
    world.updateOnly();
    EXPECT_EQ( 0u, plan.createdCount );
    moveSome( world, proxies, 10, 400 );
    world.updateOnly();
    EXPECT_EQ( 1u, plan.createdCount );
    expectSwitched( plan, world, clt_deviceCuda, 0 );
}

/// A world that queries finds its tree on the CPU alone, so it stays there until it has been quiet for a while.
TEST( PromotionPatience, EndsAfterQuietUpdates )
{
    for ( int kind = 0; kind < 3; ++kind )
    {
        DevicePlan plan;
        plan.worthFrom = 5;
        plan.patience = 3;
        World world = worldOn( defOn( clt_deviceAuto ) );
        const Ids proxies = createRow( world, 5 );
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

/// Nor to another device from one.
TEST( PromotionNever, WhereTheCpuOrWideOrTheDeviceWasAskedFor )
{
    const Config wide = { clt_deviceAuto, clt_algorithmWide, clt_precisionFloat, 1 };
    for ( const cltBroadphaseDef& def :
          { defOn( clt_deviceCpu ), defOn( clt_deviceAuto, wide ), defOn( clt_deviceCuda ) } )
    {
        DevicePlan plan;
        plan.worthFrom = 1;
        World world = worldOn( def );
        live( world, 1 );
        EXPECT_EQ( def.device == clt_deviceCuda ? 1u : 0u, plan.createdCount );
        expectSwitched( plan, world, def.device == clt_deviceCuda ? clt_deviceCuda : clt_deviceCpu, 0 );
    }
}

/// What auto says before, after, and where nobody answers is a sentence for people.
TEST( PromotionReason, IsSaid )
{
    DevicePlan plan;
    plan.worthFrom = 3;
    for ( cltStatus creation : { clt_ok, clt_noDevice } )
    {
        plan.creation = creation;
        World world = worldOn( defOn( clt_deviceAuto ) );
        const Ids proxies = createRow( world, 3 );
        EXPECT_NE( std::string::npos, std::string( world.stats().deviceReason ).find( "begins on the CPU" ) );
        moveSome( world, proxies, 3, 10 );
        world.updateOnly();
        const char* const expected = creation == clt_ok ? "enough bodies moved" : "none can be used";
        EXPECT_NE( std::string::npos, std::string( world.stats().deviceReason ).find( expected ) );
    }
}

TEST( PromotionFailure, AtEachStage )
{
    for ( Stage stage : { Stage::upload, Stage::build, Stage::findChanges, Stage::readBack } )
    {
        for ( cltStatus failure : allFailures )
        {
            SCOPED_TRACE( std::string( nameOf( stage ) ) + " " + cltStatusName( failure ) );
            DevicePlan plan;
            plan.worthFrom = few;
            plan.stage = stage;
            plan.call = 1;
            plan.status = failure;
            World world = worldOn( defOn( clt_deviceAuto ) );
            live( world, 1 );
            EXPECT_TRUE( plan.failed );
            expectSwitched( plan, world, clt_deviceCpu, 1 );
            EXPECT_EQ( 1u, plan.createdCount ) << "tried again";
            EXPECT_EQ( 1u, plan.destroyedCount );
            EXPECT_STREQ( "enough bodies move for a CUDA device, but moving there failed", world.stats().deviceReason );
            ASSERT_EQ( 1u, plan.log.size() );
            EXPECT_EQ( failure, plan.log[0].first );
            EXPECT_EQ( "cuda: pulled out of its socket; the CPU goes on finding the pairs of this broadphase",
                       plan.log[0].second );
        }
    }
}

/// That a machine has no device is no failure, and nobody is told; all else is.
TEST( PromotionFailure, WhenTheDeviceCannotBeCreated )
{
    for ( cltStatus status : { clt_noDevice, clt_deviceMemory, clt_deviceFailed } )
    {
        SCOPED_TRACE( cltStatusName( status ) );
        DevicePlan plan;
        plan.worthFrom = few;
        plan.creation = status;
        World world = worldOn( defOn( clt_deviceAuto ) );
        live( world, 2 );
        EXPECT_EQ( 1u, plan.createdCount ) << "tried again";
        expectSwitched( plan, world, clt_deviceCpu, status == clt_noDevice ? 0 : 1 );
    }
}

/// Up once, and down once.
TEST( PromotionFailure, OfTheDeviceLater )
{
    for ( uint32_t call = 2; call <= 4; ++call )
    {
        DevicePlan plan;
        plan.worthFrom = few;
        plan.stage = Stage::findChanges;
        plan.call = call;
        World world = worldOn( defOn( clt_deviceAuto ) );
        live( world, call );
        EXPECT_TRUE( plan.failed );
        EXPECT_EQ( 1u, plan.createdCount ) << "tried again";
        expectSwitched( plan, world, clt_deviceCpu, 1 );
        EXPECT_STREQ( "a device failed, and the CPU took its place", world.stats().deviceReason );
    }
}

/// A child of a world that is still on the CPU has the device for itself.
TEST( PromotionInAChild, LeavesTheParentAlone )
{
    DevicePlan plan;
    plan.worthFrom = few;
    World world = worldOn( defOn( clt_deviceAuto ) );
    world.create( span( 0, 1 ) );
    world.updateOnly();
    playInChild(
        [&]
        {
            live( world, 1 );
            expectSwitched( plan, world, clt_deviceCuda, 0 );
            return 0;
        } );
    expectSwitched( plan, world, clt_deviceCpu, 0 );
}
