// SPDX-License-Identifier: Zlib
#include "karras_walks.h"

namespace cullet::papers
{

namespace
{

/// Codes have 30 bits and places 32, so no path is longer, and a walk leaves one node a level behind.
constexpr std::size_t deepest = 62;

void recurse( const KarrasTree& tree, const cltAabb& box, std::uint32_t body, std::uint32_t node, Walked& walked )
{
    ++walked.steps;
    if ( !walked.overlaps( tree.nodes[node].box, box ) )
    {
        return;
    }
    if ( tree.isLeaf( node ) )
    {
        walked.pairs.push_back( pairKey( body, tree.bodies[tree.leafOfNode( node )] ) );
        return;
    }
    recurse( tree, box, body, tree.nodes[node].left, walked );
    recurse( tree, box, body, tree.nodes[node].right, walked );
}

/// traverseIterative of Part II.
/// \param isBehind  whether a child need not be looked at
template <typename IsBehind>
void iterate( const KarrasTree& tree, const cltAabb& box, std::uint32_t body, Walked& walked, IsBehind&& isBehind )
{
    std::uint32_t stack[deepest + 1];
    std::size_t depth = 0;
    stack[depth++] = 0;
    while ( depth > 0 )
    {
        ++walked.steps;
        const KarrasNode& node = tree.nodes[stack[--depth]];
        for ( const std::uint32_t child : { node.right, node.left } )
        {
            if ( isBehind( tree.nodes[child] ) || !walked.overlaps( tree.nodes[child].box, box ) )
            {
                continue;
            }
            if ( tree.isLeaf( child ) )
            {
                walked.pairs.push_back( pairKey( body, tree.bodies[tree.leafOfNode( child )] ) );
            }
            else
            {
                stack[depth++] = child;
            }
        }
    }
}

} // namespace

void walkRecursively( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Walked& walked )
{
    walked.clear();
    for ( std::uint32_t body = 0; body < tree.leafCount; ++body )
    {
        recurse( tree, boxes[body], body, 0, walked );
    }
}

void walkWithStack( const KarrasTree& tree, const std::vector<cltAabb>& boxes, Order order, Walked& walked )
{
    walked.clear();
    for ( std::uint32_t k = 0; k < tree.leafCount; ++k )
    {
        const std::uint32_t body = order == Order::bodies ? k : tree.bodies[k];
        iterate( tree, boxes[body], body, walked, []( const KarrasNode& ) { return false; } );
    }
}

void walkOneSided( const KarrasTree& tree, Walked& walked )
{
    walked.clear();
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        iterate( tree, tree.nodes[tree.nodeOfLeaf( leaf )].box, tree.bodies[leaf], walked,
                 [leaf]( const KarrasNode& child ) { return child.fence <= leaf; } );
    }
}

void walkByRopes( const OnePassTree& built, Walked& walked )
{
    walked.clear();
    const cltTree& tree = built.tree();
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        const cltNode& own = tree.nodes[cltTree_NodeOfLeaf( &tree, leaf )];
        for ( std::uint32_t node = own.rope; node != CLT_ROPE_END; )
        {
            ++walked.steps;
            const cltNode& here = tree.nodes[node];
            const bool isHit = walked.overlaps( here.box, own.box );
            if ( isHit && here.first == CLT_ROPE_END )
            {
                walked.pairs.push_back(
                    pairKey( built.bodyOfLeaf( leaf ), built.bodyOfLeaf( cltTree_LeafOfNode( &tree, node ) ) ) );
            }
            node = isHit && here.first != CLT_ROPE_END ? here.first : here.rope;
        }
    }
}

PairSet sortedPairs( const Walked& walked )
{
    PairSet pairs = walked.pairs;
    std::sort( pairs.begin(), pairs.end() );
    return pairs;
}

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
