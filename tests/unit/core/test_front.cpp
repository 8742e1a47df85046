// SPDX-License-Identifier: Zlib
// The complete tree of node pairs, for every small number of leaves. Fronts in it follow boxes that move, jump and are
// sorted again: each front is the cut at which a search from the root would stop.
#include "gpu/core/front.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace test;

namespace
{

/// A level tree that owns its nodes.
struct FrontTree
{
    explicit FrontTree( uint32_t leafCount )
    {
        tree.levels = cltLevels_Make( leafCount );
        nodes.resize( cltLevels_NodeCount( &tree.levels ), cltLevelNode_Empty() );
        tree.nodes = nodes.data();
        tree.moves = nullptr;
    }

    FrontTree( const FrontTree& ) = delete; // the view points into it

    /// Sets the leaves and fits the tree to them. Further leaves are empty.
    void fit( const std::vector<cltLevelNode>& leaves )
    {
        std::fill( nodes.begin(), nodes.end(), cltLevelNode_Empty() );
        std::copy( leaves.begin(), leaves.end(), nodes.begin() );
        for ( uint32_t level = 1; level <= tree.levels.top; ++level )
        {
            for ( uint32_t node = tree.levels.starts[level]; node < tree.levels.starts[level + 1]; ++node )
            {
                cltLevelTree_JoinStep( &tree, level, node );
            }
        }
    }

    uint32_t root() const
    {
        return tree.levels.starts[tree.levels.top];
    }

    cltLevelTree tree;
    std::vector<cltLevelNode> nodes;
};

using Place = std::pair<uint32_t, uint32_t>;

Place idsOf( const cltPairPlace& place )
{
    return { place.a, place.b };
}

/// A pair tree, to be traversed completely.
struct FrontPairs
{
    FrontPairs( const FrontTree& first, const FrontTree& second )
        : a( first ), b( second ), trees{ &first.tree, &second.tree }
    {
    }

    cltPairPlace root() const
    {
        return cltPairPlace_Make( &trees, a.root(), b.root() );
    }

    bool isSelf() const
    {
        return &a == &b;
    }

    uint64_t pairCount() const
    {
        const uint64_t n = cltLevels_LeafCount( &a.tree.levels );
        return isSelf() ? n * ( n - 1 ) / 2 : n * cltLevels_LeafCount( &b.tree.levels );
    }

    const FrontTree& a;
    const FrontTree& b;
    cltPairTree trees;
};

/// Checks all node pairs below `place`, and collects the pairs of different leaves.
void walkPairs( const FrontPairs& pairs, const cltPairPlace& place, std::vector<Place>& leafPairs )
{
    const cltPairTree* trees = &pairs.trees;
    const bool isSelf = cltPairTree_IsSelf( trees, &place );
    cltPairPlace below[CLT_MOST_PAIRS_BELOW];
    const uint32_t count = cltPairTree_Below( trees, &place, below );
    if ( count == 0 )
    {
        ASSERT_TRUE( cltPairPlace_AreLeaves( &place ) );
        ASSERT_EQ( isSelf ? 0u : 1u, cltPairTree_Size( trees, &place ) );
        if ( !isSelf )
        {
            leafPairs.push_back( idsOf( place ) );
        }
        return;
    }
    uint64_t size = 0;
    cltPairPlace next = cltPairTree_First( trees, &place );
    for ( uint32_t k = 0; k < count; ++k )
    {
        ASSERT_EQ( idsOf( below[k] ), idsOf( next ) );
        ASSERT_EQ( below[k].levelA, next.levelA );
        ASSERT_EQ( below[k].levelB, next.levelB );
        ASSERT_EQ( idsOf( place ), idsOf( cltPairTree_Parent( trees, &next ) ) );
        ASSERT_EQ( k + 1 < count, cltPairTree_Next( trees, &next ) );
        const cltPairPlace made = cltPairPlace_Make( trees, below[k].a, below[k].b );
        ASSERT_EQ( made.levelA, below[k].levelA );
        ASSERT_EQ( made.levelB, below[k].levelB );
        ASSERT_FALSE( cltPairTree_IsRoot( trees, below + k ) );
        if ( !cltPairTree_IsSelf( trees, below + k ) )
        {
            ASSERT_EQ( isSelf, cltPairTree_IsWithin( trees, below + k ) );
        }
        if ( !isSelf )
        {
            bool isFirst;
            ASSERT_EQ( idsOf( place ), idsOf( cltPairTree_Above( trees, below + k, &isFirst ) ) );
            ASSERT_EQ( k == 0, isFirst );
        }
        size += cltPairTree_Size( trees, below + k );
        walkPairs( pairs, below[k], leafPairs );
    }
    ASSERT_EQ( size, cltPairTree_Size( trees, &place ) );
}

/// Expects each pair of leaves exactly once.
void expectEachPairOnce( const FrontPairs& pairs )
{
    std::vector<Place> leafPairs;
    const cltPairPlace root = pairs.root();
    ASSERT_TRUE( cltPairTree_IsRoot( &pairs.trees, &root ) );
    ASSERT_EQ( pairs.pairCount(), cltPairTree_Size( &pairs.trees, &root ) );
    ASSERT_NO_FATAL_FAILURE( walkPairs( pairs, root, leafPairs ) );
    std::sort( leafPairs.begin(), leafPairs.end() );
    ASSERT_TRUE( std::adjacent_find( leafPairs.begin(), leafPairs.end() ) == leafPairs.end() );
    ASSERT_EQ( pairs.pairCount(), leafPairs.size() );
    const auto isAscending = []( const Place& place ) { return place.first < place.second; };
    ASSERT_TRUE( !pairs.isSelf() || std::all_of( leafPairs.begin(), leafPairs.end(), isAscending ) );
}

/// Collects the node pairs at which a search from `place` stops.
void findCut( const FrontPairs& pairs, const cltPairPlace& place, std::vector<Place>& cut )
{
    if ( !cltPairTree_Meets( &pairs.trees, &place ) ||
         ( cltPairPlace_AreLeaves( &place ) && !cltPairTree_IsSelf( &pairs.trees, &place ) ) )
    {
        cut.push_back( idsOf( place ) );
        return;
    }
    cltPairPlace below[CLT_MOST_PAIRS_BELOW];
    const uint32_t count = cltPairTree_Below( &pairs.trees, &place, below );
    for ( uint32_t k = 0; k < count; ++k )
    {
        findCut( pairs, below[k], cut );
    }
}

std::vector<Place> followed( const FrontPairs& pairs, const std::vector<Place>& front )
{
    std::vector<Place> next;
    uint64_t tests = 0;
    for ( const Place& entry : front )
    {
        cltPairPlace place = cltPairPlace_Make( &pairs.trees, entry.first, entry.second );
        cltPairPlace above;
        switch ( cltFront_MoveStep( &pairs.trees, &place, &above, &tests ) )
        {
        case clt_frontKeep:
            next.push_back( idsOf( place ) );
            break;
        case clt_frontDrop:
            break;
        case clt_frontDown:
            findCut( pairs, place, next );
            break;
        }
    }
    return next;
}

uint64_t covered( const FrontPairs& pairs, const std::vector<Place>& front )
{
    return std::accumulate( front.begin(), front.end(), uint64_t( 0 ),
                            [&]( uint64_t sum, const Place& entry )
                            {
                                const auto place = cltPairPlace_Make( &pairs.trees, entry.first, entry.second );
                                return sum + cltPairTree_Size( &pairs.trees, &place );
                            } );
}

cltLevelNode leafOf( const cltAabbD& box, Random& random )
{
    return { toFloat( box ), { 1 << random.below( 3 ), int32_t( 3 + random.below( 5 ) ) } };
}

std::vector<cltLevelNode> randomLeaves( Random& random, uint32_t count )
{
    std::vector<cltLevelNode> leaves;
    for ( uint32_t i = 0; i < count; ++i )
    {
        leaves.push_back( leafOf( randomCube( random, 4 ), random ) );
    }
    return leaves;
}

void moveLeaves( Random& random, std::vector<cltLevelNode>& leaves, int frame )
{
    for ( cltLevelNode& leaf : leaves )
    {
        const double way = random.between( -0.3, 0.3 );
        leaf.box = toFloat( shifted( toDouble( leaf.box ), way ) );
        if ( random.below( 40 ) == 0 )
        {
            leaf = leafOf( randomCube( random, 4 ), random );
        }
    }
    const auto isLeft = []( const cltLevelNode& a, const cltLevelNode& b ) { return a.box.lower[0] < b.box.lower[0]; };
    if ( frame % 5 == 0 )
    {
        std::sort( leaves.begin(), leaves.end(), isLeft );
    }
    if ( frame % 13 == 0 )
    {
        for ( size_t i = leaves.size(); i > 1; --i )
        {
            std::swap( leaves[i - 1], leaves[random.below( uint32_t( i ) )] );
        }
    }
}

/// Moves leaves for some frames. Expects the previous front to lead to the cut at which a search from the root stops.
void expectFollows( FrontTree& a, uint32_t countA, FrontTree& b, uint32_t countB )
{
    const FrontPairs pairs( a, b );
    Random random( countA * 1000 + countB );
    std::vector<cltLevelNode> leavesA = randomLeaves( random, countA );
    std::vector<cltLevelNode> leavesB = randomLeaves( random, countB );
    std::vector<Place> front = { idsOf( pairs.root() ) };
    for ( int frame = 0; frame < 40; ++frame )
    {
        moveLeaves( random, leavesA, frame );
        moveLeaves( random, leavesB, frame + 2 );
        a.fit( leavesA );
        if ( !pairs.isSelf() )
        {
            b.fit( leavesB );
        }
        front = followed( pairs, front );
        ASSERT_EQ( pairs.pairCount(), covered( pairs, front ) ) << "frame " << frame;
        std::vector<Place> cut;
        findCut( pairs, pairs.root(), cut );
        std::sort( cut.begin(), cut.end() );
        std::sort( front.begin(), front.end() );
        ASSERT_EQ( cut, front ) << "frame " << frame;
    }
}

} // namespace

TEST( Front, PairTreeOfOneTreeHasEachPairOnce )
{
    for ( uint32_t count = 1; count <= 100; ++count )
    {
        const FrontTree levels( count );
        ASSERT_NO_FATAL_FAILURE( expectEachPairOnce( FrontPairs( levels, levels ) ) ) << count;
    }
}

TEST( Front, PairTreeOfTwoTreesHasEachPairOnce )
{
    for ( uint32_t countA : { 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 64u, 65u, 100u } )
    {
        const FrontTree a( countA );
        for ( uint32_t countB = 1; countB <= 70; ++countB )
        {
            const FrontTree b( countB );
            ASSERT_NO_FATAL_FAILURE( expectEachPairOnce( FrontPairs( a, b ) ) ) << countA << " and " << countB;
        }
    }
}

TEST( Front, EqualsASearchFromTheRootWithinATree )
{
    for ( uint32_t count : { 1u, 2u, 3u, 5u, 8u, 33u, 64u, 100u, 201u } )
    {
        FrontTree levels( count );
        ASSERT_NO_FATAL_FAILURE( expectFollows( levels, count, levels, count ) ) << count;
        FrontTree roomier( count + 23 );
        ASSERT_NO_FATAL_FAILURE( expectFollows( roomier, count, roomier, count ) ) << count << " and 23 empty";
    }
}

TEST( Front, EqualsASearchFromTheRootsOfTwoTrees )
{
    for ( uint32_t countA : { 1u, 2u, 9u, 64u, 100u } )
    {
        for ( uint32_t countB : { 1u, 3u, 16u, 33u, 150u } )
        {
            FrontTree a( countA );
            FrontTree b( countB );
            ASSERT_NO_FATAL_FAILURE( expectFollows( a, countA, b, countB ) ) << countA << " and " << countB;
        }
    }
}

TEST( Front, EntryIsRaisedOnlyToAPairThatDoesNotMeet )
{
    FrontTree levels( 64 );
    Random random( 5 );
    std::vector<cltLevelNode> leaves = randomLeaves( random, 64 );
    levels.fit( leaves );
    const FrontPairs pairs( levels, levels );
    std::vector<Place> cut;
    findCut( pairs, pairs.root(), cut );
    for ( const Place& entry : cut )
    {
        const cltPairPlace before = cltPairPlace_Make( &pairs.trees, entry.first, entry.second );
        cltPairPlace place = before;
        cltPairPlace above;
        uint64_t tests = 0;
        if ( cltFront_MoveStep( &pairs.trees, &place, &above, &tests ) == clt_frontKeep )
        {
            EXPECT_EQ( idsOf( before ), idsOf( place ) );
            EXPECT_GE( 2u, tests );
            EXPECT_TRUE( idsOf( above ) == idsOf( place ) || cltPairTree_Meets( &pairs.trees, &above ) );
        }
    }
}

TEST( Front, ResultIsUnchangedWithinTheClearance )
{
    Random random( 7 );
    FrontTree levels( 2 );
    const FrontPairs pairs( levels, levels );
    const cltPairPlace place = cltPairPlace_Make( &pairs.trees, 0, 1 );
    int meetings = 0;
    for ( int round = 0; round < 20000; ++round )
    {
        std::vector<cltLevelNode> leaves = { { toFloat( randomCube( random, 1 ) ), { -1, -1 } },
                                             { toFloat( randomCube( random, 1 ) ), { -1, -1 } } };
        levels.fit( leaves );
        const bool meets = cltPairTree_Meets( &pairs.trees, &place );
        const float slack = cltPairTree_Clearance( &pairs.trees, &place ) * 0.9999f - 1e-6f;
        meetings += meets;
        for ( cltLevelNode& leaf : leaves )
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                leaf.box.lower[axis] += random.below( 2 ) == 0 ? slack : -slack;
                leaf.box.upper[axis] += random.below( 2 ) == 0 ? slack : -slack;
            }
        }
        levels.fit( leaves );
        ASSERT_EQ( meets, cltPairTree_Meets( &pairs.trees, &place ) );
    }
    EXPECT_LT( 1000, meetings );
    EXPECT_GT( 19000, meetings );
}

TEST( Front, ClearanceIsInfiniteIfFiltersRejectAndZeroForInfiniteBoxes )
{
    FrontTree levels( 2 );
    const FrontPairs pairs( levels, levels );
    const cltPairPlace place = cltPairPlace_Make( &pairs.trees, 0, 1 );
    levels.fit( { { toFloat( span( 0, 1 ) ), { 1, 1 } }, { toFloat( span( 0, 1 ) ), { 2, 2 } } } );
    EXPECT_FALSE( cltPairTree_Meets( &pairs.trees, &place ) );
    EXPECT_EQ( FLT_MAX, cltPairTree_Clearance( &pairs.trees, &place ) );
    levels.fit( { { toFloat( span( 0, infinity ) ), { 1, 1 } }, { toFloat( span( infinity, infinity ) ), { 1, 1 } } } );
    EXPECT_TRUE( cltPairTree_Meets( &pairs.trees, &place ) );
    EXPECT_EQ( 0.0f, cltPairTree_Clearance( &pairs.trees, &place ) );
}
