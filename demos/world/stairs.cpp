// SPDX-License-Identifier: Zlib
/// \file stairs.cpp
/// Long stairs, and the dolls of ragdolls.cpp, which fall down them. Steps are as wide as the stairs, so the box of a
/// step overlaps the boxes of many limbs. The steps are ground: they are not counted as bodies.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t tumbleSeed = 19;

constexpr btScalar stepSize = btScalar( 0.3 );   // height and depth, in metres
constexpr btScalar dropHeight = btScalar( 1.6 ); // from the middles of the dolls to the steps, in metres
constexpr btScalar startSpeed = 3;               // down the stairs, in metres per second

/// With that of other worlds, 0.8, a quarter of 2,000 limbs stay on the stairs.
constexpr btScalar dollFriction = btScalar( 0.2 );

/// Adds stairs that rise by 45 degrees from z = 0 towards negative z.
void addSteps( World& world, btScalar width, btScalar length )
{
    const int stepCount = int( length / stepSize );
    for ( int step = 1; step <= stepCount; ++step )
    {
        const btScalar back = stepSize * btScalar( step ); // also the height
        world.addBody( 0, world.make<btBoxShape>( btVector3( width, back, stepSize ) / 2 ),
                       upright( btVector3( 0, back, stepSize - 2 * back ) / 2 ) );
    }
}

} // namespace

void addStairs( World& world, int bodyCount )
{
    const int count = dollCount( bodyCount );
    const Square places( 4 * count, dollSpacing ); // its first quarter is used, so the stairs are wide
    const auto depthOf = [&]( int doll ) { return dollSpacing * btScalar( doll / places.perSide + 1 ); };
    addPlane( world );
    addSteps( world, dollSpacing * btScalar( places.perSide + 2 ), depthOf( count - 1 ) + dollSpacing );
    addDolls( world, bodyCount,
              [&]( int doll )
              {
                  Random random( tumbleSeed + std::uint64_t( doll ) );
                  const btScalar depth = depthOf( doll );
                  const btVector3 centre( places.place( doll ).x(), depth + dropHeight, -depth );
                  return btTransform( randomAttitude( random ), centre );
              } );
    for ( btRigidBody* limb : world.bodies() )
    {
        limb->setFriction( dollFriction );
        limb->setLinearVelocity( btVector3( 0, 0, startSpeed ) );
    }
}

} // namespace cullet::demo
