// SPDX-License-Identifier: Zlib
/// \file chitalu.cpp
/// The tables of Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection
/// on GPUs, 2018, on one thread. Table 1 and figure 7: how long a search takes. Figures 8 and 9: at which level a
/// search begins, how many levels a pass descends, and up to which length a queue pays.
#include "mesh_forest.h"
#include "motion.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

/// One of the paper's scenes.
struct ForestScene
{
    cltMeshSceneKind kind;
    const char* name;
    Between between;             ///< which triangles may pair, in table 1 and figure 8
    double firstCard, otherCard; ///< milliseconds of table 1: GTX 960, R9 280
    double pairs;
    Figure speedup = {}; ///< over Collision-Streams, in figure 7, if the text gives it
};

std::vector<ForestScene> forestScenes( const TableBuilder& table )
{
    const ForestScene scenes[] = { { clt_meshSceneFunnel, "Funnel", Between::all, 0.99, 0.57, 314e3 },
                                   { clt_meshSceneNBody, "NBody", Between::meshes, 2.42, 1.16, 117.6e3, 7.1 },
                                   { clt_meshSceneClothBall, "Cloth-Ball", Between::all, 6.43, 3.08, 3.1e6 } };
    return { std::begin( scenes ), table.isQuick() ? std::begin( scenes ) + 1 : std::end( scenes ) };
}

/// A scene at the measured step, with the trees of its meshes and its pairs.
struct Forest
{
    const char* name;
    Between between;
    MeshScenePointer scene;
    MeshForest trees;
    PairSet pairs;

    Forest( const TableBuilder& table, const ForestScene& published, Between wanted )
        : name( published.name ), between( wanted ), scene( createMeshScene( published.kind, 0, 1 ) ),
          trees( goTo( heavyStep ) ), pairs( trianglePairs( *scene, wanted, Directions::three ) )
    {
        table.detail( name );
    }

    /// Moves triangles and trees by `steps` steps.
    void move( int steps )
    {
        trees.update( goTo( std::uint32_t( int( scene->step ) + steps ) ) );
    }

    bool isRight( const WalkResult& walked ) const
    {
        return walked.sortedPairs() == pairs;
    }

    /// Adds rows of the library's frontier and lbvh searches over the boxes of the moving triangles, on all threads or
    /// a device. Leaves the scene at its last step. Adds no rows if there are too many meshes for a filter group each.
    void addLibrary( TableBuilder& table )
    {
        constexpr std::uint32_t mostGroups = 31;
        if ( between == Between::meshes && scene->meshCount > mostGroups )
        {
            return;
        }
        const Motion motion( *scene, between, table );
        for ( const cltAlgorithm algorithm : { clt_algorithmFrontier, clt_algorithmLbvh } )
        {
            const std::string what = fmt::format( "the library's {}: the search", cltAlgorithmName( algorithm ) );
            addTime( table, name, what, {}, measureLibrary( table, algorithm, motion ), findPart );
        }
    }

private:
    static constexpr std::uint32_t heavyStep = 40;

    const cltMeshScene& goTo( std::uint32_t step )
    {
        cltMeshScene_GoTo( scene.get(), step );
        return *scene;
    }
};

/// Counts the pairs of triangles that share a vertex, which always touch.
double countNeighbours( const cltMeshScene& scene, const PairSet& pairs )
{
    const std::vector<Triangle> triangles = trianglesOf( scene );
    const auto are = [&]( PairKey key )
    { return areNeighbours( triangles[smallerOf( key )], triangles[largerOf( key )] ); };
    return double( std::count_if( pairs.begin(), pairs.end(), are ) );
}

/// The number of nodes if the leaves of each tree are padded to a power of two, as in the paper.
double paddedNodes( const MeshForest& forest )
{
    double nodes = 0;
    for ( const cltLevelTree& tree : forest.trees )
    {
        nodes += double( ( std::uint64_t( 2 ) << tree.levels.top ) - 1 );
    }
    return nodes;
}

} // namespace

void measureSearchTimes( TableBuilder& table )
{
    for ( const ForestScene& published : forestScenes( table ) )
    {
        Forest forest( table, published, published.between );
        WalkResult walked;
        const Figure ms = table.medianMs( [&] { walkInPasses( forest.trees, published.between, 0, 2, walked ); } );
        const bool isRight = forest.isRight( walked );
        const auto add = [&]( const char* what, const char* unit, Figure paper, Figure figure )
        { table.add( published.name, what, unit, paper, figure, isRight ); };
        add( "in passes, one core; there a GTX 960", "ms", published.firstCard, ms );
        table.addPaper( published.name, "there an R9 280", "ms", published.otherCard );
        add( "pairs of triangles", "", published.pairs, double( forest.pairs.size() ) );
        add( "of them with a vertex in common", "", {}, countNeighbours( *forest.scene, forest.pairs ) );
        add( "tests of boxes", "", {}, double( walked.tests ) );
        add( "passes", "", {}, double( walked.passes ) );
        add( "most pairs of nodes in a pass", "", {}, double( walked.longestPass ) );
        add( "nodes", "", {}, double( forest.trees.nodes.size() ) );
        add( "nodes with the paper's padding", "", {}, paddedNodes( forest.trees ) );
        forest.addLibrary( table );
    }
}

void measureSpeedups( TableBuilder& table )
{
    for ( const ForestScene& published : forestScenes( table ) )
    {
        constexpr Between between = Between::meshes;
        Forest forest( table, published, between );
        forest.move( -1 );
        const NodeFront front = frontOf( forest.trees, between );
        forest.move( 1 );
        bool areAllRight = true;
        const auto add = [&]( const std::string& what, auto&& walk )
        {
            WalkResult walked;
            const Figure ms = table.medianMs( [&] { walk( walked ); } );
            const bool isRight = forest.isRight( walked );
            areAllRight = areAllRight && isRight;
            table.add( published.name, what, "ms", {}, ms, isRight );
            table.add( published.name, what + ": tests", "thousand", {}, double( walked.tests ) / 1e3, isRight );
            return ms;
        };
        const Figure passes =
            add( "in passes", [&]( WalkResult& walked ) { walkInPasses( forest.trees, between, 0, 2, walked ); } );
        const Figure streams =
            add( "streams", [&]( WalkResult& walked ) { walkFromFront( forest.trees, front, walked ); } );
        const Figure oneSided =
            add( "leaf by leaf", [&]( WalkResult& walked ) { walkLeafByLeaf( forest.trees, between, walked ); } );
        const auto addRatio = [&]( const char* what, Figure paper, Figure other ) {
            table.add( published.name, what, "times", paper, passes ? Figure( *other / *passes ) : Figure(),
                       areAllRight );
        };
        addRatio( "passes over streams", published.speedup, streams );
        addRatio( "passes over leaf by leaf", {}, oneSided );
        table.add( published.name, "pairs in the front", "", {}, double( front.size() ), areAllRight );
        forest.addLibrary( table );
    }
}

namespace
{

/// Counts how often groups of threads flush their queue, in all passes. Each flush advances a counter that all share.
/// \param passes  for each pass and each of its threads, the number of pairs that the thread writes
double countFlushes( const std::vector<std::vector<std::uint32_t>>& passes, std::size_t queue, std::size_t group )
{
    double flushes = 0;
    for ( const std::vector<std::uint32_t>& counts : passes )
    {
        for ( std::size_t first = 0; first < counts.size(); first += group )
        {
            const auto begin = counts.begin() + std::ptrdiff_t( first );
            const auto end = begin + std::ptrdiff_t( std::min( group, counts.size() - first ) );
            const std::uint64_t written = std::accumulate( begin, end, std::uint64_t( 0 ) );
            flushes += double( ( written + queue - 1 ) / queue );
        }
    }
    return flushes;
}

} // namespace

void measureEntryLevels( TableBuilder& table )
{
    for ( const ForestScene& published : forestScenes( table ) )
    {
        const Forest forest( table, published, published.between );
        const bool isNBody = published.kind == clt_meshSceneNBody;
        const std::uint32_t deepest = isNBody ? 5 : 6; // the 305 trees of NBody would make too many pairs
        for ( std::uint32_t entry = 0; entry <= deepest; ++entry )
        {
            for ( std::uint32_t step = 1; step <= 4; ++step )
            {
                table.detail( fmt::format( "{}, {}, {}", published.name, entry, step ) );
                WalkResult walked;
                const auto walk = [&] { walkInPasses( forest.trees, published.between, entry, step, walked ); };
                const Figure ms = isNBody && entry == deepest ? table.onceMs( walk ) : table.medianMs( walk );
                const bool isRight = forest.isRight( walked );
                const auto add = [&]( const char* unit, Figure figure )
                {
                    table.addCell( published.name, fmt::format( "entry {}", entry ),
                                   fmt::format( "{} at a time", step ), unit, figure, isRight );
                };
                add( "ms", ms );
                add( "thousand tests", double( walked.tests ) / 1e3 );
                add( "passes", double( walked.passes ) );
            }
        }
    }
}

void measureQueues( TableBuilder& table )
{
    for ( const ForestScene& published : forestScenes( table ) )
    {
        const Forest forest( table, published, published.between );
        std::vector<std::vector<std::uint32_t>> counts;
        WalkResult walked;
        walkInPasses( forest.trees, published.between, 0, 2, walked, &counts );
        const bool isRight = forest.isRight( walked );
        for ( const std::size_t group : { 2u, 8u, 32u, 256u } )
        {
            for ( const std::size_t queue : { 2u, 8u, 64u, 512u } )
            {
                table.addCell( published.name, fmt::format( "queue of {}", queue ),
                               fmt::format( "groups of {}", group ), "thousand writes",
                               countFlushes( counts, queue, group ) / 1e3, isRight );
            }
        }
    }
}

} // namespace cullet::papers
