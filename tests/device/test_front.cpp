// SPDX-License-Identifier: Zlib
// The front of `frontier` on the device, after every update: it covers each pair of leaves once, and the changes found
// from it are complete, whether leaves are kept or sorted again.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

class DeviceFront : public testing::TestWithParam<cltPrecision>
{
protected:
    void create( uint32_t count, double reach )
    {
        for ( const cltAabbD& box : randomCubes( m_random, count, reach ) )
        {
            m_boxes.push_back( box );
            m_table.create( box );
        }
    }

    void move( uint32_t slot, const cltAabbD& box )
    {
        m_boxes[slot] = box;
        m_table.move( slot, box );
    }

    void creep( double way )
    {
        for ( uint32_t slot = 0; slot < m_table.slotCount(); ++slot )
        {
            if ( ( m_table.upload().states[slot] & CLT_SLOT_LIVE ) != 0 )
            {
                move( slot, shifted( m_boxes[slot], m_random.between( -way, way ) ) );
            }
        }
    }

    /// Updates on both devices and expects the same changes.
    void update()
    {
        Keys expected;
        Keys keys;
        ASSERT_EQ( clt_ok, m_host.update( m_table, &expected ) );
        ASSERT_EQ( clt_ok, m_cuda.update( m_table, &keys ) );
        ASSERT_EQ( expected, keys );
        m_table.commit();
        m_keptCount += m_cuda.as<cltCudaBackend>().leaves.order == clt_orderKept;
        const uint64_t leafCount = cltLevels_LeafCount( &m_cuda.as<cltCudaBackend>().frontier.levels );
        ASSERT_EQ( leafCount * ( leafCount - 1 ) / 2, coveredCount() );
    }

    /// Number of leaf pairs below the entries, with repetition.
    uint64_t coveredCount() const
    {
        const cltDeviceFrontier& frontier = m_cuda.as<cltCudaBackend>().frontier;
        const cltDeviceFront& front = frontier.front;
        const cltLevelTree tree = { frontier.levels, nullptr, nullptr };
        const cudaStream_t stream = m_cuda.as<cltCudaBackend>().device.stream;
        const size_t bytes = front.count * sizeof( cltNodePair );
        void* copy = nullptr;
        EXPECT_EQ( cudaSuccess, cudaMallocHost( &copy, bytes + 1 ) );
        EXPECT_EQ( cudaSuccess,
                   cudaMemcpyAsync( copy, front.cuts[front.current].pairs.data, bytes, cudaMemcpyDefault, stream ) );
        EXPECT_EQ( cudaSuccess, cudaStreamSynchronize( stream ) );
        const auto* pairs = static_cast<const cltNodePair*>( copy );
        uint64_t covered = 0;
        for ( uint64_t i = 0; i < front.count; ++i )
        {
            const cltPairPlace place = cltPairPlace_Make( &tree, pairs[i].a, pairs[i].b );
            covered += cltPairTree_Size( &tree, &place );
        }
        cudaFreeHost( copy );
        return covered;
    }

    emulation::Cleanup m_cleanup;
    Random m_random{ 41 };
    Table m_table = Table( GetParam() );
    std::vector<cltAabbD> m_boxes;
    Backend m_host = Backend( clt_deviceCpu, clt_algorithmBruteForce, GetParam() );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmFrontier, GetParam(), clt_outputKeys, true );
    uint32_t m_keptCount = 0;
    Keys m_ended;
};

INSTANTIATE_TEST_SUITE_P(, DeviceFront, testing::ValuesIn( allPrecisions ),
                         []( const auto& info ) { return nameOf( info.param ); } );

} // namespace

TEST_P( DeviceFront, FollowsBodiesAtAnySpeed )
{
    create( 300, 4 );
    for ( const double way : { 0.0001, 0.003, 0.1 } )
    {
        for ( int step = 0; step < 25; ++step )
        {
            creep( way );
            ASSERT_NO_FATAL_FAILURE( update() ) << "way " << way << ", step " << step;
        }
    }
    EXPECT_LT( 40u, m_keptCount );
}

/// While all filters change, nodes hold both filters, so the front descends to the previous pairs.
TEST_P( DeviceFront, IsClearedWhenTheFiltersRejectAllPairs )
{
    const uint32_t entryCount = CLT_FRONT_LEAF_MULTIPLE - 1; // the two below each node of the tree
    create( 200, 2 );
    for ( uint32_t step = 0; step < 20; ++step )
    {
        creep( 0.001 );
        if ( step % 8 == 2 || step % 8 == 4 )
        {
            for ( uint32_t slot = 0; slot < 200; ++slot )
            {
                m_table.setFilter( slot, { 1, step % 8 == 2 ? -1 : 0 } );
            }
        }
        ASSERT_NO_FATAL_FAILURE( update() ) << step;
        if ( step % 8 == 4 )
        {
            EXPECT_LT( 4000u, m_cuda.researchStats().frontSize ) << step;
        }
        if ( step % 8 == 5 )
        {
            EXPECT_EQ( entryCount, m_cuda.researchStats().frontSize ) << step;
        }
    }
}

/// In a kept order, leaves of bodies that jump or grow too large leave the tree and come back.
TEST_P( DeviceFront, FollowsLeavesThatLeaveTheTreeAndComeBack )
{
    create( 400, 5 );
    for ( uint32_t step = 0; step < 60; ++step )
    {
        creep( 0.002 );
        const uint32_t slot = 7 * step % 400;
        if ( step % 4 == 1 )
        {
            move( slot, randomCube( m_random, 5 ) ); // jumps
        }
        if ( step % 6 == 2 )
        {
            move( 3, cube( 2, 2, 2, 40 ) );
        }
        if ( step % 6 == 4 )
        {
            move( 3, cube( 2, 2, 2, 0.5 ) );
        }
        if ( step % 9 == 5 )
        {
            m_table.setFilter( slot, { 2, 5 } );
        }
        ASSERT_NO_FATAL_FAILURE( update() ) << step;
    }
    EXPECT_LT( 20u, m_keptCount );
}

TEST_P( DeviceFront, FollowsDestroyedBodies )
{
    create( 400, 4 );
    for ( uint32_t step = 0; step < 60; ++step )
    {
        creep( 0.004 );
        if ( step % 2 == 1 )
        {
            m_table.destroy( step * 5 );
        }
        if ( step % 16 == 7 )
        {
            m_table.move( step * 5 + 1, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
            m_boxes[step * 5 + 1] = cube( notANumber, 0, 0, 1 );
        }
        ASSERT_NO_FATAL_FAILURE( update() ) << step;
    }
    EXPECT_LT( 30u, m_keptCount );
}

/// Creation sorts again: leaves stand for other bodies, in a tree of the same shape.
TEST_P( DeviceFront, FollowsCreatedBodies )
{
    create( 300, 4 );
    for ( uint32_t step = 0; step < 40; ++step )
    {
        creep( 0.002 );
        if ( step % 3 == 2 )
        {
            create( 1, 4 );
        }
        ASSERT_NO_FATAL_FAILURE( update() ) << step;
    }
    EXPECT_LT( 20u, m_keptCount );
}

/// Reading all pairs in between sorts the leaves in another order.
TEST_P( DeviceFront, SurvivesReadingAllPairs )
{
    create( 200, 4 );
    for ( uint32_t step = 0; step < 20; ++step )
    {
        creep( 0.003 );
        ASSERT_NO_FATAL_FAILURE( update() ) << step;
        if ( step % 3 == 1 )
        {
            m_table.destroy( step * 3 ); // nothing is built for that
            ASSERT_EQ( clt_ok, m_cuda.update( m_table, &m_ended ) );
            ASSERT_EQ( clt_ok, m_host.update( m_table, &m_ended ) );
            m_table.commit();
        }
        Keys expected;
        Keys pairs;
        ASSERT_EQ( clt_ok, m_host.readPairs( m_table, &expected ) );
        ASSERT_EQ( clt_ok, m_cuda.readPairs( m_table, &pairs ) );
        ASSERT_EQ( expected, pairs );
    }
}

TEST_P( DeviceFront, TestsFewPairsOfSlowBodies )
{
    Backend passes( clt_deviceCuda, clt_algorithmFrontier, GetParam() );
    create( 1000, 8 );
    Keys keys;
    uint64_t tests = 0;
    uint64_t testsOfPasses = 0;
    for ( int step = 0; step < 12; ++step )
    {
        creep( 0.003 );
        ASSERT_EQ( clt_ok, passes.update( m_table, &keys ) );
        ASSERT_NO_FATAL_FAILURE( update() );
        tests += step > 1 ? m_cuda.researchStats().nodeTestCount : 0;
        testsOfPasses += step > 1 ? passes.researchStats().nodeTestCount : 0;
    }
    EXPECT_LT( 3 * tests, testsOfPasses );
}
