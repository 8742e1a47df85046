// SPDX-License-Identifier: Zlib
// Inverted boxes, boxes without volume, many in one place: CT-41.
#include "many_pairs.h"
#include "numbers.h"

using namespace test;

/// Some of its sides swapped, so that its lower end lies above its upper one.
static Box invertedSomewhere( Box box, Random& random )
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

TEST_P( Contract, CT41_InvertedBoxesFollowTheFormula )
{
    Arena arena( GetParam(), 41, 4 );
    Bodies& bodies = arena.bodies;
    for ( int step = 0; step < 5; ++step )
    {
        for ( int i = 0; i < 80; ++i )
        {
            bodies.create( invertedSomewhere( bodies.randomBox(), bodies.random() ) );
        }
        bodies.create( { btVector3( -4, -4, -4 ), btVector3( 4, 4, 4 ) } ); // spans both ends of most
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), arena.pairs() ) ) << "step " << step;
    }
    ASSERT_GT( arena.pairs().size(), 1000u );
}

/// Points and flat boxes on the faces, edges and corners of a box and of each other.
TEST_P( Contract, CT41_BoxesWithoutVolume )
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
    ASSERT_TRUE( samePairs( arena.bodies.expectedPairs(), arena.pairs() ) );
    ASSERT_GT( arena.pairs().size(), 50u );
}

TEST_P( Contract, CT41_CoincidentPoints )
{
    expectAllPairs( GetParam(), 300 );
}

TEST_P( Contract, CT41Large_ThreeThousandCoincidentPoints )
{
    expectAllPairs( GetParam(), 3000 );
}
