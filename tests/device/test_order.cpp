// SPDX-License-Identifier: Zlib
// The order of the leaves on the device: when it is kept, when leaves are sorted again, and over which region.
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
    explicit Order( cltAlgorithm algorithm = clt_algorithmLbvh )
        : m_backend( clt_deviceCuda, algorithm, clt_precisionFloat )
    {
    }

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
            create( cube( distance * i, 0, 0, 1 ) );
        }
    }

    /// Creates cubes with centres from `from` to `from` + `edge` on each axis.
    void createBlock( uint32_t count, double from, double edge )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            const double x = m_random.between( from, from + edge );
            const double y = m_random.between( from, from + edge );
            create( cube( x, y, m_random.between( from, from + edge ), 0.5 ) );
        }
    }

    void create( const cltAabbD& box )
    {
        m_boxes.push_back( box );
        m_table.create( box );
    }

    /// Moves all bodies by `way` along each axis, and updates.
    void moveAll( double way )
    {
        for ( uint32_t i = 0; i < m_boxes.size(); ++i )
        {
            m_boxes[i] = shifted( m_boxes[i], way );
            m_table.move( i, m_boxes[i] );
        }
        runUpdate();
    }

    /// Creates a body, so that all leaves are sorted, and updates. Returns the kind of the order.
    cltLeafOrder orderWithOneMore()
    {
        create( cube( 5, 5, 5, 1 ) );
        runUpdate();
        return cuda().leaves.order;
    }

    void runUpdate()
    {
        m_changeCount = update( m_backend, m_table ).size();
        m_redoCount = m_backend.researchStats().redoCount;
    }

    const cltCudaBackend& cuda() const
    {
        return m_backend.as<cltCudaBackend>();
    }

    bool isKept() const
    {
        return cuda().leaves.order == clt_orderKept;
    }

    Backend m_backend;
    Table m_table = Table( clt_precisionFloat );
    Random m_random{ 36 };
    Boxes m_boxes;
    size_t m_changeCount = 0;
    uint64_t m_redoCount = 0;
};

class Pile : public Order
{
protected:
    Pile() : Order( clt_algorithmFrontier )
    {
    }
};

} // namespace

/// An order is kept until neighbours have moved apart; so is the next order.
TEST_F( Order, IsSortedAgainWhenNeighboursHaveMovedApart )
{
    createBlock( 1500, 0, 30 );
    runUpdate();
    EXPECT_FALSE( isKept() );
    std::string orders;
    for ( int step = 0; step < 40; ++step )
    {
        for ( uint32_t slot = 0; slot < 1500; ++slot ) // each by another distance
        {
            m_boxes[slot] = shifted( m_boxes[slot], 0.1 * std::sin( slot ) );
            m_table.move( slot, m_boxes[slot] );
        }
        runUpdate();
        orders += isKept() ? 'k' : 's';
        EXPECT_EQ( 0u, m_redoCount );
    }
    EXPECT_NE( std::string::npos, orders.find( "kkk" ) ) << orders;
    EXPECT_NE( orders.find( 's' ), orders.rfind( 's' ) ) << orders;
}

/// If many bodies jump, the update is repeated with a new order, and the next updates sort at once.
TEST_F( Order, IsSortedAgainWhenManyBodiesJump )
{
    createRow( 1000, 2 );
    runUpdate();
    EXPECT_EQ( 999u, m_changeCount );
    for ( const uint32_t jumperCount : { CLT_OUTLIER_ROOM, CLT_OUTLIER_ROOM + 1u, 1u, 1u } )
    {
        for ( uint32_t i = 0; i < jumperCount; ++i )
        {
            m_table.move( 2 * i, cube( 4 * i, 1000 + 10 * jumperCount + cuda().sortedUpdates, 0, 1 ) );
        }
        runUpdate();
        EXPECT_EQ( jumperCount == CLT_OUTLIER_ROOM, isKept() ) << jumperCount;
        EXPECT_EQ( jumperCount == CLT_OUTLIER_ROOM + 1u ? 1u : 0u, m_redoCount ) << jumperCount;
    }
}

/// There are more infinite boxes than the outlier limit, so they are in the tree. They also overlap the jumping body,
/// which is an outlier for one update. All bodies move, so all leaves are searched.
TEST_F( Order, FindsThePairsOfAJumpingBodyOnceAmongInfiniteBoxes )
{
    const uint32_t infiniteCount = CLT_OUTLIER_LIMIT + 1;
    const uint32_t jumper = 7;
    createRow( 1000, 10 );
    for ( uint32_t i = 0; i < infiniteCount; ++i )
    {
        m_table.create( span( -INFINITY, INFINITY ), { 1, 1 } );
    }
    runUpdate();
    for ( const int group : { 2, 1 } ) // rejected by the infinite bodies, then accepted
    {
        for ( uint32_t i = 0; i < 1000; ++i )
        {
            m_table.move( i, cube( 10 * i, i == jumper ? 1000 * group : 0.1 * group, 0, 1 ) );
        }
        m_table.setFilter( jumper, { group, -1 } );
        runUpdate();
        EXPECT_EQ( infiniteCount, m_changeCount );
        EXPECT_TRUE( isKept() );
    }
}

/// The region is kept for many orders, but not if it has no extent along an axis.
TEST_F( Order, UsesTheKeptRegionForManyOrders )
{
    createRow( 1000, 2 );
    runUpdate();
    EXPECT_EQ( clt_orderNewRegion, orderWithOneMore() );
    createBlock( 1000, 0, 20 );
    runUpdate();
    for ( uint32_t i = 0; i < 3 * ( CLT_REGION_USES + 1u ); ++i )
    {
        const bool isNew = i % ( CLT_REGION_USES + 1u ) == CLT_REGION_USES;
        EXPECT_EQ( isNew ? clt_orderNewRegion : clt_orderLastRegion, orderWithOneMore() ) << i;
        EXPECT_EQ( 0u, m_redoCount ) << i;
    }
}

/// While all bodies move by the same distance, their order is kept. At the next sort hardly any body is in the region.
/// For a while, each sort then finds a new region.
TEST_F( Order, NeedsANewRegionWhenMostBodiesHaveLeftIt )
{
    createBlock( 1000, 0, 20 );
    runUpdate();
    for ( int step = 0; step < 80; ++step )
    {
        moveAll( 0.2 );
        EXPECT_TRUE( isKept() );
    }
    EXPECT_EQ( clt_orderNewRegion, orderWithOneMore() );
    EXPECT_EQ( 1u, m_redoCount );
    for ( uint32_t i = 0; i < CLT_REGION_USES; ++i )
    {
        EXPECT_EQ( i + 1u < CLT_REGION_USES ? clt_orderNewRegion : clt_orderLastRegion, orderWithOneMore() ) << i;
        EXPECT_EQ( 0u, m_redoCount );
    }
}

/// A kept region was found without the new bodies. If these are many, a new region is found.
TEST_F( Order, NeedsANewRegionForManyNewBodies )
{
    createBlock( 1000, 0, 20 );
    runUpdate();
    createBlock( 140, 0, 20 );
    runUpdate();
    EXPECT_EQ( clt_orderLastRegion, cuda().leaves.order );
    createBlock( 200, 0, 20 );
    runUpdate();
    EXPECT_EQ( clt_orderNewRegion, cuda().leaves.order );
}

/// In the kept region all bodies of a distant pile have the code of one corner, so each would be tested against each.
/// With a new region there are at most twice as many node tests as for the same bodies in a new backend.
TEST_F( Pile, GetsANewRegionWhenItAppears )
{
    createBlock( 17500, 0, 100 );
    moveAll( 0.01 );
    createBlock( 2500, 200, 12 );
    moveAll( 0.01 );
    EXPECT_EQ( 1u, m_redoCount );
    moveAll( 0.01 );

    Table table( clt_precisionFloat );
    Backend backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
    for ( const cltAabbD& box : m_boxes )
    {
        table.create( shifted( box, -0.01 ) );
    }
    update( backend, table );
    for ( uint32_t i = 0; i < m_boxes.size(); ++i )
    {
        table.move( i, m_boxes[i] );
    }
    update( backend, table );
    EXPECT_GE( 2u * backend.researchStats().nodeTestCount, m_backend.researchStats().nodeTestCount );
}

/// If no region lasts, none is kept for a while, so few updates are repeated.
TEST_F( Pile, IsSeldomSortedTwiceWhenAllBodiesFlow )
{
    createBlock( 4000, 0, 20 );
    moveAll( 2 );
    moveAll( 2 ); // buffers grow
    uint64_t redoCount = 0;
    for ( int i = 0; i < 40; ++i )
    {
        createBlock( 1, 2 * i, 20 );
        moveAll( 2 );
        redoCount += m_redoCount;
    }
    EXPECT_LE( 2u, redoCount );
    EXPECT_GE( 40u / CLT_REGION_USES + 1u, redoCount );
}
