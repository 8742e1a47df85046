// SPDX-License-Identifier: Zlib
// So many bodies that walks begin at nodes near the searching block (gpu/host/wide/walk.h), not at the root.
#include "tests/support/config.h"
#include "tests/support/world.h"

using namespace test;

TEST( ManyBodies, FindTheirPairsFromNearbyNodes )
{
    constexpr size_t count = 70000; // more than 16^4
    World world( defOf( clt_algorithmWide, clt_precisionFloat, 0 ) );
    Random random( 17 );
    Boxes boxes = randomCubes( random, count, 36 ); // about two pairs a body
    const Ids ids = world.createAll( boxes );
    const cltFilter filters[] = { { 1, 2 }, { 2, 1 }, { 4, 4 }, { 1, 3 } };
    world.updateOnly();
    for ( int step = 0; step < 4; ++step )
    {
        for ( size_t i = 0; i < count && step == 2; ++i )
        {
            world.setFilter( ids[i], filters[i % 4] );
        }
        for ( cltAabbD& box : boxes )
        {
            box = shifted( box, random.between( -0.2, 0.2 ) );
        }
        world.moveAll( ids, boxes );
        world.updateOnly();
    }
    world.expectPairs();
}
