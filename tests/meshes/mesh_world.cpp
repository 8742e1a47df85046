// SPDX-License-Identifier: Zlib
#include "tests/meshes/mesh_world.h"

#include "gpu/core/triangle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace test
{

namespace
{

/// What lies between two bounds along nine directions, as float or as double.
template <typename Number>
struct Bounds
{
    std::array<Number, 9> lower;
    std::array<Number, 9> upper;
};

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

/// A diagonal beyond all floats: then none separates.
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

/// In single precision: as floats, widened to the next ones.
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

/// In double precision: boxes as doubles, diagonals as floats around them.
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

std::vector<const double*> cornersOf( const Shape& shape, const std::vector<double>& vertices, std::uint32_t triangle )
{
    std::vector<const double*> corners;
    for ( std::uint32_t i = 0; i < 3; ++i )
    {
        corners.push_back( vertices.data() + 3 * std::size_t( shape.triangles[3 * std::size_t( triangle ) + i] ) );
    }
    return corners;
}

bool holdNan( const std::vector<const double*>& corners )
{
    return std::any_of( corners.begin(), corners.end(),
                        []( const double* at )
                        { return std::isnan( at[0] ) || std::isnan( at[1] ) || std::isnan( at[2] ); } );
}

bool areFinite( const std::vector<const double*>& corners )
{
    return std::all_of( corners.begin(), corners.end(),
                        []( const double* at )
                        { return std::isfinite( at[0] ) && std::isfinite( at[1] ) && std::isfinite( at[2] ); } );
}

cltFacet facetOf( const std::vector<const double*>& corners )
{
    cltFacet facet;
    for ( std::size_t i = 0; i < 3; ++i )
    {
        std::copy_n( corners[i], 3, facet.corners[i].at );
    }
    return facet;
}

bool shareVertex( const Shape& shape, std::uint32_t i, std::uint32_t j )
{
    const std::uint32_t* a = shape.triangles.data() + 3 * std::size_t( i );
    const std::uint32_t* b = shape.triangles.data() + 3 * std::size_t( j );
    return std::any_of( a, a + 3, [b]( std::uint32_t vertex ) { return std::count( b, b + 3, vertex ) > 0; } );
}

} // namespace

MeshWorld::MeshWorld( const cltBroadphaseDef& def, std::function<void()> onOutOfMemory )
    : m_def( def ), m_onOutOfMemory( std::move( onOutOfMemory ) )
{
    cltMeshSet* set = nullptr;
    mustWork( [&] { return cltCreateMeshSet( &def, &set ); } );
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
    def.isSwept = options.isSwept;
    def.thickness = options.thickness;
    cltMeshId mesh = 0;
    mustWork( [&] { return cltMeshSet_CreateMesh( set(), &def, &mesh ); } );
    EXPECT_EQ( 0u, m_meshes.count( mesh ) );
    m_meshes[mesh] = { shape, shape.vertices, shape.vertices, options };
    return mesh;
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
    mesh.before = mesh.shape.vertices;
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
    mesh.before = mesh.shape.vertices;
    mesh.shape.vertices = isDouble ? placed<double>( mesh.given, matrix ) : placed<float>( mesh.given, matrix );
}

void MeshWorld::destroy( cltMeshId mesh )
{
    mustWork( [&] { return cltMeshSet_DestroyMesh( set(), mesh ); } );
    m_meshes.erase( mesh );
}

TrianglePairs MeshWorld::find( cltMeshTest test )
{
    const cltTrianglePair* pairs = nullptr;
    std::size_t count = 0;
    mustWork( [&] { return cltMeshSet_FindPairs( set(), test, &pairs, &count ); } );
    TrianglePairs result;
    for ( std::size_t i = 0; i < count; ++i )
    {
        result.push_back( { pairs[i].meshA, pairs[i].triangleA, pairs[i].meshB, pairs[i].triangleB } );
    }
    return result;
}

bool MeshWorld::arePair( const Mesh& a, std::uint32_t i, const Mesh& b, std::uint32_t j, cltMeshTest test ) const
{
    const bool isDouble = m_def.precision == clt_precisionDouble;
    Bounds<double> bounds[2];
    std::vector<const double*> corners[2];
    for ( int side = 0; side < 2; ++side )
    {
        const Mesh& mesh = side == 0 ? a : b;
        corners[side] = cornersOf( mesh.shape, mesh.shape.vertices, side == 0 ? i : j );
        std::vector<const double*> all = corners[side];
        if ( mesh.options.isSwept )
        {
            const auto before = cornersOf( mesh.shape, mesh.before, side == 0 ? i : j );
            all.insert( all.end(), before.begin(), before.end() );
        }
        if ( holdNan( all ) )
        {
            return false;
        }
        bounds[side] =
            isDouble ? doubleBounds( all, mesh.options.thickness ) : floatBounds( all, mesh.options.thickness );
    }
    const cltFacet first = facetOf( corners[0] );
    const cltFacet second = facetOf( corners[1] );
    return overlap( bounds[0], bounds[1], 0, 3 ) &&
           ( test == clt_meshBoxes || isOpen( bounds[0] ) || isOpen( bounds[1] ) ||
             overlap( bounds[0], bounds[1], 3, 9 ) ) &&
           ( test != clt_meshTriangles ||
             ( areFinite( corners[0] ) && areFinite( corners[1] ) && cltFacet_Meets( &first, &second ) ) );
}

TrianglePairs MeshWorld::findAll( cltMeshTest test ) const
{
    TrianglePairs pairs;
    for ( const auto& [idA, a] : m_meshes )
    {
        for ( std::uint32_t i = 0; i < a.shape.triangleCount(); ++i )
        {
            for ( const auto& [idB, b] : m_meshes )
            {
                const cltFilter& f = a.options.filter;
                const cltFilter& g = b.options.filter;
                const bool mayPair = idA == idB ? a.options.selfCollision
                                                : idA < idB && ( f.group & g.mask ) != 0 && ( g.group & f.mask ) != 0;
                for ( std::uint32_t j = idA == idB ? i + 1 : 0; mayPair && j < b.shape.triangleCount(); ++j )
                {
                    if ( ( idA != idB || !shareVertex( a.shape, i, j ) ) && arePair( a, i, b, j, test ) )
                    {
                        pairs.push_back( { idA, i, idB, j } );
                    }
                }
            }
        }
    }
    return pairs;
}

void MeshWorld::expectPairs()
{
    for ( cltMeshTest test : { clt_meshTriangles, clt_meshBoxes, clt_meshKdops } )
    {
        const TrianglePairs found = find( test );
        const TrianglePairs expected = findAll( test );
        ASSERT_EQ( expected.size(), found.size() ) << "test " << test;
        ASSERT_TRUE( expected == found ) << "test " << test;
    }
}

} // namespace test
