// SPDX-License-Identifier: Zlib
// Pairs of larger meshes, compared with brute force or with known pairs.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/mesh/mesh_world.h"
#include "tests/support/config.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

class MeshPairs : public testing::TestWithParam<cltPrecision>
{
protected:
    static cltBroadphaseDef def( int threadCount = 2 )
    {
        cltBroadphaseDef result = cltDefaultBroadphaseDef();
        result.precision = GetParam();
        result.threadCount = threadCount;
        return result;
    }

    static std::vector<double> shaken( Random& random, const Shape& shape, double by )
    {
        Shape moved;
        for ( std::size_t i = 0; i < shape.vertices.size(); i += 3 )
        {
            moved.add( shape.vertices[i] + random.between( -by, by ), shape.vertices[i + 1] + random.between( -by, by ),
                       shape.vertices[i + 2] + random.between( -by, by ) );
        }
        return moved.vertices;
    }
};

Shape waves()
{
    return sheet( 9, 9,
                  []( Shape& shape, double u, double v )
                  { shape.add( 4 * u - 2, 4 * v - 2, std::sin( 7 * u ) * std::cos( 5 * v ) ); } );
}

/// A sheet that is rolled up.
Shape roll( double angle )
{
    return sheet( 25, 8,
                  [angle]( Shape& shape, double u, double v )
                  {
                      const double turn = angle * ( u - 0.5 );
                      shape.add( std::sin( turn ), v, std::cos( turn ) + 0.05 * std::sin( 20 * v + 9 * u ) );
                  } );
}

/// A triangle on the plane z = height, its corners at (0, 0), (4, 0) and (0, 4).
Shape flatTriangle( double height )
{
    Shape shape;
    shape.add( 0, 0, height );
    shape.add( 4, 0, height );
    shape.add( 0, 4, height );
    shape.triangles = { 0, 1, 2 };
    return shape;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, MeshPairs, testing::ValuesIn( allPrecisions ), precisionName );

/// Random triangles, balls and cloths move, some of them far. Two cloths coincide.
TEST_P( MeshPairs, EqualTheOracleForManyMovingMeshes )
{
    Random random( 2 );
    MeshWorld world( def() );
    const Shape shapes[] = { soup( random, 40, 1 ), ball( 2, 1 ), waves(), waves(), roll( 1 ) };
    std::vector<cltMeshId> meshes;
    for ( std::size_t i = 0; i < std::size( shapes ); ++i )
    {
        MeshOptions options;
        options.selfCollision = i % 2 == 0;
        options.isSwept = i == 1;
        options.thickness = i == 0 ? 0.05f : 0.0f;
        options.filter = i == 0 ? cltFilter{ 2, -1 } : cltFilter{ 1, 3 };
        meshes.push_back( world.create( shapes[i], options ) );
    }
    for ( const double angle : { 4.0, 8.0, 13.0 } )
    {
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << angle;
        world.move( meshes[4], roll( angle ).vertices );
        for ( const std::size_t i : { 0, 1, 3 } )
        {
            world.move( meshes[i], shaken( random, world.shape( meshes[i] ), angle == 8 ? 3 : 0.2 ) );
        }
    }
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    world.find( clt_meshTriangles );
    EXPECT_GT( world.stats().sharedCount, 500u ); // pairs with a common vertex, left out
}

TEST_P( MeshPairs, AreOnlyWhereClosedSurfacesCross )
{
    MeshWorld world( def() );
    world.create( ball( 3, 1 ) );
    const cltMeshId inner = world.create( ball( 3, 0.5 ) );
    const auto countAfter = [&]( double size, double x )
    {
        world.place( inner, { 0, -size, 0, x, size, 0, 0, 0, 0, 0, size, 0 } );
        return world.find( clt_meshTriangles ).size();
    };
    EXPECT_EQ( 0u, world.find( clt_meshTriangles ).size() );
    EXPECT_LT( 20u, countAfter( 1, 0.75 ) );
    EXPECT_EQ( 0u, countAfter( 3, 0 ) );    // around the other ball
    EXPECT_EQ( 16u, countAfter( 1, 1.5 ) ); // the balls touch in one vertex; in each it has four triangles
}

TEST_P( MeshPairs, AreTheSameBytesOnAnyNumberOfThreads )
{
    PartPairs expected[3];
    for ( int threads : { 1, 5, -1 } )
    {
        Random random( 4 );
        Hooks hooks;
        cltBroadphaseDef withThreads = def( std::max( threads, 1 ) );
        if ( threads < 0 )
        {
            hooks.installLoop( withThreads, Hooks::backwardLoop );
        }
        MeshWorld world( withThreads );
        MeshOptions options;
        options.selfCollision = true;
        for ( int i = 0; i < 3; ++i )
        {
            world.create( soup( random, 120, 1 ), options );
        }
        for ( std::size_t i = 0; i < 3; ++i )
        {
            const PartPairs found = world.find( static_cast<Pairing>( i ), clt_meshKdops );
            expected[i] = threads == 1 ? found : expected[i];
            EXPECT_GT( found.size(), 3000u );
            EXPECT_TRUE( expected[i] == found ) << threads;
        }
    }
}

/// One triangle is above another, by the sum of their thicknesses, then by more. One of its vertices is above the
/// interior of the lower triangle.
TEST_P( MeshPairs, IncludeVerticesAndEdgesWithinBothThicknesses )
{
    MeshWorld world( def() );
    MeshOptions options;
    options.thickness = 0.25f;
    Shape upper = flatTriangle( 0.5 );
    upper.move( 1, 1, 0 );
    const cltMeshId a = world.create( flatTriangle( 0 ), options );
    const cltMeshId b = world.create( upper, options );
    const PartPairs vertexFaces = { { b, 0, 0, a, 0, 0 } };
    const PartPairs edges = { { a, 1, 2, b, 0, 1 }, { a, 1, 2, b, 0, 2 } };
    const auto expect = [&]( bool areFound, cltMeshTest test )
    {
        EXPECT_EQ( areFound ? vertexFaces : PartPairs(), world.find( Pairing::vertexFaces, test ) );
        EXPECT_EQ( areFound ? edges : PartPairs(), world.find( Pairing::edges, test ) );
    };
    expect( true, clt_meshKdops );
    expect( false, clt_meshTriangles );
    upper.move( 0, 0, 0.015625 );
    world.move( b, upper.vertices );
    expect( false, clt_meshBoxes );
    upper.move( 0, 0, -0.515625 );
    world.move( b, upper.vertices );
    expect( true, clt_meshTriangles );
}

/// Self-collision of a closed surface: the degrees of its vertices give the number of pairs with a shared vertex.
TEST_P( MeshPairs, ExcludeSharedVerticesUnlessKept )
{
    for ( bool keepShared : { false, true } )
    {
        MeshWorld world( def() );
        MeshOptions options;
        options.selfCollision = true;
        options.keepShared = keepShared;
        world.create( ball( 2, 1 ), options ); // 66 vertices, 192 edges, 128 triangles
        const auto count = [&world]( Pairing pairing ) { return world.find( pairing, clt_meshTriangles ).size(); };
        EXPECT_EQ( keepShared ? 3u * 128u : 0u, count( Pairing::vertexFaces ) );
        // six vertices have four edges, and sixty have six
        EXPECT_EQ( keepShared ? 6u * 6u + 60u * 15u : 0u, count( Pairing::edges ) );
        EXPECT_EQ( keepShared ? 6u * 6u + 60u * 15u - 192u : 0u, count( Pairing::triangles ) );
    }
}

/// A row of balls that overlap their neighbours. First no ball moves, then one ball.
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
    const PartPairs first = world.find( clt_meshTriangles );
    EXPECT_FALSE( first.empty() );
    const std::uint64_t all = world.stats().candidateCount;

    EXPECT_TRUE( first == world.find( clt_meshTriangles ) );
    EXPECT_EQ( 0u, world.stats().candidateCount ) << "none moved";
    EXPECT_EQ( 15u, world.stats().meshPairCount );

    world.move( balls[0], world.shape( balls[0] ).vertices );
    EXPECT_TRUE( first == world.find( clt_meshTriangles ) );
    const std::uint64_t one = world.stats().candidateCount;
    EXPECT_GT( one, all / 16 );
    EXPECT_LT( one, all / 5 ) << "itself, and with its one neighbour";

    world.find( Pairing::vertexFaces, clt_meshTriangles );
    EXPECT_GT( world.stats().candidateCount, one ) << "never looked for before";
    EXPECT_TRUE( first == world.find( clt_meshTriangles ) );
    EXPECT_EQ( 0u, world.stats().candidateCount ) << "kinds take turns";

    world.find( clt_meshBoxes );
    EXPECT_EQ( all, world.stats().candidateCount ) << "another level";
}
