// SPDX-License-Identifier: Zlib
// When an allocation or a call fails, for every one there is, the stage says so, nothing is lost on the host, nothing
// is held in the end, and the update gives the right changes when it is repeated.
#include "tests/cuda/emulation/emulation.h"
#include "tests/cuda/table.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace test;

namespace
{

/// What a life hands out.
using Life = std::vector<Keys>;

/// Calls until it works; a call during which something failed must have said so, with the status expected. A commit has
/// no status: when it fails, all calls from then on do, and false is returned.
template <typename Call>
bool attempt( Call call, cltStatus expected, const Backend& backend )
{
    cltStatus status = call();
    if ( emulation::hasFailed() && status != clt_ok )
    {
        EXPECT_EQ( expected, status );
        EXPECT_STRNE( "", backend.get()->failure );
        emulation::reset();
        status = call();
    }
    EXPECT_EQ( clt_ok, status );
    if ( !emulation::hasFailed() )
    {
        return true;
    }
    emulation::reset();
    return false;
}

Life live( cltAlgorithm algorithm, cltStatus expected )
{
    Life life;
    Backend backend( clt_deviceCuda, algorithm, clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 17 );
    for ( int step = 0; step < 3; ++step )
    {
        stir( table, random, step );
        for ( int i = 0; i < 70; ++i ) // more than ever before, so that buffers grow
        {
            table.create( randomCube( random, 2 ) );
        }
        Keys keys;
        const bool committed = attempt( [&] { return backend.update( table, &keys ); }, expected, backend );
        table.commit();
        life.push_back( keys );
        if ( !committed )
        {
            EXPECT_EQ( clt_deviceFailed, backend.readPairs( table, &keys ) );
            EXPECT_STRNE( "", backend.get()->failure );
            break;
        }
        attempt( [&] { return backend.readPairs( table, &keys ); }, expected, backend );
        life.push_back( keys );
    }
    return life;
}

class Failures : public testing::TestWithParam<cltAlgorithm>
{
protected:
    void SetUp() override
    {
        emulation::reset();
        m_before = emulation::counts();
        m_expected = live( GetParam(), clt_ok );
        m_after = emulation::counts();
    }

    void TearDown() override
    {
        emulation::reset();
    }

    void expectNothingHeld()
    {
        EXPECT_EQ( 0u, emulation::counts().blocksHeld );
        EXPECT_EQ( 0u, emulation::counts().streamsHeld );
    }

    emulation::Counts m_before;
    emulation::Counts m_after;
    Life m_expected;
};

INSTANTIATE_TEST_SUITE_P(, Failures, testing::Values( clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh ),
                         []( const auto& info ) { return std::string( cltAlgorithmName( info.param ) ); } );

} // namespace

TEST_P( Failures, EveryAllocation )
{
    const int64_t count = static_cast<int64_t>( m_after.allocations - m_before.allocations );
    EXPECT_GT( count, 20 );
    for ( int64_t k = 0; k < count; ++k )
    {
        SCOPED_TRACE( k );
        emulation::failAllocationAfter( k );
        EXPECT_TRUE( m_expected == live( GetParam(), clt_deviceMemory ) );
        expectNothingHeld();
        emulation::reset();
    }
}

TEST_P( Failures, EveryCallOnce )
{
    const int64_t count = static_cast<int64_t>( m_after.calls - m_before.calls );
    EXPECT_GT( count, 100 );
    int wholeLives = 0;
    for ( int64_t k = 0; k < count; ++k )
    {
        SCOPED_TRACE( k );
        emulation::failCallAfter( k );
        const Life life = live( GetParam(), clt_deviceFailed );
        ASSERT_LE( life.size(), m_expected.size() );
        EXPECT_TRUE( std::equal( life.begin(), life.end(), m_expected.begin() ) );
        wholeLives += life.size() == m_expected.size() ? 1 : 0;
        expectNothingHeld();
        emulation::reset();
    }
    EXPECT_EQ( count - 3, wholeLives ); // one for each commit breaks off
}

TEST_P( Failures, ADeviceThatBreaksStaysBroken )
{
    const int64_t count = static_cast<int64_t>( m_after.calls - m_before.calls );
    for ( int64_t k = 0; k < count; k += 7 )
    {
        SCOPED_TRACE( k );
        {
            emulation::breakAfter( k );
            Backend backend( clt_deviceCuda, GetParam(), clt_precisionFloat );
            Table table( clt_precisionFloat );
            Random random( 17 );
            Keys keys;
            while ( !emulation::hasFailed() )
            {
                stir( table, random, 0 );
                backend.update( table, &keys ); // the last one fails, or its commit does
                table.commit();
            }
            stir( table, random, 0 );
            EXPECT_EQ( clt_deviceFailed, backend.update( table, &keys ) );
            EXPECT_STRNE( "", backend.get()->failure );
        }
        expectNothingHeld();
        emulation::reset();
    }
}

/// The runtime remembers the last error of anybody in the thread.
TEST_P( Failures, OneOfTheApplicationsIsNotOurs )
{
    Backend backend( clt_deviceCuda, GetParam(), clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 17 );
    for ( int step = 0; step < 2; ++step )
    {
        emulation::failAllocationAfter( 0 );
        void* block = nullptr;
        ASSERT_EQ( cudaErrorMemoryAllocation, cudaMalloc( &block, 16 ) );
        table.create( randomCube( random, 2 ) );
        Keys keys;
        EXPECT_EQ( clt_ok, backend.update( table, &keys ) );
        table.commit();
    }
}
