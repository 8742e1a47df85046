// SPDX-License-Identifier: Zlib
// Moves for which an update could take a wrong shortcut: no body moves, one or all; by more than a body's size; from
// and to odd boxes; large bodies become small; and there are more pairs than buffers hold.
#include "tests/behaviour/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Moves );

namespace
{

struct Scenario
{
    const char* name;
    Boxes boxes;
    int stepCount;
    void ( *change )( Boxes& boxes, Random& random, int step ); ///< may also append boxes
    std::vector<size_t> pairCounts = {}; ///< initially and after each step; empty: those of the oracle
};

constexpr double crowdReach = 6;

Boxes cubes( uint64_t seed, size_t count, double reach )
{
    Random random( seed );
    return randomCubes( random, count, reach );
}

/// A row of cubes along x.
Boxes row( int count, double apart, double half )
{
    return boxesOf( count, [=]( int i ) { return cube( apart * i, 0, 0, half ); } );
}

Boxes shiftedAll( Boxes boxes, double way )
{
    std::transform( boxes.begin(), boxes.end(), boxes.begin(),
                    [way]( const cltAabbD& box ) { return shifted( box, way ); } );
    return boxes;
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
constexpr int columnCount = 72; // so many boxes along 16 bars that a search lists them in several batches

cltAabbD latticeCube( int i )
{
    return cube( i % columnCount, i / columnCount, 0, 0.25 );
}

/// A lattice of cubes, and a bar along each of its rows.
Boxes barsAt( double z )
{
    const auto bar = [z]( int y ) { return cltAabbD{ { -9, 1.0 * y, z }, { columnCount + 9.0, y + 0.1, z + 1 } }; };
    return joined( boxesOf( barCount, bar ), boxesOf( barCount * columnCount, latticeCube ) );
}

void reachToInfinity( cltAabbD& box, Random& random )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const uint32_t choice = random.below( 4u );
        box.lower[axis] = choice % 2 == 1 ? -infinity : box.lower[axis];
        box.upper[axis] = choice >= 2 ? infinity : box.upper[axis];
    }
}

const std::vector<Scenario>& scenarios()
{
    static const std::vector<Scenario> all = {
        { "from no pair to all and back",
          row( 250, 3, 1 ),
          4,
          []( Boxes& boxes, Random&, int step ) { boxes = row( 250, step % 2 == 0 ? 0.001 : 3, 1 ); },
          { 0, 250 * 249 / 2, 0, 250 * 249 / 2, 0 } },
        { "one meets all",
          joined( row( 1000, 1, 0.25 ), { { { -9, -9, 5 }, { 1009, 9, 6 } } } ),
          1,
          []( Boxes& boxes, Random&, int ) { boxes.back().lower[2] = 0; },
          { 0, 1000 } },
        // More bars than the outlier limit. A group of neighbouring bars overlaps the whole scene.
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
          joined( row( 300, 3, 1 ), Boxes( 20, cube( 0, 0, 1000, 250 ) ) ),
          1,
          []( Boxes& boxes, Random&, int )
          { boxes = joined( shiftedAll( row( 300, 3, 1 ), 0.1 ), shiftedAll( row( 20, 1000, 250 ), 5000 ) ); },
          { 20 * 19 / 2, 0 } },
        // The union of a body's current and previous box would overlap all boxes in between.
        { "all or half across the scene", cubes( 11, 300, 5 ), 8,
          []( Boxes& boxes, Random& random, int step )
          { moveSome( boxes, size_t( step % 2 ), boxes.size(), size_t( 1 + step / 4 ), random, 5 ); } },
        { "one body through all", joined( row( 200, 1, 0.4 ), { cube( -10, 0, 0, 0.5 ) } ), 7,
          []( Boxes& boxes, Random&, int step )
          {
              const double places[] = { 50, 51, 51.5, 199, -10, 250, 0 };
              boxes.back() = cube( places[step], 0, 0, 0.5 );
          } },
        { "the whole scene together", cubes( 13, 200, 4 ), 4,
          []( Boxes& boxes, Random&, int step )
          {
              const double ways[] = { 1e3, -1e6, 1e7, 0 };
              boxes = shiftedAll( cubes( 13, 200, 4 ), ways[step] );
          } },
        { "growing and shrinking", cubes( 15, 200, 5 ), 7,
          []( Boxes& boxes, Random&, int step )
          {
              const double halves[] = { 0.1, 1, 100, 1e9, infinity, 0.5, 0 };
              boxes[7] = span( -halves[step], halves[step] );
          } },
        // Each cluster is smaller than a cell of the curve over the scene. Two share a cell; one has equal boxes.
        { "crowds far apart",
          joined(
              joined( joined( Boxes( 80, span( 7e5, 7e5 + 1 ) ), cubes( 31, 150, 5 ) ),
                      joined( shiftedAll( cubes( 32, 150, 5 ), 5e5 ), shiftedAll( cubes( 33, 150, 5 ), 5e5 + 300 ) ) ),
              shiftedAll( cubes( 34, 150, 5 ), 1e6 ) ),
          8,
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
              std::for_each( boxes.begin() + 60, boxes.end(),
                             [&]( cltAabbD& box ) { reachToInfinity( box, random ); } );
          } },
        // Outliers are tested against all leaves, so their number is limited. Further large bodies are no outliers.
        { "more large bodies come than outliers, move and become small", cubes( 72, 200, crowdReach ), 14,
          []( Boxes& boxes, Random& random, int step )
          {
              if ( step < 12 )
              {
                  boxes = joined( boxes, hugeCubes( random, 7 ) );
              }
              else if ( step == 12 )
              {
                  boxes = joined( cubes( 72, 200, crowdReach ), hugeCubes( random, int( boxes.size() ) - 200 ) );
              }
              moveSome( boxes, 200, step == 13 ? boxes.size() : 0, 3, random, crowdReach );
          } },
    };
    return all;
}

void play( const cltBroadphaseDef& def, const Scenario& scenario, bool asksPairs )
{
    SCOPED_TRACE( std::string( scenario.name ) + ( asksPairs ? ", asked for pairs" : "" ) );
    World world( def );
    Random random( 1 );
    Boxes boxes = scenario.boxes;
    Ids proxies = world.createAll( boxes );
    for ( int step = 0; step <= scenario.stepCount; ++step )
    {
        asksPairs ? world.update() : world.updateOnly();
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

TEST_P( Moves, AreFollowed )
{
    for ( const Scenario& scenario : scenarios() )
    {
        play( def(), scenario, false );
        play( def(), scenario, true );
    }
}

/// An outlier that becomes small needs a place among the other leaves, however many these are.
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
        play( def(), { "outliers become small", boxes, 2, change }, false );
    }
}

TEST_P( Moves, OneNoneOrTheSameBoxAgain )
{
    World world( def() );
    Random random( 41 );
    const Boxes boxes = randomCubes( random, 200, 3 );
    const Ids proxies = world.createAll( boxes );
    world.update();
    EXPECT_GT( world.pairCount(), 0u );
    for ( ptrdiff_t movedCount : { 0, 100 } )
    {
        world.moveAll( { proxies.begin(), proxies.begin() + movedCount }, boxes );
        world.update();
        EXPECT_EQ( 0u, world.stats().changedCount );
    }
    for ( int step = 0; step < 20; ++step )
    {
        world.move( proxies[random.below( 200u )], randomCube( random, 4 ) );
        world.update();
        EXPECT_EQ( 1u, world.stats().changedCount );
    }
}

/// If a body is hidden or moved away and restored between two updates, it keeps its pairs.
TEST_P( Moves, HiddenOrAwayAndBackBetweenUpdates )
{
    World world( def() );
    const Ids proxies = world.createAll( cubes( 9, 200, 3 ) );
    world.update();
    for ( int step = 0; step < 4; ++step )
    {
        for ( size_t i = 0; i < proxies.size(); i += 3 )
        {
            const cltAabbD box = world.boxOf( proxies[i] );
            world.move( proxies[i], step % 2 == 0 ? cltAabbD{ { notANumber, 0, 0 }, { 1, 1, 1 } } : span( 100, 101 ) );
            world.move( proxies[i], i % 2 == 0 ? box : shifted( box, 0.3 ) );
        }
        world.update();
    }
}

/// Listing all pairs searches with all bodies. The next step must search with its few moved bodies only. Their share is
/// small enough only in a large world.
TEST_P( Moves, FewAfterAllPairsWereAskedFor )
{
    World world( def() );
    world.createAll(
        boxesOf( 5000, []( int i ) { return cube( 3 * ( i % 17 ), 3 * ( i / 17 % 17 ), 3 * ( i / 289 ), 1 ); } ) );
    const Ids row = world.createAll( { cube( 100, 0, 0, 1 ), cube( 105, 0, 0, 1 ), cube( 110, 0, 0, 1 ) } );
    world.updateOnly();
    world.move( 0, cube( 0.1, 0, 0, 1 ) );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.move( row[1], cube( 101.5, 0, 0, 1 ) );
    world.updateOnly();
    world.move( row[2], cube( 102.5, 0, 0, 1 ) );
    world.updateOnly();
    EXPECT_EQ( 2u, world.pairCount() );
}
