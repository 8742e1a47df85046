// SPDX-License-Identifier: Zlib
// Pairs of triangles against brute force, after each test of a search.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/mesh/mesh_world.h"

#include <gtest/gtest.h>

#include <limits>

using namespace test;

namespace
{

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

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

    static Shape waves( double height )
    {
        return sheet( 17, 17,
                      [height]( Shape& shape, double u, double v )
                      { shape.add( 4 * u - 2, 4 * v - 2, height + std::sin( 7 * u ) * std::cos( 5 * v ) ); } );
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, MeshPairs, testing::Values( clt_precisionFloat, clt_precisionDouble ),
                         []( const auto& param )
                         { return std::string( param.param == clt_precisionDouble ? "double" : "float" ); } );

TEST_P( MeshPairs, EqualTheOracleForSmallSoups )
{
    Random random( 1 );
    for ( std::uint32_t count = 0; count < 20; ++count )
    {
        MeshWorld world( def() );
        MeshOptions options;
        options.selfCollision = true;
        world.create( soup( random, count, 1 ), options );
        world.create( soup( random, 19 - count, 1 ), options );
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << count;
    }
}

TEST_P( MeshPairs, EqualTheOracleForManyMovingMeshes )
{
    Random random( 2 );
    MeshWorld world( def() );
    std::vector<cltMeshId> meshes;
    for ( int i = 0; i < 9; ++i )
    {
        MeshOptions options;
        options.selfCollision = i % 2 == 0;
        options.isSwept = i % 3 == 0;
        options.thickness = i % 4 == 0 ? 0.05f : 0.0f;
        options.filter = { 1 << ( i % 3 ), i % 3 == 0 ? -1 : 5 };
        Shape shape = i % 2 == 0 ? soup( random, 40, 1 ) : ball( 2, 1 );
        shape.move( random.between( -2, 2 ), random.between( -2, 2 ), random.between( -2, 2 ) );
        meshes.push_back( world.create( shape, options ) );
    }
    for ( int step = 0; step < 6; ++step )
    {
        for ( std::size_t i = static_cast<std::size_t>( step ) % 2; i < meshes.size(); i += 2 )
        {
            world.move( meshes[i], shaken( random, world.shape( meshes[i] ), step == 4 ? 3 : 0.2 ) );
        }
        if ( step == 3 )
        {
            world.destroy( meshes[4] );
            meshes[4] = world.create( waves( 0 ) );
        }
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << step;
    }
}

TEST_P( MeshPairs, EqualTheOracleForFoldedCloth )
{
    MeshWorld world( def() );
    MeshOptions options;
    options.selfCollision = true;
    const auto fold = []( double angle )
    {
        return sheet( 30, 12,
                      [angle]( Shape& shape, double u, double v )
                      {
                          const double turn = angle * ( u - 0.5 );
                          shape.add( std::sin( turn ), v, std::cos( turn ) + 0.05 * std::sin( 20 * v + 9 * u ) );
                      } );
    };
    const cltMeshId mesh = world.create( fold( 1 ), options );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_EQ( 0u, world.find( clt_meshTriangles ).size() );
    for ( double angle : { 4.0, 6.3, 8.0, 13.0 } )
    {
        world.move( mesh, fold( angle ).vertices );
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << angle;
    }
    EXPECT_GT( world.find( clt_meshTriangles ).size(), 50u );
    cltMeshStats stats;
    ASSERT_EQ( clt_ok, cltMeshSet_GetStats( world.set(), &stats ) );
    EXPECT_GT( stats.sharedCount, 3u * 638u ); // at least the pairs along every edge
}

TEST_P( MeshPairs, OfClosedSurfacesAreOnlyWhereTheyCross )
{
    MeshWorld world( def() );
    world.create( ball( 3, 1 ) );
    const cltMeshId inner = world.create( ball( 3, 0.5 ) );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_EQ( 0u, world.find( clt_meshTriangles ).size() );
    world.place( inner, { 1, 0, 0, 0.75, 0, 1, 0, 0, 0, 0, 1, 0 } );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_GT( world.find( clt_meshTriangles ).size(), 20u );
    world.place( inner, { 0, -3, 0, 0, 3, 0, 0, 0, 0, 0, 3, 0 } ); // the inner ball now surrounds the other one
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_EQ( 0u, world.find( clt_meshTriangles ).size() );
    world.place( inner, { 1, 0, 0, 1.5, 0, 1, 0, 0, 0, 0, 1, 0 } ); // touching in one vertex
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_EQ( 16u, world.find( clt_meshTriangles ).size() ); // four triangles each
}

TEST_P( MeshPairs, EqualTheOracleForCoincidentMeshes )
{
    MeshWorld world( def() );
    world.create( waves( 0 ) );
    world.create( waves( 0 ) );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_GT( world.find( clt_meshTriangles ).size(), 512u * 12 );
}

// A placement transforms the vertices that were set last, not those of the first placement.
TEST_P( MeshPairs, FollowNewVerticesBetweenPlacements )
{
    Random random( 6 );
    MeshWorld world( def() );
    world.create( waves( 0 ) );
    const cltMeshId mesh = world.create( waves( 0.1 ) );
    const std::array<double, 12> higher = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.25 };
    world.place( mesh, higher );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    world.move( mesh, shaken( random, waves( -0.5 ), 0.2 ) );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    world.place( mesh, higher );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    EXPECT_GT( world.find( clt_meshTriangles ).size(), 50u );
    world.place( mesh, higher ); // transforms the vertices as set, not as placed
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
}

TEST_P( MeshPairs, ExcludeHiddenAndInfiniteTriangles )
{
    Random random( 3 );
    MeshWorld world( def() );
    MeshOptions options;
    options.selfCollision = true;
    options.isSwept = true;
    const Shape good = soup( random, 60, 1 );
    const cltMeshId mesh = world.create( good, options );
    options.isSwept = false;
    const cltMeshId other = world.create( waves( 0 ), options );
    for ( double bad : { notANumber, infinity, -infinity } )
    {
        for ( cltMeshId moved : { mesh, other } )
        {
            Shape broken = world.shape( moved );
            for ( std::size_t i = 0; i < broken.vertices.size(); i += 37 )
            {
                broken.vertices[i] = bad;
            }
            const std::vector<double> healed = world.shape( moved ).vertices;
            world.move( moved, broken.vertices );
            ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << bad;
            cltMeshStats stats;
            ASSERT_EQ( clt_ok, cltMeshSet_GetStats( world.set(), &stats ) );
            EXPECT_EQ( std::isnan( bad ), stats.hiddenCount > 0 );
            world.move( moved, healed );
            ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << bad;
            ASSERT_EQ( clt_ok, cltMeshSet_GetStats( world.set(), &stats ) );
            EXPECT_EQ( 0u, stats.hiddenCount ); // swept from a NaN or not
            world.move( moved, healed );
            ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << bad;
        }
    }
    world.move( other, std::vector<double>( world.shape( other ).vertices.size(), notANumber ) );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
}

TEST_P( MeshPairs, AreTheSameBytesOnAnyNumberOfThreads )
{
    PartPairs expected[3];
    for ( int threads : { 1, 2, 5, -1 } )
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
        for ( int i = 0; i < 4; ++i )
        {
            world.create( soup( random, 120, 1 ), options );
        }
        for ( std::size_t i = 0; i < 3; ++i )
        {
            const PartPairs found = world.find( static_cast<Pairing>( i ), clt_meshKdops );
            expected[i] = threads == 1 ? found : expected[i];
            EXPECT_GT( found.size(), 5000u );
            EXPECT_TRUE( expected[i] == found ) << threads;
        }
    }
}

namespace
{

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

// A simple case: one triangle above another, turned so that a vertex is above the interior of the other.
TEST_P( MeshPairs, IncludeVerticesAndEdgesWithinBothThicknesses )
{
    MeshWorld world( def() );
    MeshOptions options;
    options.thickness = 0.25f;
    Shape upper = flatTriangle( 0.5 );
    upper.move( 1, 1, 0 );
    const cltMeshId a = world.create( flatTriangle( 0 ), options );
    const cltMeshId b = world.create( upper, options );
    const PartPairs vertexFaces = world.find( Pairing::vertexFaces, clt_meshKdops );
    EXPECT_EQ( ( PartPairs{ { b, 0, 0, a, 0, 0 } } ), vertexFaces );
    const PartPairs edges = world.find( Pairing::edges, clt_meshKdops );
    EXPECT_EQ( ( PartPairs{ { a, 1, 2, b, 0, 1 }, { a, 1, 2, b, 0, 2 } } ), edges );
    for ( Pairing pairing : { Pairing::vertexFaces, Pairing::edges } )
    {
        EXPECT_EQ( PartPairs(), world.find( pairing, clt_meshTriangles ) );
    }
    upper.move( 0, 0, 0.015625 );
    world.move( b, upper.vertices );
    for ( Pairing pairing : { Pairing::vertexFaces, Pairing::edges } )
    {
        EXPECT_EQ( PartPairs(), world.find( pairing, clt_meshBoxes ) );
    }
    upper.move( 0, 0, -0.515625 );
    world.move( b, upper.vertices );
    EXPECT_EQ( vertexFaces, world.find( Pairing::vertexFaces, clt_meshTriangles ) );
    EXPECT_EQ( edges, world.find( Pairing::edges, clt_meshTriangles ) );
}

// Self-collision of a closed surface. The number of pairs with a shared vertex follows from the degrees of vertices.
TEST_P( MeshPairs, ExcludeSharedVerticesUnlessKept )
{
    for ( bool keepShared : { false, true } )
    {
        MeshWorld world( def() );
        MeshOptions options;
        options.selfCollision = true;
        options.keepShared = keepShared;
        world.create( ball( 2, 1 ), options ); // 66 vertices, 192 edges, 128 triangles
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
        const auto count = [&world]( Pairing pairing ) { return world.find( pairing, clt_meshTriangles ).size(); };
        EXPECT_EQ( keepShared ? 3u * 128u : 0u, count( Pairing::vertexFaces ) );
        // six vertices have four edges, and sixty have six
        EXPECT_EQ( keepShared ? 6u * 6u + 60u * 15u : 0u, count( Pairing::edges ) );
        EXPECT_EQ( keepShared ? 6u * 6u + 60u * 15u - 192u : 0u, count( Pairing::triangles ) );
    }
}

// A vertex or edge is found if one of its triangles is not hidden, whichever triangle it is assigned to.
TEST_P( MeshPairs, IncludeVerticesOfHiddenTrianglesNeighbours )
{
    Random random( 8 );
    MeshWorld world( def() );
    const Shape cloth = waves( 0 );
    const cltMeshId mesh = world.create( cloth );
    world.create( waves( 0.05 ) );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
    for ( std::uint32_t every : { 50u, 7u, 2u, 3000u } )
    {
        Shape torn = cloth;
        for ( std::size_t i = random.below( every ); i < torn.vertices.size(); i += 1 + random.below( every ) )
        {
            torn.vertices[i] = notANumber;
        }
        world.move( mesh, torn.vertices );
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << every;
    }
    world.move( mesh, cloth.vertices );
    ASSERT_NO_FATAL_FAILURE( world.expectPairs() );
}

// With another order of triangles and vertices, the same pairs are found under other numbers.
TEST_P( MeshPairs, AreIndependentOfTheOrderOfTriangles )
{
    Random random( 5 );
    const Shape shape = soup( random, 200, 1 );
    std::vector<std::uint32_t> newVertex( shape.vertexCount() );
    std::vector<std::uint32_t> newTriangle( shape.triangleCount() );
    for ( auto* order : { &newVertex, &newTriangle } )
    {
        for ( std::uint32_t i = 0; i < order->size(); ++i )
        {
            ( *order )[i] = i;
            std::swap( ( *order )[i], ( *order )[random.below( i + 1 )] );
        }
    }
    Shape mixed = shape;
    for ( std::size_t i = 0; i < shape.vertices.size(); ++i )
    {
        mixed.vertices[3 * newVertex[i / 3] + i % 3] = shape.vertices[i];
    }
    for ( std::size_t i = 0; i < shape.triangles.size(); ++i )
    {
        mixed.triangles[3 * newTriangle[i / 3] + ( i + newTriangle[i / 3] ) % 3] = newVertex[shape.triangles[i]];
    }
    MeshOptions options;
    options.selfCollision = true;
    MeshWorld first( def() );
    first.create( shape, options );
    MeshWorld second( def() );
    second.create( mixed, options );
    TrianglePairs expected = first.find( clt_meshTriangles );
    for ( TrianglePair& pair : expected )
    {
        pair = { 0, std::min( newTriangle[pair[1]], newTriangle[pair[3]] ), 0,
                 std::max( newTriangle[pair[1]], newTriangle[pair[3]] ) };
    }
    std::sort( expected.begin(), expected.end() );
    EXPECT_TRUE( expected == second.find( clt_meshTriangles ) );
}

// The doubles lie between two floats, so boxes rounded outward to float would be equal.
TEST( MeshDoubles, CompareBoxesAsDoubles )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.precision = clt_precisionDouble;
    for ( const double gap : { 0.0, 0x1p-52, -0x1p-52 } )
    {
        for ( std::size_t axis = 0; axis < 3; ++axis )
        {
            MeshWorld world( def );
            Shape shape;
            shape.vertices = { 0, 0, 0, 1, 1, 0, 0, 1, 1 };
            shape.triangles = { 0, 1, 2 };
            world.create( shape );
            for ( std::size_t i = axis; i < 9; i += 3 )
            {
                shape.vertices[i] += 1 + gap;
            }
            world.create( shape );
            ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << gap << ' ' << axis;
            EXPECT_EQ( gap > 0 ? 0u : 1u, world.find( clt_meshBoxes ).size() ) << gap << ' ' << axis;
        }
    }
}

// Many coordinates differ only in their last bits.
TEST( MeshDoubles, EqualTheOracleForNearlyEqualNumbers )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.precision = clt_precisionDouble;
    Random random( 8 );
    for ( int i = 0; i < 12; ++i )
    {
        MeshWorld world( def );
        MeshOptions options;
        options.selfCollision = true;
        options.isSwept = i % 3 == 1;
        options.thickness = i % 4 == 3 ? 1e-16f : 0.0f;
        const auto scattered = [&random]( const Shape& shape )
        {
            std::vector<double> vertices = shape.vertices;
            for ( double& at : vertices )
            {
                at = ( 1 + random.below( 3u ) ) / 3.0 + random.between( -4e-16, 4e-16 );
            }
            return vertices;
        };
        Shape shape = soup( random, 60, 1 );
        shape.vertices = scattered( shape );
        const cltMeshId mesh = world.create( shape, options );
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << i;
        world.move( mesh, scattered( shape ) );
        ASSERT_NO_FATAL_FAILURE( world.expectPairs() ) << i;
    }
}
