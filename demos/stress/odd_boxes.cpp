// SPDX-License-Identifier: Zlib
/// \file odd_boxes.cpp
/// Boxes that few worlds have and every broadphase must survive. All of them mean what the comparisons say.
#include "arena.h"

#include <cmath>
#include <limits>
#include <utility>

namespace cullet::stress
{

namespace
{

constexpr btScalar infinite = std::numeric_limits<btScalar>::infinity();
constexpr btScalar notANumber = std::numeric_limits<btScalar>::quiet_NaN();
constexpr btScalar largest = std::numeric_limits<btScalar>::max();
constexpr btScalar smallest = std::numeric_limits<btScalar>::denorm_min();

Box cube( btScalar lower, btScalar upper )
{
    return { { lower, lower, lower }, { upper, upper, upper } };
}

btScalar& coordinate( Box& box, std::size_t index )
{
    return index < 3 ? box.lower[index] : box.upper[index - 3];
}

/// Beside the neighbor along one axis: face on face, or one step of the number format before or beyond it.
Box beside( const Box& neighbor, Random& random )
{
    Box box = neighbor;
    const std::size_t axis = random.below( 3 );
    const btScalar face = neighbor.upper[axis];
    const btScalar starts[3] = { face, std::nextafter( face, -infinite ), std::nextafter( face, infinite ) };
    box.lower[axis] = starts[random.below( 3 )];
    box.upper[axis] = box.lower[axis] + 1;
    return box;
}

Box pointOf( const Box& neighbor, Random& random )
{
    Box box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = random.oneIn( 2 ) ? neighbor.lower[axis] : neighbor.upper[axis];
        box.upper[axis] = box.lower[axis];
    }
    return box;
}

Box invertedOf( const Box& neighbor, Random& random )
{
    Box box = neighbor;
    const std::size_t first = random.below( 3 );
    const std::size_t count = 1 + random.below( 3 );
    for ( std::size_t k = 0; k < count; ++k )
    {
        const std::size_t axis = ( first + k ) % 3;
        std::swap( box.lower[axis], box.upper[axis] );
    }
    return box;
}

Box withOneOf( const Box& neighbor, btScalar value, Random& random )
{
    Box box = neighbor;
    coordinate( box, random.below( 6 ) ) = value;
    return box;
}

} // namespace

Box Arena::odd( const Box& neighbor, Random& random ) const
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
        return invertedOf( neighbor, random );
    case 5:
        return withOneOf( neighbor, notANumber, random );
    case 6:
        return cube( notANumber, notANumber );
    case 7:
        return withOneOf( neighbor, infinite, random );
    case 8:
        return withOneOf( neighbor, -infinite, random );
    case 9:
        return cube( infinite, infinite );
    case 10:
        return cube( -smallest, smallest );
    case 11:
        return withOneOf( neighbor, random.oneIn( 2 ) ? largest : -largest, random );
    case 12:
        return cube( btScalar( 0.0 ), btScalar( -0.0 ) ); // as if it were inverted, but for the comparisons
    case 13:
        return cube( btScalar( 1e12 ), btScalar( 1e12 ) + 1 ); // in float a point
    default:
        return cube( largest, -largest ); // what an empty shape without bounds yet reports
    }
}

Box Arena::wide( Random& random ) const
{
    switch ( random.below( 5 ) )
    {
    case 0:
        return cube( -BT_LARGE_FLOAT, BT_LARGE_FLOAT ); // a btStaticPlaneShape
    case 1:
        return cube( -infinite, infinite );
    case 2:
        return cube( -largest, largest );
    case 3:
        return cube( 0, infinite );
    default:
        return cube( btScalar( -1e6 ), btScalar( 1e6 ) );
    }
}

} // namespace cullet::stress
