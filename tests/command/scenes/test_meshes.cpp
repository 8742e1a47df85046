// SPDX-License-Identifier: Zlib
// The scenes of meshes have the documented number of triangles, are surfaces, and move with the number of steps alone.
#include "demos/scenes/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

namespace
{

using ScenePointer = std::unique_ptr<cltMeshScene, decltype( &cltDestroyMeshScene )>;

ScenePointer createScene( cltMeshSceneKind kind, std::uint32_t triangleCount, float speed )
{
    const cltMeshSceneDef def = { kind, triangleCount, speed };
    return ScenePointer( cltCreateMeshScene( &def ), cltDestroyMeshScene );
}

std::vector<std::uint32_t> triangleCounts( const cltMeshScene& scene )
{
    std::vector<std::uint32_t> counts;
    for ( std::uint32_t mesh = 0; mesh < scene.meshCount; ++mesh )
    {
        counts.push_back( scene.meshes[mesh].triangleCount );
    }
    return counts;
}

std::vector<float> vertexCoordinates( const cltMeshScene& scene )
{
    std::vector<float> all;
    for ( std::uint32_t mesh = 0; mesh < scene.meshCount; ++mesh )
    {
        const float* first = scene.meshes[mesh].vertices[0];
        all.insert( all.end(), first, first + 3 * scene.meshes[mesh].vertexCount );
    }
    return all;
}

constexpr cltMeshSceneKind allKinds[] = { clt_meshSceneBlob, clt_meshSceneClothDrop, clt_meshSceneNBody,
                                          clt_meshSceneFunnel, clt_meshSceneClothBall };

TEST( Meshes, HaveAsManyTrianglesAsInThePapers )
{
    for ( const std::uint32_t count : { 8u, 9u, 6272u, 16301u, 69451u } )
    {
        EXPECT_EQ( triangleCounts( *createScene( clt_meshSceneBlob, count, 1 ) ), std::vector<std::uint32_t>{ count } );
    }
    const auto total = []( cltMeshSceneKind kind )
    {
        const std::vector<std::uint32_t> counts = triangleCounts( *createScene( kind, 0, 1 ) );
        std::uint32_t sum = 0;
        std::for_each( counts.begin(), counts.end(), [&sum]( std::uint32_t count ) { sum += count; } );
        return std::make_pair( counts.size(), sum );
    };
    EXPECT_EQ( total( clt_meshSceneClothDrop ), std::make_pair( std::size_t( 2 ), 2048u + 69451u ) );
    EXPECT_EQ( total( clt_meshSceneNBody ), std::make_pair( std::size_t( 305 ), 146000u ) );
    EXPECT_EQ( total( clt_meshSceneFunnel ), std::make_pair( std::size_t( 4 ), 18500u ) );
    EXPECT_EQ( total( clt_meshSceneClothBall ), std::make_pair( std::size_t( 2 ), 92000u ) );
}

// An edge has two different ends. It belongs to one triangle, or to two that pass it in opposite directions.
TEST( Meshes, AreSurfaces )
{
    for ( const cltMeshSceneKind kind : allKinds )
    {
        const ScenePointer scene = createScene( kind, 1001, 1 );
        for ( std::uint32_t k = 0; k < scene->meshCount; k += 100 )
        {
            const cltMesh& mesh = scene->meshes[k];
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
            for ( std::uint32_t triangle = 0; triangle < mesh.triangleCount; ++triangle )
            {
                const std::uint32_t* corners = mesh.triangles[triangle];
                for ( int corner = 0; corner < 3; ++corner )
                {
                    ASSERT_LT( corners[corner], mesh.vertexCount );
                    const auto edge = std::make_pair( corners[corner], corners[( corner + 1 ) % 3] );
                    ASSERT_NE( edge.first, edge.second );
                    ASSERT_EQ( ++edges[edge], 1 ) << "kind " << kind << ", triangle " << triangle;
                }
            }
        }
    }
}

TEST( Meshes, HaveVerticesThatDependOnTheStepAlone )
{
    for ( const cltMeshSceneKind kind : allKinds )
    {
        const ScenePointer there = createScene( kind, 1000, 1 );
        const std::vector<float> first = vertexCoordinates( *there );
        cltMeshScene_GoTo( there.get(), 40 );
        const std::vector<float> later = vertexCoordinates( *there );
        EXPECT_NE( first, later ) << "kind " << kind;
        EXPECT_TRUE( std::all_of( later.begin(), later.end(), []( float place ) { return std::isfinite( place ); } ) );
        const ScenePointer faster = createScene( kind, 1000, 4 );
        cltMeshScene_GoTo( faster.get(), 10 );
        EXPECT_EQ( vertexCoordinates( *faster ), later ) << "kind " << kind;
        cltMeshScene_GoTo( there.get(), 0 );
        EXPECT_EQ( vertexCoordinates( *there ), first ) << "kind " << kind;
    }
}

// At speed 1 vertices move by about a tenth of an edge.
TEST( Meshes, MoveBySmallSteps )
{
    for ( const cltMeshSceneKind kind : allKinds )
    {
        const ScenePointer scene = createScene( kind, 1000, 1 );
        const std::vector<float> before = vertexCoordinates( *scene );
        cltMeshScene_GoTo( scene.get(), 1 );
        const std::vector<float> after = vertexCoordinates( *scene );
        float farthest = 0;
        for ( std::size_t k = 0; k < before.size(); ++k )
        {
            farthest = std::max( farthest, std::abs( after[k] - before[k] ) );
        }
        EXPECT_GT( farthest, 0.02f ) << "kind " << kind;
        EXPECT_LT( farthest, 0.5f ) << "kind " << kind;
    }
}

} // namespace
