// SPDX-License-Identifier: Zlib
// Updates from arrays on the emulated device: what crosses the bus, and calls that fail.
#include "tests/device/device_memory.h"
#include "tests/device/emulation/emulation.h"
#include "tests/support/array_world.h"

using namespace test;

namespace
{

class ArrayCosts : public testing::Test
{
protected:
    ArrayCosts()
    {
        m_def.device = clt_deviceCuda;
        m_def.hooks.userContext = this;
        m_def.hooks.log = []( cltStatus, const char* message, void* context )
        { static_cast<ArrayCosts*>( context )->m_log += message; };
    }

    /// A row of cubes in memory of the device. Each call gives it other positions.
    const cltAabb* row( int count )
    {
        std::vector<cltAabb> boxes;
        for ( int i = 0; i < count; ++i )
        {
            boxes.push_back( toFloat( cube( 0.5 * i, 0.001 * ( i % 7 ), m_random.between( 0, 0.1 ), 0.4 ) ) );
        }
        return m_memory.put( boxes );
    }

    emulation::Cleanup m_cleanup;
    cltBroadphaseDef m_def = cltDefaultBroadphaseDef();
    DeviceMemory m_memory;
    Random m_random{ 3 };
    std::string m_log;
};

} // namespace

/// From the third update on. If boxes only move, the order of the leaves is kept, and if there are more boxes, it is
/// not: no update is repeated, so each waits once.
TEST_F( ArrayCosts, NothingIsSentToTheDeviceAndNothingIsAllocated )
{
    const ArraysPtr arrays = createArrays( m_def );
    for ( int step = 0; step < 10; ++step )
    {
        const int count = step < 6 ? 700 : 750;
        const cltAabb* boxes = row( count );
        const emulation::Counts before = emulation::counts;
        cltPairChanges changes;
        ASSERT_EQ( clt_ok, cltArrays_Update( arrays.get(), size_t( count ), boxes, nullptr, &changes ) );
        EXPECT_EQ( before.bytesToDevice, emulation::counts.bytesToDevice );
        EXPECT_TRUE( step < 3 || before.waits + 1 == emulation::counts.waits ) << step;
        EXPECT_TRUE( step < 3 || step == 6 || before.allocations == emulation::counts.allocations ) << step;
    }
}

/// Each allocation fails in turn. The update returns an error and no changes, and its repetition reports them all.
TEST_F( ArrayCosts, AnUpdateWithoutMemoryCanBeRepeated )
{
    const cltAabb* boxes[] = { row( 300 ), row( 900 ), row( 900 ) };
    const size_t counts[] = { 300, 900, 900 };
    uint64_t failures = 0;
    emulation::machine.hasFailed = true;
    for ( int64_t k = 0; std::exchange( emulation::machine.hasFailed, false ); ++k )
    {
        SCOPED_TRACE( k );
        const ArraysPtr arrays = createArrays( m_def );
        emulation::machine.allocationsToFailure = k;
        std::vector<size_t> found;
        for ( int step = 0; step < 3; ++step )
        {
            cltPairChanges changes;
            cltStatus status = cltArrays_Update( arrays.get(), counts[step], boxes[step], nullptr, &changes );
            if ( status != clt_ok )
            {
                ++failures;
                EXPECT_EQ( clt_deviceMemory, status );
                EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
                EXPECT_NE( "", std::exchange( m_log, "" ) );
                status = cltArrays_Update( arrays.get(), counts[step], boxes[step], nullptr, &changes );
            }
            ASSERT_EQ( clt_ok, status );
            found.push_back( changes.beganCount );
        }
        emulation::machine.allocationsToFailure = -1;
        EXPECT_EQ( ( std::vector<size_t>{ 299, 600, 0 } ), found );
    }
    EXPECT_LT( 10u, failures );
}

/// After an update that needed too much memory, one that needs less allocates nothing.
TEST_F( ArrayCosts, AnUpdateWithoutMemoryDoesNotRaiseTheNeedOfLaterOnes )
{
    const ArraysPtr arrays = createArrays( m_def );
    const cltAabb* boxes = row( 900 );
    const cltAabb* pile = m_memory.put( std::vector<cltAabb>( 900, toFloat( cube( 0, 0, 0, 1 ) ) ) );
    cltPairChanges changes;
    for ( int i = 0; i < 3; ++i )
    {
        ASSERT_EQ( clt_ok, cltArrays_Update( arrays.get(), 900, boxes, nullptr, &changes ) );
    }
    for ( int i = 0; i < 2; ++i )
    {
        emulation::machine.allocationsToFailure = 0;
        EXPECT_EQ( clt_deviceMemory, cltArrays_Update( arrays.get(), 900, pile, nullptr, &changes ) );
        emulation::machine.allocationsToFailure = 0;
        EXPECT_EQ( clt_ok, cltArrays_Update( arrays.get(), 900, boxes, nullptr, &changes ) );
        EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
    }
}

/// Each other call fails in turn. From then on all calls fail.
TEST_F( ArrayCosts, AFailedDeviceIsNotUsedAgain )
{
    const cltAabb* boxes = row( 900 );
    emulation::machine.hasFailed = true;
    int64_t k = 0;
    for ( ; std::exchange( emulation::machine.hasFailed, false ); ++k )
    {
        SCOPED_TRACE( k );
        const ArraysPtr arrays = createArrays( m_def );
        emulation::machine.callsToFailure = k;
        cltPairChanges changes;
        cltStatus status = clt_ok;
        for ( int step = 0; step < 3 && status == clt_ok; ++step )
        {
            status = cltArrays_Update( arrays.get(), 300u * uint32_t( step + 1 ), boxes, nullptr, &changes );
        }
        emulation::machine.callsToFailure = -1;
        ASSERT_EQ( emulation::machine.hasFailed ? clt_deviceFailed : clt_ok, status );
        if ( status != clt_ok )
        {
            const cltPair* pairs;
            size_t count = 1;
            EXPECT_EQ( 0u, changes.beganCount + changes.endedCount );
            EXPECT_EQ( clt_deviceFailed, cltArrays_Update( arrays.get(), 300, boxes, nullptr, &changes ) );
            EXPECT_EQ( clt_deviceFailed, cltArrays_GetPairs( arrays.get(), &pairs, &count ) );
            EXPECT_EQ( 0u, count );
            EXPECT_NE( "", std::exchange( m_log, "" ) );
        }
    }
    EXPECT_LT( 20, k );
}

TEST_F( ArrayCosts, NoDeviceIsReported )
{
    emulation::machine.deviceCount = 0;
    cltArrays* arrays;
    EXPECT_EQ( clt_noDevice, cltCreateArrays( &m_def, &arrays ) );
    EXPECT_EQ( nullptr, arrays );
}
