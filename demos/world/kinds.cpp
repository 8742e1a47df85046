// SPDX-License-Identifier: Zlib
/// \file kinds.cpp
/// The list of kinds, and the kinds that consist of simple bodies.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{

/// Kilograms per cubic metre; only the ratios between bodies matter.
static constexpr btScalar density = 10;

const std::array<WorldKind, 10> worldKinds = { {
    { "pile", "boxes, spheres and slabs fall on a plane", addPile, true },
    { "sleeping", "towers of five boxes, all at rest and deactivated", addSleepers },
    { "ragdolls", "dolls of eleven jointed bodies fall on a heap; none collides with itself", addRagdolls },
    { "terrain", "boxes, spheres and slabs roll down hills", addTerrain },
    { "character", "one body in a hundred is a character that walks through a level of tiles and crates",
      addCharacters },
    { "concave", "rings, as GImpact meshes, fall on each other; over cullet, it finds the contacts too", addRings,
      false, drawRings },
    { "cloth", "cloths fall on balls, on each other and on themselves; over cullet, with self-collision", addCloths,
      false, drawCloths, true },
    { "cubes", "boxes alone fall on a plane", addCubes, true },
    { "spheres", "spheres alone", addSpheres, true },
    { "slabs", "slabs alone", addSlabs, true },
} };

const WorldKind& worldKind( const std::string& name )
{
    return *std::find_if( worldKinds.begin(), worldKinds.end(),
                          [&]( const WorldKind& kind ) { return kind.name == name; } );
}

Square::Square( int count, btScalar spacing )
    : m_perSide( int( std::ceil( std::sqrt( double( count ) ) ) ) ), m_spacing( spacing )
{
}

btVector3 Square::place( int index ) const
{
    return btVector3{ m_spacing * btScalar( index % m_perSide ) - halfWidth(), 0,
                      m_spacing * btScalar( index / m_perSide ) - halfWidth() };
}

Shapes::Shapes( World& world )
{
    for ( const BodyKind& kind : bodyKinds )
    {
        const btVector3& half = kind.halfExtents;
        std::unique_ptr<btCollisionShape> shape(
            kind.isSphere ? static_cast<btCollisionShape*>( new btSphereShape( half.x() ) ) : new btBoxShape( half ) );
        m_shapes.push_back( &world.own( std::move( shape ) ) );
    }
}

void Shapes::add( World& world, const Placement& placement ) const
{
    const btVector3& half = placement.kind().halfExtents;
    const btScalar mass = 8 * density * half.x() * half.y() * half.z();
    btCollisionShape& shape = *m_shapes[std::size_t( placement.kindIndex )];
    world.addBody( mass, shape, placement.transform, placement.kindIndex );
}

void addPlane( World& world )
{
    world.addBody( 0, world.own( std::make_unique<btStaticPlaneShape>( btVector3( 0, 1, 0 ), btScalar( 0 ) ) ),
                   btTransform::getIdentity() );
}

/// \param choose  maps the column's placement of a body to its final one
template <typename Choose>
static void addColumn( World& world, int bodyCount, Choose&& choose )
{
    const Shapes shapes( world );
    const Column column( bodyCount );
    addPlane( world );
    for ( int index = 0; index < bodyCount; ++index )
    {
        shapes.add( world, choose( column.place( index ) ) );
    }
}

void addPile( World& world, int bodyCount )
{
    addColumn( world, bodyCount, []( const Placement& placement ) { return placement; } );
}

static void addAlike( World& world, int bodyCount, int kindIndex )
{
    addColumn( world, bodyCount,
               [kindIndex]( const Placement& placement ) {
                   return Placement{ kindIndex, placement.transform };
               } );
}

void addCubes( World& world, int bodyCount )
{
    addAlike( world, bodyCount, 0 );
}

void addSpheres( World& world, int bodyCount )
{
    addAlike( world, bodyCount, 1 );
}

void addSlabs( World& world, int bodyCount )
{
    addAlike( world, bodyCount, 2 );
}

void addSleepers( World& world, int bodyCount )
{
    constexpr int towerHeight = 5;
    constexpr btScalar spacing = btScalar( 1.5 );
    const Shapes shapes( world );
    const btScalar half = bodyKinds[0].halfExtents.y();
    const Square towers( bodyCount / towerHeight + 1, spacing );
    addPlane( world );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const btVector3 height( 0, half * btScalar( 1 + 2 * ( index % towerHeight ) ), 0 );
        const btVector3 centre = towers.place( index / towerHeight ) + height;
        shapes.add( world, { 0, btTransform( btQuaternion::getIdentity(), centre ) } );
        world.bodies().back()->forceActivationState( ISLAND_SLEEPING );
    }
}

} // namespace cullet::demo
