// SPDX-License-Identifier: Zlib
// Small mesh sets with coordinates of every kind, against brute force over triangles, vertices and edges.
#include "tests/mesh/mesh_world.h"
#include "tests/mesh/soak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <iterator>
#include <limits>

using namespace test;

namespace
{

class Soak
{
public:
    Soak( std::uint64_t seed, bool isDouble ) : m_random( seed ), m_isDouble( isDouble )
    {
    }

    /// Changes a set `stepCount` times and compares its pairs after each change.
    void live( std::uint64_t stepCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.precision = m_isDouble ? clt_precisionDouble : clt_precisionFloat;
        def.threadCount = 1;
        m_oddity = m_random.below( 4 );
        MeshWorld world( def );
        std::vector<cltMeshId> meshes;
        for ( std::uint64_t step = 0; step < stepCount; ++step )
        {
            change( world, meshes );
            ASSERT_NO_FATAL_FAILURE( world.expectPairs( static_cast<Pairing>( m_random.below( 3 ) ) ) )
                << "step " << step;
        }
    }

private:
    void change( MeshWorld& world, std::vector<cltMeshId>& meshes )
    {
        const bool isFull = meshes.size() >= 3;
        if ( meshes.empty() || ( !isFull && m_random.oneIn( 3 ) ) )
        {
            meshes.push_back( create( world ) );
            return;
        }
        const std::size_t which = m_random.below( meshes.size() );
        if ( isFull && m_random.oneIn( 6 ) )
        {
            world.destroy( meshes[which] );
            meshes.erase( meshes.begin() + static_cast<std::ptrdiff_t>( which ) );
        }
        else if ( m_random.oneIn( 3 ) )
        {
            std::array<double, 12> matrix;
            std::generate( matrix.begin(), matrix.end(), [this] { return double( m_random.below( 5 ) ) - 2; } );
            world.place( meshes[which], matrix );
        }
        else
        {
            std::vector<double> vertices = world.shape( meshes[which] ).vertices;
            spoil( vertices );
            world.move( meshes[which], vertices );
        }
    }

    cltMeshId create( MeshWorld& world )
    {
        Shape shape;
        const std::uint32_t vertexCount = 3 + m_random.below( 5u );
        shape.vertices.resize( 3 * std::size_t( vertexCount ) );
        std::generate( shape.vertices.begin(), shape.vertices.end(), [this] { return number(); } );
        for ( std::uint32_t i = 3 * m_random.below( 6u ); i > 0; --i )
        {
            shape.triangles.push_back( m_random.below( vertexCount ) );
        }
        MeshOptions options;
        options.selfCollision = m_random.oneIn( 2 );
        options.keepShared = m_random.oneIn( 4 );
        options.isSwept = m_random.oneIn( 3 );
        options.thickness = m_random.oneIn( 3 ) ? thickness() : 0;
        options.filter = m_random.oneIn( 4 ) ? cltFilter{ 1, 2 } : cltFilter{ 3, -1 };
        return world.create( shape, options );
    }

    void spoil( std::vector<double>& vertices )
    {
        for ( double& at : vertices )
        {
            at = m_random.oneIn( 2 ) ? number() : at;
        }
    }

    float thickness()
    {
        const float some[] = { FLT_TRUE_MIN, 1e-7f, 0.25f, 1, 1e30f, FLT_MAX };
        return some[m_random.below( std::size( some ) )];
    }

    /// A lattice number, so that elements often touch, a number near it, any number, or an odd one. Odd numbers are
    /// frequent in one of four sets and absent in another.
    double number()
    {
        const double lattice = double( m_random.below( 5 ) ) - 2;
        const unsigned often[] = { 1000000000, 40, 12, 3 };
        double result = lattice;
        if ( m_random.oneIn( often[m_oddity] ) )
        {
            result = odd();
        }
        else if ( m_random.oneIn( 4 ) )
        {
            result = lattice * ( 1 + ( m_isDouble ? 0x1p-52 : 0x1p-23 ) * double( m_random.below( 3 ) ) );
        }
        else if ( m_random.oneIn( 4 ) )
        {
            result = m_random.between( -2, 2 );
        }
        return m_isDouble ? result : double( static_cast<float>( result ) );
    }

    double odd()
    {
        const double infinite = std::numeric_limits<double>::infinity();
        const double noNumber = std::numeric_limits<double>::quiet_NaN();
        const double floats[] = { infinite, -infinite, noNumber, FLT_MAX, -FLT_MAX, FLT_MAX / 2, FLT_TRUE_MIN,
                                  -FLT_MIN, -0.0,      1e30,     -1e-30,  1e-38,    16777217,    0x1p100 };
        const double doubles[] = { DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, -DBL_MIN, 1e300, -1e-300, 1.0 / 3, 1e38 * 4 };
        return m_isDouble && m_random.oneIn( 2 ) ? doubles[m_random.below( std::size( doubles ) )]
                                                 : floats[m_random.below( std::size( floats ) )];
    }

    Random m_random;
    bool m_isDouble;
    std::size_t m_oddity = 0;
};

} // namespace

TEST( MeshSoak, EqualsTheOracleForNumbersOfEveryKind )
{
    const std::uint64_t stepCount = 20;
    const std::uint64_t setCount = ( soakCount( 20000 ) + stepCount - 1 ) / stepCount;
    for ( std::uint64_t seed = 0; seed < setCount; ++seed )
    {
        Soak soak( seed, seed % 2 == 1 );
        ASSERT_NO_FATAL_FAILURE( soak.live( stepCount ) ) << "seed " << seed;
    }
}
