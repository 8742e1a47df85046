// SPDX-License-Identifier: Zlib
// The front of `frontier`: how large it is, and how much it saves. That it loses no pair is tested in
// tests/behaviour/backends, where `frontier` also runs with a front.
#include "gpu/core/front_travel.h"
#include "tests/support/world.h"

#include <cfloat>

using namespace test;

namespace
{

class Front : public testing::Test
{
protected:
    static cltBroadphaseDef defOf( const cltResearchDef* research )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.algorithm = clt_algorithmFrontier;
        def.threadCount = 3;
        def.research = research;
        return def;
    }

    static cltResearchDef keepFront()
    {
        cltResearchDef research = cltDefaultResearchDef();
        research.keepFront = true;
        return research;
    }

    void creep( World& world, const Ids& ids, double most )
    {
        for ( const cltProxyId id : ids )
        {
            world.move( id, shifted( world.boxOf( id ), m_random.between( -most, most ) ) );
        }
    }

    uint64_t size() const
    {
        return m_world.researchStats().frontSize;
    }

    const cltResearchDef m_research = keepFront();
    World m_world = World( defOf( &m_research ) );
    Random m_random{ 15 };
};

} // namespace

/// While filters change, a node has the union of its previous and current filters, so the front reaches previous pairs.
TEST_F( Front, IsClearedWhenFiltersRejectAllPairs )
{
    const Ids ids = m_world.createAll( randomCubes( m_random, 200, 2 ) );
    for ( int round = 0; round < 3; ++round )
    {
        for ( const cltFilter& filter : { cltFilter{ 1, -1 }, { 1, 0 } } )
        {
            std::for_each( ids.begin(), ids.end(), [&]( cltProxyId id ) { m_world.setFilter( id, filter ); } );
            m_world.update();
            EXPECT_LT( 4000u, size() ) << "round " << round;
            creep( m_world, ids, 0.001 );
            m_world.update();
        }
        EXPECT_EQ( CLT_FRONT_LEAF_MULTIPLE - 1u, size() ) << "the two nodes below each node of the tree";
    }
}

/// Bodies move into a heap, where nearly all pairs of nodes meet, and back. The front's entries descend and rise again.
TEST_F( Front, GrowsAndShrinksWithThePairsThatMeet )
{
    const Boxes apart = randomCubes( m_random, 700, 10 );
    const Ids ids = m_world.createAll( apart );
    m_world.update();
    const uint64_t first = size();
    EXPECT_LT( 2080u, first ) << "more than it begins with";
    const auto sizeAt = [&]( const Boxes& boxes )
    {
        m_world.moveAll( ids, boxes );
        m_world.updateOnly();
        creep( m_world, ids, 0.001 ); // in this update no body jumps
        m_world.update();
        return size();
    };
    for ( int round = 0; round < 2; ++round )
    {
        EXPECT_LT( 2 * first, sizeAt( randomCubes( m_random, 700, 4 ) ) );
        EXPECT_NEAR( double( first ), double( sizeAt( apart ) ), double( first ) / 20 );
    }
}

/// The pairs are exact in the update that gives up the front, in those without one, and when it is tried again: first
/// in vain, then with bodies far apart.
TEST_F( Front, IsGivenUpInADenseHeapAndTriedAgain )
{
    const Boxes apart = randomCubes( m_random, 700, 8 );
    const Ids ids = m_world.createAll( apart );
    m_world.update();
    for ( int round = 0; round < 2; ++round )
    {
        EXPECT_TRUE( 2080u < size() && size() < CLT_FRONT_MAX_ENTRIES_PER_LEAF * ids.size() );
        m_world.moveAll( ids, randomCubes( m_random, 700, 2 ) );
        m_world.update();
        for ( bool isApart : { false, true } )
        {
            m_world.moveAll( isApart ? ids : Ids(), apart );
            for ( uint32_t i = 0; i < CLT_FRONTLESS_UPDATES; ++i )
            {
                EXPECT_EQ( 0u, size() ) << "update " << i;
                creep( m_world, ids, 0.01 );
                m_world.updateOnly();
            }
            m_world.expectPairs();
            EXPECT_EQ( isApart, size() > 0 );
        }
    }
}

TEST_F( Front, TestsFewPairsOfSlowBodies )
{
    const cltResearchDef passes = cltDefaultResearchDef();
    World other( defOf( &passes ) );
    const Boxes boxes = randomCubes( m_random, 1000, 7 );
    const Ids ids = m_world.createAll( boxes );
    other.createAll( boxes );
    uint64_t tests = 0;
    uint64_t testsOfPasses = 0;
    for ( int step = 0; step < 50; ++step )
    {
        m_world.updateOnly();
        other.updateOnly();
        tests += step > 1 ? m_world.researchStats().nodeTestCount : 0;
        testsOfPasses += step > 1 ? other.researchStats().nodeTestCount : 0;
        creep( m_world, ids, 0.005 );
        std::for_each( ids.begin(), ids.end(), [&]( cltProxyId id ) { other.move( id, m_world.boxOf( id ) ); } );
    }
    EXPECT_LT( 3 * tests, testsOfPasses );
}

TEST( FrontPairs, FormATreeOfAllPairsOfLeaves )
{
    const auto isSame = []( const cltLeveledPair& a, const cltLeveledPair& b )
    { return a.a == b.a && a.b == b.b && a.levelA == b.levelA && a.levelB == b.levelB; };
    for ( uint32_t count = 1; count <= 100; ++count )
    {
        const cltLevelTree tree = { cltLevels_Make( count ), nullptr, nullptr };
        const uint32_t root = tree.levels.starts[tree.levels.top];
        std::vector<cltLeveledPair> stack = { cltLeveledPair_Make( &tree, root, root ) };
        std::set<std::pair<uint32_t, uint32_t>> leaves;
        while ( !stack.empty() )
        {
            const cltLeveledPair place = stack.back();
            stack.pop_back();
            cltLeveledPair below[CLT_MAX_PAIR_CHILDREN];
            const uint32_t belowCount = cltPairTree_Children( &tree, &place, below );
            stack.insert( stack.end(), below, below + belowCount );
            if ( belowCount == 0 && place.a != place.b )
            {
                ASSERT_TRUE( place.a < place.b && place.b < count && leaves.insert( { place.a, place.b } ).second );
            }
            uint64_t size = belowCount > 0 ? 0 : cltPairTree_LeafPairCount( &tree, &place );
            for ( uint32_t k = 0; k < belowCount; ++k )
            {
                bool isFirst = k == 0;
                ASSERT_TRUE( isSame( below[k], cltLeveledPair_Make( &tree, below[k].a, below[k].b ) ) );
                ASSERT_TRUE( cltPairTree_AreSiblings( &tree, below + k ) == ( place.a == place.b ) );
                ASSERT_TRUE( place.a == place.b || isSame( place, cltPairTree_Parent( &tree, below + k, &isFirst ) ) );
                ASSERT_EQ( k == 0, isFirst );
                size += cltPairTree_LeafPairCount( &tree, below + k );
            }
            ASSERT_EQ( size, cltPairTree_LeafPairCount( &tree, &place ) );
        }
        ASSERT_EQ( count * ( count - 1 ) / 2, leaves.size() );
    }
}

/// An entry of the front is a pair of boxes. While both move by less than its clearance, they cannot begin or cease to
/// overlap, so the entry is not tested again.
TEST( FrontClearance, IsTheLeastMoveThatChangesAnOverlap )
{
    Random random( 7 );
    cltLevelNode nodes[3];
    cltLevelTree tree = { cltLevels_Make( 2 ), nodes, nullptr };
    const cltLeveledPair place = cltLeveledPair_Make( &tree, 0, 1 );
    int meetings = 0;
    for ( int round = 0; round < 20000; ++round )
    {
        nodes[0] = { toFloat( randomCube( random, 1 ) ), { -1, -1 } };
        nodes[1] = { toFloat( randomCube( random, 1 ) ), { -1, -1 } };
        const bool meets = cltPairTree_Meets( &tree, &place );
        const float clearance = cltPairTree_Clearance( &tree, &place ) * 0.9999f - 1e-6f;
        meetings += meets;
        for ( cltLevelNode* node : { nodes, nodes + 1 } )
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                node->box.lower[axis] += random.oneIn( 2 ) ? clearance : -clearance;
                node->box.upper[axis] += random.oneIn( 2 ) ? clearance : -clearance;
            }
        }
        ASSERT_EQ( meets, cltPairTree_Meets( &tree, &place ) );
    }
    EXPECT_TRUE( 1000 < meetings && meetings < 19000 );
    nodes[0].filter = { 1, 1 };
    nodes[1].filter = { 2, 2 };
    EXPECT_EQ( FLT_MAX, cltPairTree_Clearance( &tree, &place ) ) << "filters reject";
    nodes[0] = { toFloat( span( 0, infinity ) ), { 1, 1 } };
    nodes[1] = { toFloat( span( infinity, infinity ) ), { 1, 1 } };
    EXPECT_EQ( 0.0f, cltPairTree_Clearance( &tree, &place ) ) << "cannot be computed";
}
