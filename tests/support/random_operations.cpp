// SPDX-License-Identifier: Zlib
// A short operation sequence: one phase fills the world, another makes many changes of every kind.
#include "tests/support/random_operations.h"

namespace test
{

void runRandomOperations( World& world, uint64_t seed, bool comparesPairList )
{
    const cullet::Phase fill = { "fill", 1, 1, 1, 0, 0, 0, 0, 0, 0, false, false, false, false };
    const cullet::Phase busy = { "busy", 1, 1, 0.5, 0.05, 0.15, 0.1, 0.02, 0.08, 0.05, false, false, false, true };
    WorldTarget target( world );
    cullet::OperationSequence sequence( target, seed, 60, clt_precisionDouble );
    cullet::Random random( seed );
    const auto compare = [&]
    {
        world.expectQuery( sequence.arena().drifted( sequence.arena().ordinary( random ), random ) );
        if ( comparesPairList && random.oneIn( 2 ) )
        {
            world.expectPairs();
        }
    };
    for ( int update = 0; update < 8; ++update )
    {
        sequence.beginStep( update == 0 ? fill : busy );
        sequence.changeFilters();
        sequence.changeBoxes();
        if ( update > 0 )
        {
            compare();
        }
        world.updateOnly();
        compare();
    }
    world.update();
}

} // namespace test
