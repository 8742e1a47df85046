// SPDX-License-Identifier: Zlib
// The front of `frontier` on the device covers each pair of leaves once, and is small. What is found with it:
// tests/behaviour/backends; its steps: tests/unit.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/host_twin.h"
#include "tests/device/table.h"

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

    void creep( double way )
    {
        for ( uint32_t slot = 0; slot < m_table.slotCount(); ++slot )
        {
            m_boxes[slot] = shifted( m_boxes[slot], m_random.between( -way, way ) );
            m_table.move( slot, m_boxes[slot] );
        }
    }

    /// Updates on both devices and expects the same changes and a complete front.
    void update()
    {
        Keys expected;
        Keys keys;
        ASSERT_EQ( clt_ok, m_host.update( m_table, &expected ) );
        ASSERT_EQ( clt_ok, m_cuda.update( m_table, &keys ) );
        ASSERT_EQ( expected, keys );
        m_table.commit();
        const uint64_t leafCount = cltLevels_LeafCount( &cuda().frontier.levels );
        ASSERT_EQ( leafCount * ( leafCount - 1 ) / 2, coveredCount() );
    }

    const cltCudaBackend& cuda() const
    {
        return m_cuda.as<cltCudaBackend>();
    }

    /// Number of leaf pairs below the entries, with repetition.
    uint64_t coveredCount() const
    {
        const cltDeviceFront& front = cuda().frontier.front;
        const cltLevelTree tree = { cuda().frontier.levels, nullptr, nullptr };
        uint64_t covered = 0;
        for ( const cltNodePair& pair :
              download<cltNodePair>( cuda(), front.cuts[front.current].pairs.data, front.count ) )
        {
            const cltPairPlace place = cltPairPlace_Make( &tree, pair.a, pair.b );
            covered += cltPairTree_Size( &tree, &place );
        }
        return covered;
    }

    Random m_random{ 41 };
    Table m_table = Table( GetParam() );
    std::vector<cltAabbD> m_boxes;
    Backend m_host = Backend( clt_deviceCpu, clt_algorithmBruteForce, GetParam() );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmFrontier, GetParam(), clt_outputKeys, true );
};

INSTANTIATE_TEST_SUITE_P(, DeviceFront, testing::ValuesIn( allPrecisions ),
                         []( const auto& info ) { return nameOf( info.param ); } );

} // namespace

/// While all filters change, nodes hold both filters, so the front descends to the previous pairs.
TEST_P( DeviceFront, IsClearedWhenTheFiltersRejectAllPairs )
{
    const uint32_t entryCount = CLT_FRONT_LEAF_MULTIPLE - 1; // the two below each node of the tree
    create( 200, 2 );
    for ( uint32_t step = 0; step < 6; ++step )
    {
        creep( 0.001 );
        for ( uint32_t slot = 0; slot < 200 && ( step == 2 || step == 4 ); ++slot )
        {
            m_table.setFilter( slot, { 1, step == 2 ? -1 : 0 } );
        }
        ASSERT_NO_FATAL_FAILURE( update() ) << step;
        EXPECT_EQ( step == 5, entryCount == m_cuda.researchStats().frontSize ) << step;
        EXPECT_TRUE( step == 5 || 4000u < m_cuda.researchStats().frontSize ) << step;
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
