// SPDX-License-Identifier: Zlib
/// \file thesis_narrow.cpp
/// Figure 4.9, triangle against triangle; and what 18-DOPs are worth on the way there.
#include "mesh_library.h"
#include "motion.h"
#include "thesis.h"
#include "thesis_triangles.h"

#include "demos/report/numbers.h"

#include "gpu/core/kdop.h"
#include "gpu/core/triangle.h"

#include <fmt/format.h>

#include <tuple>

namespace cullet::papers
{

namespace
{

cltFacet facetOf( const Triangle& triangle )
{
    cltFacet facet;
    for ( int corner = 0; corner < 3; ++corner )
    {
        std::copy( triangle.corners[corner], triangle.corners[corner] + 3, facet.corners[corner].at );
    }
    return facet;
}

bool meetAsInLibrary( const Triangle& a, const Triangle& b )
{
    const cltFacet facetA = facetOf( a ), facetB = facetOf( b );
    return cltFacet_Meets( &facetA, &facetB );
}

/// Pairs of a scene's triangles, closer from set to set. None has a vertex in common.
struct Candidates
{
    std::vector<Triangle> triangles;
    PairSet boxes, kdops, meeting;
    bool isRight; ///< the library says of each pair of boxes what the oracle says

    Candidates( const cltMeshScene& scene, Between between ) : triangles( trianglesOf( scene ) )
    {
        boxes = strangers( trianglePairs( scene, between, Directions::three ) );
        kdops = strangers( trianglePairs( scene, between, Directions::nine ) );
        meeting = those( kdops, meetExactly );
        isRight = meeting == those( boxes, meetAsInLibrary );
    }

    template <typename Meet>
    PairSet those( const PairSet& pairs, Meet&& meet ) const
    {
        PairSet some;
        std::copy_if( pairs.begin(), pairs.end(), std::back_inserter( some ),
                      [&]( PairKey key ) { return meet( triangles[smallerOf( key )], triangles[largerOf( key )] ); } );
        return some;
    }

private:
    PairSet strangers( const PairSet& pairs ) const
    {
        return those( pairs, []( const Triangle& a, const Triangle& b ) { return !areNeighbors( a, b ); } );
    }
};

/// As the library does: what the planes across diagonals do not part is looked at exactly.
bool meetBehindDiagonals( const Triangle& a, const Triangle& b )
{
    const cltDiagonals ofA = cltDiagonals_OfTriangle( a.corners[0], a.corners[1], a.corners[2] );
    const cltDiagonals ofB = cltDiagonals_OfTriangle( b.corners[0], b.corners[1], b.corners[2] );
    return cltDiagonals_Overlap( &ofA, &ofB ) && meetAsInLibrary( a, b );
}

/// Tests all pairs on one core; a row of the time.
/// \return those that are said to meet
template <typename Meet>
PairSet addTests( std::vector<Row>& rows, const std::string& size, const char* what, const Candidates& candidates,
                  const PairSet& pairs, Meet&& meet, const Effort& effort )
{
    PairSet found;
    const auto ms = medianMs( effort, [&] { found = candidates.those( pairs, meet ); } );
    rows.push_back( cpuRow( size, what, "ms", {}, ms, found == candidates.meeting ) );
    rows.back().tests = double( pairs.size() );
    return found;
}

/// The thesis' test is not exact: what it misses and finds too much is counted.
void addThesisTest( std::vector<Row>& rows, const std::string& size, const std::string& what,
                    const Candidates& candidates, LineAxis lineAxis, const Effort& effort )
{
    const auto meet = [lineAxis]( const Triangle& a, const Triangle& b ) { return meetAsInThesis( a, b, lineAxis ); };
    const PairSet found = addTests( rows, size, what.c_str(), candidates, candidates.kdops, meet, effort );
    const auto isNotIn = []( const PairSet& set )
    { return [&set]( PairKey key ) { return !std::binary_search( set.begin(), set.end(), key ); }; };
    const auto missed = std::count_if( candidates.meeting.begin(), candidates.meeting.end(), isNotIn( found ) );
    const auto extra = std::count_if( found.begin(), found.end(), isNotIn( candidates.meeting ) );
    rows.back().tick = Tick::none; // it need not be right: what it gets wrong is counted
    rows.push_back( cpuRow( size, what + ": pairs missed", "", {}, double( missed ), candidates.isRight ) );
    rows.push_back( cpuRow( size, what + ": pairs too many", "", {}, double( extra ), candidates.isRight ) );
}

/// The library over all of it, each time more closely.
void addLibrary( std::vector<Row>& rows, const std::string& size, const cltMeshScene& scene, Between between,
                 const Candidates& candidates, const Effort& effort )
{
    LibraryMeshes library( scene, between, effort );
    const std::tuple<cltMeshTest, const char*, const PairSet&> tests[] = {
        { clt_meshBoxes, "the library to boxes", candidates.boxes },
        { clt_meshKdops, "the library to 18-DOPs", candidates.kdops },
        { clt_meshTriangles, "the library to triangles", candidates.meeting } };
    for ( const auto& [test, what, expected] : tests )
    {
        const auto ms = medianMs( effort, [&, test = test] { library.find( test ); } );
        rows.push_back( cpuRow( size, what, "ms", {}, ms, library.pairs() == expected ) );
    }
}

void addCounts( std::vector<Row>& rows, const std::string& size, const Candidates& candidates )
{
    const auto add = [&]( const char* what, const PairSet& pairs )
    { rows.push_back( cpuRow( size, what, "", {}, double( pairs.size() ), candidates.isRight ) ); };
    add( "pairs of boxes", candidates.boxes );
    add( "pairs of 18-DOPs", candidates.kdops );
    add( "pairs of triangles", candidates.meeting );
}

} // namespace

std::vector<Row> measureNarrowPhase( const Effort& effort )
{
    const MeshScenePointer scene = createMeshScene( clt_meshSceneClothDrop, 0, 1 );
    std::vector<Row> rows;
    for ( const std::uint32_t step : { 60u, 80u, 100u, 120u, 160u, 240u } )
    {
        if ( effort.isQuick && step != 120 )
        {
            continue;
        }
        const std::string size = fmt::format( "step {}", step );
        effort.progress->detail( size );
        cltMeshScene_GoTo( scene.get(), step );
        const Candidates candidates( *scene, Between::meshes );
        addCounts( rows, size, candidates );
        addThesisTest( rows, size, "in floats, as printed", candidates, LineAxis::printed, effort );
        addThesisTest( rows, size, "in floats, as meant", candidates, LineAxis::longest, effort );
        addTests( rows, size, "exactly", candidates, candidates.kdops, meetAsInLibrary, effort );
        addLibrary( rows, size, *scene, Between::meshes, candidates, effort );
        placeAt( rows, double( candidates.kdops.size() ) );
    }
    return rows;
}

std::vector<Row> measureKdops( const Effort& effort )
{
    struct Known
    {
        cltMeshSceneKind kind;
        const char* name;
        std::uint32_t step;
        Between between;
    };
    const Known all[] = { { clt_meshSceneFunnel, "Funnel", 40, Between::all },
                          { clt_meshSceneClothDrop, "cloth drop", 120, Between::meshes },
                          { clt_meshSceneNBody, "NBody", 40, Between::meshes },
                          { clt_meshSceneClothBall, "Cloth-Ball", 40, Between::all } };
    std::vector<Row> rows;
    for ( const Known& known : all )
    {
        if ( effort.isQuick && known.kind != clt_meshSceneFunnel )
        {
            continue;
        }
        effort.progress->detail( known.name );
        const MeshScenePointer scene = createMeshScene( known.kind, 0, 1 );
        cltMeshScene_GoTo( scene.get(), known.step );
        const Candidates candidates( *scene, known.between );
        addCounts( rows, known.name, candidates );
        addTests( rows, known.name, "exactly, after boxes", candidates, candidates.boxes, meetAsInLibrary, effort );
        addTests( rows, known.name, "exactly, after boxes and 18-DOPs", candidates, candidates.boxes,
                  meetBehindDiagonals, effort );
        addLibrary( rows, known.name, *scene, known.between, candidates, effort );
    }
    return rows;
}

} // namespace cullet::papers
