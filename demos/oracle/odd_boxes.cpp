// SPDX-License-Identifier: Zlib
/// \file odd_boxes.cpp
/// Boxes that few worlds have and every broadphase must survive.
#include "arena.h"

#include <limits>
#include <utility>

namespace cullet
{

namespace
{

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

cltAabbD cube( double lower, double upper )
{
    return { { lower, lower, lower }, { upper, upper, upper } };
}

cltAabbD pointOf( const cltAabbD& neighbor, Random& random )
{
    cltAabbD box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = box.upper[axis] = random.oneIn( 2 ) ? neighbor.lower[axis] : neighbor.upper[axis];
    }
    return box;
}

/// On one, two or three axes.
cltAabbD inverted( cltAabbD box, Random& random )
{
    const unsigned first = random.below( 3 );
    for ( unsigned k = random.below( 3 ) + 1; k > 0; --k )
    {
        const unsigned axis = ( first + k ) % 3;
        std::swap( box.lower[axis], box.upper[axis] );
    }
    return box;
}

cltAabbD withOne( cltAabbD box, double value, Random& random )
{
    const unsigned place = random.below( 6 );
    ( place < 3 ? box.lower : box.upper )[place % 3] = value;
    return box;
}

} // namespace

double Arena::next( double value, double towards ) const
{
    const auto nextFloat = [=] { return std::nextafter( static_cast<float>( value ), static_cast<float>( towards ) ); };
    return m_isFloat ? static_cast<double>( nextFloat() ) : std::nextafter( value, towards );
}

double Arena::largest() const
{
    return m_isFloat ? double( std::numeric_limits<float>::max() ) : std::numeric_limits<double>::max();
}

/// Along one axis: face on face, or one step of the number format before or beyond it.
cltAabbD Arena::beside( const cltAabbD& neighbor, Random& random ) const
{
    cltAabbD box = neighbor;
    const unsigned axis = random.below( 3 );
    const double face = neighbor.upper[axis];
    const double starts[3] = { face, next( face, -infinite ), next( face, infinite ) };
    box.lower[axis] = starts[random.below( 3 )];
    box.upper[axis] = box.lower[axis] + 1;
    return rounded( box );
}

cltAabbD Arena::odd( const cltAabbD& neighbor, Random& random ) const
{
    switch ( random.below( 15 ) )
    {
    case 0:
        return neighbor;
    case 1:
    case 2:
        return beside( neighbor, random );
    case 3:
        return pointOf( neighbor, random );
    case 4:
        return inverted( neighbor, random );
    case 5:
        return withOne( neighbor, notANumber, random );
    case 6:
        return cube( notANumber, notANumber );
    case 7:
        return withOne( neighbor, infinite, random );
    case 8:
        return withOne( neighbor, -infinite, random );
    case 9:
        return cube( infinite, infinite );
    case 10:
        return cube( -next( 0, 1 ), next( 0, 1 ) );
    case 11:
        return withOne( neighbor, random.oneIn( 2 ) ? largest() : -largest(), random );
    case 12:
        return cube( 0.0, -0.0 ); // as if it were inverted, but for the comparisons
    case 13:
        return rounded( cube( 1e12, 1e12 + 1 ) ); // in float a point
    default:
        return cube( largest(), -largest() ); // what an empty shape without bounds yet reports
    }
}

cltAabbD Arena::wide( Random& random ) const
{
    const double bulletsLargest = m_isFloat ? 1e18 : 1e30; // BT_LARGE_FLOAT, the reach of a btStaticPlaneShape
    switch ( random.below( 5 ) )
    {
    case 0:
        return rounded( cube( -bulletsLargest, bulletsLargest ) );
    case 1:
        return cube( -infinite, infinite );
    case 2:
        return cube( -largest(), largest() );
    case 3:
        return cube( 0, infinite );
    default:
        return cube( -1e6, 1e6 );
    }
}

} // namespace cullet
