// SPDX-License-Identifier: Zlib
#include "dop_tree.h"

namespace cullet::papers
{

namespace
{

struct DopNodePair
{
    std::uint32_t a, b;
};

/// A node's children, or itself if it has none.
struct Family
{
    std::uint32_t first, count;

    explicit Family( const DopTree& tree, std::uint32_t node )
        : first( tree.nodes[node].isLeaf() ? node : tree.nodes[node].left ), count( tree.nodes[node].isLeaf() ? 1 : 2 )
    {
    }
};

/// What two trees and what they are asked have in common.
/// \param overlap      of two nodes
/// \param firstNumber  of the second tree's triangles
template <typename Overlap>
void walk( const DopTree& a, const DopTree& b, std::vector<DopNodePair>& waiting, std::uint32_t firstNumber,
           DopWalked& walked, Overlap&& overlap )
{
    while ( !waiting.empty() )
    {
        const DopNodePair pair = waiting.back();
        waiting.pop_back();
        const DopNode &nodeA = a.nodes[pair.a], &nodeB = b.nodes[pair.b];
        ++walked.tests;
        if ( !overlap( nodeA.dop, nodeB.dop ) )
        {
            continue;
        }
        if ( nodeA.isLeaf() && nodeB.isLeaf() )
        {
            walked.pairs.push_back( pairKey( a.order[nodeA.first], firstNumber + b.order[nodeB.first] ) );
            continue;
        }
        const Family familyA( a, pair.a ), familyB( b, pair.b );
        for ( std::uint32_t i = 0; i < familyA.count; ++i )
        {
            for ( std::uint32_t j = 0; j < familyB.count; ++j )
            {
                waiting.push_back( { familyA.first + i, familyB.first + j } );
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

void walkDops( const DopTree& a, const DopTree& b, bool areBoxes, DopWalked& walked )
{
    std::vector<DopNodePair> waiting = { { 0, 0 } };
    const std::uint32_t firstNumber = std::uint32_t( a.order.size() );
    walked.pairs.clear();
    walked.tests = 0;
    areBoxes ? walk( a, b, waiting, firstNumber, walked, boxesOverlap )
             : walk( a, b, waiting, firstNumber, walked, dopsOverlap );
}

void walkDopsAlone( const DopTree& tree, DopWalked& walked )
{
    walked.pairs.clear();
    walked.tests = 0;
    std::vector<DopNodePair> waiting;
    for ( const DopNode& node : tree.nodes )
    {
        if ( !node.isLeaf() )
        {
            waiting.push_back( { node.left, node.left + 1 } ); // what lies on both sides of a node meets there alone
            walk( tree, tree, waiting, 0, walked, dopsOverlap );
        }
    }
}

} // namespace cullet::papers
