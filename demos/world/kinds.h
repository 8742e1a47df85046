// SPDX-License-Identifier: Zlib
/// \file kinds.h
/// The kinds of worlds. The number of bodies and fixed seeds determine everything, so that worlds over different
/// broadphases start with the same bits.
#ifndef CLT_WORLD_KINDS_H
#define CLT_WORLD_KINDS_H

#include "column.h"
#include "world.h"

#include "demos/mesh/mesh.h"

#include <functional>
#include <string>
#include <vector>

namespace cullet::demo
{

/// A value of `cullet demo --kind`, or a world in a file.
struct WorldKind
{
    std::string name;
    std::string description;
    std::string shows; ///< what the world shows about a broadphase

    /// \param bodyCount  number of bodies, not counting the ground
    std::function<void( World& world, int bodyCount )> fill;

    bool isColumn = false; ///< the bodies start as a Column, which decides where a camera is placed

    bool isSoft = false; ///< has soft bodies: worlds are not synchronized, and each world is drawn at its end

    int bodies = 0;     ///< of a world in a file; 0: as many as are requested
    btScalar reach = 0; ///< of a world in a file: metres from the origin to the farthest body
};

extern const std::vector<WorldKind> worldKinds;

const WorldKind& worldKind( const std::string& name );

/// Makes meshes of GImpact collide in this world; over cullet, by the mesh library.
void registerGImpact( World& world );

void addPile( World& world, int bodyCount );
void addRagdolls( World& world, int bodyCount );
void addCharacters( World& world, int bodyCount );
void addWall( World& world, int bodyCount );
void addGalton( World& world, int bodyCount );
void addCity( World& world, int bodyCount );
void addDebris( World& world, int bodyCount );
void addStairs( World& world, int bodyCount );
void addRings( World& world, int bodyCount );
void addCloths( World& world, int bodyCount );

mesh::Mesh clothMesh( const btSoftBody& cloth );

/// For each triangle of a mesh, whether it crosses another of its triangles.
std::vector<bool> crossingsOf( const mesh::Mesh& mesh );

/// A square grid of places on the ground, around the origin.
struct Square
{
    /// \param count    number of places; rounded up to a square number
    /// \param spacing  metres between places
    Square( int count, btScalar spacing );

    btVector3 place( int index ) const;

    int perSide;
    btScalar spacing;
    btScalar halfWidth; ///< metres from the origin to the outermost places, along x and z
};

/// Adds the plane y = 0 as ground.
void addPlane( World& world );

/// Metres between dolls. A doll reaches at most 1 m from its middle.
constexpr btScalar dollSpacing = btScalar( 2.1 );

/// The number of dolls that have this number of limbs together. The last doll may lack some limbs.
int dollCount( int limbCount );

/// Adds jointed dolls, and the filter that rejects pairs within a doll.
/// \param placeOf  the start of a doll, by its number
void addDolls( World& world, int limbCount, const std::function<btTransform( int doll )>& placeOf );

inline btTransform upright( const btVector3& centre )
{
    return btTransform( btQuaternion::getIdentity(), centre );
}

} // namespace cullet::demo

#endif
