// SPDX-License-Identifier: Zlib
// Updates launched as a graph: the same changes as without one. The graph is captured once while operations stay the
// same, and updated or captured again otherwise. Failures: test_failures.cpp.
#include "gpu/cuda/cuda_buffer.cuh"
#include "gpu/cuda/update_graph.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>

using namespace test;

namespace
{

class Graph : public testing::TestWithParam<Searcher>
{
protected:
    void grow( uint32_t count )
    {
        while ( m_table.slotCount() < count )
        {
            m_table.create( cube( 0.5 * m_table.slotCount(), 0, 0, 0.25 ) );
        }
    }

    /// Updates both backends and expects the same changes. Then the first `moving` cubes of the row tremble, so that
    /// neighbours begin and cease to overlap.
    void step( uint32_t moving )
    {
        Keys expected;
        Keys keys;
        ASSERT_EQ( clt_ok, m_plain->update( m_table, &expected ) );
        m_before = emulation::counts;
        ASSERT_EQ( clt_ok, m_graph->update( m_table, &keys ) );
        EXPECT_EQ( expected, keys );
        m_changeCount += keys.size();
        m_table.commit();
        for ( uint32_t slot = 0; slot < moving; ++slot )
        {
            m_table.move( slot, cube( 0.5 * slot + m_random.between( -0.02, 0.02 ), 0, 0, 0.25 ) );
        }
    }

    /// Updates until the capacities have settled.
    void warm( uint32_t moving )
    {
        for ( int i = 0; i < 40; ++i )
        {
            step( moving );
        }
    }

    uint64_t launches() const
    {
        return emulation::counts.graphLaunches - m_before.graphLaunches;
    }

    emulation::Cleanup m_cleanup;
    Table m_table = Table( clt_precisionFloat );
    std::unique_ptr<Backend> m_plain = GetParam().create( clt_precisionFloat );
    std::unique_ptr<Backend> m_graph = GetParam().withGraph().create( clt_precisionFloat );
    emulation::Counts m_before;
    uint64_t m_changeCount = 0;
    Random m_random{ 11 };
};

INSTANTIATE_TEST_SUITE_P(, Graph,
                         testing::Values( Searcher{ clt_algorithmGrid }, Searcher{ clt_algorithmLbvh },
                                          Searcher{ clt_algorithmFrontier }, Searcher{ clt_algorithmFrontier, true } ),
                         nameOfSearcher );

} // namespace

TEST_P( Graph, IsCapturedOnceWhileOperationsStayTheSame )
{
    grow( 300 );
    warm( 300 );
    const emulation::Counts before = emulation::counts;
    const bool keepsFront = GetParam().keepsFront; // then it sorts when there are too many entries
    for ( int i = 0; i < 100; ++i )
    {
        step( 300 );
        if ( launches() == 1u || !keepsFront )
        {
            EXPECT_EQ( 1u, launches() );
            EXPECT_EQ( 5u, m_graph->researchStats().operationCount ) << "copy, spread, graph, wait, commit";
        }
    }
    EXPECT_EQ( before.captures, emulation::counts.captures );
    EXPECT_LE( before.graphLaunches + 95, emulation::counts.graphLaunches );
    EXPECT_LT( 1000u, m_changeCount );
    if ( !keepsFront ) // the two fronts alternate, and their counts differ
    {
        EXPECT_EQ( before.nodesSet, emulation::counts.nodesSet );
    }
}

TEST_P( Graph, IsUpdatedWithChangedArgumentsAndCapturedAgainForOtherOperations )
{
    grow( 300 );
    warm( 300 );
    const emulation::Counts before = emulation::counts;
    grow( 600 );
    step( 500 );
    EXPECT_EQ( 0u, launches() ) << "memory grew";
    for ( uint32_t i = 0; i < 20; ++i )
    {
        step( 500 + i );
    }
    EXPECT_EQ( 1u, launches() );
    if ( GetParam().algorithm == clt_algorithmLbvh ) // its operations are the same
    {
        EXPECT_EQ( before.captures, emulation::counts.captures );
        EXPECT_LE( before.graphLaunches + 19, emulation::counts.graphLaunches );
        EXPECT_LT( before.nodesSet, emulation::counts.nodesSet );
    }
    const emulation::Counts between = emulation::counts;
    grow( 4200 ); // more than one tile of keys
    warm( 4200 );
    warm( 20 ); // the tree is searched from these alone
    EXPECT_LE( 60u, emulation::counts.graphLaunches - between.graphLaunches );
    EXPECT_LT( between.captures, emulation::counts.captures );
    EXPECT_GE( between.captures + 4, emulation::counts.captures );
}

/// One update with other operations, such as a sort, does not cost the graph of the others.
TEST_P( Graph, SurvivesOneUpdateWithOtherOperations )
{
    grow( 300 );
    warm( 300 );
    m_table.setFilter( 0, { 2, 5 } );
    step( 300 );
    step( 300 ); // previous filters are read, or the order is new
    const uint64_t captures = emulation::counts.captures;
    step( 300 );
    m_table.move( 7, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    step( 300 );
    step( 300 );
    step( 300 );
    EXPECT_EQ( 1u, launches() );
    EXPECT_GE( captures + 1, emulation::counts.captures );
}

/// More operations than a list holds are enqueued one by one.
TEST( GraphRoom, EnqueuesOneByOneWhatDoesNotFit )
{
    constexpr uint32_t count = 2 * CLT_GRAPH_STEPS;
    emulation::Cleanup cleanup;
    cltCudaDevice device{};
    const auto graph = std::make_unique<cltUpdateGraph>();
    device.graph = graph.get();
    const cltCudaVisit visit( &device, "test" );
    cltCudaBuffer bytes;
    cltCudaBuffer fetched( clt_placePinned );
    ASSERT_EQ( clt_ok, cltCudaBuffer_Reserve( &bytes, &device, count, 1 ) );
    ASSERT_EQ( clt_ok, cltCudaBuffer_Reserve( &fetched, &device, count, 1 ) );
    const uint64_t captures = emulation::counts.captures;
    for ( int update = 0; update < 4; ++update )
    {
        cltUpdateGraph_Open( &device );
        for ( uint32_t i = 0; i < count; ++i )
        {
            ASSERT_EQ( clt_ok,
                       cltCudaFill( &device, static_cast<char*>( bytes.data ) + i, static_cast<int>( i % 128 ), 1 ) );
        }
        ASSERT_EQ( clt_ok, cltCudaCopy( &device, fetched.data, bytes.data, count ) );
        ASSERT_EQ( clt_ok, cltCudaDevice_Wait( &device ) );
        for ( uint32_t i = 0; i < count; ++i )
        {
            ASSERT_EQ( static_cast<char>( i % 128 ), std::exchange( static_cast<char*>( fetched.data )[i], -1 ) );
        }
    }
    EXPECT_EQ( captures, emulation::counts.captures );
}
