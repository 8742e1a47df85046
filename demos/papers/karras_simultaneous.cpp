// SPDX-License-Identifier: Zlib
/// \file karras_simultaneous.cpp
/// "Simultaneous traversal" of Part II: pairs of nodes of the tree with itself.
#include "karras_walks.h"

namespace cullet::papers
{

namespace
{

struct NodePair
{
    std::uint32_t a, b;
};

/// "All possible pairings between their children": the children of a pair, of which one at least is an inner node.
/// \return how many there are
std::size_t childPairs( const KarrasTree& tree, NodePair pair, NodePair children[4] )
{
    const KarrasNode& a = tree.nodes[pair.a];
    const KarrasNode& b = tree.nodes[pair.b];
    if ( pair.a == pair.b )
    {
        children[0] = { a.left, a.left };
        children[1] = { a.left, a.right };
        children[2] = { a.right, a.right };
        return 3;
    }
    std::size_t count = 0;
    for ( const std::uint32_t ofA : { tree.isLeaf( pair.a ) ? pair.a : a.left, a.right } )
    {
        for ( const std::uint32_t ofB : { tree.isLeaf( pair.b ) ? pair.b : b.left, b.right } )
        {
            children[count++] = { ofA, ofB };
            if ( tree.isLeaf( pair.b ) )
            {
                break;
            }
        }
        if ( tree.isLeaf( pair.a ) )
        {
            break;
        }
    }
    return count;
}

/// Tests a pair; what there is to be done below it goes onto the stack.
void meet( const KarrasTree& tree, NodePair pair, std::vector<NodePair>& stack, Walked& walked )
{
    const bool isSelf = pair.a == pair.b;
    if ( isSelf ? tree.isLeaf( pair.a ) : !walked.overlaps( tree.nodes[pair.a].box, tree.nodes[pair.b].box ) )
    {
        return;
    }
    if ( !isSelf && tree.isLeaf( pair.a ) && tree.isLeaf( pair.b ) )
    {
        const std::uint32_t bodyA = tree.bodies[tree.leafOfNode( pair.a )];
        const std::uint32_t bodyB = tree.bodies[tree.leafOfNode( pair.b )];
        walked.pairs.push_back( pairKey( bodyA, bodyB ) );
        return;
    }
    stack.push_back( pair );
}

/// A step is as one of the walk with a stack: the children of what overlaps are tested.
void walkPair( const KarrasTree& tree, NodePair start, std::vector<NodePair>& stack, Walked& walked )
{
    meet( tree, start, stack, walked );
    while ( !stack.empty() )
    {
        ++walked.steps;
        NodePair children[4];
        const std::size_t count = childPairs( tree, stack.back(), children );
        stack.pop_back();
        for ( std::size_t k = 0; k < count; ++k )
        {
            meet( tree, children[k], stack, walked );
        }
    }
}

std::vector<std::uint32_t> leavesBelow( const KarrasTree& tree )
{
    std::vector<std::uint32_t> counts( tree.nodes.size(), 1 );
    std::vector<std::uint32_t> stack = { 0 }, order;
    while ( !stack.empty() )
    {
        const std::uint32_t node = stack.back();
        stack.pop_back();
        if ( !tree.isLeaf( node ) )
        {
            order.push_back( node );
            stack.insert( stack.end(), { tree.nodes[node].left, tree.nodes[node].right } );
        }
    }
    for ( auto node = order.rbegin(); node != order.rend(); ++node )
    {
        counts[*node] = counts[tree.nodes[*node].left] + counts[tree.nodes[*node].right];
    }
    return counts;
}

/// "An appropriate cut of 256 nodes near the root": the largest is parted until there are so many.
std::vector<std::uint32_t> cutOf( const KarrasTree& tree, std::uint32_t size )
{
    const std::vector<std::uint32_t> counts = leavesBelow( tree );
    const auto isSmaller = [&]( std::uint32_t a, std::uint32_t b ) { return counts[a] < counts[b]; };
    std::vector<std::uint32_t> cut = { 0 };
    while ( cut.size() < std::min( size, tree.leafCount ) )
    {
        const auto largest = std::max_element( cut.begin(), cut.end(), isSmaller );
        const KarrasNode& node = tree.nodes[*largest];
        *largest = node.left;
        cut.push_back( node.right );
    }
    return cut;
}

} // namespace

void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, Walked& walked )
{
    walked.clear();
    const std::vector<std::uint32_t> cut = cutOf( tree, cutSize );
    std::vector<NodePair> stack;
    for ( std::size_t a = 0; a < cut.size(); ++a )
    {
        for ( std::size_t b = a; b < cut.size(); ++b )
        {
            walkPair( tree, { cut[a], cut[b] }, stack, walked );
        }
    }
}

} // namespace cullet::papers
