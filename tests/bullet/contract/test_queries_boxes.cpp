// SPDX-License-Identifier: Zlib
// Box queries see the latest boxes: CT-31.
#include "queries.h"

#include <cmath>
#include <limits>

using namespace test;

TEST_P( Contract, CT31_BoxQueriesSeeEveryChangeAtOnce )
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

TEST_P( Contract, CT31_TouchingBoxIsHitAndBoxOneBitApartIsNot )
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

/// Whether `set` contains all of `subset`.
static bool includes( const std::vector<int>& set, const std::vector<int>& subset )
{
    return std::includes( set.begin(), set.end(), subset.begin(), subset.end() );
}

TEST_P( Contract, CT31_HitsLieWithinTheMargin )
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
