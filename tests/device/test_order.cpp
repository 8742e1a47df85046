// SPDX-License-Identifier: Zlib
// The order of the leaves on the device: when it is kept, and when leaves are sorted again.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/table.h"
#include "tests/support/random.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace test;

namespace
{

class Order : public testing::Test
{
protected:
    void SetUp() override
    {
        if ( !m_backend.exists() )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
    }

    void createRow( uint32_t count, double distance )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            m_table.create( cube( distance * i, 0, 0, 1 ) );
        }
    }

    /// Creates or moves a thousand cubes to a block of edge 20 that begins at `x`.
    void placeBlock( double x )
    {
        Random random( 36 );
        for ( uint32_t i = 0; i < 1000; ++i )
        {
            const double y = random.between( 0, 20 );
            const double z = random.between( 0, 20 );
            const cltAabbD box = cube( x + random.between( 0, 20 ), y, z, 0.5 );
            i < m_table.slotCount() ? m_table.move( i, box ) : (void)m_table.create( box );
        }
    }

    /// Creates a body and returns the order of the next update.
    cltLeafOrder orderOfNext()
    {
        m_table.create( cube( 5, 5, 5, 1 ) );
        update( m_backend, m_table );
        return order();
    }

    /// The order of the last update.
    cltLeafOrder order() const
    {
        return m_backend.as<cltCudaBackend>().leaves.order;
    }

    bool isKept() const
    {
        return order() == clt_orderKept;
    }

    Backend m_backend = Backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    Table m_table = Table( clt_precisionFloat );
};

/// Cubes spread in a large cube, and a dense pile of others; all move in each update.
class Pile : public testing::Test
{
protected:
    void SetUp() override
    {
        if ( !m_backend.exists() )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
    }

    void create( uint32_t count, double from, double edge )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            const double x = m_random.between( from, from + edge );
            const double y = m_random.between( from, from + edge );
            m_boxes.push_back( cube( x, y, m_random.between( from, from + edge ), 0.5 ) );
            m_table.create( m_boxes.back() );
        }
    }

    /// Bodies from `first` on move by `way`, the others a little.
    void step( uint32_t first, double way )
    {
        for ( uint32_t i = 0; i < m_boxes.size(); ++i )
        {
            m_boxes[i] = shifted( m_boxes[i], i < first ? 0.01 : way );
            m_table.move( i, m_boxes[i] );
        }
        update( m_backend, m_table );
    }

    /// Expects at most twice the node tests of the same bodies sorted over a new region.
    void expectAtMostTwice()
    {
        Table table( clt_precisionFloat );
        Backend backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
        for ( const double way : { -0.01, 0.0 } )
        {
            for ( uint32_t i = 0; i < m_boxes.size(); ++i )
            {
                const cltAabbD box = shifted( m_boxes[i], way );
                way < 0 ? (void)table.create( box ) : table.move( i, box );
            }
            update( backend, table );
        }
        EXPECT_GE( 2u * backend.researchStats().nodeTestCount, m_backend.researchStats().nodeTestCount );
    }

    static constexpr uint32_t SPREAD_COUNT = 17500;
    Random m_random = Random( 39 );
    Boxes m_boxes;
    Backend m_backend = Backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
    Table m_table = Table( clt_precisionFloat );
};

} // namespace

/// Memory behind the last key is copied back too; it is initialized, even after an overflow.
TEST_F( Order, CopiesOnlyInitializedMemory )
{
    createRow( 50, 0.01 );
    EXPECT_EQ( 1225u, update( m_backend, m_table ).size() );
    EXPECT_LT( 0u, m_backend.researchStats().redoCount );
    const auto& cuda = m_backend.as<cltCudaBackend>();
    ASSERT_LT( cuda.keyCount, cuda.expectedKeyCounts[clt_findChanges] );
    const uint64_t* keys = cltPlan_Keys( cuda.result.data );
    for ( uint64_t i = cuda.keyCount; i < cuda.expectedKeyCounts[clt_findChanges]; ++i )
    {
        EXPECT_NE( 0xcdcdcdcdcdcdcdcdu, keys[i] ) << i;
    }
}

/// An order is kept until neighbours have moved apart, and the next one again.
TEST_F( Order, IsSortedAgainWhenNeighboursHaveMovedApart )
{
    Random random( 34 );
    std::vector<cltAabbD> boxes;
    for ( uint32_t slot = 0; slot < 1500; ++slot )
    {
        boxes.push_back( randomCube( random, 15 ) );
        m_table.create( boxes[slot] );
    }
    update( m_backend, m_table );
    EXPECT_FALSE( isKept() );
    int keptCount = 0;
    int longest = 0;
    int sortedCount = 0;
    for ( int step = 0; step < 40; ++step )
    {
        for ( uint32_t slot = 0; slot < 1500; ++slot ) // each its own way
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                const double by = 0.1 * std::sin( slot * ( axis + 1.0 ) );
                boxes[slot].lower[axis] += by;
                boxes[slot].upper[axis] += by;
            }
            m_table.move( slot, boxes[slot] );
        }
        update( m_backend, m_table );
        keptCount = isKept() ? keptCount + 1 : 0;
        longest = std::max( longest, keptCount );
        sortedCount += isKept() ? 0 : 1;
        EXPECT_EQ( 0u, m_backend.researchStats().redoCount );
    }
    EXPECT_LT( 1, sortedCount );
    EXPECT_LT( 2, longest );
}

/// If many bodies jump, the update is repeated with a new order, and the next updates sort at once.
TEST_F( Order, IsSortedAgainWhenManyBodiesJump )
{
    createRow( 1000, 2 );
    EXPECT_EQ( 999u, update( m_backend, m_table ).size() );
    for ( const uint32_t jumperCount : { CLT_OUTLIER_ROOM, CLT_OUTLIER_ROOM + 1u, 1u, 1u } )
    {
        for ( uint32_t i = 0; i < jumperCount; ++i )
        {
            m_table.move( 2 * i,
                          cube( 4 * i, 1000 + 10 * jumperCount + m_backend.as<cltCudaBackend>().sortedUpdates, 0, 1 ) );
        }
        update( m_backend, m_table );
        EXPECT_EQ( jumperCount == CLT_OUTLIER_ROOM, isKept() ) << jumperCount;
        EXPECT_EQ( jumperCount == CLT_OUTLIER_ROOM + 1u ? 1u : 0u, m_backend.researchStats().redoCount ) << jumperCount;
    }
}

/// A body that jumps during a sort has two leaves; one is unused while that order is kept.
TEST_F( Order, UsesOneLeafOfABodyThatHadJumped )
{
    createRow( 10, 10 );
    EXPECT_EQ( 0u, update( m_backend, m_table ).size() );
    m_table.create( cube( -50, 0, 0, 1 ) );
    m_table.move( 0, cube( 500, 0, 0, 1 ) );
    EXPECT_EQ( 0u, update( m_backend, m_table ).size() );
    EXPECT_FALSE( isKept() );
    m_table.move( 1, cube( 501, 0, 0, 1 ) );
    EXPECT_EQ( 1u, update( m_backend, m_table ).size() );
    EXPECT_TRUE( isKept() );
}

/// More infinite boxes than the outlier limit are in the tree and reach even leaves that are outliers at the moment.
/// All bodies move, so all leaves are searched.
TEST_F( Order, FindsAJumpingBodyOnceAmongInfiniteBoxes )
{
    const uint32_t infiniteCount = CLT_OUTLIER_LIMIT + 1;
    const uint32_t jumper = 7;
    createRow( 1000, 10 );
    for ( uint32_t i = 0; i < infiniteCount; ++i )
    {
        m_table.create( span( -INFINITY, INFINITY ), { 1, 1 } );
    }
    update( m_backend, m_table );
    for ( const int group : { 2, 1 } ) // rejected by the infinite bodies, then accepted
    {
        for ( uint32_t i = 0; i < 1000; ++i )
        {
            m_table.move( i, cube( 10 * i, i == jumper ? 1000 * group : 0.1 * group, 0, 1 ) );
        }
        m_table.setFilter( jumper, { group, -1 } );
        EXPECT_EQ( infiniteCount, update( m_backend, m_table ).size() );
        EXPECT_TRUE( isKept() );
    }
}

/// A created body makes all leaves be sorted, but the region is kept for many orders.
TEST_F( Order, UsesTheKeptRegion )
{
    placeBlock( 0 );
    update( m_backend, m_table );
    for ( uint32_t i = 0; i < 3 * ( CLT_REGION_USES + 1u ); ++i )
    {
        const bool isNew = i % ( CLT_REGION_USES + 1u ) == CLT_REGION_USES;
        EXPECT_EQ( isNew ? clt_orderNewRegion : clt_orderLastRegion, orderOfNext() ) << i;
        EXPECT_EQ( 0u, m_backend.researchStats().redoCount ) << i;
    }
}

/// While all bodies move the same way their order is kept; when it is due, hardly any is in the region.
TEST_F( Order, NeedsANewRegionWhenMostBodiesHaveLeftIt )
{
    placeBlock( 0 );
    update( m_backend, m_table );
    for ( double x = 0; x < 16; x += 0.2 )
    {
        placeBlock( x );
        update( m_backend, m_table );
        EXPECT_TRUE( isKept() );
    }
    EXPECT_EQ( clt_orderNewRegion, orderOfNext() );
    EXPECT_EQ( 1u, m_backend.researchStats().redoCount );
    for ( uint32_t i = 0; i < CLT_REGION_USES; ++i )
    {
        EXPECT_EQ( i + 1u < CLT_REGION_USES ? clt_orderNewRegion : clt_orderLastRegion, orderOfNext() ) << i;
        EXPECT_EQ( 0u, m_backend.researchStats().redoCount );
    }
}

/// A new region is found before too many bodies have left, and no update is repeated.
TEST_F( Order, GetsANewRegionBeforeAnUpdateIsRepeated )
{
    placeBlock( 0 );
    update( m_backend, m_table );
    uint32_t newRegionCount = 0;
    for ( double x = 1; x < 30; x += 1 )
    {
        placeBlock( x );
        newRegionCount += orderOfNext() == clt_orderNewRegion;
        EXPECT_EQ( 0u, m_backend.researchStats().redoCount ) << x;
    }
    EXPECT_LE( 5u, newRegionCount );
    EXPECT_GE( 15u, newRegionCount );
}

/// A region does not describe new bodies, nor an axis without extent.
TEST_F( Order, NeedsANewRegionForManyNewBodies )
{
    createRow( 1000, 2 );
    update( m_backend, m_table );
    EXPECT_EQ( clt_orderNewRegion, orderOfNext() );
    for ( const uint32_t count : { 125u, 200u } )
    {
        Table table( clt_precisionFloat );
        Backend backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
        Random random( 37 );
        for ( uint32_t i = 0; i < 1000; ++i )
        {
            if ( i == 1000 - count )
            {
                update( backend, table );
            }
            table.create( randomCube( random, 20 ) );
        }
        update( backend, table );
        EXPECT_EQ( count == 125u ? clt_orderLastRegion : clt_orderNewRegion,
                   backend.as<cltCudaBackend>().leaves.order );
    }
}

/// If only outliers are left the tree is empty, and their pairs are found.
TEST_F( Order, MayHoldOnlyOutliers )
{
    placeBlock( 0 );
    update( m_backend, m_table );
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        m_table.destroy( i );
    }
    m_table.create( span( 0, infinity ) );
    m_table.create( span( 1, infinity ) );
    EXPECT_EQ( 1u, update( m_backend, m_table ).size() );
    EXPECT_EQ( clt_orderLastRegion, order() );
}

/// Ten thousand leaves allow 800 outside, besides those outside when the region was found.
TEST( LastRegion, IsRefusedAboveItsLimit )
{
    cltPlan plan = {};
    for ( const uint32_t known : { 0u, 100u } )
    {
        for ( const uint32_t further : { 0u, 800u, 801u } )
        {
            plan.placeCounts[CLT_PLACE_BORDER] = known + further;
            plan.placeCounts[CLT_PLACE_INSIDE] = 10000u - known - further;
            EXPECT_EQ( further > 800, cltPlan_TooManyLeftRegion( &plan, known, CLT_OUTSIDE_REFUSED ) )
                << known << " " << further;
            EXPECT_FALSE( cltPlan_TooManyLeftRegion( &plan, known + further + 1u, CLT_OUTSIDE_REFUSED ) );
        }
    }
}

/// All bodies of a distant pile have the code of one corner; each would be tested against each.
TEST_F( Pile, GetsANewRegionWhenItAppears )
{
    create( SPREAD_COUNT, 0, 100 );
    step( 0, 0.01 );
    create( SPREAD_COUNT / 7, 200, 12 );
    step( 0, 0.01 );
    EXPECT_EQ( 1u, m_backend.researchStats().redoCount );
    step( 0, 0.01 );
    expectAtMostTwice();
}

TEST_F( Pile, GetsANewRegionWhenItDriftsOut )
{
    create( SPREAD_COUNT, 0, 100 );
    create( 2400, 88, 12 );
    step( 0, 0.01 );
    for ( int i = 0; i < 60; ++i )
    {
        step( SPREAD_COUNT, 2 );
    }
    m_boxes.push_back( cube( 50, 50, 50, 0.5 ) );
    m_table.create( m_boxes.back() );
    step( SPREAD_COUNT, 0.01 );
    expectAtMostTwice();
    step( SPREAD_COUNT, 0.01 );
    expectAtMostTwice();
}

/// A region leaves out a small pile too, so the pile is no reason for a new region.
TEST_F( Pile, IsKnownWhenItWasOutsideFromTheStart )
{
    create( SPREAD_COUNT, 0, 100 );
    create( SPREAD_COUNT / 40, 200, 10 );
    step( 0, 0.01 );
    for ( uint32_t i = 0; i < CLT_REGION_USES; ++i )
    {
        create( 1, 50, 1 );
        step( 0, 0.01 );
        EXPECT_EQ( clt_orderLastRegion, m_backend.as<cltCudaBackend>().leaves.order ) << i;
        EXPECT_LT( SPREAD_COUNT / 50, m_backend.as<cltCudaBackend>().leaves.knownOutsideCount );
    }
}

/// If no region lasts, none is kept for a while, so few updates are repeated.
TEST_F( Pile, IsSeldomSortedTwiceWhenAllBodiesFlow )
{
    create( 4000, 0, 20 );
    step( 0, 2 );
    step( 0, 2 ); // grows to its changes
    uint64_t redoCount = 0;
    for ( int i = 0; i < 40; ++i )
    {
        create( 1, 2 * i, 20 );
        step( 0, 2 );
        redoCount += m_backend.researchStats().redoCount;
    }
    EXPECT_LE( 2u, redoCount );
    EXPECT_GE( 40u / CLT_REGION_USES + 1u, redoCount );
}
