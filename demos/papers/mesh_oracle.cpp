// SPDX-License-Identifier: Zlib
#include "mesh_oracle.h"

#include "demos/oracle/triangles.h"

#include <stdexcept>

namespace cullet::papers
{

namespace
{

struct Interval
{
    float lower, upper;
};

/// The interval of a triangle along a direction. Its factors are 0, 1 and -1, so at most one sum is rounded.
Interval intervalOf( const float* const* corners, const int* factors )
{
    float measures[3];
    for ( int corner = 0; corner < 3; ++corner )
    {
        measures[corner] = 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            measures[corner] += float( factors[axis] ) * corners[corner][axis];
        }
    }
    const auto ends = std::minmax_element( measures, measures + 3 );
    return { *ends.first, *ends.second };
}

constexpr int factors[9][3] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 },  { 1, 1, 0 }, { 1, 0, 1 },
                                { 0, 1, 1 }, { 1, -1, 0 }, { 1, 0, -1 }, { 0, 1, -1 } };

/// Whether the intervals overlap in all diagonal directions.
bool overlapDiagonally( const float* const* a, const float* const* b )
{
    for ( int direction = 3; direction < 9; ++direction )
    {
        const Interval left = intervalOf( a, factors[direction] ), right = intervalOf( b, factors[direction] );
        if ( left.lower > right.upper || right.lower > left.upper )
        {
            return false;
        }
    }
    return true;
}

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

bool areNeighbors( const Triangle& a, const Triangle& b )
{
    return std::find_first_of( a.corners, a.corners + 3, b.corners, b.corners + 3 ) != a.corners + 3;
}

std::vector<cltAabb> boxesOf( const cltMeshScene& scene )
{
    const std::vector<Triangle> triangles = trianglesOf( scene );
    std::vector<cltAabb> boxes( triangles.size() );
    for ( std::size_t k = 0; k < boxes.size(); ++k )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            const Interval interval = intervalOf( triangles[k].corners, factors[axis] );
            boxes[k].lower[axis] = interval.lower;
            boxes[k].upper[axis] = interval.upper;
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
        return ( between == Between::meshes && meshes[a] == meshes[b] ) ||
               ( directions == Directions::nine && !overlapDiagonally( triangles[a].corners, triangles[b].corners ) );
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
