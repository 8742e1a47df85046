// SPDX-License-Identifier: Zlib
// Dense scenes, and scenes with very different box sizes. Every algorithm is exact. The grid tests only a few pairs per
// body, because the tree takes over scenes that are too dense for it.
#include "gpu/core/grid.h"
#include "tests/behaviour/backends/each_config.h"

#include <cmath>

using namespace test;

CLT_EACH_CONFIG( Crowds );

namespace
{

/// Half edge of a cube in which `count` unit cubes fill a tenth of the volume.
double spreadReach( int count )
{
    return std::cbrt( 10.0 * count ) / 2;
}

Boxes spread( Random& random, int count )
{
    const double reach = spreadReach( count );
    const auto place = [&] { return random.between( -reach, reach ); };
    return boxesOf( count, [&]( int ) { return cube( place(), place(), place(), 0.5 ); } );
}

/// `count` cubes of half edge `half`, all centres within `reach` of one point on each axis.
Boxes heap( Random& random, int count, double reach, double half )
{
    const auto place = [&] { return 3 + random.between( -reach, reach ); };
    return boxesOf( count, [&]( int ) { return cube( place(), place(), place(), half ); } );
}

Boxes sizesFarApart( Random& random, int count, double smallest, double largest )
{
    const auto place = [&] { return random.between( -30, 30 ); };
    const auto half = [&] { return 0.5 * smallest * std::pow( largest / smallest, random.unit() ); };
    return boxesOf( count, [&]( int ) { return cube( place(), place(), place(), half() ); } );
}

/// A sheet of edge * edge flat boxes over a ball of edge * edge / 2 small cubes. The sheet hangs down beyond the ball.
Boxes sheetOverBall( Random& random, int edge )
{
    const auto sheet = [edge]( int i )
    {
        const double x = 3.0 * ( i % edge ) / edge - 1.5;
        const double y = 3.0 * ( i / edge ) / edge - 1.5;
        const double radius = std::hypot( x, y );
        const double fold = radius < 1 ? 1 : 1 / radius; // beyond the ball it hangs down
        const double z = radius < 1 ? std::sqrt( 1.02 - radius * radius ) : 1 - radius;
        return cltAabbD{ { fold * x, fold * y, z }, { fold * x + 6.0 / edge, fold * y + 6.0 / edge, z + 1.0 / edge } };
    };
    const auto ball = [&random]( int )
    {
        const double z = random.between( -1, 1 );
        const double angle = random.between( 0, 6.3 );
        const double ring = std::sqrt( 1 - z * z );
        return cube( ring * std::cos( angle ), ring * std::sin( angle ), z, 0.1 );
    };
    return joined( boxesOf( edge * edge, sheet ), boxesOf( edge * edge / 2, ball ) );
}

struct Crowd
{
    const char* name;
    Boxes boxes;
    size_t firstOfOthers; ///< bodies before this index have filter `team`, all later ones `others`
    cltFilter team;
    cltFilter others;
    cltAlgorithm gridRuns; ///< the algorithm that runs if clt_algorithmGrid is requested
};

std::vector<Crowd> crowds()
{
    Random random( 1301 );
    const cltFilter all = defaultFilter;
    return {
        { "spread", spread( random, 900 ), 0, all, all, clt_algorithmGrid },
        { "a heap among many that are spread", joined( spread( random, 1500 ), heap( random, 60, 0.5, 0.5 ) ), 0, all,
          all, clt_algorithmGrid },
        { "most in a heap", joined( spread( random, 300 ), heap( random, 400, 1.5, 0.5 ) ), 0, all, all,
          clt_algorithmLbvh },
        { "small ones close to each other", joined( spread( random, 400 ), heap( random, 400, 0.3, 0.02 ) ), 0, all,
          all, clt_algorithmLbvh },
        { "all in one cell", heap( random, 300, 0.2, 1 ), 0, all, all, clt_algorithmLbvh },
        { "all in one cell, none may pair", heap( random, 900, 0.2, 1 ), 0, { 2, ~2 }, { 2, ~2 }, clt_algorithmLbvh },
        { "sizes from 0.1 to 100", sizesFarApart( random, 800, 0.1, 100 ), 0, all, all, clt_algorithmLbvh },
        { "many that are too large for cells", joined( spread( random, 700 ), sizesFarApart( random, 60, 20, 40 ) ), 0,
          all, all, clt_algorithmLbvh },
        { "some that are too large for cells", joined( spread( random, 1500 ), sizesFarApart( random, 9, 14, 20 ) ), 0,
          all, all, clt_algorithmGrid },
        { "sheet over ball", sheetOverBall( random, 24 ), 0, all, all, clt_algorithmGrid },
        { "sheet over ball, across alone",
          sheetOverBall( random, 24 ),
          24 * 24,
          { 1, 2 },
          { 2, 1 },
          clt_algorithmGrid },
    };
}

/// Expects that a grid tested a bounded number of candidates per leaf.
void expectBounded( const World& world, size_t bodyCount )
{
    const uint64_t leafCount = 2u * bodyCount; // if all bodies jumped
    EXPECT_LE( world.researchStats().candidateCount, CLT_GRID_MAX_TESTS_PER_LEAF * leafCount );
}

} // namespace

TEST_P( Crowds, EqualTheDefinition )
{
    for ( const Crowd& crowd : crowds() )
    {
        SCOPED_TRACE( crowd.name );
        World world( def() );
        Random random( 1302 );
        Ids ids;
        for ( size_t i = 0; i < crowd.boxes.size(); ++i )
        {
            ids.push_back( world.create( crowd.boxes[i], i < crowd.firstOfOthers ? crowd.team : crowd.others ) );
        }
        for ( uint32_t share : { 1u, 1u, 30u } ) // all bodies move, then few
        {
            world.update();
            if ( def().algorithm == clt_algorithmGrid )
            {
                EXPECT_EQ( crowd.gridRuns, world.stats().algorithm );
                EXPECT_EQ( crowd.gridRuns == clt_algorithmGrid, world.researchStats().candidateCount > 0 );
                expectBounded( world, ids.size() );
            }
            for ( const cltProxyId id : ids )
            {
                if ( random.below( share ) == 0 )
                {
                    world.move( id, shifted( world.boxOf( id ), random.between( -0.02, 0.02 ) ) );
                }
            }
        }
        world.update();
    }
}

/// All bodies move into one place and apart again. The grid switches to the tree and back, and no pair is lost.
TEST_P( Crowds, ComeAndGo )
{
    constexpr int count = 400;
    World world( def() );
    Random random( 1303 );
    const Boxes apart = spread( random, count );
    const Ids ids = world.createAll( apart );
    const auto expectRuns = [&]( cltAlgorithm algorithm )
    {
        if ( def().algorithm == clt_algorithmGrid )
        {
            EXPECT_EQ( algorithm, world.stats().algorithm );
            EXPECT_EQ( algorithm == clt_algorithmGrid, std::string( "asked for" ) == world.stats().reason );
            expectBounded( world, count );
        }
    };
    world.update();
    expectRuns( clt_algorithmGrid );
    for ( int round = 0; round < 2; ++round )
    {
        world.moveAll( ids, heap( random, count, 0.5, 0.5 ) );
        world.update();
        expectRuns( clt_algorithmLbvh );
        world.moveAll( ids, apart );
        world.update();
        expectRuns( clt_algorithmLbvh ); // the tree is kept for some more updates
        for ( uint32_t i = 0; i < CLT_GRID_DENSE_UPDATES; ++i )
        {
            world.move( ids[i % 7], randomCube( random, spreadReach( count ) ) );
            world.updateOnly();
        }
        world.expectPairs();
        expectRuns( clt_algorithmGrid );
    }
}

/// A scene in which the grid never switches to the tree. Bodies jump, hide, outgrow all cells and shrink again, change
/// their filters, and are created and destroyed.
TEST_P( Crowds, LivesInASpreadWorld )
{
    World world( def() );
    Random random( 1304 );
    const double reach = spreadReach( 600 );
    const Ids wide = world.createAll( boxesOf( 8, []( int ) { return cube( 0, 0, 0, 0.5 ); } ) );
    world.createAll( spread( random, 600 ) );
    for ( int step = 0; step < 12; ++step )
    {
        const cltAabbD odd[] = { cube( random.between( -reach, reach ), 0, 0, random.between( 6, 50 ) ),
                                 { { -infinity, -1, 0 }, { infinity, 1, 1 } },
                                 { { 1, 0, 0 }, { -1, 1, 1 } }, // inverted
                                 randomCube( random, reach ) };
        for ( const cltProxyId id : wide )
        {
            world.move( id, odd[random.below( 4 )] );
        }
        const std::map<cltProxyId, World::Proxy> known = world.proxies();
        for ( auto proxy = known.upper_bound( wide.back() ); proxy != known.end(); ++proxy )
        {
            const uint32_t kind =
                random.below( step % 4 == 3 ? 1000 : 12 ); // in every fourth step hardly any body changes
            const cltProxyId id = proxy->first;
            if ( kind == 0 )
            {
                world.destroy( id );
                world.create( randomCube( random, reach ) );
            }
            else if ( kind == 1 )
            {
                world.setFilter( id, { 1 << random.below( 3 ), static_cast<int>( random.below( 8 ) ) } );
            }
            else if ( kind == 2 )
            {
                world.move( id, span( notANumber, 0 ) );
            }
            else if ( kind < 10 )
            {
                world.move( id, kind < 4 ? randomCube( random, reach ) : shifted( proxy->second.box, 0.3 ) );
            }
        }
        world.update();
        if ( def().algorithm == clt_algorithmGrid )
        {
            EXPECT_EQ( clt_algorithmGrid, world.stats().algorithm );
        }
    }
}
