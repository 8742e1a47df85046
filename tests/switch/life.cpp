// SPDX-License-Identifier: Zlib
// One random operation at a time.
#include "tests/switch/life.h"

#include <set>

namespace test
{

namespace
{

constexpr double reach = 3;
constexpr cltAabbD hidden = { { notANumber, 0, 0 }, { 1, 1, 1 } };

cltFilter randomFilter( Random& random )
{
    return { static_cast<int32_t>( 1 + random.below( 3 ) ), static_cast<int32_t>( random.below( 4 ) ) };
}

/// To a proxy that may have been through the same between these two updates.
void operate( World& world, std::vector<cltProxyId>& alive, Random& random )
{
    const size_t victim = random.below( static_cast<uint32_t>( alive.size() ) );
    switch ( random.below( 8 ) )
    {
    case 0:
        alive.push_back( world.create( randomCube( random, reach ), randomFilter( random ) ) );
        break;
    case 1:
        world.destroy( alive[victim] );
        alive[victim] = world.create( random.below( 4 ) == 0 ? hidden : randomCube( random, reach ) );
        break;
    case 2:
        world.setFilter( alive[victim], randomFilter( random ) );
        break;
    case 3:
        world.move( alive[victim], hidden );
        break;
    case 4: // far away and back again: nothing changed, and yet it is in the list of changes
        world.move( alive[victim], cube( 1000, 0, 0, 1 ) );
        world.move( alive[victim], world.oracle().proxies().at( alive[victim] ).box );
        break;
    default:
        world.move( alive[victim], randomCube( random, reach ) );
        break;
    }
}

bool noteHit( cltProxyId proxy, uint64_t, void* hits )
{
    static_cast<std::multiset<cltProxyId>*>( hits )->insert( proxy );
    return true;
}

} // namespace

void expectQuery( const World& world, const cltAabbD& box )
{
    std::multiset<cltProxyId> expected, found;
    for ( const auto& [proxy, known] : world.oracle().proxies() )
    {
        if ( overlaps( known.box, box ) )
        {
            expected.insert( proxy );
        }
    }
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBoxD( world.broadphase(), &box, noteHit, &found ) );
    EXPECT_EQ( expected, found );
}

void live( World& world, uint64_t seed, bool asksPairs )
{
    Random random( seed );
    std::vector<cltProxyId> alive = world.createAll( randomCubes( random, 60, reach ) );
    for ( int update = 0; update < lifeUpdates; ++update )
    {
        world.updateOnly();
        expectQuery( world, randomCube( random, reach ) );
        if ( asksPairs && random.below( 2 ) == 0 )
        {
            world.expectPairs();
        }
        for ( uint32_t k = 1u + random.below( 40 ); k > 0; --k )
        {
            operate( world, alive, random );
        }
        expectQuery( world, randomCube( random, reach ) );
        if ( asksPairs && random.below( 2 ) == 0 )
        {
            world.expectPairs();
        }
    }
    world.update();
}

} // namespace test
