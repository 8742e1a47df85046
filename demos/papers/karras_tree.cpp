// SPDX-License-Identifier: Zlib
#include "karras_tree.h"

#include <algorithm>
#include <array>

namespace cullet::papers
{

namespace
{

constexpr std::uint32_t noNode = UINT32_MAX;

/// The number of leading bits that two codes share. Equal codes are extended by their indices, as in section 4 of the
/// paper. -1 if j is out of range.
int commonBits( const std::vector<std::uint64_t>& keys, std::int64_t i, std::int64_t j )
{
    if ( j < 0 || j >= std::int64_t( keys.size() ) )
    {
        return -1;
    }
    const std::uint32_t codes = std::uint32_t( ( keys[std::size_t( i )] ^ keys[std::size_t( j )] ) >> 32 );
    const std::uint32_t indices = std::uint32_t( i ^ j );
    return codes != 0 ? __builtin_clz( codes ) : 32 + ( indices != 0 ? __builtin_clz( indices ) : 32 );
}

/// findSplit of Part III: the last leaf that shares more bits with the first leaf than the last leaf does.
std::uint32_t splitOf( const std::vector<std::uint64_t>& keys, std::uint32_t first, std::uint32_t last )
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
Range rangeOf( const std::vector<std::uint64_t>& keys, std::uint32_t i )
{
    const std::int64_t direction =
        commonBits( keys, i, std::int64_t( i ) + 1 ) > commonBits( keys, i, std::int64_t( i ) - 1 ) ? 1 : -1;
    const int least = commonBits( keys, i, i - direction );
    std::int64_t most = 2;
    while ( commonBits( keys, i, i + most * direction ) > least )
    {
        most *= 2;
    }
    std::int64_t length = 0;
    for ( std::int64_t step = most / 2; step >= 1; step /= 2 )
    {
        if ( commonBits( keys, i, i + ( length + step ) * direction ) > least )
        {
            length += step;
        }
    }
    const std::uint32_t end = std::uint32_t( i + length * direction );
    return { std::min( i, end ), std::max( i, end ) };
}

KarrasTree emptyTree( const std::vector<std::uint64_t>& keys )
{
    KarrasTree tree;
    tree.leafCount = std::uint32_t( keys.size() );
    tree.nodes.resize( 2 * keys.size() - 1 );
    tree.nodes[0].parent = noNode;
    tree.bodies.resize( keys.size() );
    for ( std::uint32_t leaf = 0; leaf < tree.leafCount; ++leaf )
    {
        tree.bodies[leaf] = std::uint32_t( keys[leaf] );
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

std::vector<std::uint64_t> codesOf( const std::vector<cltAabb>& boxes, CodeFcn* code )
{
    cltAabb region = boxes[0];
    for ( const cltAabb& box : boxes )
    {
        region = cltAabb_Union( &region, &box );
    }
    const cltCurve curve = cltCurve_Make( region.lower, region.upper );
    std::vector<std::uint64_t> keys;
    keys.reserve( boxes.size() );
    for ( const cltAabb& box : boxes )
    {
        const std::uint32_t place = code( cltCurve_Cell( &curve, &box, 0 ), cltCurve_Cell( &curve, &box, 1 ),
                                          cltCurve_Cell( &curve, &box, 2 ) );
        keys.push_back( std::uint64_t( place ) << 32 | keys.size() );
    }
    return keys;
}

void radixSort( std::vector<std::uint64_t>& keys )
{
    std::vector<std::uint64_t> sorted( keys.size() );
    for ( int shift = 32; shift < 64; shift += 8 )
    {
        std::array<std::size_t, 257> offsets = {};
        for ( const std::uint64_t key : keys )
        {
            ++offsets[( key >> shift & 255 ) + 1];
        }
        for ( std::size_t digit = 1; digit < offsets.size(); ++digit )
        {
            offsets[digit] += offsets[digit - 1];
        }
        for ( const std::uint64_t key : keys )
        {
            sorted[offsets[key >> shift & 255]++] = key;
        }
        keys.swap( sorted );
    }
}

KarrasTree buildTopDown( const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& levelSizes )
{
    KarrasTree tree = emptyTree( keys );
    std::vector<Range> ranges = { { 0, tree.leafCount - 1 } }; // by inner node
    ranges.reserve( keys.size() );
    levelSizes.clear();
    for ( std::size_t begin = 0, end = 1; begin < end; begin = end, end = ranges.size() )
    {
        levelSizes.push_back( std::uint32_t( end - begin ) );
        for ( std::size_t node = begin; node < end; ++node )
        {
            const Range range = ranges[node];
            const std::uint32_t split = splitOf( keys, range.first, range.last );
            const auto childOf = [&]( std::uint32_t first, std::uint32_t last )
            {
                if ( first == last )
                {
                    return tree.nodeOfLeaf( first );
                }
                ranges.push_back( { first, last } );
                return std::uint32_t( ranges.size() - 1 );
            };
            const std::uint32_t left = childOf( range.first, split );
            const std::uint32_t right = childOf( split + 1, range.last );
            join( tree, std::uint32_t( node ), left, right, range.last );
        }
    }
    return tree;
}

KarrasTree buildByRanges( const std::vector<std::uint64_t>& keys )
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

OnePassTree::OnePassTree( const std::vector<std::uint64_t>& keys )
    : m_keys( keys ), m_nodes( 2 * keys.size() - 1 ),
      m_meetings( keys.size() - 1 ), m_tree{ m_nodes.data(), keys.data(), m_meetings.data(),
                                             std::uint32_t( keys.size() ), nullptr }
{
}

void OnePassTree::build( const std::vector<cltAabb>& boxes )
{
    std::fill( m_meetings.begin(), m_meetings.end(), CLT_NO_PARTNER );
    for ( std::uint32_t leaf = 0; leaf < m_tree.leafCount; ++leaf )
    {
        cltTree_ClimbStep( &m_tree, leaf, &boxes[bodyOfLeaf( leaf )] );
    }
}

} // namespace cullet::papers
