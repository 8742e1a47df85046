// SPDX-License-Identifier: Zlib
/// \file column.h
/// Where the bodies of the demo begin: a square column of boxes, spheres and slabs, hanging above the plane y = 0 with
/// room to turn around each of them. Everything follows from the number of bodies and a fixed seed.
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
    btVector3 halfExtents; ///< metres; a sphere has its radius in all three
    btVector3 colour;      ///< linear light, 0 to 1

    /// Of a ball around the body.
    btScalar radius() const
    {
        return isSphere ? halfExtents.x() : halfExtents.length();
    }
};

extern const std::array<BodyKind, 3> bodyKinds;

/// A body, as far as one sees it.
struct Placement
{
    int kindIndex;
    btTransform transform;

    const BodyKind& kind() const
    {
        return bodyKinds[std::size_t( kindIndex )];
    }
};

/// Any of the kinds, in any attitude.
Placement randomPlacement( Random& random, const btVector3& centre );

/// Uniform over all attitudes.
btQuaternion randomAttitude( Random& random );

/// The column's shape: about one and a half times as high as wide, so that columns of any size fall apart alike.
struct Column
{
    int perSide = 0;        ///< bodies along x and along z
    btScalar halfWidth = 0; ///< metres from the axis to the outermost centres
    btScalar bottom = 0;    ///< height of the lowest centres
    btScalar top = 0;       ///< height of the highest centres

    explicit Column( int bodyCount );

    /// The same for the same index on every machine, in whatever order it is asked.
    Placement place( int index ) const;

    /// No body may get farther than this from the axis along x or z. A body that turned its whole fall into sliding or
    /// rolling, v^2 = 2 g h, would stop after h / friction; this grants it one half, less than all contacts have.
    btScalar bound() const
    {
        return halfWidth + 2 * top;
    }
};

} // namespace cullet::demo

#endif
