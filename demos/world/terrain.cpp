// SPDX-License-Identifier: Zlib
/// \file terrain.cpp
/// Hills as a height field: one static body that overlaps all others. A rim keeps bodies from rolling out.
#include "kinds.h"

#include "BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t terrainSeed = 3;
constexpr btScalar bodySpacing = btScalar( 1.6 );
constexpr btScalar rimWidth = 12; // metres around the bodies
constexpr btScalar drop = 2;      // metres above the ground
constexpr btScalar lowest = -20;
constexpr btScalar highest = 20;

/// Metres above the plane y = 0.
btScalar groundHeight( btScalar x, btScalar z, btScalar halfWidth )
{
    const btScalar hills = btScalar( 1.5 ) * std::sin( x * btScalar( 0.31 ) ) * std::cos( z * btScalar( 0.23 ) ) +
                           btScalar( 0.8 ) * std::sin( z * btScalar( 0.47 ) + x * btScalar( 0.11 ) );
    const btScalar beyond = std::max( std::max( std::abs( x ), std::abs( z ) ) - halfWidth, btScalar( 0 ) );
    return hills + beyond;
}

/// Adds the ground with one height sample for each metre, the middle one at the origin.
void addGround( World& world, btScalar halfWidth )
{
    const int reach = int( std::ceil( halfWidth + rimWidth ) );
    const int perSide = 2 * reach + 1;
    auto& heights = world.own( std::make_unique<std::vector<float>>() );
    for ( int z = -reach; z <= reach; ++z )
    {
        for ( int x = -reach; x <= reach; ++x )
        {
            heights.push_back( float( groundHeight( btScalar( x ), btScalar( z ), halfWidth ) ) );
        }
    }
    constexpr int upAxis = 1;
    constexpr btScalar scale = 1; // for integer samples; ignored for floats
    world.addBody( 0,
                   world.own( std::make_unique<btHeightfieldTerrainShape>(
                       perSide, perSide, heights.data(), scale, lowest, highest, upAxis, PHY_FLOAT, false ) ),
                   btTransform::getIdentity() );
}

} // namespace

void addTerrain( World& world, int bodyCount )
{
    const Shapes shapes( world );
    const Square square( bodyCount, bodySpacing );
    addGround( world, square.halfWidth() );
    for ( int index = 0; index < bodyCount; ++index )
    {
        Random random( terrainSeed + std::uint64_t( index ) );
        btVector3 centre = square.place( index );
        centre.setY( groundHeight( centre.x(), centre.z(), square.halfWidth() ) + drop );
        shapes.add( world, randomPlacement( random, centre ) );
    }
}

} // namespace cullet::demo
