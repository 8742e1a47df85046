// SPDX-License-Identifier: Zlib
/// \file kinds.cpp
/// The list of kinds, and the kinds that consist of boxes, spheres and slabs.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

/// Kilograms per cubic metre; only the ratios between bodies matter.
constexpr btScalar density = 10;

/// Adds bodies with the shapes in bodyKinds to a world.
class BodyFactory
{
public:
    explicit BodyFactory( World& world ) : m_world( world )
    {
        for ( const BodyKind& kind : bodyKinds )
        {
            const btVector3& half = kind.halfExtents;
            m_shapes.push_back( kind.isSphere ? static_cast<btCollisionShape*>( &world.make<btSphereShape>( half.x() ) )
                                              : &world.make<btBoxShape>( half ) );
        }
    }

    /// Sets the body's user index to that of its kind.
    btRigidBody& add( const Placement& placement ) const
    {
        const btVector3& half = placement.kind().halfExtents;
        const btScalar mass = 8 * density * half.x() * half.y() * half.z();
        return m_world.addBody( mass, *m_shapes[std::size_t( placement.kindIndex )], placement.transform,
                                placement.kindIndex );
    }

private:
    World& m_world;
    std::vector<btCollisionShape*> m_shapes;
};

constexpr int asPlaced = -1;

/// \tparam kindIndex  the kind of all bodies; asPlaced: each body has the kind of its placement
template <int kindIndex>
void addColumn( World& world, int bodyCount )
{
    const BodyFactory shapes( world );
    const Column column( bodyCount );
    addPlane( world );
    for ( int index = 0; index < bodyCount; ++index )
    {
        Placement placement = column.place( index );
        placement.kindIndex = kindIndex == asPlaced ? placement.kindIndex : kindIndex;
        shapes.add( placement );
    }
}

void addSleepers( World& world, int bodyCount )
{
    constexpr int towerHeight = 5;
    const BodyFactory shapes( world );
    const btScalar half = bodyKinds[0].halfExtents.y();
    const Square towers( bodyCount / towerHeight + 1, btScalar( 1.5 ) );
    addPlane( world );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const btVector3 height( 0, half * btScalar( 1 + 2 * ( index % towerHeight ) ), 0 );
        shapes.add( { 0, upright( towers.place( index / towerHeight ) + height ) } )
            .forceActivationState( ISLAND_SLEEPING );
    }
}

/// The ground of hills, in metres above the plane y = 0. A rim keeps bodies from rolling out.
btScalar groundHeight( btScalar x, btScalar z, btScalar halfWidth )
{
    const btScalar hills = btScalar( 1.5 ) * std::sin( x * btScalar( 0.31 ) ) * std::cos( z * btScalar( 0.23 ) ) +
                           btScalar( 0.8 ) * std::sin( z * btScalar( 0.47 ) + x * btScalar( 0.11 ) );
    const btScalar beyond = std::max( std::max( std::abs( x ), std::abs( z ) ) - halfWidth, btScalar( 0 ) );
    return hills + beyond;
}

/// Hills as a height field: one static body that overlaps all others. It has a height sample for each metre; the middle
/// sample is at the origin.
void addTerrain( World& world, int bodyCount )
{
    constexpr std::uint64_t seed = 3;
    constexpr btScalar rimWidth = 12;              // metres around the bodies
    constexpr btScalar drop = 2;                   // metres from the bodies down to the ground
    constexpr btScalar lowest = -20, highest = 20; // metres
    constexpr btScalar scale = 1;                  // for integer samples; ignored for floats
    constexpr int upAxis = 1;
    const BodyFactory shapes( world );
    const Square square( bodyCount, btScalar( 1.6 ) );
    const int reach = int( std::ceil( square.halfWidth + rimWidth ) );
    const int perSide = 2 * reach + 1;
    auto& heights = world.make<std::vector<float>>();
    for ( int sample = 0; sample < perSide * perSide; ++sample )
    {
        const auto x = btScalar( sample % perSide - reach );
        const auto z = btScalar( sample / perSide - reach );
        heights.push_back( float( groundHeight( x, z, square.halfWidth ) ) );
    }
    world.addBody( 0,
                   world.make<btHeightfieldTerrainShape>( perSide, perSide, heights.data(), scale, lowest, highest,
                                                          upAxis, PHY_FLOAT, false ),
                   btTransform::getIdentity() );
    for ( int index = 0; index < bodyCount; ++index )
    {
        Random random( seed + std::uint64_t( index ) );
        btVector3 centre = square.place( index );
        centre.setY( groundHeight( centre.x(), centre.z(), square.halfWidth ) + drop );
        shapes.add( randomPlacement( random, centre ) );
    }
}

} // namespace

const std::vector<WorldKind> worldKinds = {
    { "pile", "boxes, spheres and slabs fall on a plane", "all boxes move, fast at first and hardly at the end",
      addPile, true },
    { "sleeping", "towers of five boxes, all at rest and deactivated",
      "a step in which no box moves should cost nothing", addSleepers },
    { "ragdolls", "dolls of eleven jointed bodies fall on a heap; none collides with itself",
      "a filter callback is asked about each new pair", addRagdolls },
    { "terrain", "boxes, spheres and slabs roll down hills", "the box of the ground overlaps all others", addTerrain },
    { "character", "one body in a hundred is a character that walks through a level of tiles and crates",
      "boxes of ghosts move between updates, and their pairs are needed at once", addCharacters },
    { "wall", "a wall of bricks at rest is hit by a heavy ball after one second",
      "no box but one moves, then from one step to the next all do", addWall },
    { "galton", "balls fall through rows of pegs into bins; one body in three is a peg",
      "small boxes move among static ones, which never pair with each other", addGalton },
    { "city", "houses, and one body in a hundred is a vehicle in the streets; 50 rays a step look ahead from vehicles",
      "rays and few moving boxes in a large static world", addCity },
    { "debris", "explosions of fragments, which collide with the ground and obstacles but not with each other",
      "groups and masks reject most overlaps, so a search can skip them", addDebris },
    { "stairs", "dolls fall down stairs", "the wide boxes of the steps overlap many small ones", addStairs },
    { "concave", "rings, as GImpact meshes, fall on each other; over cullet, it finds the contacts too",
      "few pairs of boxes, but many pairs of triangles", addRings },
    { "cloth", "cloths fall on balls, on each other and on themselves; over cullet, with self-collision",
      "few large boxes that change their size, and many pairs of triangles", addCloths, false, true },
    { "cubes", "boxes alone fall on a plane", "boxes of about one size", addColumn<0>, true },
    { "spheres", "spheres alone", "boxes that keep their size", addColumn<1>, true },
    { "slabs", "slabs alone", "boxes that change their size when bodies turn", addColumn<2>, true },
};

const WorldKind& worldKind( const std::string& name )
{
    return *std::find_if( worldKinds.begin(), worldKinds.end(),
                          [&]( const WorldKind& kind ) { return kind.name == name; } );
}

void addPile( World& world, int bodyCount )
{
    addColumn<asPlaced>( world, bodyCount );
}

void addPlane( World& world )
{
    world.addBody( 0, world.make<btStaticPlaneShape>( btVector3( 0, 1, 0 ), btScalar( 0 ) ),
                   btTransform::getIdentity() );
}

Square::Square( int count, btScalar metres )
    : perSide( int( std::ceil( std::sqrt( double( count ) ) ) ) ), spacing( metres ),
      halfWidth( spacing * btScalar( perSide - 1 ) / 2 )
{
}

btVector3 Square::place( int index ) const
{
    return btVector3{ spacing * btScalar( index % perSide ) - halfWidth, 0,
                      spacing * btScalar( index / perSide ) - halfWidth };
}

} // namespace cullet::demo
