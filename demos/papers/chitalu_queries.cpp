// SPDX-License-Identifier: Zlib
/// \file chitalu_queries.cpp
/// Table 1 and figure 7: pairs of triangles of many meshes.
#include "chitalu.h"
#include "motion.h"

namespace cullet::papers
{

namespace
{

/// Triangles of one mesh that have a vertex in common: always a pair.
double countNeighbors( const cltMeshScene& scene, const PairSet& pairs )
{
    const std::vector<Triangle> triangles = trianglesOf( scene );
    const auto are = [&]( PairKey key )
    { return areNeighbors( triangles[smallerOf( key )], triangles[largerOf( key )] ); };
    return double( std::count_if( pairs.begin(), pairs.end(), are ) );
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

} // namespace

std::vector<Row> measureQueries( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& known : forestScenes( effort ) )
    {
        Forest forest( known, known.between, effort );
        const MeshForest& trees = forest.trees();
        ForestWalked walked;
        const auto ms = medianMs( effort, [&] { walkInPasses( trees, known.between, 0, 2, walked ); } );
        const bool isOk = forest.isRight( walked );
        const auto count = [&]( const char* what, std::optional<double> paper, double figure )
        { rows.push_back( cpuRow( known.name, what, "", paper, figure, isOk ) ); };
        rows.push_back( cpuRow( known.name, "in passes, one core; there a GTX 960", "ms", known.firstCard, ms, isOk ) );
        rows.push_back( paperRow( known.name, "there an R9 280", "ms", known.otherCard ) );
        count( "pairs of triangles", known.pairs, double( forest.pairs().size() ) );
        count( "of them with a vertex in common", {}, countNeighbors( forest.scene(), forest.pairs() ) );
        count( "tests of boxes", {}, double( walked.tests ) );
        count( "passes", {}, double( walked.passes ) );
        count( "most pairs of nodes in a pass", {}, double( walked.peak ) );
        count( "nodes", {}, double( trees.nodes().size() ) );
        count( "nodes with the paper's padding", {}, paddedNodes( trees ) );
        forest.addLibrary( rows, effort );
    }
    return rows;
}

std::vector<Row> measureSpeedups( const Effort& effort )
{
    std::vector<Row> rows;
    for ( const ForestScene& known : forestScenes( effort ) )
    {
        Forest forest( known, Between::meshes, effort );
        const MeshForest& trees = forest.trees();
        forest.move( -1 );
        const NodeFront front = frontOf( trees, Between::meshes );
        forest.move( 1 );
        bool areAllOk = true;
        const auto add = [&]( const std::string& what, auto&& walk )
        {
            ForestWalked walked;
            const auto ms = medianMs( effort, [&] { walk( walked ); } );
            const bool isOk = forest.isRight( walked );
            areAllOk = areAllOk && isOk;
            rows.push_back( cpuRow( known.name, what, "ms", {}, ms, isOk ) );
            rows.push_back(
                cpuRow( known.name, what + ": tests", "thousand", {}, double( walked.tests ) / 1e3, isOk ) );
            return ms;
        };
        const auto passes =
            add( "in passes", [&]( ForestWalked& walked ) { walkInPasses( trees, Between::meshes, 0, 2, walked ); } );
        const auto streams = add( "streams", [&]( ForestWalked& walked ) { walkFromFront( trees, front, walked ); } );
        const auto oneSided =
            add( "leaf by leaf", [&]( ForestWalked& walked ) { walkLeafByLeaf( trees, Between::meshes, walked ); } );
        const auto over = [&]( const std::optional<double>& other )
        { return passes ? std::optional<double>( *other / *passes ) : std::nullopt; };
        rows.push_back(
            cpuRow( known.name, "passes over streams", "times", known.speedup, over( streams ), areAllOk ) );
        rows.push_back( cpuRow( known.name, "passes over leaf by leaf", "times", {}, over( oneSided ), areAllOk ) );
        rows.push_back( cpuRow( known.name, "pairs in the front", "", {}, double( front.size() ), areAllOk ) );
        forest.addLibrary( rows, effort );
    }
    return rows;
}

} // namespace cullet::papers
