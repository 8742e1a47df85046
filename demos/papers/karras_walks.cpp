// SPDX-License-Identifier: Zlib
#include "karras_walks.h"

namespace cullet::papers
{

namespace
{

/// Codes have 30 bits and indices 32, so no path is longer. The stack holds one node for each level.
constexpr std::size_t deepest = 62;

void recurse( const KarrasTree& tree, const cltAabb& box, std::uint32_t body, std::uint32_t node, WalkResult& result )
{
    ++result.steps;
    if ( !result.overlaps( tree.nodes[node].box, box ) )
    {
        return;
    }
    if ( tree.isLeaf( node ) )
    {
        result.pairs.push_back( pairKey( body, tree.bodies[tree.leafOfNode( node )] ) );
        return;
    }
    recurse( tree, box, body, tree.nodes[node].left, result );
    recurse( tree, box, body, tree.nodes[node].right, result );
}

/// traverseIterative of Part II.
/// \param isBehind  whether the walk skips a child
template <typename IsBehind>
void iterate( const KarrasTree& tree, const cltAabb& box, std::uint32_t body, WalkResult& result, IsBehind&& isBehind )
{
    std::uint32_t stack[deepest + 1];
    std::size_t depth = 0;
    stack[depth++] = 0;
    while ( depth > 0 )
    {
        ++result.steps;
        const KarrasNode& node = tree.nodes[stack[--depth]];
        for ( const std::uint32_t child : { node.right, node.left } )
        {
            if ( isBehind( tree.nodes[child] ) || !result.overlaps( tree.nodes[child].box, box ) )
            {
                continue;
            }
            if ( tree.isLeaf( child ) )
            {
                result.pairs.push_back( pairKey( body, tree.bodies[tree.leafOfNode( child )] ) );
            }
            else
            {
                stack[depth++] = child;
            }
        }
    }
}

} // namespace

void walkRecursively( const KarrasTree& tree, const std::vector<cltAabb>& boxes, WalkResult& result )
{
    result.clear();
    for ( std::uint32_t body = 0; body < tree.leafCount; ++body )
    {
        recurse( tree, boxes[body], body, 0, result );
    }
}

void walkWithStack( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Order order, WalkResult& result )
{
    result.clear();
    for ( std::uint32_t k = 0; k < tree.leafCount; ++k )
    {
        const std::uint32_t body = order == Order::bodies ? k : tree.bodies[k];
        iterate( tree, boxes[body], body, result, []( const KarrasNode& ) { return false; } );
    }
}

void walkOneSided( const KarrasTree& tree, WalkResult& result )
{
    result.clear();
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        iterate( tree, tree.nodes[tree.nodeOfLeaf( leaf )].box, tree.bodies[leaf], result,
                 [leaf]( const KarrasNode& child ) { return child.fence <= leaf; } );
    }
}

void walkByRopes( const OnePassTree& built, WalkResult& result )
{
    result.clear();
    const cltTree& tree = built.tree();
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        const cltNode& own = tree.nodes[cltTree_NodeOfLeaf( &tree, leaf )];
        for ( std::uint32_t node = own.rope; node != CLT_ROPE_END; )
        {
            ++result.steps;
            const cltNode& here = tree.nodes[node];
            const bool isHit = result.overlaps( here.box, own.box );
            if ( isHit && here.first == CLT_ROPE_END )
            {
                result.pairs.push_back(
                    pairKey( built.bodyOfLeaf( leaf ), built.bodyOfLeaf( cltTree_LeafOfNode( &tree, node ) ) ) );
            }
            node = isHit && here.first != CLT_ROPE_END ? here.first : here.rope;
        }
    }
}

// ------------------------------------------------------------------------------------------------ two trees at a time

namespace
{

struct NodePair
{
    std::uint32_t a, b;
};

/// "All possible pairings between their children". At least one of the two nodes is an inner node.
/// \return the number of child pairs
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

/// Tests a pair. Reports two leaves that overlap, and pushes other pairs that overlap.
void visit( const KarrasTree& tree, NodePair pair, std::vector<NodePair>& stack, WalkResult& result )
{
    const bool isSelf = pair.a == pair.b;
    if ( isSelf ? tree.isLeaf( pair.a ) : !result.overlaps( tree.nodes[pair.a].box, tree.nodes[pair.b].box ) )
    {
        return;
    }
    if ( !isSelf && tree.isLeaf( pair.a ) && tree.isLeaf( pair.b ) )
    {
        const std::uint32_t bodyA = tree.bodies[tree.leafOfNode( pair.a )];
        const std::uint32_t bodyB = tree.bodies[tree.leafOfNode( pair.b )];
        result.pairs.push_back( pairKey( bodyA, bodyB ) );
        return;
    }
    stack.push_back( pair );
}

/// A step tests the children of a pair that overlaps, as a step of the walk with a stack does.
void walkPair( const KarrasTree& tree, NodePair start, std::vector<NodePair>& stack, WalkResult& result )
{
    visit( tree, start, stack, result );
    while ( !stack.empty() )
    {
        ++result.steps;
        NodePair children[4];
        const std::size_t count = childPairs( tree, stack.back(), children );
        stack.pop_back();
        for ( std::size_t k = 0; k < count; ++k )
        {
            visit( tree, children[k], stack, result );
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

/// "An appropriate cut of 256 nodes near the root": splits the largest node until there are `size`.
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

void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, WalkResult& result )
{
    result.clear();
    const std::vector<std::uint32_t> cut = cutOf( tree, cutSize );
    std::vector<NodePair> stack;
    for ( std::size_t a = 0; a < cut.size(); ++a )
    {
        for ( std::size_t b = a; b < cut.size(); ++b )
        {
            walkPair( tree, { cut[a], cut[b] }, stack, result );
        }
    }
}

// ------------------------------------------------------------------------------------------------ expected pairs

PairSet fromBothSides( PairSet pairs, std::uint32_t bodyCount )
{
    const PairSet once = pairs;
    pairs.insert( pairs.end(), once.begin(), once.end() );
    for ( std::uint32_t body = 0; body < bodyCount; ++body )
    {
        pairs.push_back( pairKey( body, body ) );
    }
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

} // namespace cullet::papers
