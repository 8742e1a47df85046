// SPDX-License-Identifier: Zlib
// The cost of an update without timing: waits, allocations and bytes across the bus. The results do not depend on the
// order of blocks and threads.
#include "tests/device/emulation/emulation.h"
#include "tests/device/table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace test;

namespace
{

class Traffic : public testing::TestWithParam<Searcher>
{
protected:
    /// A row of cubes; neighbours overlap if they are no further apart than 0.4.
    void createRow( uint32_t count, double distance )
    {
        for ( uint32_t i = 0; i < count; ++i )
        {
            m_table.create( cube( distance * i, 0, 0, 0.4 ) );
        }
    }

    void update()
    {
        m_keys = test::update( *m_backend, m_table );
    }

    emulation::Cleanup m_cleanup;
    std::unique_ptr<Backend> m_backend = GetParam().create( clt_precisionFloat );
    Table m_table = Table( clt_precisionFloat );
    Keys m_keys;
};

INSTANTIATE_TEST_SUITE_P(, Traffic,
                         testing::Values( Searcher{ clt_algorithmBruteForce },
                                          Searcher{ clt_algorithmBruteForce, clt_outputBits },
                                          Searcher{ clt_algorithmGrid }, Searcher{ clt_algorithmLbvh },
                                          Searcher{ clt_algorithmFrontier } ),
                         nameOfSearcher );

std::vector<Keys> keysOfUpdates( const Searcher& param, emulation::Order order )
{
    emulation::machine.order = order;
    const std::unique_ptr<Backend> backend = param.create( clt_precisionDouble );
    Table table( clt_precisionDouble );
    Random random( 8 );
    std::vector<Keys> keysOfSteps;
    for ( int step = 0; step < 6; ++step )
    {
        stir( table, random, step );
        keysOfSteps.push_back( update( *backend, table ) );
        keysOfSteps.emplace_back();
        EXPECT_EQ( clt_ok, backend->readPairs( table, &keysOfSteps.back() ) );
    }
    return keysOfSteps;
}

} // namespace

/// From the third update on, each update waits once and allocates nothing.
TEST_P( Traffic, WaitsOnceAndAllocatesNothingAfterWarmUp )
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
            EXPECT_EQ( 0u, m_backend->researchStats().redoCount );
        }
        creep( m_table, random, 1 );
    }
}

TEST_P( Traffic, SendsOnlyWhatChanged )
{
    Random random( 4 );
    createRow( 1000, 0.5 );
    update();
    creep( m_table, random, 100 ); // ten bodies
    const emulation::Counts before = emulation::counts;
    update();
    const uint64_t perSlot = sizeof( cltAabb ) + sizeof( uint32_t ); // the filters are on the device
    EXPECT_GE( emulation::counts.bytesToDevice - before.bytesToDevice, 10 * perSlot );
    EXPECT_LE( emulation::counts.bytesToDevice - before.bytesToDevice, 10 * perSlot + 64 );
}

TEST_P( Traffic, GrowsBuffersWithinTheUpdate )
{
    createRow( 1030, 3 ); // more bodies than the least capacity for extra leaves
    update();
    for ( uint32_t slot = 0; slot < 1030; ++slot ) // all jump: twice the leaves, and many pairs
    {
        m_table.move( slot, cube( slot % 8 * 10, 0, 1e6, 1 ) );
    }
    update();
    EXPECT_EQ( 65792u, m_keys.size() );
    EXPECT_GE( m_backend->researchStats().redoCount, 2u );
}

TEST_P( Traffic, DoesNotDependOnTheOrderOfExecution )
{
    EXPECT_TRUE( keysOfUpdates( GetParam(), emulation::Order::forward ) ==
                 keysOfUpdates( GetParam(), emulation::Order::backward ) );
}

TEST_P( Traffic, IsRefusedInAForkedChild )
{
    m_table.create( span( 0, 1 ) );
    m_table.create( span( 1, 2 ) );
    update();
    const pid_t child = fork();
    if ( child == 0 )
    {
        m_table.move( 0, span( 0, 2 ) );
        const emulation::Counts before = emulation::counts;
        const bool refused = m_backend->update( m_table, &m_keys ) == clt_deviceFailed &&
                             m_backend->readPairs( m_table, &m_keys ) == clt_deviceFailed && m_backend->failure() != "";
        const bool silent = emulation::counts.calls == before.calls && emulation::counts.waits == before.waits;
        _exit( refused && silent ? 0 : 1 );
    }
    int exitStatus = -1;
    ASSERT_EQ( child, waitpid( child, &exitStatus, 0 ) );
    EXPECT_TRUE( WIFEXITED( exitStatus ) );
    EXPECT_EQ( 0, WEXITSTATUS( exitStatus ) );
    EXPECT_EQ( clt_ok, m_backend->readPairs( m_table, &m_keys ) );
    EXPECT_EQ( 1u, m_keys.size() );
}
