// SPDX-License-Identifier: Zlib
// The radix tree: the published example, and the naive top-down construction for keys of every kind.
#include "tests/support/random.h"
#include "tests/unit/core/radix_tree.h"

#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace test;

/// The last leaf of the left half: keys are compared as code followed by index (Karras 2012, section 4).
static uint32_t naiveSplit( const std::vector<uint32_t>& codes, uint32_t first, uint32_t last )
{
    auto key = [&codes]( uint32_t i ) { return ( static_cast<uint64_t>( codes[i] ) << 32 ) | i; };
    uint64_t bit = uint64_t( 1 ) << 63;
    while ( ( ( key( first ) ^ key( last ) ) & bit ) == 0 )
    {
        bit >>= 1;
    }
    uint32_t split = first;
    while ( ( key( split + 1 ) & bit ) == 0 )
    {
        ++split;
    }
    return split;
}

/// Expects the subtree of `node` to equal the naive construction for leaves first .. last.
static void checkSubtree( const RadixTree& tree, const std::vector<uint32_t>& codes, uint32_t node, uint32_t rope,
                          uint32_t first, uint32_t last )
{
    const uint32_t leafBase = static_cast<uint32_t>( codes.size() ) - 1;
    const cltNode& found = tree.nodes[node];
    ASSERT_EQ( rope, found.rope ) << "rope of node " << node;
    for ( int axis = 0; axis < 3; ++axis )
    {
        ASSERT_EQ( static_cast<float>( first ), found.box.lower[axis] ) << "node " << node;
        ASSERT_EQ( static_cast<float>( last ), found.box.upper[axis] ) << "node " << node;
    }
    ASSERT_EQ( first == last, node >= leafBase );
    if ( first == last )
    {
        ASSERT_EQ( leafBase + first, node );
        ASSERT_EQ( CLT_ROPE_END, found.first );
        return;
    }

    uint32_t split = naiveSplit( codes, first, last );
    uint32_t left = split == first ? leafBase + split : split;
    uint32_t right = split + 1 == last ? leafBase + last : split + 1;
    ASSERT_EQ( left, found.first ) << "left child of node " << node;
    checkSubtree( tree, codes, left, right, first, split );
    checkSubtree( tree, codes, right, rope, split + 1, last );
}

static void checkTree( const RadixTree& tree, const std::vector<uint32_t>& codes )
{
    checkSubtree( tree, codes, 0, CLT_ROPE_END, 0, static_cast<uint32_t>( codes.size() ) - 1 );
}

/// Checks the tree for several orders in which leaves climb.
static void checkAllOrders( const std::vector<uint32_t>& codes, Random& random )
{
    std::vector<uint32_t> order( codes.size() );
    std::iota( order.begin(), order.end(), 0u );
    for ( uint32_t repeat = 0; repeat < 3; ++repeat )
    {
        RadixTree tree( codes );
        for ( uint32_t leaf : order )
        {
            tree.climb( leaf );
        }
        checkTree( tree, codes );
        std::reverse( order.begin(), order.end() );
        for ( uint32_t i = static_cast<uint32_t>( order.size() ) - 1; repeat > 0 && i > 0; --i )
        {
            std::swap( order[i], order[random.below( i + 1 )] );
        }
    }
}

static std::vector<uint32_t> sortedCodes( Random& random, uint32_t count, uint32_t limit )
{
    std::vector<uint32_t> codes( count );
    std::generate( codes.begin(), codes.end(), [&] { return random.below( limit ); } );
    std::sort( codes.begin(), codes.end() );
    return codes;
}

TEST( Lbvh, EqualsThePublishedExampleOfEightKeys )
{
    // Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012, fig. 3.
    const std::vector<uint32_t> codes = { 0b00001, 0b00010, 0b00100, 0b00101, 0b10011, 0b11000, 0b11001, 0b11110 };
    RadixTree tree( codes );
    tree.climbAll();

    auto leaf = [&tree]( uint32_t i ) { return cltTree_NodeOfLeaf( &tree.view, i ); };
    struct Children
    {
        uint32_t node, left, right, first, last;
    };
    const Children published[] = { { 0, 3, 4, 0, 7 },
                                   { 1, leaf( 0 ), leaf( 1 ), 0, 1 },
                                   { 2, leaf( 2 ), leaf( 3 ), 2, 3 },
                                   { 3, 1, 2, 0, 3 },
                                   { 4, leaf( 4 ), 5, 4, 7 },
                                   { 5, 6, leaf( 7 ), 5, 7 },
                                   { 6, leaf( 5 ), leaf( 6 ), 5, 6 } };
    for ( const Children& children : published )
    {
        const cltNode& node = tree.nodes[children.node];
        EXPECT_EQ( children.left, node.first );
        EXPECT_EQ( children.right, tree.nodes[node.first].rope );
        EXPECT_EQ( static_cast<float>( children.first ), node.box.lower[0] );
        EXPECT_EQ( static_cast<float>( children.last ), node.box.upper[0] );
    }
    checkTree( tree, codes );
}

/// The smallest tree is a single leaf, which is the root.
TEST( Lbvh, IsCorrectForRandomAndForEqualCodes )
{
    Random random( 2 );
    for ( uint32_t count = 1; count <= 130; ++count )
    {
        for ( uint32_t limit : { 1u << 30, 1u + count / 8, 1u } )
        {
            SCOPED_TRACE( testing::Message() << count << " codes below " << limit );
            checkAllOrders( sortedCodes( random, count, limit ), random );
        }
    }
}

TEST( Lbvh, IsCorrectForTreesOfMaximalDepth )
{
    Random random( 5 );
    std::vector<uint32_t> powers = { 0 };
    for ( uint32_t bit = 0; bit < 32; ++bit )
    {
        powers.push_back( 1u << bit );
        checkAllOrders( powers, random );
    }
    std::vector<uint32_t> ones = powers; // complements of powers: the chain leans to the other side
    std::transform( powers.rbegin(), powers.rend(), ones.begin(), []( uint32_t code ) { return ~code; } );
    checkAllOrders( ones, random );
    std::vector<uint32_t> both = powers;
    both.insert( both.end(), 70, 1u << 31 ); // one long chain of nodes, with a subtree of equal codes at its lower end
    checkAllOrders( both, random );
}

/// Blocks of leaves climb by themselves first, as those of a device do, and leave what they share as they found it.
TEST( Lbvh, NodesAreTheSameIfBuiltInBlocks )
{
    Random random( 7 );
    for ( uint32_t count = 1; count <= 130; ++count )
    {
        for ( uint32_t blockSize : { 1u, 2u, 7u, 32u, 64u } )
        {
            SCOPED_TRACE( testing::Message() << count << " leaves in blocks of " << blockSize );
            const std::vector<uint32_t> codes = sortedCodes( random, count, count % 3 == 0 ? 4 : 1u << 30 );
            RadixTree tree( codes );
            tree.climbBlocks( blockSize );
            checkTree( tree, codes );
            EXPECT_EQ( std::vector<uint32_t>( count - 1, CLT_NO_PARTNER ), tree.meetings );
        }
    }
}

TEST( Lbvh, NodesAreTheSameIfThreadsClimbConcurrently )
{
    Random random( 6 );
    const std::vector<uint32_t> codes = sortedCodes( random, 5000, 3000 );
    RadixTree tree( codes );
    std::atomic<uint32_t> next( 0 );
    auto work = [&]
    {
        for ( uint32_t leaf = next++; leaf < codes.size(); leaf = next++ )
        {
            tree.climb( leaf );
        }
    };
    std::vector<std::thread> threads;
    for ( int i = 0; i < 4; ++i )
    {
        threads.emplace_back( work );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    checkTree( tree, codes );
}
