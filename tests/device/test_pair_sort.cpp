// SPDX-License-Identifier: Zlib
// The sort of the keys found: groups of keys of any size, and groups that are too large for it. Also compiled for a
// real device.
#include "tests/device/device_world.h"
#include "tests/device/host_twin.h"

using namespace test;

/// A slab overlaps all cubes of a row in every second update, and the cubes also overlap their neighbours. One group of
/// keys has all pairs of the slab. If it has more than 1,024 keys, CUB sorts all keys instead.
TEST( PairSort, SortsGroupsOfAnySize )
{
    if ( !isUsable( clt_deviceCuda ) )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    for ( const int count : { 1, 40, 1023, 1024, 1025, 5000 } )
    {
        SCOPED_TRACE( count );
        DeviceWorld world( clt_algorithmWide );
        const cltProxyId slab = world.create( span( notANumber, 0 ) );
        world.createAll( cubesInARow( count, 0.9, 0.5 ) );
        world.update();
        for ( int step = 0; step < 4; ++step )
        {
            world.move( slab, step % 2 == 0 ? span( -1, 2 + count ) : span( -9, -8 ) );
            world.updateOnly();
            EXPECT_EQ( count > 1024 ? uint32_t( count ) : 0u, planOf( *world.cuda ).largestGroup );
            world.expectPairs();
            EXPECT_EQ( count > 1024 && step % 2 == 0, planOf( *world.cuda ).largestGroup > 0 );
        }
    }
}
