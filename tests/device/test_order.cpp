// SPDX-License-Identifier: Zlib
// The order of the leaves on the device: when it is kept, when leaves are sorted again, and when a new region is found
// for their curve codes. Also compiled for a real device.
#include "tests/device/device_world.h"

#include <cmath>

using namespace test;

namespace
{

class Order : public testing::Test
{
protected:
    explicit Order( cltAlgorithm algorithm = clt_algorithmLbvh ) : m_algorithm( algorithm )
    {
    }

    void SetUp() override
    {
        if ( !isUsable( clt_deviceCuda ) )
        {
            GTEST_SKIP() << "no CUDA device answers";
        }
        m_world = std::make_unique<DeviceWorld>( m_algorithm );
    }

    void create( const Boxes& boxes )
    {
        m_world->createAll( boxes );
        m_boxes = joined( m_boxes, boxes );
    }

    /// Creates cubes with centres from `from` to `from` + `edge` on each axis.
    void createRandomCubes( int count, double from, double edge )
    {
        const auto place = [&] { return m_random.between( from, from + edge ); };
        create( boxesOf( count, [&]( int ) { return cube( place(), place(), place(), 0.5 ); } ) );
    }

    void update()
    {
        m_world->updateOnly();
        m_order = m_world->cuda->leaves.order;
        m_redoCount = m_world->researchStats().redoCount;
    }

    /// Moves body i by displacementOf( i ) along each axis, and updates.
    template <typename DisplacementOf>
    void moveEach( DisplacementOf displacementOf )
    {
        for ( size_t i = 0; i < m_boxes.size(); ++i )
        {
            m_boxes[i] = shifted( m_boxes[i], displacementOf( i ) );
        }
        m_world->moveAll( m_boxes.size(), nullptr, m_boxes );
        update();
    }

    void moveAll( double displacement )
    {
        moveEach( [displacement]( size_t ) { return displacement; } );
    }

    /// Creates a body, so that all leaves are sorted, and updates. Returns how the update ordered the leaves.
    cltLeafOrder updateWithOneMoreBody()
    {
        create( { cube( 5, 5, 5, 1 ) } );
        update();
        return m_order;
    }

    cltAlgorithm m_algorithm;
    std::unique_ptr<DeviceWorld> m_world;
    Random m_random{ 36 };
    Boxes m_boxes;
    cltLeafOrder m_order = clt_orderNewRegion; ///< of the last update
    uint64_t m_redoCount = 0;                  ///< of the last update
};

class FrontierOrder : public Order
{
protected:
    FrontierOrder() : Order( clt_algorithmFrontier )
    {
    }
};

class GridOrder : public Order
{
protected:
    GridOrder() : Order( clt_algorithmGrid )
    {
    }
};

} // namespace

/// An order of the leaves is kept until neighbours in it have moved apart. So is the order that replaces it.
TEST_F( Order, IsSortedAgainWhenNeighboursHaveMovedApart )
{
    createRandomCubes( 1500, 0, 30 );
    update();
    EXPECT_NE( clt_orderKept, m_order );
    std::string orders;
    for ( int step = 0; step < 40; ++step )
    {
        moveEach( []( size_t i ) { return 0.1 * std::sin( i ); } );
        orders += m_order == clt_orderKept ? 'k' : 's';
        EXPECT_EQ( 0u, m_redoCount );
    }
    EXPECT_NE( std::string::npos, orders.find( "kkk" ) ) << orders;
    EXPECT_NE( orders.find( 's' ), orders.rfind( 's' ) ) << orders;
}

/// If many bodies jump, the update is repeated with a new order. The next updates begin with a new order.
TEST_F( Order, IsSortedAgainWhenManyBodiesJump )
{
    create( cubesInARow( 1000, 2, 1 ) );
    update();
    for ( const uint32_t jumperCount : { CLT_OUTLIER_CAPACITY, CLT_OUTLIER_CAPACITY + 1u, 1u, 1u } )
    {
        for ( uint32_t i = 0; i < jumperCount; ++i )
        {
            m_world->move( 2 * i, cube( 4 * i, 1000 + 10 * jumperCount + m_world->cuda->sortedUpdates, 0, 1 ) );
        }
        update();
        EXPECT_EQ( jumperCount == CLT_OUTLIER_CAPACITY, m_order == clt_orderKept ) << jumperCount;
        EXPECT_EQ( jumperCount == CLT_OUTLIER_CAPACITY + 1u ? 1u : 0u, m_redoCount ) << jumperCount;
    }
}

/// There are more infinite boxes than the outlier limit, so they are in the tree. They also overlap the jumping body,
/// which is an outlier for one update. All bodies move, so all leaves are searched.
TEST_F( Order, FindsThePairsOfAJumpingBodyOnceAmongInfiniteBoxes )
{
    const cltProxyId jumper = 7;
    create( cubesInARow( 1000, 10, 1 ) );
    m_world->createAll( Boxes( CLT_OUTLIER_LIMIT + 1, span( -infinity, infinity ) ), { 1, 1 } );
    update();
    for ( const int group : { 2, 1 } ) // rejected by the infinite bodies, then accepted
    {
        m_boxes[jumper] = cube( 1000 * group, 0, 0, 1 );
        m_world->setFilter( jumper, { group, -1 } );
        moveAll( 0.1 );
        EXPECT_EQ( clt_orderKept, m_order );
    }
}

/// One region of curve codes serves many orders of the leaves, but only one order if it has no extent along an axis.
TEST_F( Order, UsesTheKeptRegionForManyOrders )
{
    create( cubesInARow( 1000, 2, 1 ) );
    update();
    EXPECT_EQ( clt_orderNewRegion, updateWithOneMoreBody() );
    createRandomCubes( 1000, 0, 20 );
    update();
    for ( uint32_t i = 0; i < 3 * ( CLT_REGION_USES + 1u ); ++i )
    {
        const bool isNew = i % ( CLT_REGION_USES + 1u ) == CLT_REGION_USES;
        EXPECT_EQ( isNew ? clt_orderNewRegion : clt_orderLastRegion, updateWithOneMoreBody() ) << i;
        EXPECT_EQ( 0u, m_redoCount ) << i;
    }
}

/// While all bodies move by the same distance, their order is kept. At the next sort hardly any body is in the region
/// of the curve codes. For a while, each sort then finds a new region.
TEST_F( Order, NeedsANewRegionWhenMostBodiesHaveLeftIt )
{
    createRandomCubes( 1000, 0, 20 );
    update();
    for ( int step = 0; step < 80; ++step )
    {
        moveAll( 0.2 );
        EXPECT_EQ( clt_orderKept, m_order );
    }
    EXPECT_EQ( clt_orderNewRegion, updateWithOneMoreBody() );
    EXPECT_EQ( 1u, m_redoCount );
    for ( uint32_t i = 0; i < CLT_REGION_USES; ++i )
    {
        EXPECT_EQ( i + 1u < CLT_REGION_USES ? clt_orderNewRegion : clt_orderLastRegion, updateWithOneMoreBody() ) << i;
        EXPECT_EQ( 0u, m_redoCount );
    }
}

/// The kept region of the curve codes was found for the old bodies. If there are many new bodies, a new one is found.
TEST_F( Order, NeedsANewRegionForManyNewBodies )
{
    createRandomCubes( 1000, 0, 20 );
    update();
    for ( const int count : { 140, 200 } )
    {
        createRandomCubes( count, 0, 20 );
        update();
        EXPECT_EQ( count == 140 ? clt_orderLastRegion : clt_orderNewRegion, m_order );
    }
}

/// In the kept region all bodies of a distant pile have the code of one corner, so all pairs of them would be tested.
/// With a new region there are at most twice as many node tests as for the same bodies in a new broadphase.
TEST_F( FrontierOrder, GetsANewRegionWhenADistantPileAppears )
{
    createRandomCubes( 17500, 0, 100 );
    moveAll( 0.01 );
    createRandomCubes( 2500, 200, 12 );
    moveAll( 0.01 );
    EXPECT_EQ( 1u, m_redoCount );
    moveAll( 0.01 );
    const uint64_t testCount = m_world->researchStats().nodeTestCount;
    m_world = std::make_unique<DeviceWorld>( m_algorithm );
    m_world->createAll( m_boxes );
    update();
    moveAll( 0.01 );
    EXPECT_GE( 2u * m_world->researchStats().nodeTestCount, testCount );
}

/// If bodies soon leave each region of curve codes, no region is kept for a while, so few updates are repeated.
TEST_F( FrontierOrder, IsSeldomSortedTwiceIfAllBodiesLeaveEachRegion )
{
    createRandomCubes( 4000, 0, 20 );
    moveAll( 2 );
    moveAll( 2 ); // buffers grow
    uint64_t redoCount = 0;
    for ( int i = 0; i < 40; ++i )
    {
        createRandomCubes( 1, 2 * i, 20 );
        moveAll( 2 );
        redoCount += m_redoCount;
    }
    EXPECT_LE( 2u, redoCount );
    EXPECT_GE( 40u / CLT_REGION_USES + 1u, redoCount );
}

/// Bodies that jump have two leaves. The capacity for leaves shrinks slowly, so that a recurring peak fits.
TEST_F( GridOrder, ShrinksLeafCapacityAfterAPeak )
{
    createRandomCubes( 1500, 0, 1000 );
    update();
    const uint32_t& room = m_world->cuda->leaves.room;
    const uint32_t usual = room;
    m_world->moveAll( m_boxes.size(), nullptr, Boxes( m_boxes.rbegin(), m_boxes.rend() ) );
    update();
    EXPECT_EQ( 3000u, room );
    for ( int i = 1; i <= 105; ++i )
    {
        m_world->move( 0, shifted( m_boxes[0], 0.001 * i ) );
        update();
        EXPECT_TRUE( i != 5 || room == 3000u ) << room;
    }
    EXPECT_EQ( usual, room );
}
