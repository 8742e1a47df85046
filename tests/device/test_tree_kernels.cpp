// SPDX-License-Identifier: Zlib
// Details of the tree kernels: filters of nodes, threads that meet at a node while the tree is built, and the list of
// movers. Also compiled for a real device.
#include "tests/device/host_twin.h"
#include "tests/device/table.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace test;

/// If all filters accept all pairs, filters of nodes take neither memory nor time.
TEST( NodeFilters, AreBuiltOnceAFilterMayReject )
{
    Backend backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    if ( !backend.exists() )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    const cltCudaBackend& cuda = backend.as<cltCudaBackend>();
    Table table( clt_precisionFloat );
    for ( int i = 0; i < 20; ++i )
    {
        table.create( cube( i, 0, 0, 1 ), { 1 << i, -1 } );
    }
    EXPECT_EQ( 19u + 18u, update( backend, table ).size() );
    EXPECT_EQ( 0u, cuda.tree.filters.bytes );
    table.setFilter( 10, { 1 << 10, ~( 1 << 11 ) } );
    EXPECT_EQ( 1u, update( backend, table ).size() );
    EXPECT_LE( 39 * sizeof( cltFilter ), cuda.tree.filters.bytes );
    const auto filters = download<cltFilter>( cuda, cuda.tree.filters.data, 1 );
    EXPECT_EQ( ( 1 << 20 ) - 1, filters[0].group ); // of the root
}

/// Two threads meet at each node, and the second one continues. Whichever thread is second, the nodes equal the host's.
/// CULLET_TEST_CLIMB sets the number of leaves and of builds.
TEST( Climb, BuildsTheHostsNodes )
{
    Backend backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    if ( !backend.exists() )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    const char* asked = std::getenv( "CULLET_TEST_CLIMB" );
    int leafCount = 2000;
    int buildCount = 4;
    ASSERT_TRUE( asked == nullptr || std::sscanf( asked, "%d %d", &leafCount, &buildCount ) == 2 ) << asked;
    Table table( clt_precisionFloat );
    Random random( 31 );
    const double reach = std::cbrt( leafCount );
    for ( int i = 0; i < leafCount; ++i )
    {
        table.create( randomCube( random, reach ) );
    }
    const cltUpload upload = table.upload();
    HostTwin twin( clt_algorithmLbvh, clt_precisionFloat );
    const cltTree& expected = twin.build( upload ).tree.tree;
    const size_t bytes = ( 2u * expected.leafCount - 1u ) * sizeof( cltNode );
    const cltCudaBackend& cuda = backend.as<cltCudaBackend>();
    auto* interface = const_cast<cltBackend*>( &backend.as<cltBackend>() );
    for ( int build = 0; build < buildCount && !HasFailure(); ++build )
    {
        ASSERT_EQ( clt_ok, interface->ops->upload( interface, &upload ) );
        ASSERT_EQ( clt_ok, interface->ops->build( interface ) );
        const auto nodes = download<char>( cuda, cuda.tree.nodes.data, bytes );
        EXPECT_EQ( 0, std::memcmp( expected.nodes, nodes.data(), bytes ) ) << "build " << build;
    }
}

/// If many bodies moved, no mover is listed, and every leaf is searched.
TEST( Movers, AreListedWhenTheyAreFew )
{
    Backend backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    if ( !backend.exists() )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    Table table( clt_precisionFloat );
    for ( int i = 0; i < 1000; ++i )
    {
        table.create( cube( 3 * i, 0, 0, 1 ) );
    }
    update( backend, table );
    for ( uint32_t share : { 100u, 3u, 1u } )
    {
        for ( uint32_t slot = 0; slot < 1000; slot += share )
        {
            table.move( slot, cube( 3 * slot, 0, 0.001 * share, 1 ) ); // a body that jumped would be an outlier
        }
        update( backend, table );
        EXPECT_EQ( share > 1 ? ( 999u / share + 1u ) : 0u, planOf( backend.as<cltCudaBackend>() ).moverCount );
    }
}
