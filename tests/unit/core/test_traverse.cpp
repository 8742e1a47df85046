// SPDX-License-Identifier: Zlib
// A walk through a tree finds exactly the overlapping leaves. From a leaf's rope it finds only those to its right.
#include "gpu/core/curve.h"
#include "gpu/core/traverse.h"
#include "tests/support/boxes.h"
#include "tests/unit/core/radix_tree.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

/// Boxes in the order of their codes and the tree over them.
struct Forest
{
    Forest( std::vector<cltAabb> unordered, const cltCurve& curve ) : boxes( std::move( unordered ) )
    {
        std::sort( boxes.begin(), boxes.end(),
                   [&curve]( const cltAabb& a, const cltAabb& b )
                   { return cltCurve_Key( &curve, &a ) < cltCurve_Key( &curve, &b ); } );
        std::vector<uint32_t> codes;
        for ( const cltAabb& box : boxes )
        {
            codes.push_back( cltCurve_Key( &curve, &box ) );
        }
        tree = std::make_unique<RadixTree>( codes, boxes );
        tree->climbAll();
    }

    /// Leaves that a walk finds, in this order.
    std::vector<uint32_t> met( cltTreeWalk walk ) const
    {
        std::vector<uint32_t> leaves;
        for ( uint32_t leaf; ( leaf = cltTreeWalk_Next( &walk, &tree->view ) ) != CLT_ROPE_END; )
        {
            leaves.push_back( leaf );
        }
        return leaves;
    }

    std::vector<uint32_t> met( const cltAabb& box ) const
    {
        return met( { box, 0, 0 } );
    }

    /// Leaves found from the root for `leaf` with the box `box`: they overlap it, and the filters accept the pair.
    std::vector<uint32_t> partners( uint32_t leaf, const cltAabb& box ) const
    {
        cltTreeWalk walk = cltTreeWalk_FromRoot( &tree->view, leaf );
        walk.box = box;
        return met( walk );
    }

    std::vector<uint32_t> expected( uint32_t firstLeaf, const cltAabb& box ) const
    {
        std::vector<uint32_t> leaves;
        for ( uint32_t leaf = firstLeaf; leaf < boxes.size(); ++leaf )
        {
            if ( overlaps( toDouble( boxes[leaf] ), toDouble( box ) ) )
            {
                leaves.push_back( leaf );
            }
        }
        return leaves;
    }

    std::vector<cltAabb> boxes;
    std::unique_ptr<RadixTree> tree;
};

Forest makeForest( uint32_t count, double reach, uint64_t seed )
{
    Random random( seed );
    std::vector<cltAabb> boxes;
    for ( const cltAabbD& box : randomCubes( random, count, reach ) )
    {
        boxes.push_back( toFloat( box ) );
    }
    float bound = static_cast<float>( reach );
    const float lower[3] = { -bound, -bound, -bound };
    const float upper[3] = { bound, bound, bound };
    return Forest( boxes, cltCurve_Make( lower, upper ) );
}

/// A filter with few groups, so that many pairs are rejected.
cltFilter randomFilter( Random& random )
{
    return { 1 << random.below( 4 ), int32_t( random.below( 16 ) ) };
}

} // namespace

TEST( Traverse, FindsAllOverlapsFromTheRootAndThoseToTheRightFromALeaf )
{
    for ( uint32_t count : { 1u, 2u, 3u, 10u, 500u } )
    {
        Forest forest = makeForest( count, 4, count );
        Random random( 99 );
        for ( int query = 0; query < 200; ++query )
        {
            cltAabb box = toFloat( randomCube( random, 5 ) );
            ASSERT_EQ( forest.expected( 0, box ), forest.met( box ) );
        }
        for ( uint32_t leaf = 0; leaf < count; ++leaf )
        {
            ASSERT_EQ( forest.expected( leaf + 1, forest.boxes[leaf] ),
                       forest.met( cltTreeWalk_FromLeaf( &forest.tree->view, leaf ) ) );
        }
    }
}

TEST( Traverse, FindsAllPairsOfEqualBoxes )
{
    const float corner[3] = { 0, 0, 0 };
    Forest forest( std::vector<cltAabb>( 300, toFloat( span( 1, 2 ) ) ), cltCurve_Make( corner, corner ) );
    EXPECT_EQ( 300u, forest.met( toFloat( span( 2, 3 ) ) ).size() );
    EXPECT_EQ( 0u, forest.met( toFloat( span( 2.5, 3 ) ) ).size() );
}

TEST( Traverse, FindsLeavesThatOverlapAndFiltersAccept )
{
    for ( uint32_t count : { 1u, 2u, 3u, 10u, 500u } )
    {
        Forest forest = makeForest( count, 4, count );
        Random random( 5 );
        std::vector<cltFilter> filters( count );
        std::generate( filters.begin(), filters.end(), [&] { return randomFilter( random ); } );
        forest.tree->setFilters( filters );
        forest.tree->climbAll();
        for ( uint32_t walker = 0; walker < count; ++walker )
        {
            std::vector<uint32_t> expected = forest.expected( 0, forest.boxes[walker] );
            expected.erase( std::remove_if( expected.begin(), expected.end(),
                                            [&]( uint32_t leaf )
                                            { return !mayPair( filters[leaf], filters[walker] ); } ),
                            expected.end() );
            ASSERT_EQ( expected, forest.partners( walker, forest.boxes[walker] ) );
        }
    }
}

TEST( Traverse, SkipsSubtreesThatFiltersReject )
{
    Forest forest = makeForest( 500, 4, 1 );
    const cltAabb everywhere = toFloat( span( -infinity, infinity ) );
    std::vector<cltFilter> filters( 500, { 2, 2 } );
    filters[0] = { 1, 1 };
    forest.tree->setFilters( filters );
    forest.tree->climbAll();
    EXPECT_EQ( 499u, forest.partners( 1, everywhere ).size() );
    EXPECT_EQ( 1u, forest.partners( 0, everywhere ).size() );
    forest.tree->setFilters( std::vector<cltFilter>( 500, { 1, 1 } ) ); // filters of inner nodes are not updated
    EXPECT_GT( 30u, forest.partners( 0, everywhere ).size() ) << "leaves far from the walker were looked at";
}

TEST( Traverse, EndsAtTheRootIfFiltersRejectIt )
{
    Forest forest = makeForest( 500, 4, 1 );
    forest.tree->setFilters( std::vector<cltFilter>( 500, { 1, 1 } ) );
    forest.tree->climbAll();
    const auto countRight = [&forest]( uint32_t leaf )
    {
        cltTreeWalk walk = cltTreeWalk_FromLeaf( &forest.tree->view, leaf );
        walk.box = toFloat( span( -infinity, infinity ) );
        return forest.met( walk ).size();
    };
    EXPECT_EQ( 492u, countRight( 7 ) );
    forest.tree->filters[0] = { 2, 2 }; // the root rejects all, so nothing below is visited
    EXPECT_EQ( 0u, countRight( 7 ) );
}

TEST( Traverse, FindsNothingForNanAndStaysAtTheEnd )
{
    Forest forest = makeForest( 50, 2, 1 );
    cltAabb box = toFloat( span( -infinity, infinity ) );
    EXPECT_EQ( 50u, forest.met( box ).size() );
    EXPECT_TRUE( forest.met( { box, 0, CLT_ROPE_END } ).empty() );
    box.upper[1] = cltNan();
    EXPECT_EQ( 0u, forest.met( box ).size() );
}
