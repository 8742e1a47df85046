// SPDX-License-Identifier: Zlib
/// \file ground.cpp
/// Fine lines every two metres and strong ones every ten, which give the picture its scale.
#include "ground.h"

#include "image.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cullet::demo
{
namespace
{

struct Grid
{
    btScalar cell;     ///< metres from line to line
    btScalar line;     ///< metres of a line's width
    btScalar strength; ///< how much darker, 0 to 1
};

constexpr Grid fineGrid = { 2, btScalar( 0.05 ), btScalar( 0.35 ) };
constexpr Grid coarseGrid = { 10, btScalar( 0.12 ), btScalar( 0.55 ) };

/// The part of the footprint around `position` that is on a line.
btScalar lineShare( btScalar position, const Grid& grid, btScalar footprint )
{
    const btScalar distance = std::abs( position - grid.cell * std::round( position / grid.cell ) );
    const btScalar overlap = ( grid.line + footprint ) / 2 - distance;
    return std::clamp( overlap, btScalar( 0 ), std::min( grid.line, footprint ) ) / footprint;
}

btScalar darkening( const btVector3& point, const Grid& grid, btScalar footprint )
{
    const btScalar share = std::max( lineShare( point.x(), grid, footprint ), lineShare( point.z(), grid, footprint ) );
    return 1 - grid.strength * share;
}

} // namespace

btScalar groundDepth( const Ray& ray )
{
    return ray.direction.y() < 0 ? -ray.origin.y() / ray.direction.y() : std::numeric_limits<btScalar>::infinity();
}

btVector3 groundColour( const btVector3& point, btScalar footprint )
{
    static const btVector3 bare = linearColour( 206, 206, 200 );
    return bare * darkening( point, fineGrid, footprint ) * darkening( point, coarseGrid, footprint );
}

btVector3 skyColour( const btVector3& direction )
{
    static const btVector3 horizon = linearColour( 236, 240, 244 );
    static const btVector3 zenith = linearColour( 120, 160, 205 );
    const btScalar height = std::clamp( direction.y() / direction.length(), btScalar( 0 ), btScalar( 1 ) );
    return horizon.lerp( zenith, std::sqrt( height ) );
}

} // namespace cullet::demo
