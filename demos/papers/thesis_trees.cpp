// SPDX-License-Identifier: Zlib
/// \file thesis_trees.cpp
/// Tables 4.2, 4.3 and 4.4, figures 3.3 and 4.10: building and refitting the tree of one mesh. Figure 4.6: walking the
/// trees of a cloth and a mesh.
#include "dop_tree.h"
#include "measurements.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr std::uint32_t movedSteps = 10; // about the length of an edge

/// Triangles, and the milliseconds of tables 4.2 to 4.4.
struct Model
{
    const char* name;
    std::uint32_t size;
    double build, firstKernel, lastKernel, secondCard;
    double update, updateKernel;
};

constexpr Model models[] = { { "Biplane", 6272, 85, 25, 9, 8, 7, 2 },
                             { "Small Bunny", 16301, 221, 62, 18, 10, 15, 3 },
                             { "Large Bunny", 69451, 1216, 269, 85, 34, 60, 12 },
                             { "Armadillo", 345944, 6513, 1402, 502, 183, 314, 64 },
                             { "Dragon", 871414, 14121, 3433, 1105, 401, 747, 159 },
                             { "Happy Buddha", 1087716, 20875, 7189, 1376, 471, 931, 201 } };

std::vector<Model> modelsFor( const Effort& effort )
{
    return { std::begin( models ), effort.isQuick ? std::begin( models ) + 1 : std::end( models ) };
}

bool findsThePairs( const DopTree& tree, const cltMeshScene& scene )
{
    WalkResult walked;
    walkDopsAlone( tree, walked );
    return walked.sortedPairs() == trianglePairs( scene, Between::all, Directions::nine );
}

/// Measures the library's lbvh over the boxes of the triangles while the mesh moves.
CpuAndDevice measureLibrary( cltMeshScene& scene, const Effort& effort )
{
    const Motion motion( scene, Between::all, effort );
    return measureCpuAndDevice( defOf( clt_algorithmLbvh, effort ), motion, effort );
}

/// The mesh of a model, and its tree.
struct Built
{
    std::string size;
    MeshScenePointer scene;
    DopTree tree;
    LevelTimes times;
    std::optional<double> ms;

    Built( const Model& model, const Effort& effort )
        : size( fmt::format( "{}, {}", model.name, grouped( model.size ) ) ),
          scene( createMeshScene( clt_meshSceneBlob, model.size, 1 ) )
    {
        effort.progress->detail( size );
        ms = medianMs( effort, [&] { tree = buildDops( scene->meshes[0], times ); } );
    }

    bool isRight() const
    {
        return findsThePairs( tree, *scene );
    }
};

} // namespace

std::vector<Row> measureDopBuild( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const Model& model : modelsFor( effort ) )
    {
        const Built built( model, effort );
        const bool isRight = built.isRight();
        rows.push_back( cpuRow( built.size, "18-DOPs, one core", "ms", model.build, built.ms, isRight ) );
        rows.push_back( paperRow( built.size, "the first version on a card", "ms", model.firstKernel ) );
        rows.push_back( paperRow( built.size, "the last version", "ms", model.lastKernel ) );
        rows.push_back( paperRow( built.size, "the same on a Tesla C2050", "ms", model.secondCard ) );
        const CpuAndDevice library = measureLibrary( *built.scene, effort );
        rows.push_back( rowOf( built.size, "the library: boxes, all threads", {}, library, &Updates::buildMs ) );
        setX( rows, model.size );
    }
    return rows;
}

std::vector<Row> measureDopUpdate( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const Model& model : modelsFor( effort ) )
    {
        Built built( model, effort );
        cltMeshScene_GoTo( built.scene.get(), movedSteps );
        const auto ms = medianMs( effort, [&] { updateDops( built.tree, built.scene->meshes[0], built.times ); } );
        const bool isRight = built.isRight();
        const auto ratio = ms ? std::optional<double>( *built.ms / *ms ) : std::nullopt;
        rows.push_back( cpuRow( built.size, "one core", "ms", model.update, ms, isRight ) );
        rows.push_back( paperRow( built.size, "on a card", "ms", model.updateKernel ) );
        rows.push_back( cpuRow( built.size, "building over updating, one core", "times", model.build / model.update,
                                ratio, isRight ) );
        rows.push_back( paperRow( built.size, "the same on a card", "times", model.lastKernel / model.updateKernel ) );
        setX( rows, model.size );
    }
    return rows;
}

namespace
{

/// \param work  returns the milliseconds of each level
/// \return the median of each level
template <typename Work>
std::vector<std::optional<double>> levelMedians( const Effort& effort, std::size_t levelCount, Work&& work )
{
    std::vector<std::vector<double>> all( levelCount );
    medianMs( effort,
              [&]
              {
                  const LevelTimes& times = work();
                  for ( std::size_t level = 0; level < levelCount && !effort.isQuick; ++level )
                  {
                      all[level].push_back( times[level] );
                  }
              } );
    std::vector<std::optional<double>> medians;
    for ( const std::vector<double>& times : all )
    {
        medians.push_back( compare::medianIfAny( times ) );
    }
    return medians;
}

} // namespace

std::vector<Row> measureDopLevels( const Effort& effort )
{
    const Model model = modelsFor( effort ).back();
    const MeshScenePointer scene = createMeshScene( clt_meshSceneBlob, model.size, 1 );
    const cltMesh& mesh = scene->meshes[0];
    LevelTimes times;
    DopTree tree = buildDops( mesh, times );
    const std::size_t levelCount = times.size();
    const auto build = [&]() -> const LevelTimes&
    {
        tree = buildDops( mesh, times );
        return times;
    };
    const auto update = [&]() -> const LevelTimes&
    {
        updateDops( tree, mesh, times );
        return times;
    };
    const auto buildMs = levelMedians( effort, levelCount, build );
    const bool isBuildRight = findsThePairs( tree, *scene );
    cltMeshScene_GoTo( scene.get(), movedSteps );
    const auto updateMs = levelMedians( effort, levelCount, update );
    const bool isUpdateRight = findsThePairs( tree, *scene );
    std::vector<Row> rows;
    for ( std::size_t level = 0; level < levelCount; ++level )
    {
        const std::string size = fmt::format( "level {}", level );
        const double nodes = double( tree.levels[level + 1] - tree.levels[level] );
        rows.push_back( cpuRow( size, "build", "ms", {}, buildMs[level], isBuildRight ) );
        rows.push_back( cpuRow( size, "update", "ms", {}, updateMs[level], isUpdateRight ) );
        rows.push_back( cpuRow( size, "nodes", "", {}, nodes, isBuildRight ) );
        setX( rows, double( level ) );
    }
    return rows;
}

// --------------------------------------------------------------------------------------------------- two trees

namespace
{

/// Walks the two trees and adds rows of the time, the tests and the pairs.
void addWalk( std::vector<Row>& rows, const std::string& size, const DopTree& cloth, const DopTree& body,
              const cltMeshScene& scene, Directions directions, const Effort& effort )
{
    WalkResult walked;
    const bool areBoxes = directions == Directions::three;
    const auto ms = medianMs( effort, [&] { walkDops( cloth, body, areBoxes, walked ); } );
    const bool isRight = walked.sortedPairs() == trianglePairs( scene, Between::meshes, directions );
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
        const CpuAndDevice library = measureCpuAndDevice( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( rowOf( size, "the library, boxes", {}, library, &Updates::totalMs ) );
        setX( rows, pairs );
    }
    rows.push_back( paperRow( "all", "a card, as fast as one core so many times", "times", 25 ) );
    return rows;
}

} // namespace cullet::papers
