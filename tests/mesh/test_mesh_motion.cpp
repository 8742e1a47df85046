// SPDX-License-Identifier: Zlib
// Searches reuse the keys of meshes that did not move, with the same results as a new set.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/mesh/mesh_world.h"
#include "tests/mesh/soak.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

/// Meshes are created, moved, filtered and destroyed at random, between searches of all kinds.
class Life
{
public:
    explicit Life( std::uint64_t seed ) : m_random( seed )
    {
    }

    void live( std::uint64_t stepCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        m_hooks.installMemory( def );
        def.threadCount = 1 + m_random.below( 2u );
        MeshWorld world( def, [this] { m_hooks.failAllocations( 0, 0 ); } );
        Pairing pairing = Pairing::triangles;
        cltMeshTest test = clt_meshBoxes;
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
            pairing = m_random.oneIn( 4 ) ? static_cast<Pairing>( m_random.below( 3 ) ) : pairing;
            test = m_random.oneIn( 6 ) ? static_cast<cltMeshTest>( m_random.below( 3 ) ) : test;
            ASSERT_NO_FATAL_FAILURE( world.expectPairs( pairing, test ) ) << "step " << step;
            m_hooks.failAllocations( 0, 0 );
        }
    }

private:
    void change( MeshWorld& world )
    {
        if ( m_meshes.size() < 3 || ( m_meshes.size() < 7 && m_random.oneIn( 6 ) ) )
        {
            MeshOptions options;
            options.selfCollision = m_random.oneIn( 2 );
            options.isSwept = m_random.oneIn( 3 );
            options.filter = filter();
            m_meshes.push_back( world.create( soup( m_random, 1 + m_random.below( 8u ), 1 ), options ) );
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
            world.place( mesh, { 1, 0, 0, m_random.between( -1, 1 ), 0, 0, 1, 0, 0, -1, 0, 0 } );
            break;
        default:
            std::vector<double> vertices = world.shape( mesh ).vertices;
            for ( double& at : vertices )
            {
                at = double( static_cast<float>( at + m_random.between( -0.3, 0.3 ) ) );
            }
            world.move( mesh, vertices );
        }
    }

    cltFilter filter()
    {
        return m_random.oneIn( 3 ) ? cltFilter{ 1, 2 } : cltFilter{ 3, -1 };
    }

    Hooks m_hooks;
    Random m_random;
    std::vector<cltMeshId> m_meshes;
};

cltMeshStats statsOf( const MeshWorld& world )
{
    cltMeshStats stats;
    EXPECT_EQ( clt_ok, cltMeshSet_GetStats( world.set(), &stats ) );
    return stats;
}

} // namespace

TEST( MeshMotion, RandomOperationsEqualANewSet )
{
    const std::uint64_t stepCount = 40;
    const std::uint64_t setCount = ( soakCount( 8000 ) + stepCount - 1 ) / stepCount;
    for ( std::uint64_t seed = 0; seed < setCount; ++seed )
    {
        ASSERT_NO_FATAL_FAILURE( Life( seed ).live( stepCount ) ) << "seed " << seed;
    }
}

/// A row of balls, each of which overlaps its neighbours.
TEST( MeshMotion, SearchesOnlyMeshesThatMoved )
{
    MeshWorld world( cltDefaultBroadphaseDef() );
    MeshOptions options;
    options.selfCollision = true;
    std::vector<cltMeshId> balls;
    for ( int k = 0; k < 8; ++k )
    {
        Shape shape = ball( 2, 1 );
        shape.move( 1.5 * k, 0, 0 );
        balls.push_back( world.create( shape, options ) );
    }
    const TrianglePairs first = world.find( clt_meshTriangles );
    EXPECT_FALSE( first.empty() );
    const std::uint64_t all = statsOf( world ).candidateCount;

    EXPECT_TRUE( first == world.find( clt_meshTriangles ) );
    EXPECT_EQ( 0u, statsOf( world ).candidateCount ) << "none moved";
    EXPECT_EQ( 15u, statsOf( world ).meshPairCount );

    world.move( balls[0], world.shape( balls[0] ).vertices );
    EXPECT_TRUE( first == world.find( clt_meshTriangles ) );
    const std::uint64_t one = statsOf( world ).candidateCount;
    EXPECT_GT( one, all / 16 );
    EXPECT_LT( one, all / 5 ) << "itself, and with its one neighbour";

    world.find( Pairing::vertexFaces, clt_meshTriangles );
    EXPECT_GT( statsOf( world ).candidateCount, one ) << "never looked for before";
    EXPECT_TRUE( first == world.find( clt_meshTriangles ) );
    EXPECT_EQ( 0u, statsOf( world ).candidateCount ) << "kinds take turns";

    world.find( clt_meshBoxes );
    EXPECT_EQ( all, statsOf( world ).candidateCount ) << "another level";
}
