// SPDX-License-Identifier: Zlib
/// \file boxes.h
/// Short notations for boxes in tests. The boxes are double; a World of single precision rounds them first.
#ifndef CLT_TESTS_BOXES_H
#define CLT_TESTS_BOXES_H

#include "demos/oracle/oracle.h"
#include "tests/support/random.h"

#include <limits>
#include <vector>

namespace test
{

using cullet::hasNan;
using cullet::mayPair;
using cullet::toDouble;
using cullet::toFloat;

constexpr cltFilter defaultFilter = { 1, -1 };
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

inline cltAabbD cube( double x, double y, double z, double half )
{
    return { { x - half, y - half, z - half }, { x + half, y + half, z + half } };
}

/// The box from `lower` to `upper` on all three axes.
inline cltAabbD span( double lower, double upper )
{
    return { { lower, lower, lower }, { upper, upper, upper } };
}

/// The box, moved by `distance` along each axis.
inline cltAabbD shifted( cltAabbD box, double distance )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] += distance;
        box.upper[axis] += distance;
    }
    return box;
}

inline bool overlaps( const cltAabbD& a, const cltAabbD& b )
{
    return cullet::overlap( a, b );
}

using Boxes = std::vector<cltAabbD>;

/// The boxes boxOf( 0 ), boxOf( 1 ), ... boxOf( count - 1 ).
template <typename BoxOf>
Boxes boxesOf( int count, BoxOf boxOf )
{
    Boxes boxes;
    for ( int i = 0; i < count; ++i )
    {
        boxes.push_back( boxOf( i ) );
    }
    return boxes;
}

/// A row of cubes along x.
inline Boxes cubesInARow( int count, double apart, double half )
{
    return boxesOf( count, [=]( int i ) { return cube( apart * i, 0, 0, half ); } );
}

inline Boxes joined( Boxes boxes, const Boxes& more )
{
    boxes.insert( boxes.end(), more.begin(), more.end() );
    return boxes;
}

/// A cube of edge 0.2 to 2, its centre within `reach` of the origin on each axis.
inline cltAabbD randomCube( Random& random, double reach )
{
    double x = random.between( -reach, reach );
    double y = random.between( -reach, reach );
    double z = random.between( -reach, reach );
    return cube( x, y, z, random.between( 0.1, 1.0 ) );
}

inline Boxes randomCubes( Random& random, size_t count, double reach )
{
    return boxesOf( int( count ), [&]( int ) { return randomCube( random, reach ); } );
}

} // namespace test

#endif
