// SPDX-License-Identifier: Zlib
/// \file tables_chitalu.cpp
/// What there is of Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision
/// Detection on GPUs, 2018. On one thread; how many threads a pass could have is in the counts.
#include "mesh_forest.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <fmt/format.h>

namespace cullet::papers
{

using compare::grouped;

namespace
{

constexpr Paper chitalu = { "Chitalu 2018", "Bulk-synchronous Parallel Simultaneous BVH Traversal",
                            "GeForce GTX 960, Radeon R9 280X" };

struct Scene
{
    cltMeshSceneKind kind;
    const char* name;
    Between between;             ///< in table 1 and figure 8
    double firstCard, otherCard; ///< table 1: GTX 960, R9 280
    double pairs;
    std::optional<double> speedup; ///< figure 7: over streams, as far as the text tells
};

constexpr std::uint32_t heavyStep = 40;

std::vector<Scene> scenesFor( const Effort& effort )
{
    const Scene scenes[] = { { clt_meshSceneFunnel, "Funnel", Between::all, 0.99, 0.57, 314e3, {} },
                             { clt_meshSceneNBody, "NBody", Between::meshes, 2.42, 1.16, 117.6e3, 7.1 },
                             { clt_meshSceneClothBall, "Cloth-Ball", Between::all, 6.43, 3.08, 3.1e6, {} } };
    return { std::begin( scenes ), effort.isQuick ? std::begin( scenes ) + 1 : std::end( scenes ) };
}

bool isRight( ForestWalked& walked, const PairSet& expected )
{
    std::sort( walked.pairs.begin(), walked.pairs.end() );
    return walked.pairs == expected;
}

/// The library's passes and its walk leaf by leaf over the boxes of the triangles as they move, on all threads or a
/// device. Its groups keep a few meshes apart.
void addLibrary( std::vector<Row>& rows, const Scene& known, cltMeshScene& scene, Between between,
                 const Effort& effort )
{
    constexpr std::uint32_t mostGroups = 31;
    if ( between == Between::meshes && scene.meshCount > mostGroups )
    {
        return;
    }
    const Motion motion( scene, between, effort );
    for ( const cltAlgorithm algorithm : { clt_algorithmFrontier, clt_algorithmLbvh } )
    {
        const Everywhere library = measureEverywhere( defOf( algorithm, effort ), motion, effort );
        const std::string what = fmt::format( "the library's {}: the search", cltAlgorithmName( algorithm ) );
        rows.push_back( rowOf( known.name, what, {}, library, &Updates::findMs ) );
    }
}

// ------------------------------------------------------------------------------------------------------------- table 1

/// Triangles of one mesh that have a vertex in common: always a pair.
double countAdjacent( const cltMeshScene& scene, const PairSet& pairs )
{
    const std::vector<std::uint32_t> meshes = meshNumbersOf( scene );
    std::vector<std::uint32_t> firsts( scene.meshCount, 0 );
    for ( std::uint32_t mesh = 1; mesh < scene.meshCount; ++mesh )
    {
        firsts[mesh] = firsts[mesh - 1] + scene.meshes[mesh - 1].triangleCount;
    }
    const auto areAdjacent = [&]( PairKey key )
    {
        const std::uint32_t mesh = meshes[smallerOf( key )];
        const auto cornersOf = [&]( std::uint32_t triangle )
        { return scene.meshes[mesh].triangles[triangle - firsts[mesh]]; };
        return meshes[largerOf( key )] == mesh &&
               std::find_first_of( cornersOf( smallerOf( key ) ), cornersOf( smallerOf( key ) ) + 3,
                                   cornersOf( largerOf( key ) ),
                                   cornersOf( largerOf( key ) ) + 3 ) != cornersOf( smallerOf( key ) ) + 3;
    };
    return double( std::count_if( pairs.begin(), pairs.end(), areAdjacent ) );
}

/// The paper's trees have a power of two of leaves.
double paddedNodes( const MeshForest& forest )
{
    double nodes = 0;
    for ( const cltLevelTree& tree : forest.trees() )
    {
        nodes += double( ( std::uint64_t( 2 ) << tree.levels.top ) - 1 );
    }
    return nodes;
}

std::vector<Row> measureQueries( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const Scene& known : scenesFor( effort ) )
    {
        effort.progress->detail( known.name );
        const MeshScenePointer scene = createMeshScene( known.kind, 0, 1 );
        cltMeshScene_GoTo( scene.get(), heavyStep );
        const MeshForest forest( *scene );
        const PairSet pairs = trianglePairs( *scene, known.between, Directions::three );
        ForestWalked walked;
        const auto ms = medianMs( effort, [&] { walkInPasses( forest, known.between, 0, 2, walked ); } );
        const bool isOk = isRight( walked, pairs );
        const auto count = [&]( const char* what, std::optional<double> paper, double figure )
        { rows.push_back( cpuRow( known.name, what, "", paper, figure, isOk ) ); };
        rows.push_back( cpuRow( known.name, "in passes, one core; there a GTX 960", "ms", known.firstCard, ms, isOk ) );
        rows.push_back( cpuRow( known.name, "there an R9 280", "ms", known.otherCard, {}, isOk ) );
        addLibrary( rows, known, *scene, known.between, effort );
        count( "pairs of triangles", known.pairs, double( pairs.size() ) );
        count( "of them with a vertex in common", {}, countAdjacent( *scene, pairs ) );
        count( "tests of boxes", {}, double( walked.tests ) );
        count( "passes", {}, double( walked.passes ) );
        count( "most pairs of nodes in a pass", {}, double( walked.peak ) );
        count( "nodes", {}, double( forest.nodes().size() ) );
        count( "nodes with the paper's padding", {}, paddedNodes( forest ) );
    }
    return rows;
}

// ------------------------------------------------------------------------------------------------------------ figure 7

std::vector<Row> measureSpeedups( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const Scene& known : scenesFor( effort ) )
    {
        effort.progress->detail( known.name );
        const MeshScenePointer scene = createMeshScene( known.kind, 0, 1 );
        cltMeshScene_GoTo( scene.get(), heavyStep - 1 );
        MeshForest forest( *scene );
        const NodeFront front = frontOf( forest, Between::meshes );
        cltMeshScene_GoTo( scene.get(), heavyStep );
        forest.update( *scene );
        const PairSet pairs = trianglePairs( *scene, Between::meshes, Directions::three );
        const auto add = [&]( const std::string& what, auto&& walk )
        {
            ForestWalked walked;
            const auto ms = medianMs( effort, [&] { walk( walked ); } );
            const bool isOk = isRight( walked, pairs );
            rows.push_back( cpuRow( known.name, what, "ms", {}, ms, isOk ) );
            rows.push_back(
                cpuRow( known.name, what + ": tests", "thousand", {}, double( walked.tests ) / 1e3, isOk ) );
            return ms;
        };
        const auto passes =
            add( "in passes", [&]( ForestWalked& walked ) { walkInPasses( forest, Between::meshes, 0, 2, walked ); } );
        const auto streams = add( "streams", [&]( ForestWalked& walked ) { walkFromFront( forest, front, walked ); } );
        const auto oneSided =
            add( "leaf by leaf", [&]( ForestWalked& walked ) { walkLeafByLeaf( forest, Between::meshes, walked ); } );
        const auto over = [&]( const std::optional<double>& other )
        { return passes ? std::optional<double>( *other / *passes ) : std::nullopt; };
        rows.push_back(
            cpuRow( known.name, "passes over streams", "times", known.speedup, over( streams ), rows.back().isRight ) );
        rows.push_back(
            cpuRow( known.name, "passes over leaf by leaf", "times", {}, over( oneSided ), rows.back().isRight ) );
        rows.push_back(
            cpuRow( known.name, "pairs in the front", "", {}, double( front.size() ), rows.back().isRight ) );
        addLibrary( rows, known, *scene, Between::meshes, effort );
    }
    return rows;
}

// ------------------------------------------------------------------------------------------------------- figures 8, 9

std::vector<Row> measureEntry( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const Scene& known : scenesFor( effort ) )
    {
        const MeshScenePointer scene = createMeshScene( known.kind, 0, 1 );
        cltMeshScene_GoTo( scene.get(), heavyStep );
        const MeshForest forest( *scene );
        const PairSet pairs = trianglePairs( *scene, known.between, Directions::three );
        for ( std::uint32_t entryLevel = 0; entryLevel <= ( known.kind == clt_meshSceneNBody ? 4u : 6u );
              entryLevel += 2 )
        {
            for ( std::uint32_t depthStep = 1; depthStep <= 4; ++depthStep )
            {
                effort.progress->detail( fmt::format( "{}, {}, {}", known.name, entryLevel, depthStep ) );
                ForestWalked walked;
                const auto ms =
                    medianMs( effort, [&] { walkInPasses( forest, known.between, entryLevel, depthStep, walked ); } );
                const std::string what = fmt::format( "{}, {} levels at a time", known.name, depthStep );
                const bool isOk = isRight( walked, pairs );
                rows.push_back( cpuRow( fmt::format( "entry {}", entryLevel ), what, "ms", {}, ms, isOk ) );
                rows.back().tests = double( walked.tests );
                rows.push_back( cpuRow( fmt::format( "entry {}", entryLevel ), what + ": passes", "", {},
                                        double( walked.passes ), isOk ) );
                placeAt( rows, entryLevel );
            }
        }
    }
    return rows;
}

/// How often groups of threads write their queue out, and the counter that all share goes on, in all passes.
double countFlushes( const std::vector<std::vector<std::uint32_t>>& passes, std::size_t queue, std::size_t group )
{
    double flushes = 0;
    for ( const std::vector<std::uint32_t>& counts : passes )
    {
        for ( std::size_t first = 0; first < counts.size(); first += group )
        {
            const std::size_t last = std::min( first + group, counts.size() );
            std::uint64_t written = 0;
            for ( std::size_t k = first; k < last; ++k )
            {
                written += counts[k];
            }
            flushes += double( ( written + queue - 1 ) / queue );
        }
    }
    return flushes;
}

std::vector<Row> measureQueues( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const Scene& known : scenesFor( effort ) )
    {
        const MeshScenePointer scene = createMeshScene( known.kind, 0, 1 );
        cltMeshScene_GoTo( scene.get(), heavyStep );
        const MeshForest forest( *scene );
        std::vector<std::vector<std::uint32_t>> counts;
        ForestWalked walked;
        walkInPasses( forest, known.between, 0, 2, walked, &counts );
        const bool isOk = isRight( walked, trianglePairs( *scene, known.between, Directions::three ) );
        for ( const std::size_t group : { 2u, 8u, 32u, 256u } )
        {
            for ( const std::size_t queue : { 2u, 8u, 64u, 512u } )
            {
                rows.push_back( cpuRow( fmt::format( "queue of {}", queue ),
                                        fmt::format( "{}, groups of {}", known.name, group ), "thousand", {},
                                        countFlushes( counts, queue, group ) / 1e3, isOk ) );
            }
        }
    }
    return rows;
}

} // namespace

std::vector<Table> chitaluTables()
{
    return {
        { "chitalu-1", &chitalu, "table 1", "Pairs of triangles of many meshes, in passes over pairs of nodes",
          "The meshes have as many triangles as those of the paper, and other shapes. It does not say whether its "
          "pairs "
          "include those of triangles that have a vertex in common, which always touch. Its node numbers are called "
          "pre-order and are by levels. Two levels at a time, from the roots. The library searches the boxes now and "
          "before for what changed.",
          measureQueries },
        { "chitalu-fig7", &chitalu, "figure 7", "In passes, from a front with private stacks, and leaf by leaf",
          "The text tells 7.1 times over streams for NBody on an R9 280X, 6.2 on a GTX 960, and 4.4 and 4.3 on "
          "average. "
          "The paper measures no walk leaf by leaf, which Karras 2012 says that a simultaneous one cannot beat on a "
          "card. One core has no idle threads, which are what passes avoid: the tests are what can be compared. Pairs "
          "of different meshes only, as there; the front is that of the step before.",
          measureSpeedups },
        { "chitalu-fig8", &chitalu, "figure 8", "Where to enter, and how many levels at a time",
          "The text tells that four levels at a time are three to five times as slow as one to three, and NBody with "
          "two goes from 3 ms to 16 ms as the entry goes from level 1 to 5; with 3 ms that is more than the 2.42 of "
          "table 1.",
          measureEntry, "levels below the root to begin at", false },
        { "chitalu-fig9", &chitalu, "figure 9", "How often a queue of threads is written out",
          "The paper shows milliseconds over the size of the queue and that of the group, and prints none. A core has "
          "neither; counted is how often groups would write, each time through one counter that all share. The "
          "library sums up what a block has to write and has no queue.",
          measureQueues },
    };
}

} // namespace cullet::papers
