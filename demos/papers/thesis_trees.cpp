// SPDX-License-Identifier: Zlib
/// \file thesis_trees.cpp
/// Tables 4.2, 4.3 and 4.4, figures 3.3 and 4.10: building and refitting the tree of one mesh. Figure 4.6: walking the
/// trees of a cloth and a mesh.
#include "dop_tree.h"
#include "motion.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t movedSteps = 10; // in which a vertex moves by about an edge

/// A mesh of the thesis: its number of triangles, and the milliseconds of tables 4.2 to 4.4.
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

std::vector<Model> modelsFor( const TableBuilder& table )
{
    return { std::begin( models ), table.isQuick() ? std::begin( models ) + 1 : std::end( models ) };
}

/// Whether a walk finds the overlapping pairs of the mesh.
bool findsThePairs( const DopTree& tree, const cltMeshScene& scene )
{
    WalkResult walked;
    walkDopsAlone( tree, walked );
    return walked.sortedPairs() == trianglePairs( scene, Between::all, Directions::nine );
}

/// The mesh of a model, and its tree.
struct BuiltModel
{
    std::string size;
    MeshScenePointer scene;
    DopTree tree;
    LevelTimes times = {};
    Figure ms = {};

    BuiltModel( const TableBuilder& table, const Model& model )
        : size( fmt::format( "{}, {}", model.name, grouped( model.size ) ) ),
          scene( createMeshScene( clt_meshSceneBlob, model.size, 1 ) )
    {
        table.detail( size );
        ms = table.medianMs( [&] { tree = buildDops( scene->meshes[0], times ); } );
    }
};

} // namespace

void measureDopBuild( TableBuilder& table )
{
    for ( const Model& model : modelsFor( table ) )
    {
        const BuiltModel built( table, model );
        table.add( built.size, "18-DOPs, one core", "ms", model.build, built.ms,
                   findsThePairs( built.tree, *built.scene ) );
        table.addPaper( built.size, "the first version on a card", "ms", model.firstKernel );
        table.addPaper( built.size, "the last version", "ms", model.lastKernel );
        table.addPaper( built.size, "the same on a Tesla C2050", "ms", model.secondCard );
        const CpuAndDevice library =
            measureLibrary( table, clt_algorithmLbvh, Motion( *built.scene, Between::all, table ) );
        addTime( table, built.size, "the library: boxes, all threads", {}, library, buildPart );
        table.setX( model.size );
    }
}

void measureDopUpdate( TableBuilder& table )
{
    for ( const Model& model : modelsFor( table ) )
    {
        BuiltModel built( table, model );
        cltMeshScene_GoTo( built.scene.get(), movedSteps );
        const Figure ms = table.medianMs( [&] { updateDops( built.tree, built.scene->meshes[0], built.times ); } );
        const bool isRight = findsThePairs( built.tree, *built.scene );
        table.add( built.size, "one core", "ms", model.update, ms, isRight );
        table.addPaper( built.size, "on a card", "ms", model.updateKernel );
        table.add( built.size, "building over updating, one core", "times", model.build / model.update,
                   ms ? Figure( *built.ms / *ms ) : Figure(), isRight );
        table.addPaper( built.size, "the same on a card", "times", model.lastKernel / model.updateKernel );
        table.setX( model.size );
    }
}

/// \param work  sets `times`, the milliseconds of each level
/// \return the median time of each level; empty figures in a quick run
template <typename Work>
static std::vector<Figure> levelMedians( const TableBuilder& table, const LevelTimes& times, Work&& work )
{
    std::vector<std::vector<double>> all;
    const auto measure = [&]
    {
        work();
        all.resize( times.size() );
        for ( std::size_t level = 0; level < all.size() && !table.isQuick(); ++level )
        {
            all[level].push_back( times[level] );
        }
    };
    table.medianMs( measure );
    std::vector<Figure> medians( all.size() );
    std::transform( all.begin(), all.end(), medians.begin(), compare::medianIfAny );
    return medians;
}

void measureDopLevels( TableBuilder& table )
{
    const Model model = modelsFor( table ).back();
    const MeshScenePointer scene = createMeshScene( clt_meshSceneBlob, model.size, 1 );
    const cltMesh& mesh = scene->meshes[0];
    LevelTimes times;
    DopTree tree;
    const std::vector<Figure> buildMs = levelMedians( table, times, [&] { tree = buildDops( mesh, times ); } );
    const bool isBuildRight = findsThePairs( tree, *scene );
    cltMeshScene_GoTo( scene.get(), movedSteps );
    const std::vector<Figure> updateMs = levelMedians( table, times, [&] { updateDops( tree, mesh, times ); } );
    const bool isUpdateRight = findsThePairs( tree, *scene );
    for ( std::size_t level = 0; level < buildMs.size(); ++level )
    {
        const std::string size = fmt::format( "level {}", level );
        table.add( size, "build", "ms", {}, buildMs[level], isBuildRight );
        table.add( size, "update", "ms", {}, updateMs[level], isUpdateRight );
        table.add( size, "nodes", "", {}, double( tree.levels[level + 1] - tree.levels[level] ), isBuildRight );
        table.setX( double( level ) );
    }
}

// --------------------------------------------------------------------------------------------------- two trees

/// Walks the two trees and adds rows of the time, the tests and the pairs.
static void addWalk( TableBuilder& table, const std::string& size, const DopTree& cloth, const DopTree& body,
                     const cltMeshScene& scene, Directions directions )
{
    WalkResult walked;
    const bool areBoxes = directions == Directions::three;
    const Figure ms = table.medianMs( [&] { walkDops( cloth, body, areBoxes, walked ); } );
    const bool isRight = walked.sortedPairs() == trianglePairs( scene, Between::meshes, directions );
    const std::string name = areBoxes ? "6 planes" : "18 planes";
    table.add( size, name + ", one core", "ms", {}, ms, isRight );
    table.add( size, name + ": tests of nodes", "thousand", {}, double( walked.tests ) / 1e3, isRight );
    table.add( size, name + ": pairs", "", {}, double( walked.pairs.size() ), isRight );
}

void measureClothDrop( TableBuilder& table )
{
    const MeshScenePointer scene = createMeshScene( clt_meshSceneClothDrop, 0, 1 );
    LevelTimes times;
    DopTree cloth = buildDops( scene->meshes[0], times );
    const DopTree body = buildDops( scene->meshes[1], times );
    for ( const std::uint32_t step : { 60u, 80u, 100u, 120u, 140u, 160u, 200u, 240u } )
    {
        if ( table.isQuick() && step != 120 )
        {
            continue;
        }
        const std::string size = fmt::format( "step {}", step );
        table.detail( size );
        cltMeshScene_GoTo( scene.get(), step );
        updateDops( cloth, scene->meshes[0], times );
        const double pairs = double( trianglePairs( *scene, Between::meshes, Directions::nine ).size() );
        addWalk( table, size, cloth, body, *scene, Directions::nine );
        addWalk( table, size, cloth, body, *scene, Directions::three );
        const CpuAndDevice library =
            measureLibrary( table, clt_algorithmAuto, Motion( *scene, Between::meshes, table ) );
        addTime( table, size, "the library, boxes", {}, library, totalPart );
        table.setX( pairs );
    }
    table.addPaper( "all", "a card, as fast as one core so many times", "times", 25 );
}

} // namespace cullet::papers
