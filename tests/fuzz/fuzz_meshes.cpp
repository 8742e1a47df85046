// SPDX-License-Identifier: Zlib
// The input is a stream of calls of a mesh set. The MeshWorld compares the pairs of each search with brute force, which
// decides with integers. A failed expectation throws what nothing catches, so that libFuzzer keeps the input.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/fuzz/input.h"
#include "tests/mesh/mesh_world.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>

using namespace test;

namespace
{

class Calls
{
public:
    Calls( const uint8_t* data, size_t size )
        : m_input( data, size ), m_isDouble( m_input.flag() ),
          m_world( makeDef(), [this] { expectPairsAfterFailure(); } )
    {
    }

    void run()
    {
        // Brute force takes milliseconds a search.
        for ( int left = 16; left > 0 && !m_input.isUsedUp(); --left )
        {
            for ( unsigned calls = below( 8 ); calls > 0; --calls )
            {
                callOne();
            }
            expectPairs();
        }
    }

private:
    cltBroadphaseDef makeDef()
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.precision = m_isDouble ? clt_precisionDouble : clt_precisionFloat;
        def.threadCount = 1;
        m_memory.installMemory( def );
        return def;
    }

    void expectPairs()
    {
        const auto pairing = static_cast<Pairing>( below( 3 ) );
        m_world.expectPairs( pairing, static_cast<cltMeshTest>( below( 3 ) ) );
    }

    /// Between a call that had no memory and its repetition.
    void expectPairsAfterFailure()
    {
        m_memory.failAllocations( 1, 0 );
        expectPairs();
    }

    /// No memory after a few allocations in the next call.
    void failNext()
    {
        m_memory.failAllocations( 1 + uint64_t( below( 16 ) ), m_input.pick( { 1u, UINT32_MAX } ) );
        callOne();
        m_memory.failAllocations( 1, 0 );
    }

    void callOne()
    {
        const unsigned kind = below( 9 );
        if ( kind == 8 )
        {
            failNext();
            return;
        }
        if ( kind < 2 || m_meshes.empty() )
        {
            create();
            return;
        }
        const size_t which = below( unsigned( m_meshes.size() ) );
        const cltMeshId mesh = m_meshes[which];
        if ( kind == 2 )
        {
            m_world.destroy( mesh );
            m_meshes.erase( m_meshes.begin() + std::ptrdiff_t( which ) );
        }
        else if ( kind == 3 )
        {
            m_world.setFilter( mesh, anyFilter() );
        }
        else if ( kind < 6 )
        {
            std::array<double, 12> matrix;
            std::generate( matrix.begin(), matrix.end(), [this] { return double( below( 5 ) ) - 2; } );
            m_world.place( mesh, matrix );
        }
        else
        {
            std::vector<double> vertices = m_world.shape( mesh ).vertices;
            std::generate( vertices.begin(), vertices.end(), [this] { return coordinate(); } );
            m_world.move( mesh, vertices );
        }
    }

    void create()
    {
        Shape shape;
        const unsigned vertexCount = 1 + below( 8 );
        shape.vertices.resize( 3 * vertexCount );
        std::generate( shape.vertices.begin(), shape.vertices.end(), [this] { return coordinate(); } );
        shape.triangles.resize( 3 * below( 6 ) );
        std::generate( shape.triangles.begin(), shape.triangles.end(), [&] { return below( vertexCount ); } );
        MeshOptions options;
        options.selfCollision = m_input.flag();
        options.keepShared = m_input.flag();
        options.isSwept = m_input.flag();
        options.thickness = m_input.pick( { 0.0f, 0.0f, FLT_TRUE_MIN, 1e-7f, 0.25f, FLT_MAX } );
        options.filter = anyFilter();
        for ( unsigned left = m_input.pick( { 1u, 1u, 1u, 8u } ); left > 0 && m_meshes.size() < 18; --left )
        {
            m_meshes.push_back( m_world.create( shape, options ) );
        }
    }

    /// Mostly small integers, so that elements touch and are degenerate.
    double coordinate()
    {
        constexpr double special[] = { HUGE_VAL, -HUGE_VAL,     NAN,     -0.0,  FLT_MAX, -FLT_MAX,
                                       FLT_MIN,  -FLT_TRUE_MIN, 0x1p100, 1e-30, 0.1,     16777217 };
        const unsigned kind = below( 16 );
        const double number = kind == 0   ? m_input.pick( special )
                              : kind == 1 ? anyNumber()
                              : kind == 2 ? m_input.any<int16_t>() / 8192.0
                                          : double( below( 5 ) ) - 2;
        return m_isDouble ? number : double( float( number ) );
    }

    /// Any bits.
    double anyNumber()
    {
        const auto bits = m_input.any<uint64_t>();
        const auto shortBits = uint32_t( bits );
        double number;
        float shortNumber;
        std::memcpy( &number, &bits, sizeof number );
        std::memcpy( &shortNumber, &shortBits, sizeof shortNumber );
        return m_isDouble ? number : double( shortNumber );
    }

    cltFilter anyFilter()
    {
        return m_input.pick<cltFilter>( { { 1, -1 }, { 3, -1 }, { 1, 2 } } );
    }

    /// A number from 0 on.
    unsigned below( unsigned count )
    {
        return m_input.below( count );
    }

    Input m_input;
    bool m_isDouble;
    Hooks m_memory;
    MeshWorld m_world;
    std::vector<cltMeshId> m_meshes;
};

} // namespace

extern "C" int LLVMFuzzerInitialize( int*, char*** )
{
    GTEST_FLAG_SET( throw_on_failure, true );
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    Calls( data, size ).run();
    return 0;
}
