// SPDX-License-Identifier: Zlib
/// \file arena.cpp
/// Edges are uniform from 0.5 to 2. Boxes with edges a and b overlap if their centers lie within ( a + b ) / 2 on each
/// axis, so n bodies in a volume V make about n * n / 2 * E( a + b )^3 / V pairs; E( a + b )^3 is 17.
#include "arena.h"

#include <iterator>
#include <limits>
#include <utility>

namespace cullet
{

namespace
{

constexpr double shortestEdge = 0.5;
constexpr double longestEdge = 2;
constexpr double length = 4;          ///< of the arena along x over its width: long, because the oracle sweeps along x
constexpr double volumePerBody = 4.3; ///< gives two pairs for each body
constexpr double crowdVolumePerBody = 1.7;
constexpr double latticeStep = 0.5;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

cltAabbD cube( double lower, double upper )
{
    return { { lower, lower, lower }, { upper, upper, upper } };
}

cltAabbD randomBoxAround( const std::array<double, 3>& center, Random& random )
{
    cltAabbD box;
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        const double edge = random.between( shortestEdge, longestEdge );
        box.lower[axis] = center[axis] - edge / 2;
        box.upper[axis] = center[axis] + edge / 2;
    }
    return box;
}

/// Rounds the box to a lattice. Two such boxes that are near each other often touch exactly.
cltAabbD roundedToLattice( cltAabbD box )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = std::floor( box.lower[axis] / latticeStep ) * latticeStep;
        box.upper[axis] = std::ceil( box.upper[axis] / latticeStep ) * latticeStep;
    }
    return box;
}

cltAabbD randomCornerOf( cltAabbD box, Random& random )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = box.upper[axis] = random.oneIn( 2 ) ? box.lower[axis] : box.upper[axis];
    }
    return box;
}

/// Swaps the bounds on one, two or three axes.
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

cltAabbD withOneCoordinate( cltAabbD box, double value, Random& random )
{
    const unsigned place = random.below( 6 );
    ( place < 3 ? box.lower : box.upper )[place % 3] = value;
    return box;
}

} // namespace

/// m_farAway: at 4096 floats are 0.0005 apart. At a million doubles are 1e-10 apart, where floats would be 0.06 apart.
Arena::Arena( std::size_t bodyCount, cltPrecision precision )
    : m_isFloat( precision == clt_precisionFloat ), m_farAway( m_isFloat ? 4096 : 1e6 ),
      m_width( std::cbrt( volumePerBody / length * static_cast<double>( bodyCount ) ) ),
      m_largest( m_isFloat ? double( std::numeric_limits<float>::max() ) : std::numeric_limits<double>::max() )
{
}

cltAabbD Arena::rounded( const cltAabbD& box ) const
{
    return m_isFloat ? toDouble( toFloat( box ) ) : box;
}

double Arena::next( double value, double towards ) const
{
    return m_isFloat ? double( std::nextafter( float( value ), float( towards ) ) ) : std::nextafter( value, towards );
}

std::array<double, 3> Arena::place( Random& random ) const
{
    const double offset = random.oneIn( 8 ) ? m_farAway : 0;
    const double x = offset + random.between( 0, length * m_width );
    const double y = random.between( 0, m_width );
    return { x, y, random.between( 0, m_width ) };
}

cltAabbD Arena::ordinary( Random& random ) const
{
    const cltAabbD box = randomBoxAround( place( random ), random );
    return rounded( random.oneIn( 4 ) ? roundedToLattice( box ) : box );
}

std::array<double, 3> Arena::way( Random& random ) const
{
    const double x = random.between( -length * m_width, length * m_width );
    const double y = random.between( -m_width, m_width );
    return { x, y, random.between( -m_width, m_width ) };
}

cltAabbD Arena::moved( const cltAabbD& box, const std::array<double, 3>& way ) const
{
    if ( !isOrdinary( box ) )
    {
        return box;
    }
    cltAabbD result;
    for ( std::size_t axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = box.lower[axis] + way[axis];
        result.upper[axis] = box.upper[axis] + way[axis];
    }
    return rounded( result );
}

cltAabbD Arena::drifted( const cltAabbD& box, Random& random, double reach ) const
{
    if ( !isOrdinary( box ) )
    {
        return ordinary( random );
    }
    std::array<double, 3> way;
    for ( double& shift : way )
    {
        shift = random.between( -reach, reach );
    }
    return moved( box, way );
}

cltAabbD Arena::crowded( std::uint64_t place, std::size_t count, Random& random ) const
{
    Random placeRandom( place );
    std::array<double, 3> center = this->place( placeRandom );
    const double reach = std::cbrt( crowdVolumePerBody * static_cast<double>( count ) ) / 2;
    for ( double& coordinate : center )
    {
        coordinate += random.between( -reach, reach );
    }
    return rounded( randomBoxAround( center, random ) );
}

/// A box next to `neighbour` along one axis: it touches a face, or is one representable number before or beyond it.
cltAabbD Arena::beside( const cltAabbD& neighbour, Random& random ) const
{
    cltAabbD box = neighbour;
    const unsigned axis = random.below( 3 );
    const double face = neighbour.upper[axis];
    const double starts[] = { face, next( face, -infinite ), next( face, infinite ) };
    box.lower[axis] = starts[random.below( std::size( starts ) )];
    box.upper[axis] = box.lower[axis] + 1;
    return rounded( box );
}

cltAabbD Arena::odd( const cltAabbD& neighbour, Random& random ) const
{
    const cltAabbD boxes[] = {
        neighbour,
        beside( neighbour, random ),
        beside( neighbour, random ), // listed twice, so drawn twice as often as others
        randomCornerOf( neighbour, random ),
        inverted( neighbour, random ),
        withOneCoordinate( neighbour, notANumber, random ),
        withOneCoordinate( neighbour, infinite, random ),
        withOneCoordinate( neighbour, -infinite, random ),
        withOneCoordinate( neighbour, random.oneIn( 2 ) ? m_largest : -m_largest, random ),
        cube( notANumber, notANumber ),
        cube( infinite, infinite ),
        cube( -next( 0, 1 ), next( 0, 1 ) ),
        cube( 0.0, -0.0 ),                 // looks inverted by its sign bits, but -0 equals 0
        rounded( cube( 1e12, 1e12 + 1 ) ), // a point if rounded to float
        cube( m_largest, -m_largest )      // the box of a shape that has no bounds yet
    };
    return boxes[random.below( std::size( boxes ) )];
}

cltAabbD Arena::wide( Random& random ) const
{
    const double bulletsLargest = m_isFloat ? 1e18 : 1e30; // BT_LARGE_FLOAT, the bound of a btStaticPlaneShape
    const cltAabbD boxes[] = { rounded( cube( -bulletsLargest, bulletsLargest ) ), cube( -infinite, infinite ),
                               cube( -m_largest, m_largest ), cube( 0, infinite ), cube( -1e6, 1e6 ) };
    return boxes[random.below( std::size( boxes ) )];
}

bool Arena::isWide( const cltAabbD& box ) const
{
    // False for a box with a NaN.
    return std::equal( box.lower, box.lower + 3, box.upper,
                       [this]( double lower, double upper ) { return upper - lower > m_width; } );
}

bool Arena::isOrdinary( const cltAabbD& box ) const
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double last = axis == 0 ? length * m_width : m_width;
        const double edge = box.upper[axis] - box.lower[axis];
        const double center = ( box.upper[axis] + box.lower[axis] ) / 2;
        const double home = axis == 0 && center > m_farAway / 2 ? center - m_farAway : center;
        if ( !( edge > 0 && edge <= longestEdge + 2 * latticeStep && home >= 0 && home <= last ) )
        {
            return false;
        }
    }
    return true;
}

} // namespace cullet
