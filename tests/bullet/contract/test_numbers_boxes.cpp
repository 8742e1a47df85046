// SPDX-License-Identifier: Zlib
// Planes, infinite, huge and tiny boxes among ordinary ones: CT-39. Inverted boxes and boxes without volume: CT-41.
#include "numbers.h"

#include <chrono>

using namespace test;

static void giveSomeOddBoxes( Bodies& bodies )
{
    Random& random = bodies.random();
    for ( int i = 0; i < 20; ++i )
    {
        Box box = bodies.randomBox();
        const int axis = int( random.below( 3 ) );
        const btScalar a = oddCoordinate( random ), b = oddCoordinate( random );
        box.lower[axis] = btMin( a, b );
        box.upper[axis] = btMax( a, b );
        bodies.move( bodies.at( random.below( uint32_t( bodies.size() ) ) ), box );
    }
}

TEST_P( Contract, CT39_InfiniteHugeAndTinyBoxesFormExactPairs )
{
    Arena arena( GetParam(), 39, 6 );
    Bodies& bodies = arena.bodies;
    const btVector3 everywhere( infinity, infinity, infinity );
    bodies.create( planeBox() );
    bodies.create( planeBox() );
    bodies.create( { -everywhere, everywhere } );
    bodies.create( { btVector3( -infinity, -1, -1 ), btVector3( infinity, 1, 1 ) } );
    for ( int i = 0; i < 400; ++i )
    {
        Box box = bodies.randomBox();
        const btScalar scales[] = { btScalar( 1e-6 ), 1, 1, 1, btScalar( 1e6 ) };
        box.upper = box.lower + ( box.upper - box.lower ) * scales[bodies.random().below( 5 )];
        bodies.create( box );
    }
    for ( int step = 0; step < 10; ++step )
    {
        giveSomeOddBoxes( bodies );
        bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() ) << "step " << step;
    }
}

/// Planes are created once, and bodies are created and move among them.
TEST_P( Contract, CT39_PlanesPairWithEveryBody )
{
    Arena arena( GetParam(), 40, 6 );
    Bodies& bodies = arena.bodies;
    const int ground = 2, moving = 1;
    for ( int i = 0; i < 3; ++i )
    {
        bodies.create( planeBox(), ground, moving );
    }
    for ( int i = 0; i < 200; ++i )
    {
        bodies.create( bodies.randomBox(), moving, ground );
    }
    bodies.update();
    ASSERT_EQ( 600, arena.pairCount() );
    bodies.moveAll( [&]( const Body& body ) { return body.id > 3 ? bodies.randomBox() : body.box; } );
    bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
}

/// Swaps the lower and upper bounds on some axes.
static Box inverted( Box box, Random& random )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( random.below( 3 ) == 0 )
        {
            btSwap( box.lower[axis], box.upper[axis] );
        }
    }
    return box;
}

TEST_P( Contract, CT41_InvertedBoxesFollowTheOverlapFormula )
{
    Arena arena( GetParam(), 41, 4 );
    Bodies& bodies = arena.bodies;
    for ( int step = 0; step < 5; ++step )
    {
        for ( int i = 0; i < 80; ++i )
        {
            bodies.create( inverted( bodies.randomBox(), bodies.random() ) );
        }
        bodies.create( { btVector3( -4, -4, -4 ), btVector3( 4, 4, 4 ) } ); // contains most of the others
        bodies.update();
        ASSERT_TRUE( arena.hasExactPairs() ) << "step " << step;
    }
    ASSERT_GT( arena.pairCount(), 1000 );
}

/// Points and segments on the faces, edges and corners of a box and of each other.
TEST_P( Contract, CT41_BoxesWithoutVolumeFormExactPairs )
{
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 2 ) );
    for ( int x = -1; x <= 3; ++x )
    {
        for ( int y = -1; y <= 3; ++y )
        {
            const btVector3 point( btScalar( x ), btScalar( y ), 2 );
            arena.bodies.create( { point, point } );
            arena.bodies.create( { point, point + btVector3( 1, 0, 0 ) } );
        }
    }
    arena.bodies.update();
    ASSERT_TRUE( arena.hasExactPairs() );
    ASSERT_GT( arena.pairCount(), 50 );
}

/// Milliseconds of the fastest of three steps in which 10,000 bodies move among `hugeCount` boxes that contain all
/// others. The filters reject all pairs, so this measures the search alone.
static double stepTime( const RigKind& kind, int hugeCount )
{
    Arena arena( kind, 41, spreadFor( 10000 ) );
    for ( int i = 0; i < hugeCount; ++i )
    {
        arena.bodies.create( planeBox(), 0, 0 );
    }
    for ( int i = 0; i < 10000; ++i )
    {
        arena.bodies.create( arena.bodies.randomBox(), 0, 0 );
    }
    arena.bodies.update();
    double best = 1e9;
    for ( int step = 0; step < 3; ++step )
    {
        const btVector3 shift( btScalar( step % 2 ? 0.2 : -0.2 ), 0, 0 );
        const auto begin = std::chrono::steady_clock::now();
        arena.bodies.moveAll(
            [&]( const Body& body ) -> Box {
                return { body.box.lower + shift, body.box.upper + shift };
            } );
        arena.bodies.update();
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
        best = std::min( best, taken.count() );
    }
    return best;
}

/// Ten planes cost ten tests per body. If they degraded a tree or the scene bounds, it would be 10,000 per body.
TEST_P( Contract, CT39Large_HugeBoxCostsOneTestPerBody )
{
    const Engine engine = GetParam().engine;
    if ( GetParam().algorithm == clt_algorithmBruteForce || engine == Engine::simple || engine == Engine::sap )
    {
        GTEST_SKIP() << "10,000 bodies take it seconds without a huge box";
    }
    const double alone = stepTime( GetParam(), 0 );
    const double amongTen = stepTime( GetParam(), 10 );
    EXPECT_LT( amongTen, alone * 6 + 5 ) << "milliseconds; alone it took " << alone;
}
