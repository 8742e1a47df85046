// SPDX-License-Identifier: Zlib
/// \file column.h
/// Where the bodies of the demo begin: a square column of boxes, spheres and slabs, hanging above the plane y = 0 with
/// room to turn around each of them. Everything follows from the number of bodies and a fixed seed.
#ifndef CLT_WORLD_COLUMN_H
#define CLT_WORLD_COLUMN_H

#include "LinearMath/btTransform.h"

namespace cullet::demo
{

enum class BodyKind
{
    box,
    sphere,
    slab
};

constexpr int bodyKindCount = 3;

/// Half extents of each kind, in metres; a sphere has its radius in all three.
btVector3 halfExtentsOf( BodyKind kind );

/// The column's shape: about one and a half times as high as wide, so that columns of any size fall apart alike.
struct Column
{
    int perSide = 0;        ///< bodies along x and along z
    int layers = 0;         ///< bodies along y
    btScalar halfWidth = 0; ///< metres from the axis to the outermost centres
    btScalar bottom = 0;    ///< height of the lowest centres
    btScalar top = 0;       ///< height of the highest centres

    /// No body may get farther than this from the axis along x or z. A body that turned its whole fall into sliding or
    /// rolling, v^2 = 2 g h, would stop after h / friction; this grants it one half, less than all contacts have.
    btScalar bound() const;
};

Column planColumn( int bodyCount );

/// One body of the column.
struct Placement
{
    BodyKind kind;
    btTransform transform;
};

/// The same for the same index on every machine, in whatever order it is asked.
Placement placeBody( const Column& column, int index );

} // namespace cullet::demo

#endif
