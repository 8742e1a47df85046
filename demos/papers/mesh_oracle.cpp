// SPDX-License-Identifier: Zlib
#include "mesh_oracle.h"

#include "demos/oracle/triangles.h"

#include <array>
#include <stdexcept>

namespace cullet::papers
{

namespace
{

using Direction = std::array<float, 3>;

/// Whether the intervals of two triangles overlap along a direction. The factors are 0, 1 and -1, so at most one sum is
/// rounded.
bool overlapAlong( const Direction& factors, const Triangle& a, const Triangle& b )
{
    const auto intervalOf = [&]( const Triangle& triangle )
    {
        std::array<float, 3> measures;
        std::transform( triangle.corners, triangle.corners + 3, measures.begin(),
                        [&]( const float* corner )
                        { return factors[0] * corner[0] + factors[1] * corner[1] + factors[2] * corner[2]; } );
        const auto ends = std::minmax_element( measures.begin(), measures.end() );
        return std::make_pair( *ends.first, *ends.second );
    };
    const auto [lowerOfA, upperOfA] = intervalOf( a );
    const auto [lowerOfB, upperOfB] = intervalOf( b );
    return lowerOfA <= upperOfB && lowerOfB <= upperOfA;
}

constexpr Direction diagonals[] = { { 1, 1, 0 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, -1, 0 }, { 1, 0, -1 }, { 0, 1, -1 } };

} // namespace

MeshScenePointer createMeshScene( cltMeshSceneKind kind, std::uint32_t triangleCount, float speed )
{
    const cltMeshSceneDef def = { kind, triangleCount, speed };
    MeshScenePointer scene( cltCreateMeshScene( &def ), cltDestroyMeshScene );
    if ( !scene )
    {
        throw std::runtime_error( "not enough memory for the scene" );
    }
    return scene;
}

std::vector<Triangle> trianglesOf( const cltMeshScene& scene )
{
    std::vector<Triangle> triangles;
    for ( std::uint32_t mesh = 0; mesh < scene.meshCount; ++mesh )
    {
        const auto& vertices = scene.meshes[mesh].vertices;
        const auto& corners = scene.meshes[mesh].triangles;
        for ( std::uint32_t k = 0; k < scene.meshes[mesh].triangleCount; ++k )
        {
            triangles.push_back( { { vertices[corners[k][0]], vertices[corners[k][1]], vertices[corners[k][2]] } } );
        }
    }
    return triangles;
}

bool areNeighbours( const Triangle& a, const Triangle& b )
{
    return std::find_first_of( a.corners, a.corners + 3, b.corners, b.corners + 3 ) != a.corners + 3;
}

std::vector<cltAabb> boxesOf( const cltMeshScene& scene )
{
    const std::vector<Triangle> triangles = trianglesOf( scene );
    std::vector<cltAabb> boxes( triangles.size() );
    for ( std::size_t k = 0; k < boxes.size(); ++k )
    {
        const float* const* corners = triangles[k].corners;
        for ( int axis = 0; axis < 3; ++axis )
        {
            boxes[k].lower[axis] = std::min( { corners[0][axis], corners[1][axis], corners[2][axis] } );
            boxes[k].upper[axis] = std::max( { corners[0][axis], corners[1][axis], corners[2][axis] } );
        }
    }
    return boxes;
}

std::vector<std::uint32_t> meshNumbersOf( const cltMeshScene& scene )
{
    std::vector<std::uint32_t> numbers;
    for ( std::uint32_t mesh = 0; mesh < scene.meshCount; ++mesh )
    {
        numbers.insert( numbers.end(), scene.meshes[mesh].triangleCount, mesh );
    }
    return numbers;
}

PairSet trianglePairs( const cltMeshScene& scene, Between between, Directions directions )
{
    const std::vector<cltAabb> boxes = boxesOf( scene );
    const std::vector<Triangle> triangles = trianglesOf( scene );
    const std::vector<std::uint32_t> meshes = meshNumbersOf( scene );
    std::vector<Candidate<cltAabb>> candidates;
    for ( std::uint32_t triangle = 0; triangle < boxes.size(); ++triangle )
    {
        candidates.push_back( { boxes[triangle], openFilter, triangle } );
    }
    PairSet pairs = sweptPairs( std::move( candidates ) );
    const auto isOut = [&]( PairKey key )
    {
        const std::uint32_t a = smallerOf( key ), b = largerOf( key );
        const auto overlap = [&]( const Direction& direction )
        { return overlapAlong( direction, triangles[a], triangles[b] ); };
        return ( between == Between::meshes && meshes[a] == meshes[b] ) ||
               ( directions == Directions::nine &&
                 !std::all_of( std::begin( diagonals ), std::end( diagonals ), overlap ) );
    };
    pairs.erase( std::remove_if( pairs.begin(), pairs.end(), isOut ), pairs.end() );
    return pairs;
}

bool intersectExactly( const Triangle& a, const Triangle& b )
{
    const auto cornersOf = []( const Triangle& triangle )
    {
        std::vector<ExactPoint> corners;
        for ( const float* corner : triangle.corners )
        {
            corners.push_back( { double( corner[0] ), double( corner[1] ), double( corner[2] ) } );
        }
        return corners;
    };
    return hullsIntersect( cornersOf( a ), cornersOf( b ) );
}

} // namespace cullet::papers
