// SPDX-License-Identifier: Zlib
/// \file kinds.h
/// What a world may be made of. Everything follows from the number of bodies and fixed seeds, so that worlds over
/// different broadphases begin with the same bits.
#ifndef CLT_WORLD_KINDS_H
#define CLT_WORLD_KINDS_H

#include "column.h"
#include "world.h"

#include <array>
#include <string>
#include <vector>

namespace cullet::demo
{

/// `cullet demo --kind` takes the name.
struct WorldKind
{
    const char* name;
    const char* description;

    /// \param bodyCount  how many bodies there are beside the ground
    void ( *fill )( World& world, int bodyCount );

    bool isColumn = false; ///< begins as Column says, so that a camera can be placed by it

    /// Draws a comparison's first world at its begin and its end into a PNG; NULL: it is not drawn.
    void ( *draw )( const World& world, const std::string& path ) = nullptr;

    bool isSoft = false; ///< has soft bodies: worlds go their own ways, and the end of each is drawn
};

extern const std::array<WorldKind, 10> worldKinds;

const WorldKind& worldKind( const std::string& name );

void addPile( World& world, int bodyCount );
void addCubes( World& world, int bodyCount );
void addSpheres( World& world, int bodyCount );
void addSlabs( World& world, int bodyCount );
void addSleepers( World& world, int bodyCount );
void addRagdolls( World& world, int bodyCount );
void addTerrain( World& world, int bodyCount );
void addCharacters( World& world, int bodyCount );
void addRings( World& world, int bodyCount );
void drawRings( const World& world, const std::string& path );
void addCloths( World& world, int bodyCount );
void drawCloths( const World& world, const std::string& path );

/// Places on the ground: a square around the origin.
class Square
{
public:
    /// \param count    of places, at most; the square has a few more where it is no square number
    /// \param spacing  metres between them
    Square( int count, btScalar spacing );

    btVector3 place( int index ) const;

    int perSide() const
    {
        return m_perSide;
    }

    /// Metres from the origin to the outermost places along x and z.
    btScalar halfWidth() const
    {
        return m_spacing * btScalar( m_perSide - 1 ) / 2;
    }

private:
    int m_perSide;
    btScalar m_spacing;
};

/// The plane y = 0.
void addPlane( World& world );

/// A shape for each of bodyKinds.
class Shapes
{
public:
    explicit Shapes( World& world );

    /// Its user index is that of its kind.
    void add( World& world, const Placement& placement ) const;

private:
    std::vector<btCollisionShape*> m_shapes;
};

} // namespace cullet::demo

#endif
