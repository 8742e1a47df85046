// SPDX-License-Identifier: Zlib
/// \file column.h
/// The initial placement of the demo's bodies: a square column of boxes, spheres and slabs above the plane y = 0, with
/// space around each body to turn. The number of bodies and a fixed seed determine it.
#ifndef CLT_WORLD_COLUMN_H
#define CLT_WORLD_COLUMN_H

#include "demos/oracle/random.h"

#include "LinearMath/btTransform.h"

#include <array>

namespace cullet::demo
{

struct BodyKind
{
    bool isSphere;
    btVector3 halfExtents; ///< metres; a sphere's radius in all three
    btVector3 colour;      ///< linear light, 0 to 1

    /// The radius of the bounding sphere.
    btScalar radius() const
    {
        return isSphere ? halfExtents.x() : halfExtents.length();
    }
};

extern const std::array<BodyKind, 3> bodyKinds;

/// The shape and place of a body.
struct Placement
{
    int kindIndex;
    btTransform transform;

    const BodyKind& kind() const
    {
        return bodyKinds[std::size_t( kindIndex )];
    }
};

/// A placement of a random kind of body in a random attitude.
Placement randomPlacement( Random& random, const btVector3& centre );

/// A rotation, uniformly distributed over all attitudes.
btQuaternion randomAttitude( Random& random );

/// The column: about one and a half times as high as wide, so that columns of all sizes collapse in the same way.
struct Column
{
    int perSide = 0;        ///< bodies along x and along z
    btScalar halfWidth = 0; ///< metres from the axis to the outermost centres
    btScalar bottom = 0;    ///< height of the lowest centres
    btScalar top = 0;       ///< height of the highest centres

    explicit Column( int bodyCount );

    /// The initial placement of a body. It depends on the index only, and is the same on every machine.
    Placement place( int index ) const;

    /// Largest distance from the axis, along x or z, at which a body may end. A body that turned its whole fall into
    /// sliding or rolling, v^2 = 2 g h, would stop after h / friction. The bound assumes a friction of one half, less
    /// than that of any contact.
    btScalar bound() const
    {
        return halfWidth + 2 * top;
    }
};

} // namespace cullet::demo

#endif
