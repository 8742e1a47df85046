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

/// A character that walks ahead and turns from time to time.
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

class Level
{
public:
    Level( World& world, int tileCount )
        : m_world( world ), m_square( tileCount, 2 * tileHalf ),
          m_crate( world.own( std::make_unique<btBoxShape>( btVector3( 1, 1, 1 ) * btScalar( 0.4 ) ) ) ),
          m_capsule( world.own( std::make_unique<btCapsuleShape>( btScalar( 0.4 ), btScalar( 1 ) ) ) )
    {
        for ( const Tile& tile : tiles )
        {
            m_tiles.push_back( &box( tileHalf, ( tile.top + tileHalf ) / 2, tileHalf ) );
        }
        world.bullet().getPairCache()->setInternalGhostPairCallback(
            &world.own( std::make_unique<btGhostPairCallback>() ) );
    }

    void addWalls()
    {
        const btScalar reach = m_square.halfWidth() + 2 * tileHalf;
        btCollisionShape& alongX = box( reach, wallHeight, tileHalf );
        btCollisionShape& alongZ = box( tileHalf, wallHeight, reach );
        for ( const btScalar side : { -reach, reach } )
        {
            add( 0, alongX, btVector3( 0, 0, side ) );
            add( 0, alongZ, btVector3( side, 0, 0 ) );
        }
    }

    /// The tile's box reaches from tileHalf below the plane up to its top.
    void addTile( int index, Random& random )
    {
        int share = int( random.below( 100 ) );
        std::size_t kind = 0;
        while ( share >= tiles[kind].perHundred )
        {
            share -= tiles[kind++].perHundred;
        }
        add( 0, *m_tiles[kind], m_square.place( index ) + btVector3( 0, ( tiles[kind].top - tileHalf ) / 2, 0 ) );
    }

    void addCrate( Random& random )
    {
        constexpr btScalar mass = 20;
        add( mass, m_crate, anywhere( random ) );
    }

    void addCharacter( Random& random )
    {
        auto& ghost = m_world.own( std::make_unique<btPairCachingGhostObject>() );
        ghost.setWorldTransform( btTransform( btQuaternion::getIdentity(), anywhere( random ) ) );
        ghost.setCollisionShape( &m_capsule );
        ghost.setCollisionFlags( btCollisionObject::CF_CHARACTER_OBJECT );
        m_world.bullet().addCollisionObject( &ghost, btBroadphaseProxy::CharacterFilter,
                                             btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter );
        m_world.bullet().addAction( &m_world.own( std::make_unique<Walker>( ghost, m_capsule, random.bits() ) ) );
    }

private:
    btCollisionShape& box( btScalar x, btScalar y, btScalar z )
    {
        return m_world.own( std::make_unique<btBoxShape>( btVector3( x, y, z ) ) );
    }

    void add( btScalar mass, btCollisionShape& shape, const btVector3& centre )
    {
        m_world.addBody( mass, shape, btTransform( btQuaternion::getIdentity(), centre ) );
    }

    btVector3 anywhere( Random& random ) const
    {
        const auto place = [&]
        { return btScalar( random.between( -double( m_square.halfWidth() ), double( m_square.halfWidth() ) ) ); };
        const btScalar x = place();
        return btVector3{ x, wallHeight, place() };
    }

    World& m_world;
    Square m_square;
    btBoxShape& m_crate;
    btCapsuleShape& m_capsule;
    std::vector<btCollisionShape*> m_tiles;
};

} // namespace

void addCharacters( World& world, int bodyCount )
{
    const int characterCount = bodyCount * charactersPerHundred / 100 + 1;
    const int crateCount = bodyCount * cratesPerHundred / 100;
    const int tileCount = bodyCount - characterCount - crateCount;
    Random random( levelSeed );
    Level level( world, std::max( tileCount, 1 ) );
    level.addWalls();
    for ( int index = 0; index < tileCount; ++index )
    {
        level.addTile( index, random );
    }
    for ( int count = 0; count < crateCount; ++count )
    {
        level.addCrate( random );
    }
    for ( int count = 0; count < characterCount; ++count )
    {
        level.addCharacter( random );
    }
}

} // namespace cullet::demo
