// SPDX-License-Identifier: Zlib
// Lives of one phase, in which much happens.
#include "tests/support/life.h"

namespace test
{

void live( World& world, uint64_t seed, bool asksPairs )
{
    const cullet::Phase fill = { "fill", 1, 1, 1, 0, 0, 0, 0, 0, 0, false, false, false, false };
    const cullet::Phase busy = { "busy", 1, 1, 0.5, 0.05, 0.15, 0.1, 0.02, 0.08, 0.05, false, false, false, true };
    WorldStage stage( world );
    cullet::Life life( stage, seed, 60, clt_precisionDouble );
    cullet::Random random( seed );
    const auto look = [&]
    {
        world.expectQuery( life.arena().drifted( life.arena().ordinary( random ), random ) );
        if ( asksPairs && random.oneIn( 2 ) )
        {
            world.expectPairs();
        }
    };
    for ( int update = 0; update < lifeUpdates; ++update )
    {
        life.beginStep( update == 0 ? fill : busy );
        life.changeFilters();
        life.changeBoxes();
        if ( update > 0 )
        {
            look();
        }
        world.updateOnly();
        look();
    }
    world.update();
}

} // namespace test
