// SPDX-License-Identifier: Zlib
/// \file arena.cpp
/// Edges are uniform from 0.5 to 2. A box of edge a meets one of edge b if their centers lie within ( a + b ) / 2 on each
/// axis, so n bodies in a volume V make about n * n / 2 * E( a + b )^3 / V pairs; E( a + b )^3 is 17.
#include "arena.h"

#include <cmath>

namespace cullet::stress
{

namespace
{

constexpr double shortestEdge = 0.5;
constexpr double longestEdge = 2;
constexpr double length = 4;          ///< of the arena along x, in widths: the oracle sweeps along x
constexpr double volumePerBody = 4.3; ///< for two pairs a body
constexpr double crowdVolumePerBody = 1.7;
constexpr double drift = 0.3;
constexpr double latticeStep = 0.5;
constexpr std::size_t oneFarIn = 8;
constexpr std::size_t oneLatticeIn = 4;

/// A float still tells 0.0005 apart there, a double a hundred-millionth of what a float would.
constexpr double farAway = sizeof( btScalar ) == sizeof( double ) ? 1e6 : 4096;

Box boxAround( const double center[3], const double edges[3] )
{
    Box box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = btScalar( center[axis] - edges[axis] / 2 );
        box.upper[axis] = btScalar( center[axis] + edges[axis] / 2 );
    }
    return box;
}

/// Two such boxes touch as often as not when they are near each other.
Box onLattice( const Box& box )
{
    Box result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        result.lower[axis] = btScalar( std::floor( box.lower[axis] / latticeStep ) * latticeStep );
        result.upper[axis] = btScalar( std::ceil( box.upper[axis] / latticeStep ) * latticeStep );
    }
    return result;
}

void drawEdges( Random& random, double edges[3] )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        edges[axis] = random.between( shortestEdge, longestEdge );
    }
}

} // namespace

Arena::Arena( std::size_t bodyCount ) : m_width( std::cbrt( volumePerBody / length * double( bodyCount ) ) )
{
}

btVector3 Arena::place( Random& random ) const
{
    const double offset = random.oneIn( oneFarIn ) ? farAway : 0;
    const double x = offset + random.between( 0, length * m_width );
    const double y = random.between( 0, m_width );
    const double z = random.between( 0, m_width );
    return btVector3( btScalar( x ), btScalar( y ), btScalar( z ) );
}

Box Arena::ordinary( Random& random ) const
{
    const btVector3 middle = place( random );
    const double center[3] = { middle.x(), middle.y(), middle.z() };
    double edges[3];
    drawEdges( random, edges );
    const Box box = boxAround( center, edges );
    return random.oneIn( oneLatticeIn ) ? onLattice( box ) : box;
}

Box Arena::drifted( const Box& box, Random& random ) const
{
    if ( !isOrdinary( box ) )
    {
        return ordinary( random );
    }
    Box result;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const btScalar way = btScalar( random.between( -drift, drift ) );
        result.lower[axis] = box.lower[axis] + way;
        result.upper[axis] = box.upper[axis] + way;
    }
    return result;
}

Box Arena::crowded( std::uint64_t place, std::size_t count, Random& random ) const
{
    Random placeRandom( place, Purpose::phase, 0 );
    const btVector3 middle = this->place( placeRandom );
    const double reach = std::cbrt( crowdVolumePerBody * double( count ) );
    double center[3];
    double edges[3];
    drawEdges( random, edges );
    for ( int axis = 0; axis < 3; ++axis )
    {
        center[axis] = double( middle[axis] ) + random.between( -reach / 2, reach / 2 );
    }
    return boxAround( center, edges );
}

bool Arena::isWide( const Box& box ) const
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const bool reachesFar = box.upper[axis] - box.lower[axis] > m_width; // not with a NaN
        if ( !reachesFar )
        {
            return false;
        }
    }
    return true;
}

bool Arena::isOrdinary( const Box& box ) const
{
    const double last[3] = { length * m_width, m_width, m_width };
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double edge = double( box.upper[axis] ) - double( box.lower[axis] );
        const double center = ( double( box.upper[axis] ) + double( box.lower[axis] ) ) / 2;
        const double home = axis == 0 && center > farAway / 2 ? center - farAway : center;
        const bool fits = edge > 0 && edge <= longestEdge + 2 * latticeStep && home >= 0 && home <= last[axis];
        if ( !fits )
        {
            return false;
        }
    }
    return true;
}

} // namespace cullet::stress
