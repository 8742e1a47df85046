// SPDX-License-Identifier: Zlib
// When an allocation or a call fails, for every one there is, the stage says so, nothing is lost on the host, nothing
// is held in the end, and the update gives the right changes when it is repeated.
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

using namespace test;

namespace
{

/// What a life hands out.
using Life = std::vector<Keys>;

/// An algorithm, and whether it keeps a front.
using Searcher = std::pair<cltAlgorithm, bool>;

class Failures : public testing::TestWithParam<Searcher>
{
protected:
    Failures()
    {
        const emulation::Counts before = emulation::counts;
        m_expected = live( clt_ok );
        m_allocationCount = static_cast<int64_t>( emulation::counts.allocations - before.allocations );
        m_callCount = static_cast<int64_t>( emulation::counts.calls - before.calls );
    }

    ~Failures() override
    {
        expectNothingHeld();
    }

    static Backend searcher()
    {
        return Backend( clt_deviceCuda, GetParam().first, clt_precisionFloat, clt_outputKeys, GetParam().second );
    }

    static void expectNothingHeld()
    {
        EXPECT_EQ( 0u, emulation::counts.blocksHeld );
        EXPECT_EQ( 0u, emulation::counts.streamsHeld );
    }

    /// What is handed out where something fails with the status expected: up to a commit that does.
    static Life live( cltStatus expected )
    {
        Life life;
        Backend backend = searcher();
        Table table( clt_precisionFloat );
        Random random( 17 );
        for ( int step = 0; step < 3; ++step )
        {
            stir( table, random, step );
            for ( int i = 0; i < 70; ++i ) // more than ever before, so that buffers grow
            {
                table.create( randomCube( random, 2 ) );
            }
            life.emplace_back();
            const auto update = [&] { return backend.update( table, &life.back() ); };
            const bool committed = attempt( update, expected, backend );
            table.commit();
            if ( !committed )
            {
                Keys pairs;
                EXPECT_EQ( clt_deviceFailed, backend.readPairs( table, &pairs ) );
                EXPECT_NE( "", backend.failure() );
                break;
            }
            life.emplace_back();
            const auto readPairs = [&] { return backend.readPairs( table, &life.back() ); };
            attempt( readPairs, expected, backend );
        }
        return life;
    }

    emulation::Cleanup m_cleanup;
    Life m_expected;
    int64_t m_allocationCount;
    int64_t m_callCount;

private:
    /// Calls until it works; a call during which something failed must have said so, with the status expected. A commit
    /// has no status: when it fails, all calls from then on do, and false is returned.
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
        const bool committed = !emulation::machine.hasFailed;
        if ( !committed )
        {
            emulation::machine = {};
        }
        return committed;
    }
};

INSTANTIATE_TEST_SUITE_P(, Failures,
                         testing::Values( Searcher( clt_algorithmBruteForce, false ),
                                          Searcher( clt_algorithmGrid, false ), Searcher( clt_algorithmLbvh, false ),
                                          Searcher( clt_algorithmFrontier, false ),
                                          Searcher( clt_algorithmFrontier, true ) ),
                         []( const auto& info ) {
                             return std::string( cltAlgorithmName( info.param.first ) ) +
                                    ( info.param.second ? "_front" : "" );
                         } );

} // namespace

TEST_P( Failures, EveryAllocation )
{
    EXPECT_GT( m_allocationCount, 20 );
    for ( int64_t k = 0; k < m_allocationCount; ++k )
    {
        SCOPED_TRACE( k );
        emulation::machine.allocationsToFailure = k;
        EXPECT_TRUE( m_expected == live( clt_deviceMemory ) );
        expectNothingHeld();
    }
}

TEST_P( Failures, EveryCallOnce )
{
    EXPECT_GT( m_callCount, 100 );
    int wholeLives = 0;
    for ( int64_t k = 0; k < m_callCount; ++k )
    {
        SCOPED_TRACE( k );
        emulation::machine.callsToFailure = k;
        const Life life = live( clt_deviceFailed );
        ASSERT_LE( life.size(), m_expected.size() );
        EXPECT_TRUE( std::equal( life.begin(), life.end(), m_expected.begin() ) );
        wholeLives += life.size() == m_expected.size() ? 1 : 0;
        expectNothingHeld();
        emulation::machine = {};
    }
    EXPECT_EQ( m_callCount - 3, wholeLives ); // one for each commit breaks off
}

TEST_P( Failures, ADeviceThatBreaksStaysBroken )
{
    for ( int64_t k = 0; k < m_callCount; k += 7 )
    {
        SCOPED_TRACE( k );
        emulation::machine.callsToFailure = k;
        emulation::machine.breaks = true;
        {
            Backend backend = searcher();
            Table table( clt_precisionFloat );
            Random random( 17 );
            Keys keys;
            while ( !emulation::machine.hasFailed )
            {
                stir( table, random, 0 );
                backend.update( table, &keys ); // the last one fails, or its commit does
                table.commit();
            }
            stir( table, random, 0 );
            EXPECT_EQ( clt_deviceFailed, backend.update( table, &keys ) );
            EXPECT_NE( "", backend.failure() );
        }
        expectNothingHeld();
        emulation::machine = {};
    }
}

/// The runtime remembers the last error of anybody in the thread.
TEST_P( Failures, OneOfTheApplicationsIsNotOurs )
{
    Backend backend = searcher();
    Table table( clt_precisionFloat );
    Random random( 17 );
    for ( int step = 0; step < 2; ++step )
    {
        emulation::machine.allocationsToFailure = 0;
        void* block = nullptr;
        ASSERT_EQ( cudaErrorMemoryAllocation, cudaMalloc( &block, 16 ) );
        table.create( randomCube( random, 2 ) );
        update( backend, table );
    }
}
