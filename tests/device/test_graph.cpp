// SPDX-License-Identifier: Zlib
// Updates launched as a graph: the same changes as without one. The graph is captured once while operations stay the
// same, and updated or captured again otherwise.
#include "gpu/cuda/cuda_buffer.cuh"
#include "gpu/cuda/update_graph.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <utility>

using namespace test;

namespace
{

/// An algorithm, and whether it keeps a front.
using Searcher = std::pair<cltAlgorithm, bool>;

/// Backends created during its lifetime use graphs.
struct Asked
{
    Asked()
    {
        setenv( "CULLET_CUDA_GRAPH", "1", 1 );
    }

    ~Asked()
    {
        unsetenv( "CULLET_CUDA_GRAPH" );
    }
};

/// A row of trembling cubes: neighbours begin and cease to overlap.
class Row
{
public:
    explicit Row( uint32_t count )
    {
        grow( count );
    }

    void grow( uint32_t count )
    {
        while ( table.slotCount() < count )
        {
            table.create( place( table.slotCount() ) );
        }
    }

    /// Moves the first `count` cubes.
    void tremble( uint32_t count )
    {
        for ( uint32_t slot = 0; slot < count; ++slot )
        {
            table.move( slot, place( slot ) );
        }
    }

    Table table = Table( clt_precisionFloat );

private:
    cltAabbD place( uint32_t slot )
    {
        return cube( 0.5 * slot + m_random.between( -0.02, 0.02 ), 0, 0, 0.25 );
    }

    Random m_random = Random( 11 );
};

class Graph : public testing::TestWithParam<Searcher>
{
protected:
    Graph()
    {
        const Asked asked;
        m_graph = make();
    }

    static std::unique_ptr<Backend> make()
    {
        return std::make_unique<Backend>( clt_deviceCuda, GetParam().first, clt_precisionFloat, clt_outputKeys,
                                          GetParam().second );
    }

    /// Updates both backends and expects the same changes.
    void update( Row& row )
    {
        Keys expected;
        Keys keys;
        ASSERT_EQ( clt_ok, m_plain->update( row.table, &expected ) );
        m_before = emulation::counts;
        ASSERT_EQ( clt_ok, m_graph->update( row.table, &keys ) );
        EXPECT_EQ( expected, keys );
        m_changeCount += keys.size();
        row.table.commit();
    }

    uint64_t launches() const
    {
        return emulation::counts.graphLaunches - m_before.graphLaunches;
    }

    uint64_t captures() const
    {
        return emulation::counts.captures - m_before.captures;
    }

    /// Updates until the capacities have settled.
    void warm( Row& row, uint32_t moving )
    {
        for ( int step = 0; step < 40; ++step )
        {
            update( row );
            row.tremble( moving );
        }
    }

    emulation::Cleanup m_cleanup;
    std::unique_ptr<Backend> m_plain = make();
    std::unique_ptr<Backend> m_graph;
    emulation::Counts m_before;
    uint64_t m_changeCount = 0;
};

INSTANTIATE_TEST_SUITE_P(, Graph,
                         testing::Values( Searcher( clt_algorithmGrid, false ), Searcher( clt_algorithmLbvh, false ),
                                          Searcher( clt_algorithmFrontier, false ),
                                          Searcher( clt_algorithmFrontier, true ) ),
                         []( const auto& info ) {
                             return std::string( cltAlgorithmName( info.param.first ) ) +
                                    ( info.param.second ? "_front" : "" );
                         } );

} // namespace

TEST_P( Graph, IsCapturedOnceWhileOperationsStayTheSame )
{
    Row row( 300 );
    warm( row, 300 );
    const emulation::Counts before = emulation::counts;
    const bool keepsFront = GetParam().second;
    for ( int step = 0; step < 100; ++step )
    {
        update( row );
        if ( launches() == 1u || !keepsFront ) // with a front it sorts when there are too many entries
        {
            EXPECT_EQ( 1u, launches() );
            EXPECT_EQ( 5u, m_graph->researchStats().operationCount ) << "copy, spread, graph, wait, commit";
        }
        row.tremble( 300 );
    }
    EXPECT_EQ( before.captures, emulation::counts.captures );
    EXPECT_LE( before.graphLaunches + 95, emulation::counts.graphLaunches );
    EXPECT_LT( 1000u, m_changeCount );
    if ( !keepsFront ) // the two fronts alternate, and their counts differ
    {
        EXPECT_EQ( before.nodesSet, emulation::counts.nodesSet );
    }
}

/// Addresses, capacities and counts change.
TEST_P( Graph, IsUpdatedWithChangedArguments )
{
    Row row( 300 );
    warm( row, 300 );
    const emulation::Counts before = emulation::counts;
    row.grow( 600 );
    update( row );
    EXPECT_EQ( 0u, launches() ) << "memory grew";
    for ( uint32_t step = 0; step < 20; ++step )
    {
        row.tremble( 500 + step );
        update( row );
    }
    EXPECT_EQ( 1u, launches() );
    if ( GetParam().first == clt_algorithmLbvh ) // its operations are the same
    {
        EXPECT_EQ( before.captures, emulation::counts.captures );
        EXPECT_LE( before.graphLaunches + 19, emulation::counts.graphLaunches );
        EXPECT_LT( before.nodesSet, emulation::counts.nodesSet );
    }
}

TEST_P( Graph, IsCapturedAgainForOtherOperations )
{
    Row row( 300 );
    warm( row, 300 );
    row.grow( 4200 ); // more than one tile of keys
    row.tremble( 300 );
    update( row );
    EXPECT_EQ( 0u, launches() ) << "memory grew";
    const emulation::Counts before = emulation::counts;
    warm( row, 4200 );
    EXPECT_LE( 30u, emulation::counts.graphLaunches - before.graphLaunches );
    warm( row, 20 ); // the tree is searched from these alone
    EXPECT_LE( 60u, emulation::counts.graphLaunches - before.graphLaunches );
    EXPECT_LT( before.captures, emulation::counts.captures );
    EXPECT_GE( before.captures + 4, emulation::counts.captures );
}

/// One update with other operations, such as a sort, does not cost the graph of the others.
TEST_P( Graph, SurvivesOneUpdateWithOtherOperations )
{
    Row row( 300 );
    warm( row, 300 );
    row.table.setFilter( 0, { 2, 5 } );
    update( row );
    row.tremble( 300 );
    update( row ); // previous filters are read, or the order is new
    const uint64_t captures = emulation::counts.captures;
    row.tremble( 300 );
    update( row );
    row.tremble( 300 );
    row.table.move( 7, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    update( row );
    row.tremble( 300 );
    update( row );
    row.tremble( 300 );
    update( row );
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

/// Recorded operations of a failed update are discarded, and the graph is captured again if updating it failed.
TEST_P( Graph, RecoversFromAFailureOfEachCall )
{
    const auto runUpdates = [this]( int64_t callsToFailure )
    {
        std::vector<Keys> results;
        const Asked asked;
        const std::unique_ptr<Backend> backend = make();
        Row row( 40 );
        emulation::machine.callsToFailure = callsToFailure;
        for ( uint32_t step = 0; step < 7; ++step )
        {
            results.emplace_back();
            cltStatus status = backend->update( row.table, &results.back() );
            if ( emulation::machine.hasFailed && status != clt_ok )
            {
                EXPECT_EQ( clt_deviceFailed, status );
                EXPECT_NE( "", backend->failure() );
                emulation::machine = {};
                Keys pairs;
                if ( step > 0 && step % 2 == 0 ) // the world as of the last commit
                {
                    EXPECT_EQ( clt_ok, backend->readPairs( row.table, &pairs ) );
                }
                status = backend->update( row.table, &results.back() );
            }
            EXPECT_EQ( clt_ok, status );
            row.table.commit();
            if ( emulation::machine.hasFailed ) // a commit did
            {
                emulation::machine = {};
                break;
            }
            row.tremble( 20 + step );
        }
        return results;
    };
    m_plain.reset();
    m_graph.reset();
    const emulation::Counts before = emulation::counts;
    const std::vector<Keys> expected = runUpdates( -1 );
    EXPECT_LT( before.graphLaunches, emulation::counts.graphLaunches );
    const int64_t callCount = static_cast<int64_t>( emulation::counts.calls - before.calls );
    size_t completeCount = 0;
    for ( int64_t k = 0; k < callCount; ++k )
    {
        SCOPED_TRACE( k );
        const std::vector<Keys> results = runUpdates( k );
        ASSERT_LE( results.size(), expected.size() );
        EXPECT_TRUE( std::equal( results.begin(), results.end(), expected.begin() ) );
        completeCount += results.size() == expected.size() ? 1 : 0;
        EXPECT_EQ( 0u, emulation::counts.blocksHeld );
        EXPECT_EQ( 0u, emulation::counts.streamsHeld );
    }
    EXPECT_LE( static_cast<size_t>( callCount ) - expected.size(), completeCount ); // a commit breaks off
}
