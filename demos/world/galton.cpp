// SPDX-License-Identifier: Zlib
/// \file galton.cpp
/// Galton boards, one behind the other: balls fall through rows of static pegs into bins. Each ball stays in the plane
/// of its board. All boards share the plates between the bins, which are ground: they are not counted as bodies.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t ballSeed = 13;

// Lengths are in metres. Between a peg and a side there is space for a ball.
constexpr btScalar ballRadius = btScalar( 0.1 );
constexpr btScalar pegRadius = btScalar( 0.05 );
constexpr btScalar pegSpacing = btScalar( 0.6 );
constexpr btScalar rowSpacing = btScalar( 0.5 );
constexpr btScalar boardSpacing = btScalar( 0.3 ); // more than a ball, so that boards have no pairs with each other
constexpr btScalar binHeight = 3;
constexpr btScalar sideHeight = 18;
constexpr btScalar lowestBall = 9; // above the pegs
constexpr btScalar ballMass = 1;   // kilogram

/// Fraction of the velocity lost per second. Fast balls would spread over all bins alike; slow ones fill those in the
/// middle most.
constexpr btScalar ballDamping = btScalar( 0.95 );

constexpr int perRow = 10; ///< pegs in a row, and bins
constexpr int perPeg = 3;  ///< one peg and two balls
constexpr int perBoard = 300;
constexpr int ballsAbreast = 5; ///< above the middle of the board

/// Adds the sides of the boards, and the plates between the bins.
void addPlates( World& world, int boardCount )
{
    constexpr btScalar halfWidth = btScalar( 0.02 );
    const btScalar halfDepth = boardSpacing * btScalar( boardCount + 1 ) / 2;
    const auto shapeOf = [&]( btScalar height ) -> btCollisionShape&
    { return world.make<btBoxShape>( btVector3( halfWidth, height / 2, halfDepth ) ); };
    btCollisionShape& side = shapeOf( sideHeight );
    btCollisionShape& plate = shapeOf( binHeight );
    for ( int k = 0; k <= perRow; ++k )
    {
        const bool isSide = k % perRow == 0;
        const btVector3 centre( pegSpacing * ( btScalar( k ) - btScalar( perRow ) / 2 ),
                                ( isSide ? sideHeight : binHeight ) / 2, 0 );
        world.addBody( 0, isSide ? side : plate, upright( centre ) );
    }
}

/// The place of a peg on its board. Rows are in turn above the middles of the bins and above the plates.
btVector3 placeOfPeg( int peg )
{
    const int row = peg / perRow;
    const btScalar column = btScalar( peg % perRow ) + ( row % 2 == 0 ? btScalar( 0.5 ) : 0 );
    return btVector3{ pegSpacing * ( column - btScalar( perRow ) / 2 ), binHeight + rowSpacing * btScalar( 1 + row ),
                      0 };
}

btVector3 placeOfBall( int ball, Random& random )
{
    constexpr btScalar spacing = 3 * ballRadius;
    constexpr double jitter = double( ballRadius ) / 4;
    const btScalar column = btScalar( ball % ballsAbreast ) - btScalar( ballsAbreast - 1 ) / 2;
    return btVector3{ spacing * column + btScalar( random.between( -jitter, jitter ) ),
                      lowestBall + spacing * btScalar( ball / ballsAbreast ), 0 };
}

/// Adds a ball without friction, so that none comes to rest on a peg.
void addBall( World& world, btCollisionShape& shape, const btVector3& centre )
{
    btRigidBody& ball = world.addBody( ballMass, shape, upright( centre ) );
    ball.setFriction( 0 );
    ball.setRollingFriction( 0 );
    ball.setSpinningFriction( 0 );
    ball.setDamping( ballDamping, 0 );
    ball.setLinearFactor( btVector3( 1, 1, 0 ) );
}

} // namespace

void addGalton( World& world, int bodyCount )
{
    auto& peg = world.make<btSphereShape>( pegRadius );
    auto& ball = world.make<btSphereShape>( ballRadius );
    const int boardCount = ( bodyCount - 1 ) / perBoard + 1;
    Random random( ballSeed );
    addPlane( world );
    addPlates( world, boardCount );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const btVector3 board( 0, 0, boardSpacing * ( btScalar( index / perBoard ) - btScalar( boardCount - 1 ) / 2 ) );
        const int pegsSoFar = index % perBoard / perPeg;
        if ( index % perPeg == perPeg - 1 )
        {
            world.addBody( 0, peg, upright( board + placeOfPeg( pegsSoFar ) ) );
        }
        else
        {
            addBall( world, ball, board + placeOfBall( index % perBoard - pegsSoFar, random ) );
        }
    }
}

} // namespace cullet::demo
