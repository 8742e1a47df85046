// SPDX-License-Identifier: Zlib
// So many bodies that neighbours search together (gpu/host/wide/vicinity.h), which smaller worlds never do.
#include "tests/support/world.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

constexpr size_t count = 70000; // more than 16^4
constexpr double reach = 36;    // about two pairs a body

Boxes movedALittle( Boxes boxes, Random& random )
{
    for ( cltAabbD& box : boxes )
    {
        box = shifted( box, random.between( -0.2, 0.2 ) );
    }
    return boxes;
}

void expectExactSteps( const std::vector<cltFilter>& filters )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = clt_algorithmWide;
    World world( def );
    Random random( 17 );
    Boxes boxes = randomCubes( random, count, reach );
    const Ids ids = world.createAll( boxes );
    for ( size_t i = 0; i < count && !filters.empty(); ++i )
    {
        world.setFilter( ids[i], filters[i % filters.size()] );
    }
    world.updateOnly();
    for ( int step = 0; step < 3; ++step )
    {
        boxes = movedALittle( boxes, random );
        world.moveAll( ids, boxes );
        world.updateOnly();
    }
    world.update();
}

} // namespace

TEST( ManyBodies, AreSearchedByNeighbours )
{
    expectExactSteps( {} );
}

TEST( ManyBodies, AreSearchedByNeighboursWithinTheirFilters )
{
    expectExactSteps( { { 1, 2 }, { 2, 1 }, { 4, 4 }, { 1, 3 } } );
}
