// SPDX-License-Identifier: Zlib
/// \file debris.cpp
/// Explosions of fragments, each beside an obstacle. As in many games, fragments collide with static bodies only. Their
/// boxes overlap by the hundred, at the start and where they land, but their groups and masks reject these pairs.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t fragmentSeed = 17;
constexpr btScalar fragmentMass = 1; // kilogram

// The last body of an explosion is the obstacle.
constexpr int perExplosion = 50;

constexpr PairFilter fragmentFilter = { btBroadphaseProxy::DebrisFilter, btBroadphaseProxy::StaticFilter };

// Metres.
constexpr btScalar explosionSpacing = 5;
constexpr btScalar explosionHeight = 1;
constexpr double startRadius = 0.5; ///< around the centre of the explosion
const btVector3 halfFragment( btScalar( 0.15 ), btScalar( 0.05 ), btScalar( 0.1 ) );
const btVector3 halfObstacle( btScalar( 0.5 ), 1, 1 );
const btVector3 toObstacle( 2, 0, 0 ); ///< from the place of the explosion

/// Adds a fragment that flies away from the centre and spins.
void addFragment( World& world, btCollisionShape& shape, const btVector3& centre, Random& random )
{
    constexpr double slowest = 2, fastest = 10; // metres per second
    const btQuaternion attitude = randomAttitude( random );
    const btVector3 direction = quatRotate( attitude, btVector3( 1, 0, 0 ) );
    const btVector3 place = centre + direction * btScalar( random.between( 0, startRadius ) );
    const btVector3 velocity = direction * btScalar( random.between( slowest, fastest ) );
    btRigidBody& body = world.addBody( fragmentMass, shape, btTransform( attitude, place ), -1, fragmentFilter );
    body.setLinearVelocity( velocity );
    body.setAngularVelocity( quatRotate( attitude, velocity ) );
}

} // namespace

void addDebris( World& world, int bodyCount )
{
    auto& fragment = world.make<btBoxShape>( halfFragment );
    auto& obstacle = world.make<btBoxShape>( halfObstacle );
    const Square explosions( ( bodyCount - 1 ) / perExplosion + 1, explosionSpacing );
    Random random( fragmentSeed );
    addPlane( world );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const btVector3 place = explosions.place( index / perExplosion );
        if ( index % perExplosion == perExplosion - 1 )
        {
            world.addBody( 0, obstacle, upright( place + toObstacle + btVector3( 0, halfObstacle.y(), 0 ) ) );
        }
        else
        {
            addFragment( world, fragment, place + btVector3( 0, explosionHeight, 0 ), random );
        }
    }
}

} // namespace cullet::demo
