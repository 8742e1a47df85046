// SPDX-License-Identifier: Zlib
// Box queries see the newest boxes: CT-31.
#include "queries.h"

#include <cmath>
#include <limits>

using namespace test;

/// One of: create, destroy, destroy and create at once, the same box again, a new place.
static void changeOneCube( Bodies& bodies, double reach )
{
    Random& random = bodies.random();
    const size_t index = random.below( uint32_t( bodies.size() ) );
    switch ( random.below( 6 ) )
    {
    case 0:
        createCubes( bodies, 1, reach );
        break;
    case 1:
        bodies.destroy( index );
        break;
    case 2:
        bodies.destroy( index );
        createCubes( bodies, 1, reach );
        break;
    case 3:
        bodies.move( bodies.at( index ), bodies.at( index ).box );
        break;
    default:
        moveCube( bodies, bodies.at( index ), reach );
    }
}

TEST_P( Contract, CT31_BoxesSeeEveryChangeAtOnce )
{
    const NoMargin exact;
    Arena arena( GetParam(), 31, 6 );
    createCubes( arena.bodies, 300, 5 );
    size_t hitCount = 0;
    for ( int i = 0; i < 2000; ++i )
    {
        changeOneCube( arena.bodies, 5 );
        if ( i % 50 == 0 )
        {
            arena.bodies.update();
        }
        const Box box = arena.bodies.randomBox();
        const std::vector<int> expected = expectedBoxHits( arena.bodies, box );
        ASSERT_EQ( expected, boxHits( arena.broadphase, box ) ) << "change " << i;
        hitCount += expected.size();
    }
    ASSERT_GT( hitCount, 2000u );
}

TEST_P( Contract, CT31_BoxesThatGrowAndShrink )
{
    const NoMargin exact;
    Arena arena( GetParam(), 32, 6 );
    arena.bodies.createRandom( 300 );
    for ( int i = 0; i < 1000; ++i )
    {
        arena.bodies.randomOperation();
        if ( i % 50 == 0 )
        {
            arena.bodies.update();
        }
        const Box box = arena.bodies.randomBox();
        ASSERT_EQ( expectedBoxHits( arena.bodies, box ), boxHits( arena.broadphase, box ) ) << "change " << i;
    }
}

TEST_P( Contract, CT31_TouchingIsAHitOneBitApartIsNot )
{
    const NoMargin exact;
    Arena arena( GetParam() );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        btVector3 along( 0, 0, 0 );
        along[axis] = 1;
        Box above = { along, along + btVector3( 1, 1, 1 ) }, below = { -along, btVector3( 1, 1, 1 ) - along };
        EXPECT_EQ( 1u, boxHits( arena.broadphase, above ).size() );
        EXPECT_EQ( 1u, boxHits( arena.broadphase, below ).size() );
        above.lower[axis] = std::nextafter( above.lower[axis], btScalar( 2 ) );
        below.upper[axis] = std::nextafter( below.upper[axis], btScalar( -1 ) );
        EXPECT_EQ( 0u, boxHits( arena.broadphase, above ).size() );
        EXPECT_EQ( 0u, boxHits( arena.broadphase, below ).size() );
    }
}

/// Whether all of `few` are in `many`.
static bool includes( const std::vector<int>& many, const std::vector<int>& few )
{
    return std::includes( many.begin(), many.end(), few.begin(), few.end() );
}

TEST_P( Contract, CT31_NoWiderThanTheMargin )
{
    Arena arena( GetParam(), 33, 6 );
    createCubes( arena.bodies, 300, 5 );
    for ( int i = 0; i < 300; ++i )
    {
        moveCube( arena.bodies, arena.bodies.at( size_t( i ) ), 5 );
        const Box box = arena.bodies.randomBox();
        const std::vector<int> hits = boxHits( arena.broadphase, box );
        ASSERT_TRUE( includes( hits, expectedBoxHits( arena.bodies, box ) ) );
        const btScalar roundedUp = gDbvtMargin * btScalar( 1.0001 );
        ASSERT_TRUE( includes( expectedBoxHits( arena.bodies, box, roundedUp ), hits ) );
    }
}
