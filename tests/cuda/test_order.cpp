// SPDX-License-Identifier: Zlib
// The order of the leaves on the device: when it is kept, and when all are sorted anew.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/cuda/table.h"
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

    /// By the last update.
    bool isKept() const
    {
        return m_backend.as<cltCudaBackend>().leaves.isKept;
    }

    Backend m_backend = Backend( clt_deviceCuda, clt_algorithmLbvh, clt_precisionFloat );
    Table m_table = Table( clt_precisionFloat );
};

} // namespace

/// An order is kept until neighbours have drifted apart, and again from the next one on.
TEST_F( Order, IsNewWhenTheOldOneIsStale )
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
        EXPECT_EQ( 0u, m_backend.stats().redoCount );
    }
    EXPECT_LT( 1, sortedCount );
    EXPECT_LT( 2, longest );
}

/// When many jump, the update is done again with an order of its own, and those after it do not try.
TEST_F( Order, IsNewWhenManyJump )
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
        EXPECT_EQ( jumperCount == CLT_OUTLIER_ROOM + 1u ? 1u : 0u, m_backend.stats().redoCount ) << jumperCount;
    }
}

/// A body that jumps while all are sorted has two leaves, of which one is nobody's while that order is kept.
TEST_F( Order, HasOneLeafForWhoHadJumped )
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

/// More infinite boxes than outliers may be are in the tree, and meet there even the place of a leaf that for now is
/// none. All move, so that all walk.
TEST_F( Order, MeetsAJumperOnceBesideInfiniteBoxes )
{
    const uint32_t infiniteCount = CLT_OUTLIER_LIMIT + 1;
    const uint32_t jumper = 7;
    createRow( 1000, 10 );
    for ( uint32_t i = 0; i < infiniteCount; ++i )
    {
        m_table.create( span( -INFINITY, INFINITY ), { 1, 1 } );
    }
    update( m_backend, m_table );
    for ( const int group : { 2, 1 } ) // which the infinite ones refuse, and want again
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
