// SPDX-License-Identifier: Zlib
// The radix tree equals the published example and, for keys of every kind, the naive top-down construction. Walks skip
// subtrees that filters reject. The pairs that walks find are tested in tests/behaviour/backends.
#include "gpu/core/traverse.h"
#include "tests/support/random.h"
#include "tests/support/threads.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

using namespace test;

namespace
{

using Codes = std::vector<uint32_t>;

/// A radix tree over ascending codes. Leaf i is the box [i, i] on every axis, so that a node's box shows which leaves
/// it covers.
struct RadixTree
{
    explicit RadixTree( const Codes& codes )
        : nodes( 2 * codes.size() - 1 ), meetings( codes.size() - 1, CLT_NO_PARTNER ), filters( nodes.size() )
    {
        const uint32_t count = static_cast<uint32_t>( codes.size() );
        for ( uint32_t i = 0; i < count; ++i )
        {
            // The bits below the code descend from leaf to leaf, to show that they do not influence the shape.
            keys.push_back( ( static_cast<uint64_t>( codes[i] ) << 32 ) | ( count - i ) );
        }
        view = { nodes.data(), keys.data(), meetings.data(), count, filters.data() };
    }

    RadixTree( const RadixTree& ) = delete; // its view points into it

    static cltAabb boxOf( uint32_t leaf )
    {
        const float at = static_cast<float>( leaf );
        return { { at, at, at }, { at, at, at } };
    }

    void climb( uint32_t leaf )
    {
        const cltAabb box = boxOf( leaf );
        cltTree_ClimbStep( &view, leaf, &box );
    }

    /// Climbs block by block as a device does, from the last block to the first. Blocks meet at shared nodes.
    void climbBlocks( uint32_t blockSize )
    {
        Codes places( blockSize + 1, CLT_NO_PARTNER );
        for ( uint32_t block = ( view.leafCount - 1 ) / blockSize + 1; block-- > 0; )
        {
            const uint32_t begin = block * blockSize;
            const cltExchangeLocations ofBlock = { places.data(), begin - 1, true };
            for ( uint32_t leaf = begin; leaf < std::min( begin + blockSize, view.leafCount ); ++leaf )
            {
                const cltAabb box = boxOf( leaf );
                cltTree_WriteLeafNode( &view, leaf, &box );
                cltTree_Climb( &view, &ofBlock, leaf, leaf );
            }
            for ( uint32_t place = 0; place <= blockSize; ++place )
            {
                cltTree_ContinueClimb( &view, &ofBlock, place );
                places[place] = CLT_NO_PARTNER;
            }
        }
        EXPECT_EQ( Codes( meetings.size(), CLT_NO_PARTNER ), meetings );
    }

    std::vector<uint64_t> keys;
    std::vector<cltNode> nodes;
    Codes meetings;
    std::vector<cltFilter> filters;
    cltTree view;
};

/// Expects the subtree of `node` to equal the naive construction for leaves first .. last: keys are compared as code
/// followed by index, and the highest bit in which they differ splits them (Karras 2012, section 4).
void expectSubtree( const RadixTree& tree, const Codes& codes, uint32_t node, uint32_t rope, uint32_t first,
                    uint32_t last )
{
    const uint32_t leafBase = static_cast<uint32_t>( codes.size() ) - 1;
    const cltNode& found = tree.nodes[node];
    ASSERT_EQ( rope, found.rope ) << "rope of node " << node;
    ASSERT_EQ( static_cast<float>( first ), found.box.lower[0] ) << "node " << node;
    ASSERT_EQ( static_cast<float>( last ), found.box.upper[2] ) << "node " << node;
    if ( first == last )
    {
        ASSERT_EQ( leafBase + first, node );
        ASSERT_EQ( CLT_ROPE_END, found.first );
        return;
    }
    const auto key = [&codes]( uint32_t i ) { return ( static_cast<uint64_t>( codes[i] ) << 32 ) | i; };
    uint64_t bit = uint64_t( 1 ) << 63;
    while ( ( ( key( first ) ^ key( last ) ) & bit ) == 0 )
    {
        bit >>= 1;
    }
    uint32_t split = first; // the last leaf of the left half
    while ( ( key( split + 1 ) & bit ) == 0 )
    {
        ++split;
    }
    const uint32_t left = split == first ? leafBase + split : split;
    const uint32_t right = split + 1 == last ? leafBase + last : split + 1;
    ASSERT_EQ( left, found.first ) << "left child of node " << node;
    expectSubtree( tree, codes, left, right, first, split );
    expectSubtree( tree, codes, right, rope, split + 1, last );
}

void expectTree( const RadixTree& tree, const Codes& codes )
{
    expectSubtree( tree, codes, 0, CLT_ROPE_END, 0, static_cast<uint32_t>( codes.size() ) - 1 );
}

/// Builds the tree with leaves that climb in three orders and in blocks, and expects the naive tree each time.
void expectTreeInAnyOrder( Random& random, const Codes& codes )
{
    Codes order( codes.size() );
    std::iota( order.begin(), order.end(), 0u );
    for ( uint32_t repeat = 0; repeat < 3; ++repeat )
    {
        RadixTree tree( codes );
        std::for_each( order.begin(), order.end(), [&tree]( uint32_t leaf ) { tree.climb( leaf ); } );
        expectTree( tree, codes );
        std::reverse( order.begin(), order.end() );
        for ( uint32_t i = static_cast<uint32_t>( order.size() ) - 1; repeat > 0 && i > 0; --i )
        {
            std::swap( order[i], order[random.below( i + 1 )] );
        }
    }
    for ( uint32_t blockSize : { 1u, 2u, 7u, 32u, 64u } )
    {
        RadixTree tree( codes );
        tree.climbBlocks( blockSize );
        expectTree( tree, codes );
    }
}

Codes sortedCodes( Random& random, uint32_t count, uint32_t limit )
{
    Codes codes( count );
    std::generate( codes.begin(), codes.end(), [&] { return random.below( limit ); } );
    std::sort( codes.begin(), codes.end() );
    return codes;
}

} // namespace

TEST( Lbvh, EqualsThePublishedExampleOfEightKeys )
{
    // Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012, fig. 3: the children of
    // each node, and the leaves that it covers. Leaf i is node 7 + i.
    const uint32_t published[][4] = { { 3, 4, 0, 7 },  { 7, 8, 0, 1 },  { 9, 10, 2, 3 }, { 1, 2, 0, 3 },
                                      { 11, 5, 4, 7 }, { 6, 14, 5, 7 }, { 12, 13, 5, 6 } };
    RadixTree tree( { 0b00001, 0b00010, 0b00100, 0b00101, 0b10011, 0b11000, 0b11001, 0b11110 } );
    for ( uint32_t leaf = 0; leaf < 8; ++leaf )
    {
        tree.climb( leaf );
    }
    for ( uint32_t i = 0; i < 7; ++i )
    {
        const cltNode& node = tree.nodes[i];
        EXPECT_EQ( published[i][0], node.first );
        EXPECT_EQ( published[i][1], tree.nodes[node.first].rope );
        EXPECT_EQ( static_cast<float>( published[i][2] ), node.box.lower[0] );
        EXPECT_EQ( static_cast<float>( published[i][3] ), node.box.upper[0] );
    }
}

TEST( Lbvh, EqualsTheNaiveConstructionInAnyOrder )
{
    Random random( 2 );
    for ( uint32_t count = 1; count <= 130; ++count )
    {
        for ( uint32_t limit : { 1u << 30, 1u + count / 8, 1u } )
        {
            SCOPED_TRACE( testing::Message() << count << " codes below " << limit );
            expectTreeInAnyOrder( random, sortedCodes( random, count, limit ) );
        }
    }
    Codes powers = { 0 };
    for ( uint32_t bit = 0; bit < 32; ++bit )
    {
        powers.push_back( 1u << bit );
    }
    Codes ones; // complements of powers: the chain leans to the other side
    std::transform( powers.rbegin(), powers.rend(), std::back_inserter( ones ), std::bit_not<>() );
    Codes both = powers;
    both.insert( both.end(), 70, 1u << 31 ); // one long chain of nodes, with a subtree of equal codes at its lower end
    for ( const Codes& codes : { powers, ones, both } )
    {
        expectTreeInAnyOrder( random, codes );
    }
}

TEST( Lbvh, NodesAreTheSameIfThreadsClimbConcurrently )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    Random random( 6 );
    const Codes codes = sortedCodes( random, 5000, 3000 );
    RadixTree tree( codes );
    std::atomic<uint32_t> next( 0 );
    std::vector<std::thread> threads;
    for ( int i = 0; i < 4; ++i )
    {
        threads.emplace_back(
            [&]
            {
                for ( uint32_t leaf = next++; leaf < codes.size(); leaf = next++ )
                {
                    tree.climb( leaf );
                }
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    expectTree( tree, codes );
}

TEST( Lbvh, WalksSkipSubtreesThatFiltersReject )
{
    const uint32_t count = 500;
    Random random( 1 );
    RadixTree tree( sortedCodes( random, count, 1u << 30 ) );
    std::fill( tree.filters.begin(), tree.filters.end(), cltFilter{ 2, 2 } );
    tree.filters[cltTree_NodeOfLeaf( &tree.view, 7 )] = { 1, 1 };
    for ( uint32_t leaf = 0; leaf < count; ++leaf )
    {
        tree.climb( leaf );
    }
    const auto countMet = [&tree]( cltTreeWalk walk )
    {
        walk.box = { { 0, 0, 0 }, { 1000, 1000, 1000 } };
        uint32_t met = 0;
        while ( cltTreeWalk_Next( &walk, &tree.view ) != CLT_ROPE_END )
        {
            ++met;
        }
        return met;
    };
    EXPECT_EQ( 499u, countMet( cltTreeWalk_FromRoot( &tree.view, 8 ) ) );
    EXPECT_EQ( 1u, countMet( cltTreeWalk_FromRoot( &tree.view, 7 ) ) );
    std::fill( tree.filters.begin() + count - 1, tree.filters.end(), cltFilter{ 1, 1 } ); // inner nodes still reject
    EXPECT_GT( 30u, countMet( cltTreeWalk_FromRoot( &tree.view, 7 ) ) ) << "leaves far from the walker were looked at";
    tree.filters[0] = { 2, 2 };
    EXPECT_EQ( 0u, countMet( cltTreeWalk_FromLeaf( &tree.view, 7 ) ) ) << "the root rejects all";
}
