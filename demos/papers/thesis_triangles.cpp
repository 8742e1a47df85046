// SPDX-License-Identifier: Zlib
#include "thesis_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cullet::papers
{

namespace
{

using Vector = std::array<float, 3>;

constexpr float flat = 1e-6f; // Moller's value; the thesis gives none

Vector edge( const float* from, const float* to )
{
    return { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
}

Vector cross( const Vector& a, const Vector& b )
{
    return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

template <typename Place>
float dot( const Vector& a, const Place& b )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A triangle's plane, and the distances of another triangle's corners from it.
struct Plane
{
    Vector normal;
    float distances[3];

    Plane( const Triangle& plane, const Triangle& other )
        : normal( cross( edge( plane.corners[0], plane.corners[1] ), edge( plane.corners[0], plane.corners[2] ) ) )
    {
        const float offset = -dot( normal, plane.corners[0] );
        for ( int k = 0; k < 3; ++k )
        {
            const float distance = dot( normal, other.corners[k] ) + offset;
            distances[k] = std::fabs( distance ) < flat ? 0.0f : distance;
        }
    }

    bool isOnOneSide() const
    {
        return distances[0] * distances[1] > 0 && distances[0] * distances[2] > 0;
    }
};

/// The corner that lies on one side of the plane while the other two lie on the other side.
/// \return -1 if all three lie in the plane
int loneCorner( const float* distances )
{
    if ( distances[0] * distances[1] > 0 )
    {
        return 2;
    }
    if ( distances[0] * distances[2] > 0 )
    {
        return 1;
    }
    if ( distances[1] * distances[2] > 0 || distances[0] != 0 )
    {
        return 0;
    }
    return distances[1] != 0 ? 1 : distances[2] != 0 ? 2 : -1;
}

/// The part of the planes' common line that lies in a triangle, along an axis.
struct Interval
{
    float first, last;

    Interval( const Triangle& triangle, const float* distances, int lone, int axis )
    {
        const auto end = [&]( int other )
        {
            const float from = triangle.corners[lone][axis], to = triangle.corners[other][axis];
            return from + ( to - from ) * distances[lone] / ( distances[lone] - distances[other] );
        };
        const float a = end( ( lone + 1 ) % 3 ), b = end( ( lone + 2 ) % 3 );
        first = std::min( a, b );
        last = std::max( a, b );
    }
};

int axisOf( const Vector& line, LineAxis lineAxis )
{
    const float x = std::fabs( line[0] ), y = std::fabs( line[1] ), z = std::fabs( line[2] );
    if ( z == std::max( { x, y, z } ) )
    {
        return 2;
    }
    return lineAxis == LineAxis::longest && y >= x ? 1 : 0;
}

} // namespace

bool intersectAsInThesis( const Triangle& a, const Triangle& b, LineAxis lineAxis )
{
    const Plane ofA( a, b );
    if ( ofA.isOnOneSide() )
    {
        return false;
    }
    const Plane ofB( b, a );
    const int loneOfA = loneCorner( ofB.distances ), loneOfB = loneCorner( ofA.distances );
    if ( ofB.isOnOneSide() || loneOfA < 0 || loneOfB < 0 )
    {
        return false;
    }
    const int axis = axisOf( cross( ofA.normal, ofB.normal ), lineAxis );
    const Interval intervalOfA( a, ofB.distances, loneOfA, axis ), intervalOfB( b, ofA.distances, loneOfB, axis );
    return intervalOfA.first <= intervalOfB.last && intervalOfB.first <= intervalOfA.last;
}

} // namespace cullet::papers
