// SPDX-License-Identifier: Zlib
/// \file thesis_cloth.cpp
/// Figure 4.6: which triangles of a cloth and of a mesh may touch.
#include "dop_tree.h"
#include "mesh_oracle.h"
#include "motion.h"
#include "thesis.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

namespace cullet::papers
{

using compare::grouped;

namespace
{

/// Walks the two trees; a row of the time, one of the tests and one of the pairs.
void addWalk( std::vector<Row>& rows, const std::string& size, const DopTree& cloth, const DopTree& body,
              const cltMeshScene& scene, Directions directions, const Effort& effort )
{
    DopWalked walked;
    const bool areBoxes = directions == Directions::three;
    const auto ms = medianMs( effort, [&] { walkDops( cloth, body, areBoxes, walked ); } );
    std::sort( walked.pairs.begin(), walked.pairs.end() );
    const bool isRight = walked.pairs == trianglePairs( scene, Between::meshes, directions );
    const std::string name = areBoxes ? "6 planes" : "18 planes";
    rows.push_back( cpuRow( size, name + ", one core", "ms", {}, ms, isRight ) );
    rows.push_back( cpuRow( size, name + ": tests of nodes", "thousand", {}, double( walked.tests ) / 1e3, isRight ) );
    rows.push_back( cpuRow( size, name + ": pairs", "", {}, double( walked.pairs.size() ), isRight ) );
}

} // namespace

std::vector<Row> measureClothDrop( const Effort& effort )
{
    const MeshScenePointer scene = createMeshScene( clt_meshSceneClothDrop, 0, 1 );
    LevelTimes times;
    DopTree cloth = buildDops( scene->meshes[0], times );
    const DopTree body = buildDops( scene->meshes[1], times );
    std::vector<Row> rows;
    for ( const std::uint32_t step : { 60u, 80u, 100u, 120u, 140u, 160u, 200u, 240u } )
    {
        if ( effort.isQuick && step != 120 )
        {
            continue;
        }
        const std::string size = fmt::format( "step {}", step );
        effort.progress->detail( size );
        cltMeshScene_GoTo( scene.get(), step );
        updateDops( cloth, scene->meshes[0], times );
        const double pairs = double( trianglePairs( *scene, Between::meshes, Directions::nine ).size() );
        addWalk( rows, size, cloth, body, *scene, Directions::nine, effort );
        addWalk( rows, size, cloth, body, *scene, Directions::three, effort );
        const Motion motion( *scene, Between::meshes, effort );
        const Everywhere library = measureEverywhere( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( rowOf( size, "the library, boxes", {}, library, &Updates::totalMs ) );
        placeAt( rows, pairs );
    }
    rows.push_back( paperRow( "all", "a card, as fast as one core so many times", "times", 25 ) );
    return rows;
}

} // namespace cullet::papers
