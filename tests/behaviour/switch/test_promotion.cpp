// SPDX-License-Identifier: Zlib
// If enough bodies move, auto moves a broadphase from the CPU to the device: changes, pairs and queries are as without
// promotion, also if the promotion fails or the device fails later.
#include "cullet_queries.h"
#include "tests/behaviour/bridge/picture.h"
#include "tests/behaviour/switch/failing_device.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

/// Number of boxes that runRandomOperations() moves in most of its updates.
constexpr uint32_t few = 6;

class Promotion : public testing::TestWithParam<Config>
{
};

/// Creates equal cubes and runs an update.
Ids createSome( World& world, size_t count )
{
    const Ids proxies = world.createAll( Boxes( count, span( 0, 1 ) ) );
    world.updateOnly();
    return proxies;
}

/// Expects the text `expected` in the statistics' reason for the device.
void expectReason( const World& world, const std::string& expected )
{
    EXPECT_NE( std::string::npos, std::string( world.stats().deviceReason ).find( expected ) ) << expected;
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

INSTANTIATE_TEST_SUITE_P(, Promotion,
                         testing::ValuesIn( configsOf( { clt_algorithmAuto, clt_algorithmBruteForce, clt_algorithmGrid,
                                                         clt_algorithmLbvh, clt_algorithmWide } ) ),
                         configName );

TEST_P( Promotion, KeepsChangesPairsAndQueries )
{
    for ( uint64_t seed = 1; seed <= 12; ++seed )
    {
        SCOPED_TRACE( seed );
        DevicePlan plan;
        plan.promoteFrom = few;
        plan.showsBoxes = seed % 2 == 0;
        cltBroadphaseDef def = defOn( clt_deviceAuto, GetParam() );
        def.reportDestroyed = seed % 4 < 2;
        World world = worldOn( def );
        EXPECT_EQ( 0u, plan.createdCount );
        expectReason( world, "begins on the CPU" );
        runRandomOperations( world, seed );
        expectSwitched( plan, world, clt_deviceCuda, 0 );
        expectReason( world, "enough bodies moved in enough updates" );
        runRandomOperations( world, seed + 100 );
        EXPECT_EQ( 1u, plan.createdCount );
        ASSERT_FALSE( HasFailure() );
    }
}

TEST( PromotionCount, IncludesMovedBodiesOnly )
{
    DevicePlan plan;
    plan.promoteFrom = 10;
    World world = worldOn( defOn( clt_deviceAuto ) );
    const Ids proxies = createSome( world, 100 ); // many are created
    moveAlong( world, proxies, 9 );               // few moved
    createSome( world, 20 );
    world.destroyAll( { proxies.end() - 20, proxies.end() } ); // many are destroyed
    for ( size_t i = 0; i < 80; ++i )
    {
        world.move( proxies[i], world.boxOf( proxies[i] ) ); // many are set to the same box
    }
    moveAlong( world, proxies, 5 );
    EXPECT_EQ( 0u, plan.createdCount );
    moveAlong( world, proxies, 10 );
    EXPECT_EQ( 1u, plan.createdCount );
    expectSwitched( plan, world, clt_deviceCuda, 0 );
}

/// Queries use the tree that an update on the CPU makes; a device makes none. So a broadphase with queries stays on the
/// CPU until some updates pass without a query.
TEST( PromotionPatience, EndsAfterQuietUpdates )
{
    for ( int kind = 0; kind < 3; ++kind )
    {
        DevicePlan plan;
        plan.promoteFrom = 5;
        plan.patience = 3;
        World world = worldOn( defOn( clt_deviceAuto ) );
        const Ids proxies = createSome( world, 5 );
        const auto createdAfter = [&]( size_t movedCount )
        {
            moveAlong( world, proxies, movedCount );
            return plan.createdCount;
        };
        EXPECT_EQ( 0u, createdAfter( 5 ) );
        EXPECT_EQ( 0u, createdAfter( 5 ) );
        query( world, kind ); // resets the count
        EXPECT_EQ( 0u, createdAfter( 5 ) );
        EXPECT_EQ( 0u, createdAfter( 5 ) );
        EXPECT_EQ( 0u, createdAfter( 4 ) ); // too few: not counted
        EXPECT_EQ( 0u, createdAfter( 5 ) );
        EXPECT_EQ( 1u, createdAfter( 5 ) );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
    }
}

TEST( NoPromotion, UnlessItIsRequestedAndPossible )
{
    struct Case
    {
        cltBroadphaseDef def;
        uint32_t promoteFrom;
        const char* reason;
    };
    for ( const Case& it :
          { Case{ defOn( clt_deviceAuto ), 0, "only if the program asks" },
            Case{ defOn( clt_deviceCpu ), 1, "asked for" }, Case{ defOn( clt_deviceCuda ), 1, "asked for" } } )
    {
        const bool isDevice = it.def.device == clt_deviceCuda;
        DevicePlan plan;
        plan.promoteFrom = it.promoteFrom;
        World world = worldOn( it.def );
        runRandomOperations( world, 1 );
        EXPECT_EQ( isDevice ? 1u : 0u, plan.createdCount );
        expectSwitched( plan, world, isDevice ? clt_deviceCuda : clt_deviceCpu, 0 );
        expectReason( world, it.reason );
    }
}

/// Expects updates to end on the CPU after one attempt to use the device.
static void expectOnCpu( DevicePlan& plan, uint32_t failureCount, const std::string& reason )
{
    plan.promoteFrom = few;
    World world = worldOn( defOn( clt_deviceAuto ) );
    runRandomOperations( world, 1 );
    EXPECT_EQ( 1u, plan.createdCount ) << "tried again";
    expectSwitched( plan, world, clt_deviceCpu, failureCount );
    expectReason( world, reason );
}

TEST( PromotionFailure, StaysOnTheCpuAtEachStage )
{
    for ( Stage stage : { Stage::upload, Stage::build, Stage::findChanges, Stage::readBack } )
    {
        for ( cltStatus failure : allFailures )
        {
            SCOPED_TRACE( std::to_string( int( stage ) ) + " " + cltStatusName( failure ) );
            DevicePlan plan;
            plan.stage = stage;
            plan.call = 1;
            plan.status = failure;
            expectOnCpu( plan, 1, "enough bodies move for a CUDA device, but moving there failed" );
            EXPECT_TRUE( plan.failed );
            EXPECT_EQ( 1u, plan.destroyedCount );
            ASSERT_EQ( 1u, plan.log.size() );
            EXPECT_EQ( failure, plan.log[0].first );
            EXPECT_EQ( "cuda: pulled out of its socket; the CPU goes on finding the pairs of this broadphase",
                       plan.log[0].second );
        }
    }
}

/// A missing device is neither a failure nor logged; every other status is both.
TEST( PromotionFailure, StaysOnTheCpuWhenTheDeviceCannotBeCreated )
{
    for ( cltStatus status : { clt_noDevice, clt_deviceMemory, clt_deviceFailed } )
    {
        SCOPED_TRACE( cltStatusName( status ) );
        DevicePlan plan;
        plan.creation = status;
        const bool isNone = status == clt_noDevice;
        expectOnCpu( plan, isNone ? 0 : 1, isNone ? "none can be used" : "moving there failed" );
    }
}

/// The broadphase is promoted once and returns once.
TEST( PromotionFailure, ReturnsToTheCpuWhenTheDeviceFailsLater )
{
    for ( uint32_t call = 2; call <= 4; ++call )
    {
        DevicePlan plan;
        plan.stage = Stage::findChanges;
        plan.call = call;
        expectOnCpu( plan, 1, "a device failed, and the CPU took its place" );
        EXPECT_TRUE( plan.failed );
    }
}

/// A process forks while its broadphase is still on the CPU. The child may use the device; the parent stays on the CPU.
TEST( PromotionInAChild, LeavesTheParentAlone )
{
    DevicePlan plan;
    plan.promoteFrom = few;
    World world = worldOn( defOn( clt_deviceAuto ) );
    world.create( span( 0, 1 ) );
    world.updateOnly();
    runInChild(
        [&]
        {
            runRandomOperations( world, 1 );
            expectSwitched( plan, world, clt_deviceCuda, 0 );
            return 0;
        } );
    expectSwitched( plan, world, clt_deviceCpu, 0 );
}

/// Small moves of bodies at rest are not listed (gpu/rest/rest.h), but a device must get all of them. Queries postpone
/// the promotion until the bodies are at rest.
TEST( PromotionOfBodiesAtRest, SendsTheirSmallMovesToTheDevice )
{
    DevicePlan plan;
    plan.promoteFrom = 10;
    plan.patience = 1;
    World world = worldOn( defOn( clt_deviceAuto, { clt_deviceCpu, clt_algorithmWide, clt_precisionFloat, 1 } ) );
    Random random( 15 );
    const Boxes cubes = cubesInARow( 400, 1, 0.5 ); // neighbours touch, so that small moves begin and end pairs
    const Ids ids = world.createAll( cubes );
    const auto tremble = [&]
    {
        for ( size_t i = 0; i < 200; ++i )
        {
            world.move( ids[i], shifted( cubes[i], random.between( -1e-4, 1e-4 ) ) );
        }
        world.updateOnly();
    };
    for ( int step = 0; step < 40; ++step )
    {
        world.expectQuery( cubes[0] );
        tremble();
    }
    EXPECT_GT( draw( world ).bodies[ids[0]].restMargin, 0 );
    EXPECT_EQ( 0u, plan.createdCount );
    for ( const double distance : { 5, 6 } ) // the first of these updates follows a query
    {
        for ( size_t i = 300; i < 312; ++i )
        {
            world.move( ids[i], shifted( cubes[i], distance ) );
        }
        world.updateOnly();
    }
    expectSwitched( plan, world, clt_deviceCuda, 0 );
    for ( int step = 0; step < 5; ++step )
    {
        tremble();
    }
}
