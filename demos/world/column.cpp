// SPDX-License-Identifier: Zlib
/// \file column.cpp
/// The column's dimensions, and the seeded choice of each body's kind and attitude.
#include "column.h"

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t columnSeed = 2026;

/// Metres between centres. More than the longest diagonal of a body (a slab's 1.46), so that no bodies touch at the
/// start.
constexpr btScalar siteSpacing = btScalar( 1.5 );

/// Height of the lowest centres: high enough for a short free fall.
constexpr btScalar startHeight = 3;

/// The number of layers divided by the number of bodies along a side.
constexpr double columnAspect = 1.5;

btVector3 vector( double x, double y, double z )
{
    return btVector3( btScalar( x ), btScalar( y ), btScalar( z ) );
}

} // namespace

const std::array<BodyKind, 3> bodyKinds = { {
    { false, vector( 0.42, 0.42, 0.42 ), vector( 0.807, 0.223, 0.012 ) }, // boxes, orange
    { true, vector( 0.46, 0.46, 0.46 ), vector( 0.048, 0.216, 0.672 ) },  // spheres, blue
    { false, vector( 0.6, 0.13, 0.4 ), vector( 0.065, 0.434, 0.138 ) },   // slabs, green
} };

/// Draws quaternions until one is inside the unit ball, and normalizes it.
btQuaternion randomAttitude( Random& random )
{
    const auto part = [&random] { return btScalar( random.between( -1, 1 ) ); };
    for ( ;; )
    {
        const btQuaternion q{ part(), part(), part(), part() }; // braces fix the order of the calls
        if ( q.length2() <= 1 && q.length2() > btScalar( 0.01 ) )
        {
            return q.normalized();
        }
    }
}

Placement randomPlacement( Random& random, const btVector3& centre )
{
    const auto kind = int( random.below( bodyKinds.size() ) );
    return { kind, btTransform( randomAttitude( random ), centre ) };
}

Column::Column( int bodyCount )
{
    do
    {
        ++perSide;
    } while ( columnAspect * perSide * perSide * perSide < bodyCount );
    const int layers = ( bodyCount - 1 ) / ( perSide * perSide ) + 1;
    halfWidth = siteSpacing * btScalar( perSide - 1 ) / 2;
    bottom = startHeight;
    top = startHeight + siteSpacing * btScalar( layers - 1 );
}

Placement Column::place( int index ) const
{
    const int layer = index / ( perSide * perSide );
    const int row = index / perSide % perSide;
    const btVector3 centre( siteSpacing * btScalar( index % perSide ) - halfWidth,
                            bottom + siteSpacing * btScalar( layer ), siteSpacing * btScalar( row ) - halfWidth );
    Random random( columnSeed + std::uint64_t( index ) );
    return randomPlacement( random, centre );
}

} // namespace cullet::demo
