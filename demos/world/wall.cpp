// SPDX-License-Identifier: Zlib
/// \file wall.cpp
/// A wall of bricks, deactivated, and a heavy ball that hits it after one second. Until then only the ball moves, and
/// then all bricks do at once, because Bullet activates all bodies that are connected by pairs.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"

#include <algorithm>

namespace cullet::demo
{
namespace
{

const btVector3 halfBrick( btScalar( 0.3 ), btScalar( 0.15 ), btScalar( 0.2 ) ); // metres

/// Metres between neighbours of a row, so that bricks have no pairs within it.
constexpr btScalar joint = btScalar( 0.02 );

// Kilograms per cubic metre.
constexpr btScalar brickDensity = 10;
constexpr btScalar ballDensity = 20;

constexpr btScalar ballSpeed = 20; // metres per second
constexpr btScalar secondsToImpact = 1;
constexpr btScalar ballShare = btScalar( 0.35 ); // the ball's radius divided by the wall's height

/// Adds a wall in the plane z = 0: as many rows as bricks in a row, each shifted by half a brick.
void addBricks( World& world, int count, int perRow )
{
    auto& shape = world.make<btBoxShape>( halfBrick );
    const btScalar mass = 8 * brickDensity * halfBrick.x() * halfBrick.y() * halfBrick.z();
    const btScalar spacing = 2 * halfBrick.x() + joint;
    for ( int index = 0; index < count; ++index )
    {
        const int row = index / perRow;
        const btScalar fromMiddle = btScalar( index % perRow ) - btScalar( perRow - row % 2 ) / 2;
        const btVector3 centre( spacing * fromMiddle, halfBrick.y() * btScalar( 1 + 2 * row ), 0 );
        world.addBody( mass, shape, upright( centre ) ).forceActivationState( ISLAND_SLEEPING );
    }
}

/// Adds a ball that is thrown so that it hits the wall half way up.
void addBall( World& world, btScalar wallHeight )
{
    const btScalar radius = std::max( wallHeight * ballShare, halfBrick.x() );
    const btScalar mass = ballDensity * radius * radius * radius * SIMD_PI * 4 / 3;
    const btVector3 start( 0, std::max( wallHeight / 2, radius ), radius + ballSpeed * secondsToImpact );
    world.addBody( mass, world.make<btSphereShape>( radius ), upright( start ) )
        .setLinearVelocity( btVector3( 0, gravity * secondsToImpact / 2, -ballSpeed ) );
}

} // namespace

void addWall( World& world, int bodyCount )
{
    const int brickCount = bodyCount - 1;
    const int perRow = Square( std::max( brickCount, 1 ), 1 ).perSide;
    // Corrects all penetrations without changing velocities. With Bullet's threshold, a wall of 300 bricks throws its
    // upper rows into the air as soon as it is activated.
    world.bullet().getSolverInfo().m_splitImpulsePenetrationThreshold = 0;
    addPlane( world );
    addBricks( world, brickCount, perRow );
    addBall( world, 2 * halfBrick.y() * btScalar( perRow ) );
}

} // namespace cullet::demo
