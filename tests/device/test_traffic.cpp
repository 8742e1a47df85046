// SPDX-License-Identifier: Zlib
// What an update costs where it cannot be timed: waits, allocations, bytes across the bus. And that no order of blocks
// and threads shows.
#include "gpu/cuda/cuda_backend.cuh"
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

using namespace test;

namespace
{

/// An algorithm, what it writes, and whether it keeps a front.
using Searcher = std::tuple<cltAlgorithm, cltOutput, bool>;

Backend searcher( const Searcher& what, cltPrecision precision )
{
    return Backend( clt_deviceCuda, std::get<0>( what ), precision, std::get<1>( what ), std::get<2>( what ) );
}

class Traffic : public testing::TestWithParam<Searcher>
{
protected:
    /// A row of cubes, of which each overlaps its neighbours if they are no further apart than 0.4.
    void createRow( uint32_t count, double distance )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            m_table.create( cube( distance * i, 0, 0, 0.4 ) );
        }
    }

    void update()
    {
        m_keys = test::update( m_backend, m_table );
    }

    emulation::Cleanup m_cleanup;
    Backend m_backend = searcher( GetParam(), clt_precisionFloat );
    Table m_table = Table( clt_precisionFloat );
    Keys m_keys;
};

INSTANTIATE_TEST_SUITE_P(, Traffic,
                         testing::Values( Searcher( clt_algorithmBruteForce, clt_outputKeys, false ),
                                          Searcher( clt_algorithmBruteForce, clt_outputBits, false ),
                                          Searcher( clt_algorithmGrid, clt_outputKeys, false ),
                                          Searcher( clt_algorithmLbvh, clt_outputKeys, false ),
                                          Searcher( clt_algorithmFrontier, clt_outputKeys, false ),
                                          Searcher( clt_algorithmFrontier, clt_outputKeys, true ) ),
                         []( const auto& info )
                         {
                             return std::string( cltAlgorithmName( std::get<0>( info.param ) ) ) +
                                    ( std::get<1>( info.param ) == clt_outputBits ? "_bits" : "_keys" ) +
                                    ( std::get<2>( info.param ) ? "_front" : "" );
                         } );

std::vector<Keys> livesKeys( const Searcher& param, emulation::Order order )
{
    emulation::machine.order = order;
    Backend backend = searcher( param, clt_precisionDouble );
    Table table( clt_precisionDouble );
    Random random( 8 );
    std::vector<Keys> handedOut;
    for ( int step = 0; step < 6; ++step )
    {
        stir( table, random, step );
        handedOut.push_back( update( backend, table ) );
        handedOut.emplace_back();
        EXPECT_EQ( clt_ok, backend.readPairs( table, &handedOut.back() ) );
    }
    return handedOut;
}

} // namespace

/// From the third update on each waits once and does without memory.
TEST_P( Traffic, OneWaitAndNoAllocationOnceWarm )
{
    Random random( 3 );
    createRow( 600, 0.5 );
    for ( int step = 0; step < 6; ++step )
    {
        const emulation::Counts before = emulation::counts;
        update();
        if ( step >= 2 )
        {
            EXPECT_EQ( 1u, emulation::counts.waits - before.waits );
            EXPECT_EQ( before.allocations, emulation::counts.allocations );
            EXPECT_EQ( 0u, m_backend.researchStats().redoCount );
        }
        creep( m_table, random, 1 );
    }
}

TEST_P( Traffic, OnlyWhatChangedIsSent )
{
    Random random( 4 );
    createRow( 1000, 0.5 );
    update();
    creep( m_table, random, 100 ); // ten of them
    const emulation::Counts before = emulation::counts;
    update();
    const uint64_t perSlot = sizeof( cltAabb ) + sizeof( uint32_t ); // whose filters are known there
    EXPECT_GE( emulation::counts.bytesToDevice - before.bytesToDevice, 10 * perSlot );
    EXPECT_LE( emulation::counts.bytesToDevice - before.bytesToDevice, 10 * perSlot + 64 );
}

TEST_P( Traffic, BuffersThatAreTooSmallGrowWithinTheUpdate )
{
    createRow( 1500, 3 );
    update();
    for ( uint32_t slot = 0; slot < 1500; ++slot ) // all jump, all to one place: twice the leaves, and every pair
    {
        m_table.move( slot, cube( 0, 0, 1e6, 1 ) );
    }
    update();
    EXPECT_EQ( 1500u * 1499u / 2u, m_keys.size() );
    EXPECT_GE( m_backend.researchStats().redoCount, 2u );
}

TEST_P( Traffic, NoOrderShows )
{
    EXPECT_TRUE( livesKeys( GetParam(), emulation::Order::forward ) ==
                 livesKeys( GetParam(), emulation::Order::backward ) );
}

TEST_P( Traffic, AForkedChildLeavesTheDeviceAlone )
{
    m_table.create( span( 0, 1 ) );
    m_table.create( span( 1, 2 ) );
    update();
    const pid_t child = fork();
    if ( child == 0 )
    {
        m_table.move( 0, span( 0, 2 ) );
        const emulation::Counts before = emulation::counts;
        const bool refused = m_backend.update( m_table, &m_keys ) == clt_deviceFailed &&
                             m_backend.readPairs( m_table, &m_keys ) == clt_deviceFailed && m_backend.failure() != "";
        const bool silent = emulation::counts.calls == before.calls && emulation::counts.waits == before.waits;
        _exit( refused && silent ? 0 : 1 );
    }
    int exitStatus = -1;
    ASSERT_EQ( child, waitpid( child, &exitStatus, 0 ) );
    EXPECT_TRUE( WIFEXITED( exitStatus ) );
    EXPECT_EQ( 0, WEXITSTATUS( exitStatus ) );
    EXPECT_EQ( clt_ok, m_backend.readPairs( m_table, &m_keys ) );
    EXPECT_EQ( 1u, m_keys.size() );
}
