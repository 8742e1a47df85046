// SPDX-License-Identifier: Zlib
// Dense scenes, and scenes with very different box sizes. The grid tests only a few pairs per body, because the tree
// takes over scenes that are too dense for it.
#include "gpu/core/grid.h"
#include "tests/behaviour/backends/each_config.h"

#include <cmath>

using namespace test;

namespace
{

/// The configurations with the grid. All other algorithms accept scenes of any density.
std::vector<Config> gridConfigs()
{
    std::vector<Config> configs = allConfigs();
    const auto isOther = []( const Config& config ) { return config.algorithm != clt_algorithmGrid; };
    configs.erase( std::remove_if( configs.begin(), configs.end(), isOther ), configs.end() );
    return configs;
}

class Crowds : public EachConfig
{
protected:
    /// Expects that `algorithm` ran: the grid, with few candidates tested per leaf, or the tree that replaces the grid.
    static void expectRuns( const World& world, cltAlgorithm algorithm )
    {
        const uint64_t leafCount = 2u * world.proxies().size(); // the maximum: two for a body that jumped
        const uint64_t candidateCount = world.researchStats().candidateCount;
        EXPECT_EQ( algorithm, world.stats().algorithm );
        EXPECT_EQ( algorithm == clt_algorithmGrid, std::string( "asked for" ) == world.stats().reason );
        EXPECT_EQ( algorithm == clt_algorithmGrid, candidateCount > 0 );
        EXPECT_LE( candidateCount, CLT_GRID_MAX_TESTS_PER_LEAF * leafCount );
    }
};

INSTANTIATE_TEST_SUITE_P(, Crowds, testing::ValuesIn( gridConfigs() ), configName );

/// Half edge of a cube in which `count` unit cubes fill a tenth of the volume.
double spreadReach( int count )
{
    return std::cbrt( 10.0 * count ) / 2;
}

/// `count` cubes of half edge `half`. On each axis their centres are within `reach` of one point.
Boxes heap( int count, double reach, double half )
{
    Random random( uint64_t( count ) + 7 );
    const auto place = [&] { return 3 + random.between( -reach, reach ); };
    return boxesOf( count, [&]( int ) { return cube( place(), place(), place(), half ); } );
}

Boxes spread( int count )
{
    return heap( count, spreadReach( count ), 0.5 );
}

Boxes sizesFarApart( int count, double smallest, double largest )
{
    Random random( uint64_t( count ) + 5 );
    const auto place = [&] { return random.between( -30, 30 ); };
    const auto half = [&] { return 0.5 * smallest * std::pow( largest / smallest, random.unit() ); };
    return boxesOf( count, [&]( int ) { return cube( place(), place(), place(), half() ); } );
}

} // namespace

/// The tree replaces the grid in scenes that are too dense for it, or that have many bodies too large for its cells.
TEST_P( Crowds, RunTheTreeIfTooDenseForTheGrid )
{
    struct Crowd
    {
        const char* name;
        Boxes boxes;
        cltAlgorithm runs;
    };
    const Crowd crowds[] = {
        { "spread", spread( 900 ), clt_algorithmGrid },
        { "a heap among many that are spread", joined( spread( 1500 ), heap( 60, 0.5, 0.5 ) ), clt_algorithmGrid },
        { "most in a heap", joined( spread( 300 ), heap( 400, 1.5, 0.5 ) ), clt_algorithmLbvh },
        { "all in one cell", heap( 300, 0.2, 1 ), clt_algorithmLbvh },
        { "sizes from 0.1 to 100", sizesFarApart( 800, 0.1, 100 ), clt_algorithmLbvh },
        { "many too large for cells", joined( spread( 700 ), sizesFarApart( 60, 20, 40 ) ), clt_algorithmLbvh },
        { "some too large for cells", joined( spread( 1500 ), sizesFarApart( 9, 14, 20 ) ), clt_algorithmGrid },
    };
    for ( const Crowd& crowd : crowds )
    {
        SCOPED_TRACE( crowd.name );
        World world( def() );
        Random random( 1302 );
        const Ids ids = world.createAll( crowd.boxes );
        for ( uint32_t share : { 1u, 30u } ) // all bodies move, then one in thirty
        {
            world.update();
            expectRuns( world, crowd.runs );
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

/// All bodies move to one place and then apart. The grid switches to the tree and back, and no pair is lost.
TEST_P( Crowds, SwitchTheGridToTheTreeAndBack )
{
    constexpr int count = 400;
    World world( def() );
    Random random( 1303 );
    const Boxes apart = spread( count );
    const Ids ids = world.createAll( apart );
    world.update();
    expectRuns( world, clt_algorithmGrid );
    for ( int round = 0; round < 2; ++round )
    {
        world.moveAll( ids, heap( count, 0.5, 0.5 ) );
        world.update();
        expectRuns( world, clt_algorithmLbvh );
        for ( int i = 0; i < 3; ++i )
        {
            world.move( ids[0], shifted( world.boxOf( ids[0] ), 0.01 ) );
            world.updateOnly();
            expectRuns( world, clt_algorithmLbvh );
            EXPECT_EQ( 0u, world.researchStats().redoCount ) << "the grid is not tried each time";
        }
        world.moveAll( ids, apart );
        world.update();
        expectRuns( world, clt_algorithmLbvh ); // the tree is kept for some more updates
        for ( uint32_t i = 0; i < CLT_GRID_DENSE_UPDATES; ++i )
        {
            world.move( ids[i % 7], randomCube( random, spreadReach( count ) ) );
            world.updateOnly();
        }
        world.expectPairs();
        expectRuns( world, clt_algorithmGrid );
    }
}

/// A grid with cells so large that it reaches the distant body would have all other bodies in a few cells.
TEST_P( Crowds, KeepTheGridWhenOneBodyIsFarAway )
{
    World world( def() );
    Random random( 11 );
    world.createAll( randomCubes( random, 2000, 20 ) );
    const cltProxyId lost = world.create( span( 0, 1 ) );
    for ( double place : { -1e4, -1e5, -1e30 } )
    {
        world.move( lost, span( place, place + 1 ) );
        world.update();
        expectRuns( world, clt_algorithmGrid );
        EXPECT_LT( world.researchStats().candidateCount, 2000u * 1999u / 2u / 10u );
    }
}

/// Bodies jump, drift, hide, outgrow all cells and shrink again, change their filters, and are created and destroyed.
/// In every fourth step hardly any body changes. The grid never switches to the tree.
TEST_P( Crowds, SpreadWorldsKeepTheGrid )
{
    World world( def() );
    Random random( 1304 );
    const double reach = spreadReach( 600 );
    const Ids wide = world.createAll( randomCubes( random, 8, reach ) );
    world.createAll( spread( 600 ) );
    for ( int step = 0; step < 12; ++step )
    {
        const std::map<cltProxyId, World::Proxy> known = world.proxies();
        for ( const auto& [id, proxy] : known )
        {
            const bool isWide = id <= wide.back();
            const cltAabbD large = { { -infinity, -1, 0 }, { infinity, 1, 1 } };
            switch ( random.below( step % 4 == 3 ? 1000 : 12 ) )
            {
            case 0:
                world.destroy( id );
                world.create( randomCube( random, reach ) );
                break;
            case 1:
                world.setFilter( id, { 1 << random.below( 3 ), static_cast<int>( random.below( 8 ) ) } );
                break;
            case 2:
                world.move( id, isWide ? large : span( notANumber, 0 ) );
                break;
            case 3:
            case 4:
                world.move( id, isWide ? cube( 0, 0, 0, random.between( 6, 50 ) ) : randomCube( random, reach ) );
                break;
            case 5:
            case 6:
            case 7:
            case 8:
                world.move( id, shifted( proxy.box, 0.3 ) );
                break;
            default:
                break;
            }
        }
        world.update();
        EXPECT_EQ( clt_algorithmGrid, world.stats().algorithm );
    }
}
