// SPDX-License-Identifier: Zlib
// The CUDA backend on the emulated device, in worlds created there or promoted to it. One allocation or one call fails,
// in some cases with all later calls: at every moment of the first updates and at many later moments. Changes and pairs
// are as without failure, and all resources are freed.
#include "bridge/create.h"
#include "tests/device/emulation/emulation.h"
#include "tests/support/config.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

/// A world that is on the emulated device, or with `auto` moves there when a few boxes move in one update.
World worldWithCuda( const cltBroadphaseDef& def )
{
    const cltDeviceOffer offer = { cltCreateCudaBackend, 0 };
    cltBroadphaseDef promoted = def;
    promoted.promoteFrom = 6;
    cltBroadphase* broadphase = nullptr;
    EXPECT_EQ( clt_ok, cltCreateBroadphaseOn( &promoted, &offer, &broadphase ) );
    return World( BroadphasePtr( broadphase ), def );
}

using Lines = std::vector<std::pair<cltStatus, std::string>>;

void noteLine( cltStatus status, const char* message, void* lines )
{
    static_cast<Lines*>( lines )->emplace_back( status, message );
}

class FailoverFromCuda : public testing::TestWithParam<cltAlgorithm>
{
protected:
    /// Runs failAtMoment for later and later moments until one is not reached: for a world on the device, where each of
    /// the first hundred is tried, and for auto.
    static void failAtManyMoments( int64_t emulation::Machine::*countdown, cltStatus expected )
    {
        for ( cltDevice device : { clt_deviceCuda, clt_deviceAuto } )
        {
            int failureCount = 0;
            bool failed = true;
            for ( int64_t moment = 0; failed; moment += 1 + moment / ( device == clt_deviceCuda ? 100 : 12 ) )
            {
                SCOPED_TRACE( cltDeviceName( device ) + std::string( ", moment " ) + std::to_string( moment ) );
                failed = failAtMoment( device, countdown, moment, expected );
                failureCount += failed ? 1 : 0;
                EXPECT_EQ( 0u, emulation::counts.blocksHeld );
                EXPECT_EQ( 0u, emulation::counts.streamsHeld );
                ASSERT_FALSE( HasFailure() );
            }
            EXPECT_GT( failureCount, 10 );
        }
    }

private:
    /// Runs random operations with a failure at the moment. Returns true if the moment was reached.
    static bool failAtMoment( cltDevice device, int64_t emulation::Machine::*countdown, int64_t moment,
                              cltStatus expected )
    {
        const emulation::Cleanup cleanup;
        Lines lines;
        cltBroadphaseDef def = defOf( GetParam() );
        def.device = device;
        def.hooks.log = noteLine;
        def.hooks.userContext = &lines;
        World world = worldWithCuda( def );
        EXPECT_EQ( device == clt_deviceCuda ? clt_deviceCuda : clt_deviceCpu, world.stats().device );
        emulation::machine.*countdown = moment;
        emulation::machine.breaks = moment % 7 == 0; // all later calls fail too
        runRandomOperations( world, static_cast<uint64_t>( moment ) );
        const bool failed = emulation::machine.hasFailed;
        EXPECT_EQ( failed ? clt_deviceCpu : clt_deviceCuda, world.stats().device );
        EXPECT_EQ( failed ? 1u : 0u, world.stats().deviceFailureCount );
        EXPECT_EQ( failed ? 1u : 0u, lines.size() );
        for ( const auto& [status, line] : lines )
        {
            EXPECT_EQ( expected, status ) << line;
            EXPECT_EQ( 0u, line.find( "cuda: an emulated error (" ) ) << line;
        }
        return failed;
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, FailoverFromCuda,
                         testing::Values( clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh,
                                          clt_algorithmWide, clt_algorithmFrontier ),
                         []( const auto& info ) { return cltAlgorithmName( info.param ); } );

TEST_P( FailoverFromCuda, KeepsChangesAndPairsWhenAnAllocationFails )
{
    failAtManyMoments( &emulation::Machine::allocationsToFailure, clt_deviceMemory );
}

TEST_P( FailoverFromCuda, KeepsChangesAndPairsWhenACallFails )
{
    failAtManyMoments( &emulation::Machine::callsToFailure, clt_deviceFailed );
}
