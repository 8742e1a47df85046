// SPDX-License-Identifier: Zlib
// Every allocation and every call fails once: the stage reports it, nothing on the host is lost, all resources are
// freed, and the repeated update gives the right changes.
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace test;

namespace
{

/// The results of a sequence of updates.
using Results = std::vector<Keys>;

class Failures : public testing::TestWithParam<Searcher>
{
protected:
    Failures()
    {
        const emulation::Counts before = emulation::counts;
        m_expected = runUpdates( clt_ok );
        m_allocationCount = static_cast<int64_t>( emulation::counts.allocations - before.allocations );
        m_callCount = static_cast<int64_t>( emulation::counts.calls - before.calls );
    }

    /// Runs updates until a commit fails, and returns their results. Expects failed calls to return `expected`, and all
    /// resources to be freed.
    static Results runUpdates( cltStatus expected )
    {
        Results results;
        {
            const std::unique_ptr<Backend> backend = GetParam().create( clt_precisionFloat );
            Table table( clt_precisionFloat );
            Random random( 17 );
            bool isCommitted = true;
            for ( int step = 0; step < 2 && isCommitted; ++step )
            {
                for ( int i = 0; i < 70; ++i ) // so many that buffers grow
                {
                    table.create( randomCube( random, 2 ) );
                }
                stir( table, random, step );
                isCommitted = runStep( *backend, table, expected, &results );
            }
        }
        EXPECT_EQ( 0u, emulation::counts.blocksHeld );
        EXPECT_EQ( 0u, emulation::counts.streamsHeld );
        return results;
    }

    emulation::Cleanup m_cleanup;
    Results m_expected;
    int64_t m_allocationCount;
    int64_t m_callCount;

private:
    /// Updates and reads all pairs. Returns false if the commit failed. It has no status, but all later calls fail.
    static bool runStep( Backend& backend, Table& table, cltStatus expected, Results* results )
    {
        results->emplace_back();
        const auto update = [&] { return backend.update( table, &results->back() ); };
        const bool isCommitted = attempt( update, expected, backend );
        table.commit();
        if ( !isCommitted )
        {
            Keys pairs;
            EXPECT_EQ( clt_deviceFailed, backend.readPairs( table, &pairs ) );
            EXPECT_NE( "", backend.failure() );
            return false;
        }
        results->emplace_back();
        attempt( [&] { return backend.readPairs( table, &results->back() ); }, expected, backend );
        return true;
    }

    /// Makes the call, and repeats it if it failed, with the status `expected`. Returns false if its commit failed.
    template <typename Call>
    static bool attempt( Call call, cltStatus expected, const Backend& backend )
    {
        cltStatus status = call();
        if ( emulation::machine.hasFailed && status != clt_ok )
        {
            EXPECT_EQ( expected, status );
            EXPECT_NE( "", backend.failure() );
            emulation::machine = {};
            status = call();
        }
        EXPECT_EQ( clt_ok, status );
        const bool isCommitted = !emulation::machine.hasFailed;
        if ( !isCommitted )
        {
            emulation::machine = {};
        }
        return isCommitted;
    }
};

INSTANTIATE_TEST_SUITE_P(, Failures,
                         testing::Values( Searcher{ clt_algorithmBruteForce }, Searcher{ clt_algorithmGrid },
                                          Searcher{ clt_algorithmLbvh }, Searcher{ clt_algorithmFrontier } ),
                         nameOfSearcher );

} // namespace

TEST_P( Failures, OfAllocationsAreReportedAndUpdatesCanBeRepeated )
{
    EXPECT_GT( m_allocationCount, 15 );
    for ( int64_t k = 0; k < m_allocationCount; ++k )
    {
        SCOPED_TRACE( k );
        emulation::machine.allocationsToFailure = k;
        EXPECT_TRUE( m_expected == runUpdates( clt_deviceMemory ) );
    }
}

TEST_P( Failures, OfOtherCallsAreReportedAndUpdatesCanBeRepeated )
{
    EXPECT_GT( m_callCount, 60 );
    size_t completeCount = 0;
    for ( int64_t k = 0; k < m_callCount; ++k )
    {
        SCOPED_TRACE( k );
        emulation::machine.callsToFailure = k;
        const Results results = runUpdates( clt_deviceFailed );
        ASSERT_LE( results.size(), m_expected.size() );
        EXPECT_TRUE( std::equal( results.begin(), results.end(), m_expected.begin() ) );
        completeCount += results.size() == m_expected.size() ? 1 : 0;
        emulation::machine = {};
    }
    EXPECT_EQ( static_cast<size_t>( m_callCount ) - m_expected.size() / 2, completeCount ); // failed commits end runs
}

/// The runtime keeps the last error of a thread.
TEST_P( Failures, IgnoreEarlierErrorsOfTheApplication )
{
    const std::unique_ptr<Backend> backend = GetParam().create( clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 17 );
    for ( int step = 0; step < 2; ++step )
    {
        emulation::machine.allocationsToFailure = 0;
        void* block = nullptr;
        ASSERT_EQ( cudaErrorMemoryAllocation, cudaMalloc( &block, 16 ) );
        table.create( randomCube( random, 2 ) );
        update( *backend, table );
    }
}
