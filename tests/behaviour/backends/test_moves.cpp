// SPDX-License-Identifier: Zlib
// Moves for which an update could take a wrong shortcut: no body, one or all bodies move; boxes become infinite or NaN,
// and finite again; large bodies become small; there are more pairs than buffers hold.
#include "tests/behaviour/backends/each_config.h"

using namespace test;

namespace
{

struct Scenario
{
    const char* name;
    Boxes boxes;
    int stepCount;
    void ( *change )( Boxes& boxes, Random& random, int step ); ///< may also append boxes
    std::vector<size_t> pairCounts = {}; ///< initially and after each step; empty: only the oracle decides
};

constexpr double crowdReach = 6;

Boxes cubes( uint64_t seed, size_t count, double reach, double distance = 0 )
{
    Random random( seed );
    return boxesOf( int( count ), [&]( int ) { return shifted( randomCube( random, reach ), distance ); } );
}

Boxes hugeCubes( Random& random, int count )
{
    return boxesOf( count, [&]( int )
                    { return cube( random.between( -crowdReach, crowdReach ), 0, 0, random.between( 20, 200 ) ); } );
}

void moveSome( Boxes& boxes, size_t first, size_t last, size_t stride, Random& random, double reach )
{
    for ( size_t i = first; i < last; i += stride )
    {
        boxes[i] = randomCube( random, reach );
    }
}

constexpr int barCount = 48;
constexpr int columnCount = 72; // a search lists so many boxes along 16 bars in several batches

/// A lattice of cubes, and a bar along each of its rows.
Boxes barsAt( double z )
{
    const auto bar = [z]( int y ) { return cltAabbD{ { -9, 1.0 * y, z }, { columnCount + 9.0, y + 0.1, z + 1 } }; };
    const auto point = []( int i ) { return cube( i % columnCount, i / columnCount, 0, 0.25 ); };
    return joined( boxesOf( barCount, bar ), boxesOf( barCount * columnCount, point ) );
}

const std::vector<Scenario>& scenarios()
{
    static const std::vector<Scenario> all = {
        // Far more pairs than the initial capacity, which is two per body.
        { "from no pair to all and back",
          cubesInARow( 250, 3, 1 ),
          4,
          []( Boxes& boxes, Random&, int step ) { boxes = cubesInARow( 250, step % 2 == 0 ? 0.001 : 3, 1 ); },
          { 0, 250 * 249 / 2, 0, 250 * 249 / 2, 0 } },
        { "one meets all",
          joined( cubesInARow( 1000, 1, 0.25 ), { { { -9, -9, 5 }, { 1009, 9, 6 } } } ),
          1,
          []( Boxes& boxes, Random&, int ) { boxes.back().lower[2] = 0; },
          { 0, 1000 } },
        // More bars than the outlier limit. The bounds of neighbouring bars overlap much of the scene.
        { "bars across many small boxes",
          barsAt( 5 ),
          2,
          []( Boxes& boxes, Random&, int step )
          {
              boxes = barsAt( 0 ); // only the bars move, in the next step many cubes
              for ( size_t i = barCount; i < boxes.size() && step == 1; i += 2 )
              {
                  boxes[i] = shifted( boxes[i], -0.6 );
              }
          },
          { 0, barCount * columnCount, barCount * columnCount / 2 } },
        // More huge boxes than fit into a block of outliers.
        { "huge boxes part at once",
          joined( cubesInARow( 300, 3, 1 ), Boxes( 20, cube( 0, 0, 1000, 250 ) ) ),
          1,
          []( Boxes& boxes, Random&, int )
          {
              const auto apart = []( int i ) { return cube( 5000 + 1000 * i, 0, 1000, 250 ); };
              boxes = joined( cubesInARow( 300, 3, 1.1 ), boxesOf( 20, apart ) );
          },
          { 20 * 19 / 2, 0 } },
        { "the whole scene together", cubes( 13, 200, 4 ), 3,
          []( Boxes& boxes, Random&, int step )
          {
              const double ways[] = { 1e3, -1e6, 1e7 };
              boxes = cubes( 13, 200, 4, ways[step] );
          } },
        // So many pairs that the previous and the current pair list are compared in several ranges.
        { "many appear", cubes( 11, 700, 4 ), 3,
          []( Boxes& boxes, Random& random, int ) { boxes = joined( boxes, randomCubes( random, 500, 4 ) ); } },
        // Each cluster is smaller than a cell of the scene's curve. Two clusters share a cell; one is of equal boxes.
        { "crowds far apart",
          joined( joined( Boxes( 80, span( 7e5, 7e5 + 1 ) ), cubes( 31, 150, 5 ) ),
                  joined( cubes( 32, 150, 5, 5e5 ), cubes( 33, 150, 5, 5e5 + 300 ) ) ),
          4,
          []( Boxes& boxes, Random& random, int step )
          {
              for ( cltAabbD& box : boxes )
              {
                  box = shifted( box, random.between( -0.5, 0.5 ) );
              }
              boxes[80 + size_t( step )] = cube( -1e6, 0, 0, 1 );
          } },
        // Too many boxes to be outliers; their centres are infinite or NaN.
        { "most reach to infinity", cubes( 6, 400, 3 ), 3,
          []( Boxes& boxes, Random& random, int )
          {
              moveSome( boxes, 60, boxes.size(), 1, random, 3 );
              for ( size_t i = 60; i < boxes.size(); ++i )
              {
                  const uint32_t axis = random.below( 3u );
                  boxes[i].lower[axis] = random.oneIn( 2 ) ? -infinity : boxes[i].lower[axis];
                  boxes[i].upper[axis] = random.oneIn( 2 ) ? infinity : boxes[i].upper[axis];
              }
          } },
        // Outliers are tested against all leaves, so their number is limited. Further large bodies are no outliers.
        { "more large bodies come than outliers, move and become small", cubes( 72, 200, crowdReach ), 14,
          []( Boxes& boxes, Random& random, int step )
          {
              if ( step < 12 )
              {
                  boxes = joined( boxes, hugeCubes( random, 7 ) );
              }
              moveSome( boxes, 200, step == 13 ? boxes.size() : 0, 3, random, crowdReach );
          } },
    };
    return all;
}

void runScenario( const cltBroadphaseDef& def, const Scenario& scenario, bool comparesPairList )
{
    SCOPED_TRACE( std::string( scenario.name ) + ( comparesPairList ? ", asked for pairs" : "" ) );
    World world( def );
    Random random( 1 );
    Boxes boxes = scenario.boxes;
    Ids proxies = world.createAll( boxes );
    for ( int step = 0; step <= scenario.stepCount; ++step )
    {
        comparesPairList ? world.update() : world.updateOnly();
        if ( !scenario.pairCounts.empty() )
        {
            EXPECT_EQ( scenario.pairCounts[size_t( step )], world.pairCount() ) << "after step " << step;
        }
        if ( step < scenario.stepCount )
        {
            scenario.change( boxes, random, step );
            world.moveAll( proxies, boxes );
            const Ids come = world.createAll( { boxes.begin() + ptrdiff_t( proxies.size() ), boxes.end() } );
            proxies.insert( proxies.end(), come.begin(), come.end() );
        }
    }
}

} // namespace

CLT_EACH_CONFIG( Moves );

TEST_P( Moves, ReportExactChanges )
{
    bool comparesPairList = false;
    for ( const Scenario& scenario : scenarios() )
    {
        runScenario( def(), scenario, comparesPairList );
        comparesPairList = !comparesPairList;
    }
}

/// Outliers that become small are inserted among the other leaves, however many there are.
TEST_P( Moves, OutliersBecomeSmall )
{
    for ( size_t count = 96; count < 130; ++count )
    {
        const auto change = []( Boxes& boxes, Random& random, int step )
        {
            moveSome( boxes, 0, step == 0 ? 20 : 0, 1, random, crowdReach );
            moveSome( boxes, 20, boxes.size(), step == 0 ? 4 : 2, random, step == 0 ? 100 * crowdReach : crowdReach );
        };
        Random random( 73 );
        const Boxes boxes = joined( hugeCubes( random, 20 ), randomCubes( random, count, crowdReach ) );
        runScenario( def(), { "outliers become small", boxes, 2, change }, false );
    }
}

TEST_P( Moves, AreCountedIfTheBoxChanges )
{
    World world( def() );
    Random random( 41 );
    const Boxes boxes = randomCubes( random, 200, 3 );
    const Ids proxies = world.createAll( boxes );
    world.update();
    for ( ptrdiff_t movedCount : { 0, 100 } )
    {
        world.moveAll( { proxies.begin(), proxies.begin() + movedCount }, boxes );
        world.update();
        EXPECT_EQ( 0u, world.stats().changedCount );
    }
    world.move( proxies[random.below( 200u )], randomCube( random, 4 ) );
    world.update();
    EXPECT_EQ( 1u, world.stats().changedCount );
}
