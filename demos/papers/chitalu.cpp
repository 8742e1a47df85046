// SPDX-License-Identifier: Zlib
/// \file chitalu.cpp
/// The tables of Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision Detection
/// on GPUs, 2018, on one thread. Table 1 and figure 7: how long a search takes. Figures 8 and 9: at which level it
/// begins, how many levels a pass descends, and how long a queue pays.
#include "measurements.h"
#include "mesh_forest.h"
#include "motion.h"

#include <fmt/format.h>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t heavyStep = 40;
constexpr std::uint32_t mostGroups = 31; ///< meshes that the library's filters can keep apart

/// One of the paper's scenes.
struct ForestScene
{
    cltMeshSceneKind kind;
    const char* name;
    Between between;             ///< in table 1 and figure 8
    double firstCard, otherCard; ///< milliseconds of table 1: GTX 960, R9 280
    double pairs;
    std::optional<double> speedup; ///< of figure 7, over streams, if the text gives it
};

std::vector<ForestScene> forestScenes( const Effort& effort )
{
    const ForestScene scenes[] = { { clt_meshSceneFunnel, "Funnel", Between::all, 0.99, 0.57, 314e3, {} },
                                   { clt_meshSceneNBody, "NBody", Between::meshes, 2.42, 1.16, 117.6e3, 7.1 },
                                   { clt_meshSceneClothBall, "Cloth-Ball", Between::all, 6.43, 3.08, 3.1e6, {} } };
    return { std::begin( scenes ), effort.isQuick ? std::begin( scenes ) + 1 : std::end( scenes ) };
}

/// A scene at the measured step, with the trees of its meshes and its pairs.
class Forest
{
public:
    Forest( const ForestScene& published, Between between, const Effort& effort )
        : m_name( published.name ), m_between( between ), m_scene( createMeshScene( published.kind, 0, 1 ) ),
          m_trees( goTo( heavyStep ) ), m_pairs( trianglePairs( *m_scene, between, Directions::three ) )
    {
        effort.progress->detail( published.name );
    }

    /// Moves triangles and trees by so many steps.
    void move( int steps )
    {
        m_trees.update( goTo( std::uint32_t( int( m_scene->step ) + steps ) ) );
    }

    bool isRight( const WalkResult& walked ) const
    {
        return walked.sortedPairs() == m_pairs;
    }

    const cltMeshScene& scene() const
    {
        return *m_scene;
    }

    const MeshForest& trees() const
    {
        return m_trees;
    }

    const PairSet& pairs() const
    {
        return m_pairs;
    }

    /// Rows of the library's two searches over the boxes of the moving triangles, on all threads or a device. No rows
    /// for more meshes than its filters can keep apart. Leaves the scene at the last step.
    void addLibrary( std::vector<Row>& rows, const Effort& effort )
    {
        if ( m_between == Between::meshes && m_scene->meshCount > mostGroups )
        {
            return;
        }
        const Motion motion( *m_scene, m_between, effort );
        for ( const cltAlgorithm algorithm : { clt_algorithmFrontier, clt_algorithmLbvh } )
        {
            const CpuAndDevice library = measureCpuAndDevice( defOf( algorithm, effort ), motion, effort );
            const std::string what = fmt::format( "the library's {}: the search", cltAlgorithmName( algorithm ) );
            rows.push_back( rowOf( m_name, what, {}, library, &Updates::findMs ) );
        }
    }

private:
    const cltMeshScene& goTo( std::uint32_t step )
    {
        cltMeshScene_GoTo( m_scene.get(), step );
        return *m_scene;
    }

    const char* m_name;
    Between m_between;
    MeshScenePointer m_scene;
    MeshForest m_trees;
    PairSet m_pairs;
};

/// Counts the pairs of triangles that share a vertex, which always touch.
double countNeighbors( const cltMeshScene& scene, const PairSet& pairs )
{
    const std::vector<Triangle> triangles = trianglesOf( scene );
    const auto are = [&]( PairKey key )
    { return areNeighbors( triangles[smallerOf( key )], triangles[largerOf( key )] ); };
    return double( std::count_if( pairs.begin(), pairs.end(), are ) );
}

/// The paper pads the leaves of each tree to a power of two.
double paddedNodes( const MeshForest& forest )
{
    double nodes = 0;
    for ( const cltLevelTree& tree : forest.trees() )
    {
        nodes += double( ( std::uint64_t( 2 ) << tree.levels.top ) - 1 );
    }
    return nodes;
}

} // namespace

std::vector<Row> measureQueries( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& published : forestScenes( effort ) )
    {
        Forest forest( published, published.between, effort );
        const MeshForest& trees = forest.trees();
        WalkResult walked;
        const auto ms = medianMs( effort, [&] { walkInPasses( trees, published.between, 0, 2, walked ); } );
        const bool isOk = forest.isRight( walked );
        const auto count = [&]( const char* what, std::optional<double> paper, double figure )
        { rows.push_back( cpuRow( published.name, what, "", paper, figure, isOk ) ); };
        rows.push_back(
            cpuRow( published.name, "in passes, one core; there a GTX 960", "ms", published.firstCard, ms, isOk ) );
        rows.push_back( paperRow( published.name, "there an R9 280", "ms", published.otherCard ) );
        count( "pairs of triangles", published.pairs, double( forest.pairs().size() ) );
        count( "of them with a vertex in common", {}, countNeighbors( forest.scene(), forest.pairs() ) );
        count( "tests of boxes", {}, double( walked.tests ) );
        count( "passes", {}, double( walked.passes ) );
        count( "most pairs of nodes in a pass", {}, double( walked.longestPass ) );
        count( "nodes", {}, double( trees.nodes().size() ) );
        count( "nodes with the paper's padding", {}, paddedNodes( trees ) );
        forest.addLibrary( rows, effort );
    }
    return rows;
}

std::vector<Row> measureSpeedups( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& published : forestScenes( effort ) )
    {
        Forest forest( published, Between::meshes, effort );
        const MeshForest& trees = forest.trees();
        forest.move( -1 );
        const NodeFront front = frontOf( trees, Between::meshes );
        forest.move( 1 );
        bool areAllOk = true;
        const auto add = [&]( const std::string& what, auto&& walk )
        {
            WalkResult walked;
            const auto ms = medianMs( effort, [&] { walk( walked ); } );
            const bool isOk = forest.isRight( walked );
            areAllOk = areAllOk && isOk;
            rows.push_back( cpuRow( published.name, what, "ms", {}, ms, isOk ) );
            rows.push_back(
                cpuRow( published.name, what + ": tests", "thousand", {}, double( walked.tests ) / 1e3, isOk ) );
            return ms;
        };
        const auto passes =
            add( "in passes", [&]( WalkResult& walked ) { walkInPasses( trees, Between::meshes, 0, 2, walked ); } );
        const auto streams = add( "streams", [&]( WalkResult& walked ) { walkFromFront( trees, front, walked ); } );
        const auto oneSided =
            add( "leaf by leaf", [&]( WalkResult& walked ) { walkLeafByLeaf( trees, Between::meshes, walked ); } );
        const auto over = [&]( const std::optional<double>& other )
        { return passes ? std::optional<double>( *other / *passes ) : std::nullopt; };
        rows.push_back(
            cpuRow( published.name, "passes over streams", "times", published.speedup, over( streams ), areAllOk ) );
        rows.push_back( cpuRow( published.name, "passes over leaf by leaf", "times", {}, over( oneSided ), areAllOk ) );
        rows.push_back( cpuRow( published.name, "pairs in the front", "", {}, double( front.size() ), areAllOk ) );
        forest.addLibrary( rows, effort );
    }
    return rows;
}

namespace
{

/// Counts how often groups of threads flush their queue, in all passes. Each flush advances a counter that all share.
/// \param passes  by pass, and by thread of the pass: how many pairs the thread writes
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

/// NBody stops earlier, as its 305 trees make too many pairs.
std::uint32_t deepestOf( const ForestScene& published )
{
    return published.kind == clt_meshSceneNBody ? 5 : 6;
}

void addEntry( std::vector<Row>& rows, const ForestScene& published, const Forest& forest, std::uint32_t entry,
               std::uint32_t step, const Effort& effort )
{
    effort.progress->detail( fmt::format( "{}, {}, {}", published.name, entry, step ) );
    WalkResult walked;
    const auto walk = [&] { walkInPasses( forest.trees(), published.between, entry, step, walked ); };
    const bool takesSeconds = published.kind == clt_meshSceneNBody && entry == deepestOf( published );
    const auto ms = takesSeconds ? onceMs( effort, walk ) : medianMs( effort, walk );
    const bool isOk = forest.isRight( walked );
    const auto add = [&]( const char* unit, std::optional<double> figure )
    {
        rows.push_back( cellRow( published.name, fmt::format( "entry {}", entry ), fmt::format( "{} at a time", step ),
                                 unit, figure, isOk ) );
    };
    add( "ms", ms );
    add( "thousand tests", double( walked.tests ) / 1e3 );
    add( "passes", double( walked.passes ) );
}

} // namespace

std::vector<Row> measureEntry( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& published : forestScenes( effort ) )
    {
        const Forest forest( published, published.between, effort );
        for ( std::uint32_t entry = 0; entry <= deepestOf( published ); ++entry )
        {
            for ( std::uint32_t step = 1; step <= 4; ++step )
            {
                addEntry( rows, published, forest, entry, step, effort );
            }
        }
    }
    return rows;
}

std::vector<Row> measureQueues( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& published : forestScenes( effort ) )
    {
        const Forest forest( published, published.between, effort );
        std::vector<std::vector<std::uint32_t>> counts;
        WalkResult walked;
        walkInPasses( forest.trees(), published.between, 0, 2, walked, &counts );
        const bool isOk = forest.isRight( walked );
        for ( const std::size_t group : { 2u, 8u, 32u, 256u } )
        {
            for ( const std::size_t queue : { 2u, 8u, 64u, 512u } )
            {
                rows.push_back( cellRow( published.name, fmt::format( "queue of {}", queue ),
                                         fmt::format( "groups of {}", group ), "thousand writes",
                                         countFlushes( counts, queue, group ) / 1e3, isOk ) );
            }
        }
    }
    return rows;
}

} // namespace cullet::papers
