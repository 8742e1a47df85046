// SPDX-License-Identifier: Zlib
/// \file characters.cpp
/// A walled level of tiles, some of them steps or pillars, with crates and walking characters. The characters are
/// Bullet's own controller, which sweeps its shape against the pairs of a ghost object and moves the ghost's box
/// between sweeps.
#include "kinds.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletDynamics/Character/btKinematicCharacterController.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t levelSeed = 7;

// The rest of the bodies are tiles.
constexpr int charactersPerHundred = 1;
constexpr int cratesPerHundred = 10;

constexpr btScalar tileHalf = 1; // metres
constexpr btScalar wallHeight = 3;

/// A kind of tile. Steps are lower than a character can climb.
struct Tile
{
    int perHundred;
    btScalar top; ///< height in metres
};
constexpr Tile tiles[] = { { 80, 0 }, { 12, btScalar( 0.2 ) }, { 8, 2 } };

/// A character that walks straight ahead and turns from time to time.
class Walker : public btActionInterface
{
public:
    Walker( btPairCachingGhostObject& ghost, btConvexShape& shape, std::uint64_t seed )
        : m_random( seed ), m_controller( &ghost, &shape, stepHeight, btVector3( 0, 1, 0 ) )
    {
    }

    void updateAction( btCollisionWorld* world, btScalar seconds ) override
    {
        if ( m_stepsAhead-- == 0 )
        {
            m_stepsAhead = 30 + int( m_random.below( 120 ) );
            const auto heading = btScalar( m_random.between( 0, 2 * double( SIMD_PI ) ) );
            m_controller.setWalkDirection( btVector3( std::cos( heading ), 0, std::sin( heading ) ) * pace * seconds );
        }
        m_controller.updateAction( world, seconds );
    }

    void debugDraw( btIDebugDraw* ) override
    {
    }

private:
    static constexpr btScalar stepHeight = btScalar( 0.35 ); // metres
    static constexpr btScalar pace = 3;                      // metres per second

    Random m_random;
    int m_stepsAhead = 0;
    btKinematicCharacterController m_controller;
};

btCollisionShape& makeBoxShape( World& world, btScalar x, btScalar y, btScalar z )
{
    return world.make<btBoxShape>( btVector3( x, y, z ) );
}

void addWalls( World& world, btScalar reach )
{
    btCollisionShape& alongX = makeBoxShape( world, reach, wallHeight, tileHalf );
    btCollisionShape& alongZ = makeBoxShape( world, tileHalf, wallHeight, reach );
    for ( const btScalar side : { -reach, reach } )
    {
        world.addBody( 0, alongX, upright( btVector3( 0, 0, side ) ) );
        world.addBody( 0, alongZ, upright( btVector3( side, 0, 0 ) ) );
    }
}

/// A tile's box reaches from tileHalf below the plane up to its top.
void addTiles( World& world, const Square& square, int count, Random& random )
{
    std::vector<btCollisionShape*> shapes;
    for ( const Tile& tile : tiles )
    {
        shapes.push_back( &makeBoxShape( world, tileHalf, ( tile.top + tileHalf ) / 2, tileHalf ) );
    }
    for ( int index = 0; index < count; ++index )
    {
        int share = int( random.below( 100 ) );
        std::size_t kind = 0;
        while ( share >= tiles[kind].perHundred )
        {
            share -= tiles[kind++].perHundred;
        }
        const btVector3 height( 0, ( tiles[kind].top - tileHalf ) / 2, 0 );
        world.addBody( 0, *shapes[kind], upright( square.place( index ) + height ) );
    }
}

void addCharacter( World& world, btConvexShape& capsule, const btVector3& centre, Random& random )
{
    auto& ghost = world.make<btPairCachingGhostObject>();
    ghost.setWorldTransform( upright( centre ) );
    ghost.setCollisionShape( &capsule );
    ghost.setCollisionFlags( btCollisionObject::CF_CHARACTER_OBJECT );
    world.bullet().addCollisionObject( &ghost, btBroadphaseProxy::CharacterFilter,
                                       btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter );
    world.bullet().addAction( &world.make<Walker>( ghost, capsule, random.bits() ) );
}

} // namespace

void addCharacters( World& world, int bodyCount )
{
    constexpr btScalar crateMass = 20;
    const int characterCount = bodyCount * charactersPerHundred / 100 + 1;
    const int crateCount = bodyCount * cratesPerHundred / 100;
    const int tileCount = bodyCount - characterCount - crateCount;
    const Square square( std::max( tileCount, 1 ), 2 * tileHalf );
    Random random( levelSeed );
    const auto anywhere = [&]
    {
        const double side = double( square.halfWidth );
        const auto place = [&] { return btScalar( random.between( -side, side ) ); };
        return btVector3{ place(), wallHeight, place() }; // braces fix the order of the calls of place
    };
    world.bullet().getPairCache()->setInternalGhostPairCallback( &world.make<btGhostPairCallback>() );
    addWalls( world, square.halfWidth + 2 * tileHalf );
    addTiles( world, square, tileCount, random );
    btCollisionShape& crate = makeBoxShape( world, btScalar( 0.4 ), btScalar( 0.4 ), btScalar( 0.4 ) );
    for ( int count = 0; count < crateCount; ++count )
    {
        world.addBody( crateMass, crate, upright( anywhere() ) );
    }
    auto& capsule = world.make<btCapsuleShape>( btScalar( 0.4 ), btScalar( 1 ) );
    for ( int count = 0; count < characterCount; ++count )
    {
        addCharacter( world, capsule, anywhere(), random );
    }
}

} // namespace cullet::demo
