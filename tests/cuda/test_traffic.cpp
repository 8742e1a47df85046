// SPDX-License-Identifier: Zlib
// What an update costs where it cannot be timed: waits, allocations, bytes across the bus. And that no order of blocks and
// threads shows.
#include "tests/cuda/emulation/emulation.h"
#include "tests/cuda/table.h"
#include "tests/cuda/warm_updates.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace test;

namespace
{

class Traffic : public testing::TestWithParam<cltAlgorithm>
{
protected:
    void TearDown() override
    {
        emulation::reset();
    }
};

INSTANTIATE_TEST_SUITE_P(, Traffic, testing::Values( clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh ),
                         []( const auto& info ) { return std::string( cltAlgorithmName( info.param ) ); } );

void creep( Table& table, Random& random, uint32_t share )
{
    for ( uint32_t slot = 0; slot < table.slotCount(); slot += share )
    {
        table.move( slot, cube( slot * 0.5, 0, random.between( 0, 0.1 ), 0.4 ) );
    }
}

std::vector<Keys> livesKeys( cltAlgorithm algorithm, emulation::Order order )
{
    emulation::setOrder( order );
    Backend backend( clt_deviceCuda, algorithm, clt_precisionDouble );
    Table table( clt_precisionDouble );
    Random random( 8 );
    std::vector<Keys> handedOut;
    for ( int step = 0; step < 6; ++step )
    {
        stir( table, random, step );
        handedOut.emplace_back();
        EXPECT_EQ( clt_ok, backend.update( table, &handedOut.back() ) );
        table.commit();
        handedOut.emplace_back();
        EXPECT_EQ( clt_ok, backend.readPairs( table, &handedOut.back() ) );
    }
    return handedOut;
}

} // namespace

TEST_P( Traffic, TwoWaitsAndNoAllocationOnceWarm )
{
    Backend backend( clt_deviceCuda, GetParam(), clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 3 );
    expectTwoWaitsAndNoAllocation( backend, table, [&] { creep( table, random, 1 ); } );
}

TEST_P( Traffic, OnlyWhatChangedIsSent )
{
    Backend backend( clt_deviceCuda, GetParam(), clt_precisionFloat );
    Table table( clt_precisionFloat );
    Random random( 4 );
    for ( uint32_t i = 0; i < 1000; ++i )
    {
        table.create( cube( i * 0.5, 0, 0, 0.4 ) );
    }
    Keys keys;
    ASSERT_EQ( clt_ok, backend.update( table, &keys ) );
    table.commit();
    creep( table, random, 100 ); // ten of them
    const emulation::Counts before = emulation::counts();
    ASSERT_EQ( clt_ok, backend.update( table, &keys ) );
    const uint64_t perSlot = sizeof( cltAabb ) + sizeof( uint32_t ); // whose filters are known there
    EXPECT_GE( emulation::counts().bytesToDevice - before.bytesToDevice, 10 * perSlot );
    EXPECT_LE( emulation::counts().bytesToDevice - before.bytesToDevice, 10 * perSlot + 64 );
}

TEST_P( Traffic, BuffersThatAreTooSmallGrowWithinTheUpdate )
{
    Backend backend( clt_deviceCuda, GetParam(), clt_precisionFloat );
    Table table( clt_precisionFloat );
    for ( int i = 0; i < 1500; ++i )
    {
        table.create( cube( 3 * i, 0, 0, 1 ) );
    }
    Keys keys;
    ASSERT_EQ( clt_ok, backend.update( table, &keys ) );
    table.commit();
    for ( uint32_t slot = 0; slot < 1500; ++slot ) // all jump, all to one place: twice the leaves, and every pair
    {
        table.move( slot, cube( 0, 0, 1e6, 1 ) );
    }
    ASSERT_EQ( clt_ok, backend.update( table, &keys ) );
    EXPECT_EQ( 1500u * 1499u / 2u, keys.size() );
    EXPECT_GE( backend.stats().redoCount, 2u );
}

TEST_P( Traffic, NoOrderShows )
{
    EXPECT_TRUE( livesKeys( GetParam(), emulation::Order::forward ) ==
                 livesKeys( GetParam(), emulation::Order::backward ) );
}

TEST_P( Traffic, AForkedChildLeavesTheDeviceAlone )
{
    Backend backend( clt_deviceCuda, GetParam(), clt_precisionFloat );
    Table table( clt_precisionFloat );
    table.create( span( 0, 1 ) );
    table.create( span( 1, 2 ) );
    Keys keys;
    ASSERT_EQ( clt_ok, backend.update( table, &keys ) );
    const pid_t child = fork();
    if ( child == 0 )
    {
        const emulation::Counts before = emulation::counts();
        const bool refused = backend.update( table, &keys ) == clt_deviceFailed &&
                             backend.readPairs( table, &keys ) == clt_deviceFailed &&
                             backend.stats().failure != nullptr;
        const bool silent = emulation::counts().calls == before.calls && emulation::counts().waits == before.waits;
        _exit( refused && silent ? 0 : 1 );
    }
    int exitStatus = -1;
    ASSERT_EQ( child, waitpid( child, &exitStatus, 0 ) );
    EXPECT_TRUE( WIFEXITED( exitStatus ) );
    EXPECT_EQ( 0, WEXITSTATUS( exitStatus ) );
    EXPECT_EQ( clt_ok, backend.readPairs( table, &keys ) );
    EXPECT_EQ( 1u, keys.size() );
}
