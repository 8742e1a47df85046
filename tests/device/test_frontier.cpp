// SPDX-License-Identifier: Zlib
// The passes of `frontier` on a device: searches that overflow, and searches of few movers.
#include "tests/device/device_world.h"

using namespace test;

/// All bodies approach each other, so a search needs more capacity for node pairs and keys than the previous one, and
/// is repeated. The second update is also repeated because the order of the leaves cannot be kept.
TEST( FrontierPasses, AreRepeatedWithMoreCapacityAndFindTheSame )
{
    DeviceWorld world( clt_algorithmFrontier );
    for ( const double extent : { 20.0, 10.0, 5.0, 2.0, 1.9 } )
    {
        SCOPED_TRACE( extent );
        Random random( 43 );
        const Boxes boxes = randomCubes( random, 800, extent );
        extent == 20 ? (void)world.createAll( boxes ) : world.moveAll( boxes.size(), nullptr, boxes );
        world.updateOnly();
        const uint64_t redoCount = world.researchStats().redoCount;
        EXPECT_TRUE( extent == 5 || extent == 2 ? redoCount >= 2 : extent > 5 || redoCount == 0 ) << redoCount;
    }
}

TEST( FrontierPasses, TestFewNodePairsIfFewBodiesMove )
{
    DeviceWorld world( clt_algorithmFrontier );
    Random random( 2 );
    const Ids ids = world.createAll( randomCubes( random, 4000, 10 ) );
    world.updateOnly();
    const uint64_t all = world.researchStats().nodeTestCount;
    world.move( ids[17], cube( 1, 2, 3, 0.5 ) );
    world.updateOnly();
    EXPECT_GT( all, world.researchStats().nodeTestCount );
    EXPECT_LT( 0u, world.researchStats().nodeTestCount );
}
