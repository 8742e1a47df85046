// SPDX-License-Identifier: Zlib
/// \file column.cpp
/// The column's sizes and the seeded choice of each body's kind and attitude.
#include "column.h"

#include "demos/scenes/random.h"

#include <cmath>
#include <cstdint>

namespace cullet::demo
{
namespace
{

constexpr std::uint64_t columnSeed = 2026;

/// Metres between centres. More than the longest diagonal below (a slab's 1.46), so that nothing touches at the start
/// whatever its attitude.
constexpr btScalar siteSpacing = btScalar( 1.5 );

/// Height of the lowest centres: enough for a moment of free fall.
constexpr btScalar startHeight = 3;

/// Layers for each body along a side.
constexpr double columnAspect = 1.5;

/// A stream of numbers that depends on nothing but its seed. The distributions of <random> differ between standard
/// libraries.
class Random
{
public:
    explicit Random( std::uint64_t seed ) : m_state( seed )
    {
    }

    /// Uniform in [0, 1), a multiple of 2^-24 and so exact in a float.
    btScalar next()
    {
        const std::uint64_t bits = cltMix( m_state );
        m_state += CLT_MIX_INCREMENT;
        return btScalar( bits >> 40 ) / btScalar( 1 << 24 );
    }

private:
    std::uint64_t m_state;
};

/// Uniform over all attitudes: a point in the unit ball of quaternions, by rejection, made a unit one.
btQuaternion randomAttitude( Random& random )
{
    for ( ;; )
    {
        const btScalar x = 2 * random.next() - 1;
        const btScalar y = 2 * random.next() - 1;
        const btScalar z = 2 * random.next() - 1;
        const btScalar w = 2 * random.next() - 1;
        const btQuaternion q( x, y, z, w );
        if ( q.length2() <= 1 && q.length2() > btScalar( 0.01 ) )
        {
            return q.normalized();
        }
    }
}

} // namespace

btVector3 halfExtentsOf( BodyKind kind )
{
    switch ( kind )
    {
    case BodyKind::box:
        return btVector3( btScalar( 0.42 ), btScalar( 0.42 ), btScalar( 0.42 ) );
    case BodyKind::sphere:
        return btVector3( btScalar( 0.46 ), btScalar( 0.46 ), btScalar( 0.46 ) );
    default:
        return btVector3( btScalar( 0.6 ), btScalar( 0.13 ), btScalar( 0.4 ) );
    }
}

btScalar Column::bound() const
{
    constexpr btScalar grantedFriction = btScalar( 0.5 );
    return halfWidth + top / grantedFriction;
}

Column planColumn( int bodyCount )
{
    Column column;
    column.perSide = 1;
    while ( columnAspect * column.perSide * column.perSide * column.perSide < bodyCount )
    {
        ++column.perSide;
    }
    const int perLayer = column.perSide * column.perSide;
    column.layers = ( bodyCount + perLayer - 1 ) / perLayer;
    column.halfWidth = siteSpacing * btScalar( column.perSide - 1 ) / 2;
    column.bottom = startHeight;
    column.top = startHeight + siteSpacing * btScalar( column.layers - 1 );
    return column;
}

Placement placeBody( const Column& column, int index )
{
    const int perLayer = column.perSide * column.perSide;
    const int layer = index / perLayer;
    const int inLayer = index % perLayer;
    const btVector3 centre( siteSpacing * btScalar( inLayer % column.perSide ) - column.halfWidth,
                            column.bottom + siteSpacing * btScalar( layer ),
                            siteSpacing * btScalar( inLayer / column.perSide ) - column.halfWidth );

    Random random( columnSeed + std::uint64_t( index ) );
    const BodyKind kind = BodyKind( int( random.next() * bodyKindCount ) );
    return { kind, btTransform( randomAttitude( random ), centre ) };
}

} // namespace cullet::demo
