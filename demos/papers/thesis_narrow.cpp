// SPDX-License-Identifier: Zlib
/// \file thesis_narrow.cpp
/// Figure 4.9: triangle against triangle. Section 2.2.2.1: the time saved by testing 18-DOPs first.
#include "motion.h"

#include "demos/engines/core_engine.h"

#include "gpu/mesh/core/kdop.h"
#include "gpu/mesh/core/triangle.h"

#include "cullet_mesh.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

namespace cullet::papers
{

using compare::requireOk;

namespace
{

// ------------------------------------------------------------------------------------------------ the thesis' test

/// Two triangles cross the common line of their planes in two intervals. These are compared along this axis.
enum class LineAxis
{
    printed, ///< as in the appendix: z or x, because it uses x where the line is longest along y
    longest  ///< the axis along which the line is longest, as in Moller's paper
};

using Vector = std::array<float, 3>;

constexpr float flat = 1e-6f; // Moller's value; the thesis gives none

Vector edge( const float* from, const float* to )
{
    return { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
}

Vector cross( const Vector& a, const Vector& b )
{
    return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

template <typename Place>
float dot( const Vector& a, const Place& b )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector normalOf( const Triangle& triangle )
{
    return cross( edge( triangle.corners[0], triangle.corners[1] ), edge( triangle.corners[0], triangle.corners[2] ) );
}

/// The distances of a triangle's corners from a plane.
/// \param normal  of the plane
/// \param origin  a point of the plane
Vector distancesOf( const Triangle& triangle, const Vector& normal, const float* origin )
{
    const float offset = -dot( normal, origin );
    Vector distances;
    for ( std::size_t k = 0; k < 3; ++k )
    {
        const float distance = dot( normal, triangle.corners[k] ) + offset;
        distances[k] = std::fabs( distance ) < flat ? 0.0f : distance;
    }
    return distances;
}

bool areOnOneSide( const Vector& distances )
{
    return distances[0] * distances[1] > 0 && distances[0] * distances[2] > 0;
}

/// The corner that lies on one side of the plane while the other two lie on the other side.
/// \return -1 if all three lie in the plane
int loneCorner( const Vector& distances )
{
    if ( distances[0] * distances[1] > 0 )
    {
        return 2;
    }
    if ( distances[0] * distances[2] > 0 )
    {
        return 1;
    }
    if ( distances[1] * distances[2] > 0 || distances[0] != 0 )
    {
        return 0;
    }
    return distances[1] != 0 ? 1 : distances[2] != 0 ? 2 : -1;
}

/// The part of the planes' common line that lies in a triangle: the lower and upper coordinates of its ends on `axis`.
std::pair<float, float> intervalOf( const Triangle& triangle, const Vector& distances, int lone, int axis )
{
    const auto endAt = [&]( int other )
    {
        const float from = triangle.corners[lone][axis], to = triangle.corners[other][axis];
        const float ofLone = distances[std::size_t( lone )], ofOther = distances[std::size_t( other )];
        return from + ( to - from ) * ofLone / ( ofLone - ofOther );
    };
    const float first = endAt( ( lone + 1 ) % 3 ), second = endAt( ( lone + 2 ) % 3 );
    return std::minmax( first, second );
}

int axisOf( const Vector& line, LineAxis lineAxis )
{
    const float x = std::fabs( line[0] ), y = std::fabs( line[1] ), z = std::fabs( line[2] );
    if ( z == std::max( { x, y, z } ) )
    {
        return 2;
    }
    return lineAxis == LineAxis::longest && y >= x ? 1 : 0;
}

/// Moller, A Fast Triangle-Triangle Intersection Test, 1997, in floats, as in the thesis' appendix A.5. It reports no
/// intersection for two triangles in one plane, and treats a point within a millionth of a plane as lying in it.
bool intersectAsInThesis( const Triangle& a, const Triangle& b, LineAxis lineAxis )
{
    const Vector normalOfA = normalOf( a );
    const Vector distancesOfB = distancesOf( b, normalOfA, a.corners[0] );
    if ( areOnOneSide( distancesOfB ) )
    {
        return false;
    }
    const Vector normalOfB = normalOf( b );
    const Vector distancesOfA = distancesOf( a, normalOfB, b.corners[0] );
    const int loneOfA = loneCorner( distancesOfA ), loneOfB = loneCorner( distancesOfB );
    if ( areOnOneSide( distancesOfA ) || loneOfA < 0 || loneOfB < 0 )
    {
        return false;
    }
    const int axis = axisOf( cross( normalOfA, normalOfB ), lineAxis );
    const auto [firstOfA, lastOfA] = intervalOf( a, distancesOfA, loneOfA, axis );
    const auto [firstOfB, lastOfB] = intervalOf( b, distancesOfB, loneOfB, axis );
    return firstOfA <= lastOfB && firstOfB <= lastOfA;
}

// ------------------------------------------------------------------------------------------------------- measuring

cltFacet facetOf( const Triangle& triangle )
{
    cltFacet facet;
    for ( int corner = 0; corner < 3; ++corner )
    {
        std::copy( triangle.corners[corner], triangle.corners[corner] + 3, facet.corners[corner].at );
    }
    return facet;
}

bool intersectAsInLibrary( const Triangle& a, const Triangle& b )
{
    const cltFacet facetA = facetOf( a ), facetB = facetOf( b );
    return cltFacet_Meets( &facetA, &facetB );
}

/// Three sets of pairs of a scene's triangles, each a subset of the previous one. Neighbours, which are triangles that
/// share a vertex, are left out.
struct Candidates
{
    std::vector<Triangle> triangles;
    PairSet boxes, kdops, meeting;
    bool isRight; ///< from the pairs of boxes, the library's exact test selects the same pairs as the oracle

    Candidates( const cltMeshScene& scene, Between between ) : triangles( trianglesOf( scene ) )
    {
        const auto areApart = []( const Triangle& a, const Triangle& b ) { return !areNeighbours( a, b ); };
        boxes = those( trianglePairs( scene, between, Directions::three ), areApart );
        kdops = those( trianglePairs( scene, between, Directions::nine ), areApart );
        meeting = those( kdops, intersectExactly );
        isRight = meeting == those( boxes, intersectAsInLibrary );
    }

    template <typename Meet>
    PairSet those( const PairSet& pairs, Meet&& meet ) const
    {
        PairSet some;
        std::copy_if( pairs.begin(), pairs.end(), std::back_inserter( some ),
                      [&]( PairKey key ) { return meet( triangles[smallerOf( key )], triangles[largerOf( key )] ); } );
        return some;
    }
};

/// As in the library: the six diagonal directions first, then the exact test.
bool intersectAfterDiagonals( const Triangle& a, const Triangle& b )
{
    const cltDiagonalIntervals ofA = cltDiagonalIntervals_OfTriangle( a.corners[0], a.corners[1], a.corners[2] );
    const cltDiagonalIntervals ofB = cltDiagonalIntervals_OfTriangle( b.corners[0], b.corners[1], b.corners[2] );
    return cltDiagonalIntervals_Overlap( &ofA, &ofB ) && intersectAsInLibrary( a, b );
}

/// Tests all candidates on one core, and adds a row with the time.
template <typename Meet>
void addTests( TableBuilder& table, const std::string& size, const std::string& what, const Candidates& candidates,
               const PairSet& pairs, Meet&& meet )
{
    PairSet found;
    const Figure ms = table.medianMs( [&] { found = candidates.those( pairs, meet ); } );
    table.add( size, what, "ms", {}, ms, found == candidates.meeting ).tests = double( pairs.size() );
}

/// The thesis' test is not exact: rows count the pairs that it misses and those that it wrongly finds.
void addThesisTest( TableBuilder& table, const std::string& size, const std::string& what, const Candidates& candidates,
                    LineAxis lineAxis )
{
    PairSet found;
    const auto meet = [lineAxis]( const Triangle& a, const Triangle& b )
    { return intersectAsInThesis( a, b, lineAxis ); };
    const Figure ms = table.medianMs( [&] { found = candidates.those( candidates.kdops, meet ); } );
    Row& row = table.add( size, what, "ms", {}, ms, true );
    row.tests = double( candidates.kdops.size() );
    row.tick = Tick::none; // wrong pairs are counted below
    table.add( size, what + ": pairs missed", "", {}, double( difference( candidates.meeting, found ).size() ),
               candidates.isRight );
    table.add( size, what + ": pairs too many", "", {}, double( difference( found, candidates.meeting ).size() ),
               candidates.isRight );
}

void addCounts( TableBuilder& table, const std::string& size, const Candidates& candidates )
{
    const auto add = [&]( const char* what, const PairSet& pairs )
    { table.add( size, what, "", {}, double( pairs.size() ), candidates.isRight ); };
    add( "pairs of boxes", candidates.boxes );
    add( "pairs of 18-DOPs", candidates.kdops );
    add( "pairs of triangles", candidates.meeting );
}

/// Adds rows for the library's searches for pairs of boxes, of 18-DOPs and of triangles. Each search first
/// sets the current vertices.
void addLibrary( TableBuilder& table, const std::string& size, const cltMeshScene& scene, Between between,
                 const Candidates& candidates )
{
    const cltBroadphaseDef def = defOf( table, clt_algorithmAuto, cltDefaultBroadphaseDef().device );
    cltMeshSet* created = nullptr;
    requireOk( cltCreateMeshSet( &def, &created ) );
    const std::unique_ptr<cltMeshSet, decltype( &cltDestroyMeshSet )> set( created, cltDestroyMeshSet );
    std::vector<cltMeshId> ids;
    std::map<cltMeshId, std::uint32_t> firstOf; // the number of a mesh's first triangle, as in trianglesOf
    std::uint32_t first = 0;
    for ( std::uint32_t k = 0; k < scene.meshCount; ++k )
    {
        const cltMesh& mesh = scene.meshes[k];
        cltMeshDef meshDef = cltDefaultMeshDef();
        meshDef.vertices = mesh.vertices[0];
        meshDef.vertexCount = mesh.vertexCount;
        meshDef.triangles = mesh.triangles[0];
        meshDef.triangleCount = mesh.triangleCount;
        meshDef.selfCollision = between == Between::all;
        requireOk( cltMeshSet_CreateMesh( set.get(), &meshDef, &ids.emplace_back() ) );
        firstOf[ids.back()] = first;
        first += mesh.triangleCount;
    }
    const auto add = [&]( cltMeshTest test, const char* what, const PairSet& expected )
    {
        const cltTrianglePair* pairs = nullptr;
        std::size_t count = 0;
        const auto find = [&]
        {
            for ( std::uint32_t k = 0; k < scene.meshCount; ++k )
            {
                requireOk( cltMeshSet_MoveVertices( set.get(), ids[k], scene.meshes[k].vertices[0] ) );
            }
            requireOk( cltMeshSet_FindPairs( set.get(), test, &pairs, &count ) );
        };
        const Figure ms = table.medianMs( find );
        PairSet found;
        std::for_each( pairs, pairs + count,
                       [&]( const cltTrianglePair& pair ) {
                           found.push_back(
                               pairKey( firstOf[pair.meshA] + pair.triangleA, firstOf[pair.meshB] + pair.triangleB ) );
                       } );
        std::sort( found.begin(), found.end() );
        table.add( size, what, "ms", {}, ms, found == expected );
    };
    add( clt_meshBoxes, "the library to boxes", candidates.boxes );
    add( clt_meshKdops, "the library to 18-DOPs", candidates.kdops );
    add( clt_meshTriangles, "the library to triangles", candidates.meeting );
}

} // namespace

void measureNarrowPhase( TableBuilder& table )
{
    const MeshScenePointer scene = createMeshScene( clt_meshSceneClothDrop, 0, 1 );
    for ( const std::uint32_t step : { 60u, 80u, 100u, 120u, 160u, 240u } )
    {
        if ( table.isQuick() && step != 120 )
        {
            continue;
        }
        const std::string size = fmt::format( "step {}", step );
        table.detail( size );
        cltMeshScene_GoTo( scene.get(), step );
        const Candidates candidates( *scene, Between::meshes );
        addCounts( table, size, candidates );
        addThesisTest( table, size, "in floats, as printed", candidates, LineAxis::printed );
        addThesisTest( table, size, "in floats, as meant", candidates, LineAxis::longest );
        addTests( table, size, "exactly", candidates, candidates.kdops, intersectAsInLibrary );
        addLibrary( table, size, *scene, Between::meshes, candidates );
        table.setX( double( candidates.kdops.size() ) );
    }
}

void measureKdops( TableBuilder& table )
{
    struct Published
    {
        cltMeshSceneKind kind;
        const char* name;
        std::uint32_t step;
        Between between;
    };
    for ( const Published& published : { Published{ clt_meshSceneFunnel, "Funnel", 40, Between::all },
                                         { clt_meshSceneClothDrop, "cloth drop", 120, Between::meshes },
                                         { clt_meshSceneNBody, "NBody", 40, Between::meshes },
                                         { clt_meshSceneClothBall, "Cloth-Ball", 40, Between::all } } )
    {
        if ( table.isQuick() && published.kind != clt_meshSceneFunnel )
        {
            break;
        }
        const std::string size = published.name;
        table.detail( size );
        const MeshScenePointer scene = createMeshScene( published.kind, 0, 1 );
        cltMeshScene_GoTo( scene.get(), published.step );
        const Candidates candidates( *scene, published.between );
        addCounts( table, size, candidates );
        addTests( table, size, "exactly, after boxes", candidates, candidates.boxes, intersectAsInLibrary );
        addTests( table, size, "exactly, after boxes and 18-DOPs", candidates, candidates.boxes,
                  intersectAfterDiagonals );
        addLibrary( table, size, *scene, published.between, candidates );
    }
}

} // namespace cullet::papers
