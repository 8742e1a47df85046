// SPDX-License-Identifier: Zlib
// Pairs of nodes: their numbering, and a traversal by them, which finds the pairs of brute force, each once.
#include "gpu/core/node_pair.h"
#include "tests/support/boxes.h"
#include "tests/unit/core/level_nodes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace test;

namespace
{

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

struct RandomNodes : LevelNodes
{
    RandomNodes( Random& random, uint32_t leafCount, double reach ) : LevelNodes( leafCount )
    {
        for ( uint32_t i = 0; i < leafCount; ++i )
        {
            nodes[i] = { toFloat( randomCube( random, reach ) ),
                         { 1 << random.below( 3 ), int32_t( random.below( 8 ) ) } };
            moves[i] = random.below( 8 ) == 0;
        }
    }

    void forgetMoves()
    {
        view.moves = nullptr;
    }

    void askMoves()
    {
        view.moves = moves.data();
    }
};

/// Tests each leaf against all others of its tree, or against all leaves of another tree.
Pairs bruteForce( const LevelNodes& a, const LevelNodes& b )
{
    Pairs found;
    for ( uint32_t i = 0; i < a.leafCount(); ++i )
    {
        for ( uint32_t j = &a == &b ? i + 1 : 0; j < b.leafCount(); ++j )
        {
            const bool asksMoves = a.view.moves != nullptr;
            const cltLevelNode& leafA = a.nodes[i];
            const cltLevelNode& leafB = b.nodes[j];
            if ( overlaps( toDouble( leafA.box ), toDouble( leafB.box ) ) && mayPair( leafA.filter, leafB.filter ) &&
                 ( !asksMoves || a.moves[i] != 0 || b.moves[j] != 0 ) )
            {
                found.push_back( { i, j } );
            }
        }
    }
    return found;
}

/// Descends below all overlapping pairs of nodes, level by level.
Pairs traverse( const LevelNodes& a, const LevelNodes& b, uint32_t entryLevel, uint32_t depthStep )
{
    const bool isOne = &a == &b;
    Pairs found;
    std::vector<cltNodePairs> todo = { cltNodePairs_Entry( &a.view.levels, &b.view.levels, entryLevel, isOne ) };
    while ( !todo.empty() )
    {
        const cltNodePairs pairs = todo.back();
        todo.pop_back();
        for ( uint64_t k = 0; k < cltNodePairs_Count( &pairs ); ++k )
        {
            const cltNodePair pair = cltNodePairs_At( &pairs, k );
            const bool isSelf = isOne && pair.a == pair.b;
            const uint32_t levelA = cltLevels_LevelOf( &a.view.levels, pair.a );
            const uint32_t levelB = cltLevels_LevelOf( &b.view.levels, pair.b );
            const bool areLeaves = levelA == 0 && levelB == 0;
            if ( !cltNodePair_Meets( &a.view, &b.view, pair ) || ( areLeaves && isSelf ) )
            {
                continue;
            }
            if ( areLeaves )
            {
                found.push_back( { pair.a, pair.b } );
                continue;
            }
            todo.push_back(
                cltNodePair_Below( &a.view.levels, levelA, &b.view.levels, levelB, pair, depthStep, isSelf ) );
        }
    }
    std::sort( found.begin(), found.end() );
    return found;
}

void expectAll( const LevelNodes& a, const LevelNodes& b )
{
    const Pairs expected = bruteForce( a, b );
    for ( uint32_t entryLevel : { 0, 1, 2, 5, 9 } )
    {
        for ( uint32_t depthStep : { 1, 2, 3, 4 } )
        {
            ASSERT_EQ( expected, traverse( a, b, entryLevel, depthStep ) )
                << a.leafCount() << " and " << b.leafCount() << ", from " << entryLevel << " by " << depthStep;
        }
    }
}

} // namespace

TEST( NodePair, NumbersCoverRectanglesAndTrianglesOnce )
{
    for ( uint32_t width = 0; width < 40; ++width )
    {
        const cltNodePairs rectangle = { { 100, 7 }, { 500, width }, false };
        ASSERT_EQ( 7u * width, cltNodePairs_Count( &rectangle ) );
        for ( uint32_t k = 0; k < 7 * width; ++k )
        {
            const cltNodePair pair = cltNodePairs_At( &rectangle, k );
            ASSERT_EQ( 100 + k / width, pair.a );
            ASSERT_EQ( 500 + k % width, pair.b );
        }
        const cltNodePairs triangle = { { 100, width }, { 100, width }, true };
        uint64_t k = 0;
        for ( uint32_t i = 0; i < width; ++i )
        {
            for ( uint32_t j = i; j < width; ++j )
            {
                const cltNodePair pair = cltNodePairs_At( &triangle, k++ );
                ASSERT_EQ( 100 + i, pair.a );
                ASSERT_EQ( 100 + j, pair.b );
            }
        }
        ASSERT_EQ( k, cltNodePairs_Count( &triangle ) );
    }
}

TEST( NodePair, NumbersOfManyPairsNeed64Bits )
{
    const uint32_t width = UINT32_C( 1 ) << 20;
    const cltNodePairs triangle = { { 0, width }, { 0, width }, true };
    const uint64_t count = ( uint64_t( width ) * width + width ) / 2;
    EXPECT_EQ( count, cltNodePairs_Count( &triangle ) );
    const cltNodePair last = cltNodePairs_At( &triangle, count - 1 );
    EXPECT_EQ( width - 1, last.a );
    EXPECT_EQ( width - 1, last.b );
    const cltNodePairs rectangle = { { 0, width }, { 0, width }, false };
    EXPECT_EQ( uint64_t( width ) * width, cltNodePairs_Count( &rectangle ) );
    EXPECT_EQ( width - 1, cltNodePairs_At( &rectangle, uint64_t( width ) * width - 1 ).b );
}

TEST( NodePair, TraversalOfOneTreeVisitsEachPairOnce )
{
    Random random( 1 );
    for ( uint32_t leafCount : { 0, 1, 2, 3, 4, 5, 8, 13, 31, 64, 65, 100 } )
    {
        RandomNodes tree( random, leafCount, 3 );
        tree.forgetMoves();
        tree.join();
        expectAll( tree, tree );
        tree.askMoves();
        tree.join();
        expectAll( tree, tree );
    }
}

TEST( NodePair, TraversalOfTwoTreesVisitsEachPairOnce )
{
    Random random( 2 );
    for ( uint32_t countA : { 0, 1, 3, 8, 100 } )
    {
        for ( uint32_t countB : { 1, 2, 7, 64 } )
        {
            RandomNodes a( random, countA, 3 );
            RandomNodes b( random, countB, 3 );
            a.join();
            b.join();
            expectAll( a, b );
            expectAll( b, a );
        }
    }
}

TEST( NodePair, PairsOfInvertedBoxesAreFoundBelowEmptyLookingNodes )
{
    Random random( 3 );
    RandomNodes tree( random, 40, 3 );
    for ( uint32_t i = 0; i < 40; ++i )
    {
        if ( i % 2 == 0 )
        {
            std::swap( tree.nodes[i].box.lower, tree.nodes[i].box.upper );
        }
        tree.nodes[i].filter = { -1, -1 };
    }
    tree.join();
    expectAll( tree, tree );
}

TEST( NodePair, TraversalVisitsNothingIfNothingMoved )
{
    Random random( 4 );
    RandomNodes tree( random, 60, 1 );
    std::fill( tree.moves.begin(), tree.moves.end(), uint8_t( 0 ) );
    tree.forgetMoves();
    tree.join();
    EXPECT_FALSE( traverse( tree, tree, 0, 1 ).empty() );
    tree.askMoves();
    const uint32_t root = uint32_t( tree.nodes.size() - 1 );
    EXPECT_FALSE( cltNodePair_Meets( &tree.view, &tree.view, { root, root } ) );
    tree.moves[0] = 1;
    tree.join();
    EXPECT_TRUE( cltNodePair_Meets( &tree.view, &tree.view, { root, root } ) );
}
