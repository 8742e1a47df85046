// SPDX-License-Identifier: Zlib
#include "dop_tree.h"

#include "demos/report/timing.h"

#include <array>
#include <numeric>

namespace cullet::papers
{

namespace
{

/// Data of all triangles.
struct Primitives
{
    std::vector<cltKdop> dops;
    std::vector<std::array<float, 3>> centers;
};

cltKdop dopOf( const cltMesh& mesh, std::uint32_t triangle )
{
    const std::uint32_t* corners = mesh.triangles[triangle];
    return cltKdop_OfTriangle( mesh.vertices[corners[0]], mesh.vertices[corners[1]], mesh.vertices[corners[2]] );
}

Primitives primitivesOf( const cltMesh& mesh )
{
    Primitives primitives;
    for ( std::uint32_t triangle = 0; triangle < mesh.triangleCount; ++triangle )
    {
        std::array<float, 3> center = {};
        for ( const std::uint32_t corner : mesh.triangles[triangle] )
        {
            for ( std::size_t axis = 0; axis < 3; ++axis )
            {
                center[axis] += mesh.vertices[corner][axis] / 3;
            }
        }
        primitives.dops.push_back( dopOf( mesh, triangle ) );
        primitives.centers.push_back( center );
    }
    return primitives;
}

int longestDirection( const cltKdop& dop )
{
    const auto length = [&dop]( int direction )
    { return cltKdop_Upper( &dop, direction ) - cltKdop_Lower( &dop, direction ); };
    int longest = 0;
    for ( int direction = 1; direction < CLT_KDOP_DIRECTION_COUNT; ++direction )
    {
        longest = length( direction ) > length( longest ) ? direction : longest;
    }
    return longest;
}

double measureOf( const std::array<float, 3>& center, int direction )
{
    float diagonals[CLT_DIAGONAL_COUNT];
    cltMeasureDiagonals( center.data(), diagonals );
    return double( direction < 3 ? center[std::size_t( direction )] : diagonals[direction - 3] );
}

DopNode nodeOver( const Primitives& primitives, const std::vector<std::uint32_t>& order, std::uint32_t first,
                  std::uint32_t last )
{
    DopNode node = { primitives.dops[order[first]], first, last, 0 };
    for ( std::uint32_t k = first + 1; k < last; ++k )
    {
        node.dop = cltKdop_Union( &node.dop, &primitives.dops[order[k]] );
    }
    return node;
}

/// Moves the triangles below the mean to the front. If all centers are equal, splits in the middle.
/// \return the index at which the second part begins; neither part is empty
std::uint32_t splitByMean( const DopNode& node, const Primitives& primitives, std::vector<std::uint32_t>& order )
{
    const int direction = longestDirection( node.dop );
    const auto measure = [&]( std::uint32_t triangle ) { return measureOf( primitives.centers[triangle], direction ); };
    const auto begin = order.begin() + node.first, end = order.begin() + node.last;
    const double sum = std::accumulate(
        begin, end, 0.0, [&]( double all, std::uint32_t triangle ) { return all + measure( triangle ); } );
    const double mean = sum / ( node.last - node.first );
    const auto middle =
        std::partition( begin, end, [&]( std::uint32_t triangle ) { return measure( triangle ) < mean; } );
    return middle == begin || middle == end ? ( node.first + node.last ) / 2 : std::uint32_t( middle - order.begin() );
}

/// Splits all nodes of the last level.
void addLevel( DopTree& tree, const Primitives& primitives )
{
    const std::size_t first = tree.levels.end()[-2], last = tree.levels.back();
    for ( std::size_t k = first; k < last; ++k )
    {
        const DopNode node = tree.nodes[k];
        if ( node.last - node.first > 1 )
        {
            const std::uint32_t middle = splitByMean( node, primitives, tree.order );
            tree.nodes[k].left = std::uint32_t( tree.nodes.size() );
            tree.nodes.push_back( nodeOver( primitives, tree.order, node.first, middle ) );
            tree.nodes.push_back( nodeOver( primitives, tree.order, middle, node.last ) );
        }
    }
    tree.levels.push_back( tree.nodes.size() );
}

} // namespace

DopTree buildDops( const cltMesh& mesh, LevelTimes& times )
{
    DopTree tree;
    Primitives primitives;
    times.assign( 1, 0 );
    {
        const compare::Stopwatch stopwatch( times.back() );
        primitives = primitivesOf( mesh );
        tree.order.resize( mesh.triangleCount );
        std::iota( tree.order.begin(), tree.order.end(), 0u );
        tree.nodes.reserve( 2 * std::size_t( mesh.triangleCount ) );
        tree.nodes.push_back( nodeOver( primitives, tree.order, 0, mesh.triangleCount ) );
        tree.levels = { 0, 1 };
    }
    while ( tree.nodes.size() < 2 * std::size_t( mesh.triangleCount ) - 1 )
    {
        const compare::Stopwatch stopwatch( times.emplace_back() );
        addLevel( tree, primitives );
    }
    return tree;
}

void updateDops( DopTree& tree, const cltMesh& mesh, LevelTimes& times )
{
    times.assign( tree.levels.size() - 1, 0 );
    for ( std::size_t level = times.size(); level-- > 0; )
    {
        const compare::Stopwatch stopwatch( times[level] );
        for ( std::size_t k = tree.levels[level]; k < tree.levels[level + 1]; ++k )
        {
            DopNode& node = tree.nodes[k];
            node.dop = node.isLeaf() ? dopOf( mesh, tree.order[node.first] )
                                     : cltKdop_Union( &tree.nodes[node.left].dop, &tree.nodes[node.left + 1].dop );
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- walks

namespace
{

using NodePairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// \param stack        node pairs to start from; empty at the end
/// \param firstNumber  the number of the first triangle of `b`
/// \param overlap      whether two nodes overlap
template <typename Overlap>
void walk( const DopTree& a, const DopTree& b, NodePairs& stack, std::uint32_t firstNumber, WalkResult& result,
           Overlap&& overlap )
{
    while ( !stack.empty() )
    {
        const auto [indexA, indexB] = stack.back();
        stack.pop_back();
        const DopNode &nodeA = a.nodes[indexA], &nodeB = b.nodes[indexB];
        ++result.tests;
        if ( !overlap( nodeA.dop, nodeB.dop ) )
        {
            continue;
        }
        if ( nodeA.isLeaf() && nodeB.isLeaf() )
        {
            result.pairs.push_back( pairKey( a.order[nodeA.first], firstNumber + b.order[nodeB.first] ) );
            continue;
        }
        // The children of each node, or the node itself if it is a leaf.
        const std::uint32_t firstA = nodeA.isLeaf() ? indexA : nodeA.left, countA = nodeA.isLeaf() ? 1 : 2;
        const std::uint32_t firstB = nodeB.isLeaf() ? indexB : nodeB.left, countB = nodeB.isLeaf() ? 1 : 2;
        for ( std::uint32_t i = 0; i < countA; ++i )
        {
            for ( std::uint32_t j = 0; j < countB; ++j )
            {
                stack.emplace_back( firstA + i, firstB + j );
            }
        }
    }
}

bool dopsOverlap( const cltKdop& a, const cltKdop& b )
{
    return cltKdop_Overlaps( &a, &b );
}

bool boxesOverlap( const cltKdop& a, const cltKdop& b )
{
    return cltAabb_Overlaps( &a.box, &b.box );
}

} // namespace

void walkDops( const DopTree& a, const DopTree& b, bool areBoxes, WalkResult& result )
{
    NodePairs stack = { { 0, 0 } };
    const std::uint32_t firstNumber = std::uint32_t( a.order.size() );
    result.clear();
    areBoxes ? walk( a, b, stack, firstNumber, result, boxesOverlap )
             : walk( a, b, stack, firstNumber, result, dopsOverlap );
}

void walkDopsAlone( const DopTree& tree, WalkResult& result )
{
    result.clear();
    NodePairs stack;
    for ( const DopNode& node : tree.nodes )
    {
        if ( !node.isLeaf() )
        {
            stack.emplace_back( node.left, node.left + 1 ); // a pair of triangles is split at one node only
            walk( tree, tree, stack, 0, result, dopsOverlap );
        }
    }
}

} // namespace cullet::papers
