// SPDX-License-Identifier: Zlib
#include "karras_tree.h"

#include <array>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t noNode = UINT32_MAX;

/// The number of leading bits that two codes share. Equal codes are extended by their indices, as in section 4 of the
/// paper. -1 if j is out of range.
int commonBits( const Keys& keys, std::int64_t i, std::int64_t j )
{
    if ( j < 0 || j >= std::int64_t( keys.size() ) )
    {
        return -1;
    }
    const std::uint32_t codes = std::uint32_t( ( keys[std::size_t( i )] ^ keys[std::size_t( j )] ) >> 32 );
    const std::uint32_t indices = std::uint32_t( i ^ j );
    return codes != 0 ? __builtin_clz( codes ) : 32 + ( indices != 0 ? __builtin_clz( indices ) : 32 );
}

/// findSplit of Part III: of the leaves that share more bits with `first` than `last` does, the last one.
std::uint32_t splitOf( const Keys& keys, std::uint32_t first, std::uint32_t last )
{
    const int common = commonBits( keys, first, last );
    std::uint32_t split = first;
    std::uint32_t step = last - first;
    do
    {
        step = ( step + 1 ) / 2;
        if ( split + step < last && commonBits( keys, first, split + step ) > common )
        {
            split += step;
        }
    } while ( step > 1 );
    return split;
}

struct Range
{
    std::uint32_t first, last;
};

/// determineRange of Part III, figure 4 of the paper. The range extends towards the closer neighbour, as far as leaves
/// share more bits with leaf i than the other neighbour does.
Range rangeOf( const Keys& keys, std::int64_t i )
{
    const std::int64_t direction = commonBits( keys, i, i + 1 ) > commonBits( keys, i, i - 1 ) ? 1 : -1;
    const int least = commonBits( keys, i, i - direction );
    std::int64_t most = 2, length = 0;
    while ( commonBits( keys, i, i + most * direction ) > least )
    {
        most *= 2;
    }
    for ( std::int64_t step = most / 2; step >= 1; step /= 2 )
    {
        length += commonBits( keys, i, i + ( length + step ) * direction ) > least ? step : 0;
    }
    const std::int64_t end = i + length * direction;
    return { std::uint32_t( std::min( i, end ) ), std::uint32_t( std::max( i, end ) ) };
}

KarrasTree emptyTree( const Keys& keys )
{
    KarrasTree tree;
    tree.leafCount = std::uint32_t( keys.size() );
    tree.nodes.resize( 2 * keys.size() - 1 );
    tree.nodes[0].parent = noNode;
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        tree.bodies.push_back( std::uint32_t( keys[leaf] ) );
        tree.nodes[tree.nodeOfLeaf( leaf )].fence = leaf;
    }
    return tree;
}

void join( KarrasTree& tree, std::uint32_t node, std::uint32_t left, std::uint32_t right, std::uint32_t last )
{
    tree.nodes[node].left = left;
    tree.nodes[node].right = right;
    tree.nodes[node].fence = last;
    tree.nodes[left].parent = tree.nodes[right].parent = node;
}

} // namespace

Keys codesOf( const std::vector<cltAabb>& boxes, CodeFcn* code )
{
    const cltAabb region = boundsOf( boxes );
    const cltCurve curve = cltCurve_Make( region.lower, region.upper );
    Keys keys;
    keys.reserve( boxes.size() );
    for ( const cltAabb& box : boxes )
    {
        const std::uint32_t place = code( cltCurve_Cell( &curve, &box, 0 ), cltCurve_Cell( &curve, &box, 1 ),
                                          cltCurve_Cell( &curve, &box, 2 ) );
        keys.push_back( std::uint64_t( place ) << 32 | keys.size() );
    }
    return keys;
}

void radixSort( Keys& keys )
{
    Keys sorted( keys.size() );
    for ( int shift = 32; shift < 64; shift += 8 )
    {
        std::array<std::size_t, 257> offsets = {};
        for ( const std::uint64_t key : keys )
        {
            ++offsets[( key >> shift & 255 ) + 1];
        }
        std::partial_sum( offsets.begin(), offsets.end(), offsets.begin() );
        for ( const std::uint64_t key : keys )
        {
            sorted[offsets[key >> shift & 255]++] = key;
        }
        keys.swap( sorted );
    }
}

KarrasTree buildTopDown( const Keys& keys, std::vector<std::uint32_t>& levelSizes )
{
    KarrasTree tree = emptyTree( keys );
    std::vector<Range> ranges = { { 0, tree.leafCount - 1 } }; // by inner node
    ranges.reserve( keys.size() );
    levelSizes.clear();
    const auto childOf = [&]( std::uint32_t first, std::uint32_t last )
    {
        if ( first == last )
        {
            return tree.nodeOfLeaf( first );
        }
        ranges.push_back( { first, last } );
        return std::uint32_t( ranges.size() - 1 );
    };
    for ( std::size_t begin = 0, end = 1; begin < end; begin = end, end = ranges.size() )
    {
        levelSizes.push_back( std::uint32_t( end - begin ) );
        for ( std::size_t node = begin; node < end; ++node )
        {
            const Range range = ranges[node];
            const std::uint32_t split = splitOf( keys, range.first, range.last );
            const std::uint32_t left = childOf( range.first, split );
            join( tree, std::uint32_t( node ), left, childOf( split + 1, range.last ), range.last );
        }
    }
    return tree;
}

KarrasTree buildByRanges( const Keys& keys )
{
    KarrasTree tree = emptyTree( keys );
    for ( std::uint32_t node = 0; node + 1 < tree.leafCount; ++node )
    {
        const Range range = rangeOf( keys, node );
        const std::uint32_t split = splitOf( keys, range.first, range.last );
        const std::uint32_t left = split == range.first ? tree.nodeOfLeaf( split ) : split;
        const std::uint32_t right = split + 1 == range.last ? tree.nodeOfLeaf( split + 1 ) : split + 1;
        join( tree, node, left, right, range.last );
    }
    return tree;
}

void fitBoxes( KarrasTree& tree, const std::vector<cltAabb>& boxes )
{
    std::vector<bool> wasVisited( tree.leafCount - 1, false );
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        std::uint32_t node = tree.nodeOfLeaf( leaf );
        tree.nodes[node].box = boxes[tree.bodies[leaf]];
        for ( node = tree.nodes[node].parent; node != noNode && wasVisited[node]; node = tree.nodes[node].parent )
        {
            KarrasNode& here = tree.nodes[node];
            here.box = cltAabb_Union( &tree.nodes[here.left].box, &tree.nodes[here.right].box );
        }
        if ( node != noNode )
        {
            wasVisited[node] = true;
        }
    }
}

OnePassTree::OnePassTree( const Keys& sorted )
    : keys( sorted ), nodes( 2 * sorted.size() - 1 ),
      meetings( sorted.size() - 1 ), tree{ nodes.data(), sorted.data(), meetings.data(), std::uint32_t( sorted.size() ),
                                           nullptr }
{
}

void OnePassTree::build( const std::vector<cltAabb>& boxes )
{
    std::fill( meetings.begin(), meetings.end(), CLT_NO_PARTNER );
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        cltTree_ClimbStep( &tree, leaf, &boxes[bodyOfLeaf( leaf )] );
    }
}

void fitLevels( cltLevelTree& tree, const std::vector<cltAabb>& boxes, const std::uint32_t* bodies )
{
    for ( std::uint32_t leaf = 0; leaf < cltLevels_LeafCount( &tree.levels ); ++leaf )
    {
        tree.nodes[leaf] = { boxes[bodies[leaf]], { openFilter.group, openFilter.mask } };
    }
    for ( std::uint32_t level = 1; level <= tree.levels.top; ++level )
    {
        for ( std::uint32_t node = tree.levels.starts[level]; node < tree.levels.starts[level + 1]; ++node )
        {
            cltLevelTree_JoinStep( &tree, level, node );
        }
    }
}

// -------------------------------------------------------------------------------------------------------------- walks

namespace
{

/// The most levels below the root: codes have 30 bits, and indices 32. A stack holds one node for each level.
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
        result.pairs.push_back( pairKey( body, tree.bodyOfNode( node ) ) );
        return;
    }
    recurse( tree, box, body, tree.nodes[node].left, result );
    recurse( tree, box, body, tree.nodes[node].right, result );
}

/// traverseIterative of Part II.
/// \param isBehind  ( child ): true if the walk skips the child
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
                result.pairs.push_back( pairKey( body, tree.bodyOfNode( child ) ) );
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
    const cltTree& tree = built.tree;
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        const cltNode& own = tree.nodes[cltTree_NodeOfLeaf( &tree, leaf )];
        for ( std::uint32_t node = own.rope; node != CLT_ROPE_END; )
        {
            ++result.steps;
            const cltNode& here = tree.nodes[node];
            const bool isHit = result.overlaps( here.box, own.box );
            const bool isLeaf = here.first == CLT_ROPE_END;
            if ( isHit && isLeaf )
            {
                result.pairs.push_back(
                    pairKey( built.bodyOfLeaf( leaf ), built.bodyOfLeaf( cltTree_LeafOfNode( &tree, node ) ) ) );
            }
            node = isHit && !isLeaf ? here.first : here.rope;
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
        result.pairs.push_back( pairKey( tree.bodyOfNode( pair.a ), tree.bodyOfNode( pair.b ) ) );
        return;
    }
    stack.push_back( pair );
}

/// Visits "all possible pairings between their children". At least one of the two nodes is an inner node.
void visitChildren( const KarrasTree& tree, NodePair pair, std::vector<NodePair>& stack, WalkResult& result )
{
    const KarrasNode &a = tree.nodes[pair.a], &b = tree.nodes[pair.b];
    if ( pair.a == pair.b )
    {
        visit( tree, { a.left, a.left }, stack, result );
        visit( tree, { a.left, a.right }, stack, result );
        visit( tree, { a.right, a.right }, stack, result );
        return;
    }
    const std::array<std::uint32_t, 2> ofA = { tree.isLeaf( pair.a ) ? pair.a : a.left, a.right };
    const std::array<std::uint32_t, 2> ofB = { tree.isLeaf( pair.b ) ? pair.b : b.left, b.right };
    for ( std::size_t i = 0; i < ( tree.isLeaf( pair.a ) ? 1 : 2 ); ++i )
    {
        for ( std::size_t j = 0; j < ( tree.isLeaf( pair.b ) ? 1 : 2 ); ++j )
        {
            visit( tree, { ofA[i], ofB[j] }, stack, result );
        }
    }
}

std::uint32_t leavesBelow( const KarrasTree& tree, std::uint32_t node )
{
    std::uint32_t first = node;
    while ( !tree.isLeaf( first ) )
    {
        first = tree.nodes[first].left;
    }
    return tree.nodes[node].fence - tree.nodes[first].fence + 1;
}

/// "An appropriate cut of 256 nodes near the root": splits the largest node until there are `size` nodes.
std::vector<std::uint32_t> cutOf( const KarrasTree& tree, std::uint32_t size )
{
    std::vector<std::uint32_t> cut = { 0 }, leafCounts = { tree.leafCount };
    while ( cut.size() < std::min( size, tree.leafCount ) )
    {
        const auto largest = std::max_element( leafCounts.begin(), leafCounts.end() );
        std::uint32_t& split = cut[std::size_t( largest - leafCounts.begin() )];
        const KarrasNode& node = tree.nodes[split];
        split = node.left;
        *largest = leavesBelow( tree, node.left );
        cut.push_back( node.right );
        leafCounts.push_back( leavesBelow( tree, node.right ) );
    }
    return cut;
}

} // namespace

/// Each step tests the children of a pair that overlaps. The walk with a stack counts steps in the same way.
void walkSimultaneously( const KarrasTree& tree, std::uint32_t cutSize, WalkResult& result )
{
    result.clear();
    const std::vector<std::uint32_t> cut = cutOf( tree, cutSize );
    std::vector<NodePair> stack;
    for ( std::size_t a = 0; a < cut.size(); ++a )
    {
        for ( std::size_t b = a; b < cut.size(); ++b )
        {
            visit( tree, { cut[a], cut[b] }, stack, result );
            while ( !stack.empty() )
            {
                ++result.steps;
                const NodePair pair = stack.back();
                stack.pop_back();
                visitChildren( tree, pair, stack, result );
            }
        }
    }
}

} // namespace cullet::papers
