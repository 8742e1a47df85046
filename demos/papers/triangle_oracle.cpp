// SPDX-License-Identifier: Zlib
#include "triangle_oracle.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace cullet::papers
{

namespace
{

/// Parts that do not overlap, the largest last: their sum is the sum of all that was added, to the last bit.
class ExactSum
{
public:
    void add( double value )
    {
        std::size_t kept = 0;
        for ( std::size_t k = 0; k < m_count; ++k )
        {
            const double sum = value + m_parts[k];
            const double rest = sum - value;
            const double lost = ( value - ( sum - rest ) ) + ( m_parts[k] - rest );
            if ( lost != 0 )
            {
                m_parts[kept++] = lost;
            }
            value = sum;
        }
        if ( value != 0 )
        {
            m_parts[kept++] = value;
        }
        m_count = kept;
    }

    /// \param ab  of at most 48 bits; c of at most 24: their product is that of two halves
    void addProduct( double ab, double c )
    {
        const double far = 134217729.0 * ab; // 2^27 + 1, Veltkamp's
        const double upper = far - ( far - ab );
        add( upper * c );
        add( ( ab - upper ) * c );
    }

    int sign() const
    {
        return m_count == 0 ? 0 : m_parts[m_count - 1] > 0 ? 1 : -1;
    }

private:
    std::array<double, 64> m_parts;
    std::size_t m_count = 0;
};

/// Adds the determinant of three points, or takes it away.
void addDeterminant( ExactSum& sum, double factor, const float* p, const float* q, const float* r )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
        sum.addProduct( factor * double( p[axis] ) * double( q[u] ), double( r[v] ) );
        sum.addProduct( -factor * double( p[axis] ) * double( q[v] ), double( r[u] ) );
    }
}

/// On which side of the plane through a, b and c point d lies.
int sideOfPlane( const float* a, const float* b, const float* c, const float* d )
{
    double rows[3][3], sum = 0, size = 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        rows[0][axis] = double( a[axis] ) - double( d[axis] );
        rows[1][axis] = double( b[axis] ) - double( d[axis] );
        rows[2][axis] = double( c[axis] ) - double( d[axis] );
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
        const double left = rows[1][u] * rows[2][v], right = rows[1][v] * rows[2][u];
        sum += rows[0][axis] * ( left - right );
        size += std::fabs( rows[0][axis] ) * ( std::fabs( left ) + std::fabs( right ) );
    }
    if ( std::fabs( sum ) > 1e-14 * size ) // ten times what rounding can do
    {
        return sum > 0 ? 1 : -1;
    }
    ExactSum exact;
    addDeterminant( exact, 1, a, b, c );
    addDeterminant( exact, -1, a, b, d );
    addDeterminant( exact, 1, a, c, d );
    addDeterminant( exact, -1, b, c, d );
    return exact.sign();
}

/// On which side of the line from a to b point c lies, seen along an axis.
int sideOfLine( const float* a, const float* b, const float* c, int axis )
{
    const int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
    const float* points[] = { a, b, c };
    ExactSum exact;
    for ( int k = 0; k < 3; ++k )
    {
        const float *p = points[k], *q = points[( k + 1 ) % 3];
        exact.add( double( p[u] ) * double( q[v] ) );
        exact.add( -double( p[v] ) * double( q[u] ) );
    }
    return exact.sign();
}

/// Along which a triangle has an area.
int axisOf( const Triangle& triangle )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( sideOfLine( triangle.corners[0], triangle.corners[1], triangle.corners[2], axis ) != 0 )
        {
            return axis;
        }
    }
    throw std::logic_error( "these scenes have no triangle without an area" );
}

/// Of two on one plane: the line through an edge of `a` has all of `b` on its far side.
bool anEdgeParts( const Triangle& a, const Triangle& b, int axis )
{
    for ( int k = 0; k < 3; ++k )
    {
        const float *p = a.corners[k], *q = a.corners[( k + 1 ) % 3];
        const int inside = sideOfLine( p, q, a.corners[( k + 2 ) % 3], axis );
        bool parts = true;
        for ( const float* corner : b.corners )
        {
            parts = parts && sideOfLine( p, q, corner, axis ) == -inside;
        }
        if ( parts )
        {
            return true;
        }
    }
    return false;
}

struct Sides
{
    int of[3];

    /// \param plane  on whose sides the corners are
    Sides( const Triangle& plane, const Triangle& triangle )
    {
        for ( int k = 0; k < 3; ++k )
        {
            of[k] = sideOfPlane( plane.corners[0], plane.corners[1], plane.corners[2], triangle.corners[k] );
        }
    }

    bool areFlat() const
    {
        return of[0] == 0 && of[1] == 0 && of[2] == 0;
    }
};

/// Whether an edge of one goes through the other, or ends on it. Edges that lie in the other's plane are left to their
/// neighbors: where two planes cross, what the triangles have in common ends at an edge that does not.
bool anEdgeMeets( const Triangle& edges, const Sides& sides, const Triangle& triangle )
{
    const float* const* corners = triangle.corners;
    for ( int k = 0; k < 3; ++k )
    {
        const int next = ( k + 1 ) % 3;
        if ( sides.of[k] == sides.of[next] ) // on one side, or both in the plane
        {
            continue;
        }
        const float *p = edges.corners[k], *q = edges.corners[next];
        const int around[] = { sideOfPlane( p, q, corners[0], corners[1] ), sideOfPlane( p, q, corners[1], corners[2] ),
                               sideOfPlane( p, q, corners[2], corners[0] ) };
        const bool isLeft = around[0] >= 0 && around[1] >= 0 && around[2] >= 0;
        const bool isRight = around[0] <= 0 && around[1] <= 0 && around[2] <= 0;
        if ( isLeft || isRight )
        {
            return true;
        }
    }
    return false;
}

} // namespace

bool meetExactly( const Triangle& a, const Triangle& b )
{
    const int axis = axisOf( a );
    axisOf( b );
    const Sides ofA( b, a ), ofB( a, b );
    if ( ofB.areFlat() )
    {
        return !anEdgeParts( a, b, axis ) && !anEdgeParts( b, a, axis );
    }
    return anEdgeMeets( a, ofA, b ) || anEdgeMeets( b, ofB, a );
}

} // namespace cullet::papers
