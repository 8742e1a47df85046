// SPDX-License-Identifier: Zlib
#include "mesh_oracle.h"

#include <array>
#include <cmath>
#include <stdexcept>

namespace cullet::papers
{

namespace
{

struct Interval
{
    float lower, upper;
};

/// The interval of a triangle along a direction. Its factors are 0, 1 and -1, so at most one sum is rounded.
Interval intervalOf( const float* const* corners, const int* factors )
{
    float measures[3];
    for ( int corner = 0; corner < 3; ++corner )
    {
        measures[corner] = 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            measures[corner] += float( factors[axis] ) * corners[corner][axis];
        }
    }
    const auto ends = std::minmax_element( measures, measures + 3 );
    return { *ends.first, *ends.second };
}

constexpr int factors[9][3] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 },  { 1, 1, 0 }, { 1, 0, 1 },
                                { 0, 1, 1 }, { 1, -1, 0 }, { 1, 0, -1 }, { 0, 1, -1 } };

/// Whether the intervals overlap in all diagonal directions.
bool overlapDiagonally( const float* const* a, const float* const* b )
{
    for ( int direction = 3; direction < 9; ++direction )
    {
        const Interval left = intervalOf( a, factors[direction] ), right = intervalOf( b, factors[direction] );
        if ( left.lower > right.upper || right.lower > left.upper )
        {
            return false;
        }
    }
    return true;
}

} // namespace

MeshScenePointer createMeshScene( cltMeshSceneKind kind, std::uint32_t triangleCount, float speed )
{
    const cltMeshSceneDef def = { kind, triangleCount, speed };
    MeshScenePointer scene( cltCreateMeshScene( &def ), cltDestroyMeshScene );
    if ( !scene )
    {
        throw std::runtime_error( "not enough memory for the scene" );
    }
    return scene;
}

std::vector<Triangle> trianglesOf( const cltMeshScene& scene )
{
    std::vector<Triangle> triangles;
    for ( std::uint32_t k = 0; k < scene.meshCount; ++k )
    {
        const cltMesh& mesh = scene.meshes[k];
        const auto place = [&mesh]( std::uint32_t vertex ) { return &mesh.vertices[vertex][0]; };
        const auto triangle = [&place]( const std::uint32_t( &corners )[3] ) -> Triangle {
            return { { place( corners[0] ), place( corners[1] ), place( corners[2] ) } };
        };
        std::transform( mesh.triangles, mesh.triangles + mesh.triangleCount, std::back_inserter( triangles ),
                        triangle );
    }
    return triangles;
}

bool areNeighbors( const Triangle& a, const Triangle& b )
{
    return std::find_first_of( a.corners, a.corners + 3, b.corners, b.corners + 3 ) != a.corners + 3;
}

std::vector<cltAabb> boxesOf( const cltMeshScene& scene )
{
    const std::vector<Triangle> triangles = trianglesOf( scene );
    std::vector<cltAabb> boxes( triangles.size() );
    for ( std::size_t k = 0; k < boxes.size(); ++k )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            const Interval interval = intervalOf( triangles[k].corners, factors[axis] );
            boxes[k].lower[axis] = interval.lower;
            boxes[k].upper[axis] = interval.upper;
        }
    }
    return boxes;
}

std::vector<std::uint32_t> meshNumbersOf( const cltMeshScene& scene )
{
    std::vector<std::uint32_t> numbers;
    for ( std::uint32_t mesh = 0; mesh < scene.meshCount; ++mesh )
    {
        numbers.insert( numbers.end(), scene.meshes[mesh].triangleCount, mesh );
    }
    return numbers;
}

PairSet trianglePairs( const cltMeshScene& scene, Between between, Directions directions )
{
    const std::vector<cltAabb> boxes = boxesOf( scene );
    const std::vector<Triangle> triangles = trianglesOf( scene );
    const std::vector<std::uint32_t> meshes = meshNumbersOf( scene );
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t triangle = 0; triangle < boxes.size(); ++triangle )
    {
        candidates.push_back( { boxes[triangle], openFilter, triangle } );
    }
    PairSet pairs = sweptPairs( std::move( candidates ) );
    const auto isOut = [&]( PairKey key )
    {
        const std::uint32_t a = smallerOf( key ), b = largerOf( key );
        return ( between == Between::meshes && meshes[a] == meshes[b] ) ||
               ( directions == Directions::nine && !overlapDiagonally( triangles[a].corners, triangles[b].corners ) );
    };
    pairs.erase( std::remove_if( pairs.begin(), pairs.end(), isOut ), pairs.end() );
    return pairs;
}

// -------------------------------------------------------------------------------------------------- exact intersection

namespace
{

/// An exact sum of doubles: parts with bits that do not overlap, the largest last.
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

    /// Adds a product in two halves, so that neither is rounded.
    /// \param ab  at most 48 bits
    /// \param c   at most 24 bits
    void addProduct( double ab, double c )
    {
        const double far = 134217729.0 * ab; // Veltkamp's factor, 2^27 + 1, splits a double into two halves
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

/// Adds the determinant of three points.
/// \param factor  1 or -1
void addDeterminant( ExactSum& sum, double factor, const float* p, const float* q, const float* r )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
        sum.addProduct( factor * double( p[axis] ) * double( q[u] ), double( r[v] ) );
        sum.addProduct( -factor * double( p[axis] ) * double( q[v] ), double( r[u] ) );
    }
}

/// The side of the plane through a, b and c on which d lies: -1, 0 or 1.
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
    if ( std::fabs( sum ) > 1e-14 * size ) // ten times the largest rounding error
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

/// The side of the line from a to b on which c lies, seen along an axis: -1, 0 or 1.
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

/// An axis along which the triangle's projection has an area.
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

/// For two triangles in one plane: whether the line through an edge of `a` separates it from `b`.
bool anEdgeSeparates( const Triangle& a, const Triangle& b, int axis )
{
    for ( int k = 0; k < 3; ++k )
    {
        const float *p = a.corners[k], *q = a.corners[( k + 1 ) % 3];
        const int inside = sideOfLine( p, q, a.corners[( k + 2 ) % 3], axis );
        bool separates = true;
        for ( const float* corner : b.corners )
        {
            separates = separates && sideOfLine( p, q, corner, axis ) == -inside;
        }
        if ( separates )
        {
            return true;
        }
    }
    return false;
}

struct Sides
{
    int of[3];

    /// \param plane  the triangle that defines the plane
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

/// Whether an edge of `edges` passes through the triangle or ends on it. Edges in the triangle's plane are skipped:
/// where two planes cross, the intersection of the triangles ends at an edge that is not in the other's plane.
bool anEdgeIntersects( const Triangle& edges, const Sides& sides, const Triangle& triangle )
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

bool intersectExactly( const Triangle& a, const Triangle& b )
{
    const int axis = axisOf( a );
    axisOf( b );
    const Sides ofA( b, a ), ofB( a, b );
    if ( ofB.areFlat() )
    {
        return !anEdgeSeparates( a, b, axis ) && !anEdgeSeparates( b, a, axis );
    }
    return anEdgeIntersects( a, ofA, b ) || anEdgeIntersects( b, ofB, a );
}

} // namespace cullet::papers
