// SPDX-License-Identifier: Zlib
// `frontier` with a capacity of one: one queued node pair, one entry of a front, one key. Each search overflows, is
// repeated with enough capacity, and finds the same, also if any of these allocations fails.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

class Overflow : public testing::TestWithParam<bool>
{
protected:
    Overflow()
    {
        for ( const cltAabbD& box : randomCubes( m_random, 2000, 5 ) ) // enough for both queues
        {
            m_boxes.push_back( box );
            m_table.create( box );
        }
    }

    void creep()
    {
        for ( uint32_t slot = 0; slot < m_table.slotCount(); ++slot )
        {
            m_boxes[slot] = shifted( m_boxes[slot], m_random.between( -0.02, 0.02 ) );
            m_table.move( slot, m_boxes[slot] );
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

    /// Reduces all buffers of the next search for changes.
    void narrowAll()
    {
        cltDeviceFrontier& frontier = cuda().frontier;
        narrow( &frontier.pairs[0], sizeof( cltNodePair ) );
        narrow( &frontier.pairs[1], sizeof( cltNodePair ) );
        cuda().expectedKeyCounts[clt_findChanges] = 1;
        if ( GetParam() )
        {
            cltDeviceCut& next = frontier.front.cuts[!frontier.front.current];
            narrow( &next.pairs, sizeof( cltNodePair ) );
            narrow( &next.marks, sizeof( float ) );
        }
    }

    /// Uploads and builds.
    void build()
    {
        const cltUpload upload = m_table.upload();
        ASSERT_EQ( clt_ok, backend()->ops->upload( backend(), &upload ) );
        ASSERT_EQ( clt_ok, backend()->ops->build( backend() ) );
    }

    cltStatus findChanges()
    {
        return backend()->ops->findChanges( backend() );
    }

    /// Expects the changes of brute force, and commits.
    void expectRight()
    {
        cltPairKeys keys;
        Keys expected;
        ASSERT_EQ( clt_ok, backend()->ops->readBack( backend(), &keys ) );
        ASSERT_EQ( clt_ok, m_host.update( m_table, &expected ) );
        ASSERT_EQ( expected, Keys( keys.keys, keys.keys + keys.count ) );
        ASSERT_LT( 1u, expected.size() ) << "one key would fit";
        backend()->ops->commit( backend() );
        m_table.commit();
    }

    emulation::Cleanup m_cleanup;
    Random m_random{ 43 };
    Table m_table = Table( clt_precisionFloat );
    std::vector<cltAabbD> m_boxes;
    Backend m_host = Backend( clt_deviceCpu, clt_algorithmBruteForce, clt_precisionFloat );
    Backend m_cuda = Backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat, clt_outputKeys, GetParam() );
};

INSTANTIATE_TEST_SUITE_P( Frontier, Overflow, testing::Bool(),
                          []( const auto& info ) { return info.param ? "front" : "passes"; } );

} // namespace

TEST_P( Overflow, IsRepeatedWithMoreCapacityAndFindsTheSame )
{
    for ( int step = 0; step < 5; ++step )
    {
        SCOPED_TRACE( step );
        ASSERT_NO_FATAL_FAILURE( build() );
        ASSERT_NO_FATAL_FAILURE( narrowAll() );
        ASSERT_EQ( clt_ok, findChanges() );
        ASSERT_NO_FATAL_FAILURE( expectRight() );
        EXPECT_LE( 2u, m_cuda.researchStats().redoCount ) << "for node pairs and entries, then for keys";
        EXPECT_LT( 1u, m_cuda.researchStats().frontierPeak );
        EXPECT_TRUE( !GetParam() || m_cuda.researchStats().frontSize > 1 );
        creep();
    }
    ASSERT_NO_FATAL_FAILURE( build() );
    ASSERT_EQ( clt_ok, findChanges() );
    ASSERT_NO_FATAL_FAILURE( expectRight() );
    EXPECT_EQ( 0u, m_cuda.researchStats().redoCount ) << "the capacity of the last search is kept";
}

TEST_P( Overflow, ReportsEachFailedAllocation )
{
    int refusedCount = 0;
    for ( bool wasRefused = true; wasRefused; )
    {
        SCOPED_TRACE( refusedCount );
        ASSERT_NO_FATAL_FAILURE( build() );
        ASSERT_NO_FATAL_FAILURE( narrowAll() );
        emulation::machine.allocationsToFailure = refusedCount;
        const cltStatus status = findChanges();
        wasRefused = emulation::machine.hasFailed;
        emulation::machine = {};
        ASSERT_EQ( wasRefused ? clt_deviceMemory : clt_ok, status );
        if ( wasRefused ) // everything again, as the bridge does
        {
            ++refusedCount;
            ASSERT_NO_FATAL_FAILURE( build() );
            ASSERT_EQ( clt_ok, findChanges() );
        }
        ASSERT_NO_FATAL_FAILURE( expectRight() );
        creep();
    }
    EXPECT_LE( GetParam() ? 4 : 2, refusedCount ) << "both queues, and pairs and marks of a front";
}

TEST( FrontierPasses, TestFewNodePairsIfFewBodiesMove )
{
    Backend backend( clt_deviceCuda, clt_algorithmFrontier, clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 2 );
    for ( uint32_t slot = 0; slot < 4000; ++slot )
    {
        table.create( cube( 20 * random.unit(), 20 * random.unit(), 20 * random.unit(), 0.5 ) );
    }
    update( backend, table );
    const uint64_t all = backend.researchStats().nodeTestCount;
    EXPECT_LT( 0u, all );
    table.move( 17, cube( 1, 2, 3, 0.5 ) );
    update( backend, table );
    EXPECT_GT( all, backend.researchStats().nodeTestCount );
    EXPECT_LT( backend.researchStats().frontierPeak, 2000u );
}
