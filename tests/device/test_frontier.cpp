// SPDX-License-Identifier: Zlib
// `frontier` with buffers for one node pair and one key. Each search overflows, is repeated with enough capacity, and
// finds the right changes.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

class Overflow : public testing::Test
{
protected:
    Overflow()
    {
        for ( const cltAabbD& box : randomCubes( m_random, 2000, 5 ) ) // so many that each of the two queues overflows
        {
            m_table.create( box );
        }
    }

    cltCudaBackend& cuda()
    {
        return const_cast<cltCudaBackend&>( m_cuda.as<cltCudaBackend>() );
    }

    cltBackend* backend()
    {
        return const_cast<cltBackend*>( &m_cuda.as<cltBackend>() );
    }

    /// Reduces a buffer to one item.
    void narrow( cltCudaBuffer* buffer, size_t itemSize )
    {
        *buffer = cltCudaBuffer();
        ASSERT_EQ( clt_ok, cltCudaBuffer_Reserve( buffer, &cuda().device, 1, itemSize ) );
        cuda().device.bytes -= buffer->bytes - itemSize;
        buffer->bytes = itemSize;
    }

    /// Reduces each buffer of the next search for changes to one item.
    void narrowAll()
    {
        cltDeviceFrontier& frontier = cuda().frontier;
        narrow( &frontier.pairs[0], sizeof( cltNodePair ) );
        narrow( &frontier.pairs[1], sizeof( cltNodePair ) );
        cuda().expectedKeyCounts[clt_findChanges] = 1;
    }

    /// Updates and commits; expects the changes of brute force. The search begins with buffers for one item if
    /// `isNarrow`, else with those of the last search.
    void update( bool isNarrow )
    {
        const cltBackendOps* ops = backend()->ops;
        const cltUpload upload = m_table.upload();
        cltPairKeys keys;
        Keys expected;
        ASSERT_EQ( clt_ok, ops->upload( backend(), &upload ) );
        ASSERT_EQ( clt_ok, ops->build( backend() ) );
        if ( isNarrow )
        {
            ASSERT_NO_FATAL_FAILURE( narrowAll() );
        }
        ASSERT_EQ( clt_ok, ops->findChanges( backend() ) );
        ASSERT_EQ( clt_ok, ops->readBack( backend(), &keys ) );
        ASSERT_EQ( clt_ok, m_host.update( m_table, &expected ) );
        ASSERT_EQ( expected, Keys( keys.keys, keys.keys + keys.count ) );
        ASSERT_LT( 1u, expected.size() ) << "one key would fit";
        ops->commit( backend() );
        m_table.commit();
    }

    emulation::Cleanup m_cleanup;
    Random m_random{ 43 };
    Table m_table = Table( clt_precisionFloat );
    Backend m_host = Backend( clt_deviceCpu, clt_algorithmBruteForce, clt_precisionFloat );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
};

} // namespace

TEST_F( Overflow, IsFollowedByASearchWithMoreCapacity )
{
    for ( int step = 0; step < 6; ++step )
    {
        SCOPED_TRACE( step );
        ASSERT_NO_FATAL_FAILURE( update( step < 5 ) );
        const cltResearchStats stats = m_cuda.researchStats();
        EXPECT_EQ( step < 5, stats.redoCount >= 2 ) << "for node pairs, then for keys";
        EXPECT_TRUE( step < 5 || stats.redoCount == 0 ) << "the capacity of the last search is kept";
        EXPECT_LT( 1u, stats.frontierPeak );
        for ( uint32_t slot = 0; slot < m_table.slotCount(); ++slot )
        {
            m_table.move( slot, randomCube( m_random, 5 ) );
        }
    }
}

TEST( FrontierPasses, TestFewNodePairsIfFewBodiesMove )
{
    Backend backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 2 );
    for ( uint32_t slot = 0; slot < 4000; ++slot )
    {
        table.create( randomCube( random, 10 ) );
    }
    update( backend, table );
    const uint64_t all = backend.researchStats().nodeTestCount;
    table.move( 17, cube( 1, 2, 3, 0.5 ) );
    update( backend, table );
    EXPECT_GT( all, backend.researchStats().nodeTestCount );
    EXPECT_LT( 0u, backend.researchStats().nodeTestCount );
}
