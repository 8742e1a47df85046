// SPDX-License-Identifier: Zlib
// Random operations on small mesh sets, with coordinates of every kind, against brute force over all elements. Memory
// may run out in any call. Searches reuse the keys of meshes that did not move.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/mesh/mesh_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>

using namespace test;

namespace
{

class RandomOperations
{
public:
    explicit RandomOperations( std::uint64_t seed )
        : m_random( seed ), m_isDouble( seed % 2 == 1 ), m_isLattice( seed % 4 < 2 ),
          m_specialFrequency( m_random.below( 4 ) )
    {
    }

    /// Changes a set `stepCount` times and compares its pairs after each change.
    void run( std::uint64_t stepCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        m_hooks.installMemory( def );
        def.precision = m_isDouble ? clt_precisionDouble : clt_precisionFloat;
        def.threadCount = 1 + m_random.below( 2u );
        MeshWorld world( def, [this] { m_hooks.failAllocations( 0, 0 ); } );
        Pairing pairing = Pairing::triangles;
        cltMeshTest test = clt_meshTriangles;
        for ( std::uint64_t step = 0; step < stepCount; ++step )
        {
            if ( m_random.oneIn( 8 ) )
            {
                m_hooks.failAllocations( 1 + m_random.below( 6 ), 1 );
            }
            for ( std::uint64_t i = m_random.below( 3 ); i > 0; --i )
            {
                change( world );
            }
            pairing = m_random.oneIn( 3 ) ? static_cast<Pairing>( m_random.below( 3 ) ) : pairing;
            // A set keeps pairs only between searches of the same kind, with the same test.
            test = m_random.oneIn( 3 ) ? static_cast<cltMeshTest>( m_random.below( 3 ) ) : test;
            ASSERT_NO_FATAL_FAILURE( world.expectPairs( pairing, test ) ) << "step " << step;
            m_hooks.failAllocations( 0, 0 );
        }
    }

private:
    void change( MeshWorld& world )
    {
        if ( m_meshes.size() < 3 || ( m_meshes.size() < 6 && m_random.oneIn( 8 ) ) )
        {
            m_meshes.push_back( create( world ) );
            return;
        }
        const std::size_t which = m_random.below( m_meshes.size() );
        const cltMeshId mesh = m_meshes[which];
        switch ( m_random.below( 12 ) )
        {
        case 0:
            world.destroy( mesh );
            m_meshes.erase( m_meshes.begin() + static_cast<std::ptrdiff_t>( which ) );
            break;
        case 1:
            world.setFilter( mesh, filter() );
            break;
        case 2:
        case 3:
        case 4:
        {
            std::array<double, 12> matrix;
            std::generate( matrix.begin(), matrix.end(), [this] { return double( m_random.below( 5 ) ) - 2; } );
            world.place( mesh, matrix );
            break;
        }
        default:
            std::vector<double> vertices = world.shape( mesh ).vertices;
            for ( double& at : vertices )
            {
                at = m_random.oneIn( 2 ) ? number() : at;
            }
            world.move( mesh, vertices );
        }
    }

    cltMeshId create( MeshWorld& world )
    {
        Shape shape = soup( m_random, m_random.below( 8u ), 1 );
        std::generate( shape.vertices.begin(), shape.vertices.end(), [this] { return number(); } );
        MeshOptions options;
        options.selfCollision = m_random.oneIn( 2 );
        options.keepShared = m_random.oneIn( 4 );
        options.isSwept = m_random.oneIn( 3 );
        options.thickness = m_random.oneIn( 3 ) ? thickness() : 0;
        options.filter = filter();
        return world.create( shape, options );
    }

    cltFilter filter()
    {
        return m_random.oneIn( 4 ) ? cltFilter{ 1, 2 } : cltFilter{ 3, -1 };
    }

    float thickness()
    {
        const float some[] = { FLT_TRUE_MIN, 1e-7f, 0.25f, 1, 1e30f, FLT_MAX };
        return some[m_random.below( std::size( some ) )];
    }

    /// A lattice number (so that elements often touch), a number a few bits beside it, any number, or a special value
    /// such as NaN. `m_specialFrequency` selects how often values are special, from hardly ever to every third time.
    double number()
    {
        const double lattice = double( m_random.below( 5 ) ) - 2;
        const unsigned often[] = { 1000000000, 40, 12, 3 };
        double result = lattice;
        if ( m_random.oneIn( often[m_specialFrequency] ) )
        {
            result = specialNumber();
        }
        else if ( m_random.oneIn( 4 ) )
        {
            result = lattice * ( 1 + ( m_isDouble ? 0x1p-52 : 0x1p-23 ) * double( m_random.below( 3 ) ) );
        }
        else if ( !m_isLattice || m_random.oneIn( 4 ) )
        {
            result = m_random.between( -2, 2 );
        }
        return m_isDouble ? result : double( static_cast<float>( result ) );
    }

    double specialNumber()
    {
        const double floats[] = { HUGE_VAL, -HUGE_VAL, NAN,  FLT_MAX, -FLT_MAX, FLT_MAX / 2, FLT_TRUE_MIN,
                                  -FLT_MIN, -0.0,      1e30, -1e-30,  1e-38,    16777217,    0x1p100 };
        const double doubles[] = { DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, -DBL_MIN, 1e300, -1e-300, 1.0 / 3, 1e38 * 4 };
        return m_isDouble && m_random.oneIn( 2 ) ? doubles[m_random.below( std::size( doubles ) )]
                                                 : floats[m_random.below( std::size( floats ) )];
    }

    Hooks m_hooks;
    Random m_random;
    bool m_isDouble;
    bool m_isLattice;
    std::size_t m_specialFrequency;
    std::vector<cltMeshId> m_meshes;
};

} // namespace

TEST( MeshSoak, RandomOperationsEqualTheOracle )
{
    const std::uint64_t stepCount = 25;
    const std::uint64_t setCount = ( soakCount( 8000 ) + stepCount - 1 ) / stepCount;
    for ( std::uint64_t seed = 0; seed < setCount; ++seed )
    {
        ASSERT_NO_FATAL_FAILURE( RandomOperations( seed ).run( stepCount ) ) << "seed " << seed;
    }
}
