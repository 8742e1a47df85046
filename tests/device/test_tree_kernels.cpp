// SPDX-License-Identifier: Zlib
// Details of the tree kernels: filters of nodes, threads that meet at a node while the tree is built, and the list of
// movers. Also compiled for a real device.
#include "tests/device/device_world.h"
#include "tests/device/host_twin.h"

#include <cstring>

using namespace test;

namespace
{

class TreeKernels : public testing::Test
{
protected:
    void SetUp() override
    {
        if ( !isUsable( clt_deviceCuda ) )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
    }
};

} // namespace

/// If all filters accept all pairs, filters of nodes take neither memory nor time.
TEST_F( TreeKernels, BuildFiltersOfNodesOnceAFilterMayReject )
{
    DeviceWorld world( clt_algorithmLbvh );
    for ( int i = 0; i < 20; ++i )
    {
        world.create( cube( i, 0, 0, 1 ), { 1 << i, -1 } );
    }
    world.update();
    EXPECT_EQ( 19u + 18u, world.pairCount() );
    EXPECT_EQ( 0u, world.cuda->tree.filters.bytes );
    world.setFilter( 10, { 1 << 10, ~( 1 << 11 ) } );
    world.update();
    EXPECT_EQ( 19u + 18u - 1u, world.pairCount() );
    EXPECT_LE( 39 * sizeof( cltFilter ), world.cuda->tree.filters.bytes );
    const auto filters = download<cltFilter>( *world.cuda, world.cuda->tree.filters.data, 1 );
    EXPECT_EQ( ( 1 << 20 ) - 1, filters[0].group ); // of the root
}

/// If many bodies moved, no mover is listed, and every leaf is searched.
TEST_F( TreeKernels, ListFewMovers )
{
    DeviceWorld world( clt_algorithmLbvh );
    world.createAll( cubesInARow( 1000, 3, 1 ) );
    world.update();
    for ( const uint32_t share : { 100u, 3u, 1u } )
    {
        for ( uint32_t slot = 0; slot < 1000; slot += share )
        {
            world.move( slot, cube( 3 * slot, 0, 0.001 * share, 1 ) ); // a body that jumped would be an outlier
        }
        world.updateOnly();
        EXPECT_EQ( share > 1 ? ( 999u / share + 1u ) : 0u, planOf( *world.cuda ).moverCount );
    }
}

/// Two threads meet at each node, and the second one continues. Whichever thread is second, the nodes equal the host's.
TEST_F( TreeKernels, ClimbToTheHostsNodes )
{
    CubesOnCuda cubes( clt_algorithmLbvh, 2000, Random( 31 ) );
    ASSERT_FALSE( HasFailure() );
    HostTwin twin( clt_algorithmLbvh, clt_precisionFloat );
    cubes.beforeCommit = [&]( const cltUpload& upload )
    {
        const cltTree& expected = twin.build( upload ).tree.tree;
        const size_t bytes = ( 2u * expected.leafCount - 1u ) * sizeof( cltNode );
        for ( int build = 0; build < cubes.buildCount && !HasFailure(); ++build )
        {
            ASSERT_EQ( clt_ok, cubes.cuda->base.ops->build( &cubes.cuda->base ) );
            const auto nodes = download<char>( *cubes.cuda, cubes.cuda->tree.nodes.data, bytes );
            EXPECT_EQ( 0, std::memcmp( expected.nodes, nodes.data(), bytes ) ) << "build " << build;
        }
    };
    ASSERT_EQ( clt_ok, cltBroadphase_Update( cubes.broadphase.get(), nullptr ) );
}
