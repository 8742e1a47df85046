// SPDX-License-Identifier: Zlib
#include "tests/mesh/mesh_world.h"

#include "gpu/mesh/core/triangle.h"
#include "tests/support/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace test
{

namespace
{

template <typename Number>
std::array<Number, 9> measure( const double* vertex )
{
    const Number x = static_cast<Number>( vertex[0] );
    const Number y = static_cast<Number>( vertex[1] );
    const Number z = static_cast<Number>( vertex[2] );
    return { x, y, z, x + y, x + z, y + z, x - y, x - z, y - z };
}

template <typename Number>
Bounds<Number> boundsOf( const std::vector<const double*>& corners )
{
    Bounds<Number> bounds;
    bounds.lower.fill( std::numeric_limits<Number>::infinity() );
    bounds.upper.fill( -std::numeric_limits<Number>::infinity() );
    for ( const double* corner : corners )
    {
        const auto measures = measure<Number>( corner );
        for ( std::size_t i = 0; i < 9; ++i )
        {
            bounds.lower[i] = std::min( bounds.lower[i], measures[i] );
            bounds.upper[i] = std::max( bounds.upper[i], measures[i] );
        }
    }
    return bounds;
}

bool overlap( const Bounds<double>& a, const Bounds<double>& b, std::size_t first, std::size_t last )
{
    bool result = true;
    for ( std::size_t i = first; i < last; ++i )
    {
        result = result && a.lower[i] <= b.upper[i] && b.lower[i] <= a.upper[i];
    }
    return result;
}

/// True if a bound along a diagonal is infinite. Then no diagonal separates.
bool isOpen( const Bounds<double>& bounds )
{
    return std::any_of( bounds.lower.begin() + 3, bounds.lower.end(), []( double at ) { return at == -HUGE_VAL; } ) ||
           std::any_of( bounds.upper.begin() + 3, bounds.upper.end(), []( double at ) { return at == HUGE_VAL; } );
}

float below( float value )
{
    return std::nextafter( value, -std::numeric_limits<float>::infinity() );
}

float above( float value )
{
    return std::nextafter( value, std::numeric_limits<float>::infinity() );
}

/// Bounds in single precision: floats, widened to the next floats.
Bounds<double> floatBounds( const std::vector<const double*>& corners, float thickness )
{
    const Bounds<float> exact = boundsOf<float>( corners );
    Bounds<double> bounds;
    const float share = 1.41421366f * thickness;
    for ( std::size_t i = 0; i < 9; ++i )
    {
        float lower = exact.lower[i];
        float upper = exact.upper[i];
        if ( thickness > 0 )
        {
            lower = below( i < 3 ? lower - thickness : below( lower ) - share );
            upper = above( i < 3 ? upper + thickness : above( upper ) + share );
        }
        bounds.lower[i] = lower;
        bounds.upper[i] = upper;
    }
    return bounds;
}

float outward( double value, bool down )
{
    const float nearest = static_cast<float>( value );
    const bool isInside = down ? double( nearest ) > value : double( nearest ) < value;
    return !isInside ? nearest : down ? below( nearest ) : above( nearest );
}

/// Bounds in double precision: along the axes in double, along the diagonals rounded outward to float.
Bounds<double> doubleBounds( const std::vector<const double*>& corners, float thickness )
{
    Bounds<double> bounds = boundsOf<double>( corners );
    const float share = 1.41421366f * thickness;
    for ( std::size_t i = 0; i < 9; ++i )
    {
        if ( i < 3 && thickness > 0 )
        {
            const double lower = bounds.lower[i] - double( thickness );
            const double upper = bounds.upper[i] + double( thickness );
            bounds.lower[i] = std::isinf( lower ) ? lower : lower - std::fabs( lower ) * 2.3e-16;
            bounds.upper[i] = std::isinf( upper ) ? upper : upper + std::fabs( upper ) * 2.3e-16;
        }
        if ( i >= 3 )
        {
            const float lower = outward( bounds.lower[i], true );
            const float upper = outward( bounds.upper[i], false );
            bounds.lower[i] = thickness > 0 ? below( below( lower ) - share ) : lower;
            bounds.upper[i] = thickness > 0 ? above( above( upper ) + share ) : upper;
        }
    }
    return bounds;
}

std::vector<const double*> placesOf( const std::vector<std::uint32_t>& names, const std::vector<double>& vertices )
{
    std::vector<const double*> places;
    for ( std::uint32_t name : names )
    {
        places.push_back( vertices.data() + 3 * std::size_t( name ) );
    }
    return places;
}

bool holdNan( const std::vector<const double*>& places )
{
    return std::any_of( places.begin(), places.end(),
                        []( const double* at )
                        { return std::isnan( at[0] ) || std::isnan( at[1] ) || std::isnan( at[2] ); } );
}

bool areFinite( const std::vector<const double*>& places )
{
    return std::all_of( places.begin(), places.end(),
                        []( const double* at )
                        { return std::isfinite( at[0] ) && std::isfinite( at[1] ) && std::isfinite( at[2] ); } );
}

cltFacet facetOf( const Piece& piece )
{
    return { { piece.now[0], piece.now[1], piece.now[2] } };
}

bool pointMeetsFacet( const cltPoint& point, const cltFacet& facet )
{
    const cltPoint* at = facet.corners;
    return cltOrient3( at, at + 1, at + 2, &point ) == 0 &&
           ( cltFacet_HoldsPoint( &facet, &point ) || cltPointMeetsSegment( &point, at, at + 1 ) ||
             cltPointMeetsSegment( &point, at + 1, at + 2 ) || cltPointMeetsSegment( &point, at, at + 2 ) );
}

/// True if a and b intersect. Vertices and edges are not tested as degenerate triangles but by their own rules.
bool meet( const Piece& a, const Piece& b, Pairing pairing )
{
    if ( !a.isFinite || !b.isFinite )
    {
        return false;
    }
    if ( pairing == Pairing::edges )
    {
        return cltSegmentsMeet( &a.now[0], &a.now[1], &b.now[0], &b.now[1] );
    }
    const cltFacet facet = facetOf( b );
    if ( pairing == Pairing::vertexFaces )
    {
        return pointMeetsFacet( a.now[0], facet );
    }
    const cltFacet first = facetOf( a );
    return cltFacet_Meets( &first, &facet );
}

/// The number of tests, from boxes to triangles, that accept the pair.
int levelOf( const Piece& a, const Piece& b, Pairing pairing )
{
    if ( a.isHidden || b.isHidden || !overlap( a.bounds, b.bounds, 0, 3 ) )
    {
        return 0;
    }
    if ( !isOpen( a.bounds ) && !isOpen( b.bounds ) && !overlap( a.bounds, b.bounds, 3, 9 ) )
    {
        return 1;
    }
    return meet( a, b, pairing ) ? 3 : 2;
}

bool shareVertex( const Piece& a, const Piece& b )
{
    return std::find_first_of( a.vertices.begin(), a.vertices.end(), b.vertices.begin(), b.vertices.end() ) !=
           a.vertices.end();
}

} // namespace

MeshWorld::MeshWorld( const cltBroadphaseDef& def, std::function<void()> onOutOfMemory )
    : m_def( def ), m_onOutOfMemory( std::move( onOutOfMemory ) )
{
    cltMeshSet* set = nullptr;
    m_def.device = testDevice;
    mustWork( [&] { return cltCreateMeshSet( &m_def, &set ); } );
    m_set.reset( set );
}

template <typename Call>
void MeshWorld::mustWork( Call call )
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
    const bool isDouble = m_def.precision == clt_precisionDouble;
    cltMeshDef def = cltDefaultMeshDef();
    def.vertices = isDouble ? nullptr : floats.data();
    def.verticesD = isDouble ? shape.vertices.data() : nullptr;
    def.vertexCount = shape.vertexCount();
    def.triangles = shape.triangles.data();
    def.triangleCount = shape.triangleCount();
    def.filter = options.filter;
    def.selfCollision = options.selfCollision;
    def.keepShared = options.keepShared;
    def.isSwept = options.isSwept;
    def.thickness = options.thickness;
    cltMeshId mesh = 0;
    mustWork( [&] { return cltMeshSet_CreateMesh( set(), &def, &mesh ); } );
    EXPECT_EQ( 0u, m_meshes.count( mesh ) );
    m_meshes[mesh] = { shape, shape.vertices, shape.vertices, options };
    return mesh;
}

/// A vertex whose previous position has a NaN counts as not moved.
static std::vector<double> wayFrom( std::vector<double> before, const std::vector<double>& now )
{
    for ( std::size_t i = 0; i < now.size(); i += 3 )
    {
        if ( holdNan( { &before[i] } ) )
        {
            std::copy_n( &now[i], 3, &before[i] );
        }
    }
    return before;
}

void MeshWorld::move( cltMeshId id, const std::vector<double>& vertices )
{
    Mesh& mesh = m_meshes.at( id );
    const std::vector<float> floats( vertices.begin(), vertices.end() );
    mustWork(
        [&]
        {
            return m_def.precision == clt_precisionDouble ? cltMeshSet_MoveVerticesD( set(), id, vertices.data() )
                                                          : cltMeshSet_MoveVertices( set(), id, floats.data() );
        } );
    mesh.before = wayFrom( mesh.shape.vertices, vertices );
    mesh.shape.vertices = vertices;
    mesh.given = vertices;
}

template <typename Number>
static std::vector<double> placed( const std::vector<double>& given, const std::array<double, 12>& matrix )
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

void MeshWorld::place( cltMeshId id, const std::array<double, 12>& matrix )
{
    Mesh& mesh = m_meshes.at( id );
    std::array<float, 12> floats;
    std::copy( matrix.begin(), matrix.end(), floats.begin() );
    const bool isDouble = m_def.precision == clt_precisionDouble;
    mustWork(
        [&] {
            return isDouble ? cltMeshSet_PlaceD( set(), id, matrix.data() )
                            : cltMeshSet_Place( set(), id, floats.data() );
        } );
    const std::vector<double> now =
        isDouble ? placed<double>( mesh.given, matrix ) : placed<float>( mesh.given, matrix );
    mesh.before = wayFrom( mesh.shape.vertices, now );
    mesh.shape.vertices = now;
}

void MeshWorld::setFilter( cltMeshId mesh, const cltFilter& filter )
{
    mustWork( [&] { return cltMeshSet_SetFilter( set(), mesh, &filter ); } );
    m_meshes.at( mesh ).options.filter = filter;
}

void MeshWorld::destroy( cltMeshId mesh )
{
    mustWork( [&] { return cltMeshSet_DestroyMesh( set(), mesh ); } );
    m_meshes.erase( mesh );
}

template <typename Pair>
std::vector<Pair> MeshWorld::search( cltStatus ( *call )( cltMeshSet*, cltMeshTest, const Pair**, std::size_t* ),
                                     cltMeshTest test )
{
    const Pair* pairs = nullptr;
    std::size_t count = 0;
    mustWork( [&] { return call( set(), test, &pairs, &count ); } );
    return std::vector<Pair>( pairs, pairs + count );
}

TrianglePairs MeshWorld::find( cltMeshTest test )
{
    TrianglePairs result;
    for ( const cltTrianglePair& pair : search( cltMeshSet_FindPairs, test ) )
    {
        result.push_back( { pair.meshA, pair.triangleA, pair.meshB, pair.triangleB } );
    }
    return result;
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

// ---------------------------------------------------------------------------------------------- each with every other

Piece MeshWorld::pieceOf( const Mesh& mesh, std::array<std::uint32_t, 2> name,
                          std::vector<std::uint32_t> vertices ) const
{
    Piece piece = { name, std::move( vertices ), {}, {}, false, false };
    std::vector<const double*> places = placesOf( piece.vertices, mesh.shape.vertices );
    for ( const double* at : places )
    {
        piece.now.push_back( { { at[0], at[1], at[2] } } );
    }
    piece.isFinite = areFinite( places );
    if ( mesh.options.isSwept )
    {
        const std::vector<const double*> before = placesOf( piece.vertices, mesh.before );
        places.insert( places.end(), before.begin(), before.end() );
    }
    piece.isHidden = holdNan( places );
    const bool isDouble = m_def.precision == clt_precisionDouble;
    piece.bounds =
        isDouble ? doubleBounds( places, mesh.options.thickness ) : floatBounds( places, mesh.options.thickness );
    return piece;
}

std::vector<Piece> MeshWorld::trianglesOf( const Mesh& mesh ) const
{
    std::vector<Piece> pieces;
    const std::uint32_t* corners = mesh.shape.triangles.data();
    for ( std::uint32_t i = 0; i < mesh.shape.triangleCount(); ++i, corners += 3 )
    {
        pieces.push_back( pieceOf( mesh, { i, 0 }, { corners[0], corners[1], corners[2] } ) );
    }
    return pieces;
}

/// The vertices of all triangles that are not hidden.
std::vector<Piece> MeshWorld::verticesOf( const Mesh& mesh ) const
{
    std::set<std::uint32_t> vertices;
    for ( const Piece& triangle : trianglesOf( mesh ) )
    {
        if ( !triangle.isHidden )
        {
            vertices.insert( triangle.vertices.begin(), triangle.vertices.end() );
        }
    }
    std::vector<Piece> pieces;
    for ( std::uint32_t vertex : vertices )
    {
        pieces.push_back( pieceOf( mesh, { vertex, 0 }, { vertex } ) );
    }
    return pieces;
}

std::vector<Piece> MeshWorld::edgesOf( const Mesh& mesh ) const
{
    std::set<std::array<std::uint32_t, 2>> edges;
    for ( const Piece& triangle : trianglesOf( mesh ) )
    {
        for ( std::size_t side = 0; side < 3 && !triangle.isHidden; ++side )
        {
            const auto ends = std::minmax( triangle.vertices[side], triangle.vertices[( side + 1 ) % 3] );
            if ( ends.first < ends.second )
            {
                edges.insert( { ends.first, ends.second } );
            }
        }
    }
    std::vector<Piece> pieces;
    for ( const auto& edge : edges )
    {
        pieces.push_back( pieceOf( mesh, edge, { edge[0], edge[1] } ) );
    }
    return pieces;
}

std::vector<Piece> MeshWorld::piecesOf( const Mesh& mesh, Pairing pairing, bool isFirst ) const
{
    return pairing == Pairing::edges                    ? edgesOf( mesh )
           : pairing == Pairing::vertexFaces && isFirst ? verticesOf( mesh )
                                                        : trianglesOf( mesh );
}

/// Tests each element of one mesh with each element of another mesh, or of the same one.
void MeshWorld::findAllOf( cltMeshId idA, cltMeshId idB, Pairing pairing, std::array<PartPairs, 3>& pairs ) const
{
    const Mesh& a = m_meshes.at( idA );
    const bool isSelf = idA == idB;
    const std::vector<Piece> pieces = piecesOf( a, pairing, true );
    const std::vector<Piece> others = piecesOf( m_meshes.at( idB ), pairing, false );
    for ( std::size_t i = 0; i < pieces.size(); ++i )
    {
        for ( std::size_t j = isSelf && pairing != Pairing::vertexFaces ? i + 1 : 0; j < others.size(); ++j )
        {
            const bool isLeftOut = isSelf && !a.options.keepShared && shareVertex( pieces[i], others[j] );
            const int level = isLeftOut ? 0 : levelOf( pieces[i], others[j], pairing );
            const auto& first = pieces[i].name;
            const auto& second = others[j].name;
            for ( int test = 0; test < level; ++test )
            {
                pairs[static_cast<std::size_t>( test )].push_back(
                    { idA, first[0], first[1], idB, second[0], second[1] } );
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
            const cltFilter& f = a.options.filter;
            const cltFilter& g = b.options.filter;
            const bool mayPair = ( f.group & g.mask ) != 0 && ( g.group & f.mask ) != 0;
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

void MeshWorld::expectPairs( Pairing pairing )
{
    const std::array<PartPairs, 3> expected = findAll( pairing );
    for ( cltMeshTest test : { clt_meshTriangles, clt_meshBoxes, clt_meshKdops } )
    {
        ASSERT_NO_FATAL_FAILURE( expectFound( expected[test], pairing, test ) );
    }
}

void MeshWorld::expectPairs( Pairing pairing, cltMeshTest test )
{
    expectFound( findAll( pairing )[test], pairing, test );
}

void MeshWorld::expectFound( const PartPairs& expected, Pairing pairing, cltMeshTest test )
{
    const PartPairs found = find( pairing, test );
    ASSERT_EQ( expected.size(), found.size() ) << "test " << test << ", pairs of " << int( pairing );
    ASSERT_TRUE( expected == found ) << "test " << test << ", pairs of " << int( pairing );
}

void MeshWorld::expectPairs()
{
    for ( Pairing pairing : { Pairing::vertexFaces, Pairing::triangles, Pairing::edges } )
    {
        ASSERT_NO_FATAL_FAILURE( expectPairs( pairing ) );
    }
}

} // namespace test
