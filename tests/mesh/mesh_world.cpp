// SPDX-License-Identifier: Zlib
#include "tests/mesh/mesh_world.h"

#include "demos/oracle/oracle.h"
#include "demos/oracle/triangles.h"
#include "tests/support/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <set>

namespace test
{

namespace
{

/// Lower and upper bounds along the three axes and six diagonals. With single precision every bound is a float value.
struct Bounds
{
    std::array<double, 9> lower;
    std::array<double, 9> upper;
};

template <typename Number>
std::array<double, 9> measure( const cullet::ExactPoint& point )
{
    const Number x = Number( point[0] ), y = Number( point[1] ), z = Number( point[2] );
    const std::array<Number, 9> measures = { x, y, z, x + y, x + z, y + z, x - y, x - z, y - z };
    return { measures[0], measures[1], measures[2], measures[3], measures[4],
             measures[5], measures[6], measures[7], measures[8] };
}

float above( float value )
{
    return std::nextafter( value, HUGE_VALF );
}

float roundedUp( double value )
{
    const float nearest = float( value );
    return double( nearest ) < value ? above( nearest ) : nearest;
}

/// The upper bound of an element along one of the nine directions, widened by the thickness as cltMeshDef documents.
double widened( double upper, std::size_t direction, float thickness, bool isDouble )
{
    const bool isAxis = direction < 3;
    if ( isDouble && isAxis )
    {
        const double far = upper + double( thickness );
        return thickness == 0 ? upper : std::isinf( far ) ? far : far + std::fabs( far ) * 2.3e-16;
    }
    const float bound = isDouble ? roundedUp( upper ) : float( upper );
    return thickness == 0 ? bound : above( isAxis ? bound + thickness : above( bound ) + 1.41421366f * thickness );
}

Bounds boundsOf( const std::vector<cullet::ExactPoint>& points, float thickness, bool isDouble )
{
    Bounds bounds;
    bounds.lower.fill( HUGE_VAL );
    bounds.upper.fill( -HUGE_VAL );
    for ( const cullet::ExactPoint& point : points )
    {
        const std::array<double, 9> measures = isDouble ? measure<double>( point ) : measure<float>( point );
        for ( std::size_t i = 0; i < 9; ++i )
        {
            bounds.lower[i] = std::min( bounds.lower[i], measures[i] );
            bounds.upper[i] = std::max( bounds.upper[i], measures[i] );
        }
    }
    for ( std::size_t i = 0; i < 9; ++i )
    {
        bounds.lower[i] = -widened( -bounds.lower[i], i, thickness, isDouble );
        bounds.upper[i] = widened( bounds.upper[i], i, thickness, isDouble );
    }
    return bounds;
}

bool overlap( const Bounds& a, const Bounds& b, std::size_t first, std::size_t last )
{
    bool result = true;
    for ( std::size_t i = first; i < last; ++i )
    {
        result = result && a.lower[i] <= b.upper[i] && b.lower[i] <= a.upper[i];
    }
    return result;
}

/// True if a bound along a diagonal is infinite. Then no diagonal separates the element from another one.
bool isOpen( const Bounds& bounds )
{
    return std::find( bounds.lower.begin() + 3, bounds.lower.end(), -HUGE_VAL ) != bounds.lower.end() ||
           std::find( bounds.upper.begin() + 3, bounds.upper.end(), HUGE_VAL ) != bounds.upper.end();
}

cullet::ExactPoint pointAt( const std::vector<double>& vertices, std::uint32_t vertex )
{
    const double* at = vertices.data() + 3 * std::size_t( vertex );
    return { at[0], at[1], at[2] };
}

bool hasNan( const cullet::ExactPoint& point )
{
    return std::isnan( point[0] ) || std::isnan( point[1] ) || std::isnan( point[2] );
}

template <typename Number>
std::vector<double> placed( const std::vector<double>& given, const std::array<double, 12>& matrix )
{
    std::vector<double> result( given.size() );
    for ( std::size_t i = 0; i < given.size(); ++i )
    {
        const double* m = matrix.data() + 4 * ( i % 3 );
        const double* at = given.data() + i / 3 * 3;
        const Number x = Number( m[0] ) * Number( at[0] );
        const Number y = Number( m[1] ) * Number( at[1] );
        const Number z = Number( m[2] ) * Number( at[2] );
        const Number two = x + y;
        const Number three = two + z;
        result[i] = three + Number( m[3] );
    }
    return result;
}

} // namespace

/// A triangle, vertex or edge.
struct MeshWorld::Element
{
    std::array<std::uint32_t, 2> name;
    std::vector<std::uint32_t> vertices;
    std::vector<cullet::ExactPoint> currentPoints;
    Bounds bounds;
    bool isHidden;
    bool isFinite;

    /// The number of tests that accept the pair: 1 if only boxes overlap, 2 if 18-DOPs do, 3 if the elements intersect.
    int acceptingTestCount( const Element& other ) const
    {
        if ( isHidden || other.isHidden || !overlap( bounds, other.bounds, 0, 3 ) )
        {
            return 0;
        }
        if ( !isOpen( bounds ) && !isOpen( other.bounds ) && !overlap( bounds, other.bounds, 3, 9 ) )
        {
            return 1;
        }
        return isFinite && other.isFinite && cullet::hullsIntersect( currentPoints, other.currentPoints ) ? 3 : 2;
    }

    bool sharesVertex( const Element& other ) const
    {
        return std::find_first_of( vertices.begin(), vertices.end(), other.vertices.begin(), other.vertices.end() ) !=
               vertices.end();
    }
};

MeshWorld::MeshWorld( const cltBroadphaseDef& def, std::function<void()> onOutOfMemory )
    : m_def( def ), m_isDouble( def.precision == clt_precisionDouble ), m_onOutOfMemory( std::move( onOutOfMemory ) )
{
    cltMeshSet* set = nullptr;
    m_def.device = testDevice;
    call( [&] { return cltCreateMeshSet( &m_def, &set ); } );
    m_set.reset( set );
}

template <typename Call>
void MeshWorld::call( Call call )
{
    cltStatus status = call();
    if ( status == clt_hostMemory && m_onOutOfMemory )
    {
        m_onOutOfMemory();
        status = call();
    }
    ASSERT_EQ( clt_ok, status );
}

cltMeshId MeshWorld::create( const Shape& shape, const MeshOptions& options )
{
    const std::vector<float> floats = shape.floats();
    cltMeshDef def = cltDefaultMeshDef();
    def.vertices = m_isDouble ? nullptr : floats.data();
    def.verticesD = m_isDouble ? shape.vertices.data() : nullptr;
    def.vertexCount = shape.vertexCount();
    def.triangles = shape.triangles.data();
    def.triangleCount = shape.triangleCount();
    def.filter = options.filter;
    def.selfCollision = options.selfCollision;
    def.keepShared = options.keepShared;
    def.isSwept = options.isSwept;
    def.thickness = options.thickness;
    cltMeshId mesh = 0;
    call( [&] { return cltMeshSet_CreateMesh( m_set.get(), &def, &mesh ); } );
    EXPECT_EQ( 0u, m_meshes.count( mesh ) );
    m_meshes[mesh] = { shape, shape.vertices, shape.vertices, options };
    return mesh;
}

/// A vertex counts as not moved if its previous position has a NaN.
void MeshWorld::setVertices( Mesh& mesh, const std::vector<double>& vertices )
{
    mesh.previousVertices = mesh.shape.vertices;
    mesh.shape.vertices = vertices;
    for ( std::uint32_t vertex = 0; vertex < mesh.shape.vertexCount(); ++vertex )
    {
        if ( hasNan( pointAt( mesh.previousVertices, vertex ) ) )
        {
            std::copy_n( vertices.begin() + 3 * std::ptrdiff_t( vertex ), 3,
                         mesh.previousVertices.begin() + 3 * std::ptrdiff_t( vertex ) );
        }
    }
}

void MeshWorld::move( cltMeshId id, const std::vector<double>& vertices )
{
    const std::vector<float> floats( vertices.begin(), vertices.end() );
    call(
        [&]
        {
            return m_isDouble ? cltMeshSet_MoveVerticesD( m_set.get(), id, vertices.data() )
                              : cltMeshSet_MoveVertices( m_set.get(), id, floats.data() );
        } );
    setVertices( m_meshes.at( id ), vertices );
    m_meshes.at( id ).given = vertices;
}

void MeshWorld::place( cltMeshId id, const std::array<double, 12>& matrix )
{
    const std::vector<float> floats( matrix.begin(), matrix.end() );
    call(
        [&]
        {
            return m_isDouble ? cltMeshSet_PlaceD( m_set.get(), id, matrix.data() )
                              : cltMeshSet_Place( m_set.get(), id, floats.data() );
        } );
    Mesh& mesh = m_meshes.at( id );
    setVertices( mesh, m_isDouble ? placed<double>( mesh.given, matrix ) : placed<float>( mesh.given, matrix ) );
}

void MeshWorld::setFilter( cltMeshId mesh, const cltFilter& filter )
{
    call( [&] { return cltMeshSet_SetFilter( m_set.get(), mesh, &filter ); } );
    m_meshes.at( mesh ).options.filter = filter;
}

void MeshWorld::destroy( cltMeshId mesh )
{
    call( [&] { return cltMeshSet_DestroyMesh( m_set.get(), mesh ); } );
    m_meshes.erase( mesh );
}

template <typename Pair>
std::vector<Pair> MeshWorld::search( cltStatus ( *find )( cltMeshSet*, cltMeshTest, const Pair**, std::size_t* ),
                                     cltMeshTest test )
{
    const Pair* pairs = nullptr;
    std::size_t count = 0;
    call( [&] { return find( m_set.get(), test, &pairs, &count ); } );
    return std::vector<Pair>( pairs, pairs + count );
}

PartPairs MeshWorld::find( Pairing pairing, cltMeshTest test )
{
    PartPairs result;
    if ( pairing == Pairing::triangles )
    {
        for ( const cltTrianglePair& pair : search( cltMeshSet_FindPairs, test ) )
        {
            result.push_back( { pair.meshA, pair.triangleA, 0, pair.meshB, pair.triangleB, 0 } );
        }
    }
    else if ( pairing == Pairing::vertexFaces )
    {
        for ( const cltVertexFace& pair : search( cltMeshSet_FindVertexFaces, test ) )
        {
            result.push_back( { pair.vertexMesh, pair.vertex, 0, pair.faceMesh, pair.triangle, 0 } );
        }
    }
    else
    {
        for ( const cltEdgePair& pair : search( cltMeshSet_FindEdgePairs, test ) )
        {
            result.push_back( { pair.meshA, pair.verticesA[0], pair.verticesA[1], pair.meshB, pair.verticesB[0],
                                pair.verticesB[1] } );
        }
    }
    return result;
}

cltMeshStats MeshWorld::stats() const
{
    cltMeshStats stats = {};
    EXPECT_EQ( clt_ok, cltMeshSet_GetStats( m_set.get(), &stats ) );
    return stats;
}

// -------------------------------------------------------------------------------------------------------- brute force

MeshWorld::Element MeshWorld::elementOf( const Mesh& mesh, std::array<std::uint32_t, 2> name,
                                         std::vector<std::uint32_t> vertices ) const
{
    Element piece = { name, std::move( vertices ), {}, {}, false, true };
    for ( const std::uint32_t vertex : piece.vertices )
    {
        piece.currentPoints.push_back( pointAt( mesh.shape.vertices, vertex ) );
        for ( const double at : piece.currentPoints.back() )
        {
            piece.isFinite = piece.isFinite && std::isfinite( at );
        }
    }
    std::vector<cullet::ExactPoint> points = piece.currentPoints;
    for ( std::size_t i = 0; i < piece.vertices.size() && mesh.options.isSwept; ++i )
    {
        points.push_back( pointAt( mesh.previousVertices, piece.vertices[i] ) );
    }
    piece.isHidden = std::any_of( points.begin(), points.end(), hasNan );
    piece.bounds = boundsOf( points, mesh.options.thickness, m_isDouble );
    return piece;
}

/// The elements of a mesh that this pairing tests, without vertices and edges that belong to hidden triangles only.
std::vector<MeshWorld::Element> MeshWorld::elementsOf( const Mesh& mesh, Pairing pairing, bool isFirst ) const
{
    std::vector<Element> triangles, parts;
    std::set<std::array<std::uint32_t, 2>> names;
    for ( std::uint32_t i = 0; i < mesh.shape.triangleCount(); ++i )
    {
        const std::uint32_t* corners = mesh.shape.triangles.data() + 3 * std::size_t( i );
        triangles.push_back( elementOf( mesh, { i, 0 }, { corners[0], corners[1], corners[2] } ) );
        for ( std::size_t side = 0; side < 3 && !triangles.back().isHidden; ++side )
        {
            const auto ends = std::minmax( corners[side], corners[( side + 1 ) % 3] );
            if ( pairing == Pairing::vertexFaces )
            {
                names.insert( { corners[side], 0 } );
            }
            else if ( ends.first < ends.second )
            {
                names.insert( { ends.first, ends.second } );
            }
        }
    }
    if ( pairing == Pairing::triangles || ( pairing == Pairing::vertexFaces && !isFirst ) )
    {
        return triangles;
    }
    for ( const auto& name : names )
    {
        parts.push_back(
            elementOf( mesh, name, { name.begin(), name.begin() + ( pairing == Pairing::edges ? 2 : 1 ) } ) );
    }
    return parts;
}

/// Tests each element of one mesh with each element of another mesh, or of the same mesh.
void MeshWorld::findAllOf( cltMeshId idA, cltMeshId idB, Pairing pairing, std::array<PartPairs, 3>& pairs ) const
{
    const Mesh& a = m_meshes.at( idA );
    const bool isSelf = idA == idB;
    const std::vector<Element> pieces = elementsOf( a, pairing, true );
    const std::vector<Element> others = elementsOf( m_meshes.at( idB ), pairing, false );
    for ( std::size_t i = 0; i < pieces.size(); ++i )
    {
        for ( std::size_t j = isSelf && pairing != Pairing::vertexFaces ? i + 1 : 0; j < others.size(); ++j )
        {
            const bool isLeftOut = isSelf && !a.options.keepShared && pieces[i].sharesVertex( others[j] );
            const int acceptedCount = isLeftOut ? 0 : pieces[i].acceptingTestCount( others[j] );
            const auto& first = pieces[i].name;
            const auto& second = others[j].name;
            for ( std::size_t test = 0; test < std::size_t( acceptedCount ); ++test )
            {
                pairs[test].push_back( { idA, first[0], first[1], idB, second[0], second[1] } );
            }
        }
    }
}

std::array<PartPairs, 3> MeshWorld::findAll( Pairing pairing ) const
{
    std::array<PartPairs, 3> pairs;
    for ( const auto& [idA, a] : m_meshes )
    {
        for ( const auto& [idB, b] : m_meshes )
        {
            const bool mayPair = cullet::mayPair( a.options.filter, b.options.filter );
            if ( idA == idB ? a.options.selfCollision : mayPair && ( idA < idB || pairing == Pairing::vertexFaces ) )
            {
                findAllOf( idA, idB, pairing, pairs );
            }
        }
    }
    for ( PartPairs& found : pairs )
    {
        std::sort( found.begin(), found.end() );
    }
    return pairs;
}

void MeshWorld::expectFound( const PartPairs& expected, Pairing pairing, cltMeshTest test )
{
    const PartPairs found = find( pairing, test );
    ASSERT_EQ( expected.size(), found.size() ) << "test " << test << ", pairs of " << int( pairing );
    ASSERT_TRUE( expected == found ) << "test " << test << ", pairs of " << int( pairing );
    std::ptrdiff_t hiddenCount = 0;
    for ( const auto& [id, mesh] : m_meshes )
    {
        const std::vector<Element> triangles = elementsOf( mesh, Pairing::triangles, true );
        hiddenCount += std::count_if( triangles.begin(), triangles.end(), std::mem_fn( &Element::isHidden ) );
    }
    EXPECT_EQ( hiddenCount, stats().hiddenCount );
}

void MeshWorld::expectPairs( Pairing pairing, cltMeshTest test )
{
    expectFound( findAll( pairing )[test], pairing, test );
}

void MeshWorld::expectPairs( Pairing pairing )
{
    const std::array<PartPairs, 3> expected = findAll( pairing );
    for ( cltMeshTest test : { clt_meshTriangles, clt_meshBoxes, clt_meshKdops } )
    {
        ASSERT_NO_FATAL_FAILURE( expectFound( expected[test], pairing, test ) );
    }
}

void MeshWorld::expectPairs()
{
    for ( Pairing pairing : { Pairing::vertexFaces, Pairing::triangles, Pairing::edges } )
    {
        ASSERT_NO_FATAL_FAILURE( expectPairs( pairing ) );
    }
}

} // namespace test
