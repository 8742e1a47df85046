// SPDX-License-Identifier: Zlib
// The CUDA backend, on a device that a processor plays: an allocation fails, or a call and all that follow, at many moments
// of a life. Changes and pairs are as if nothing had happened, and nothing is held in the end.
#include "tests/cuda/emulation/emulation.h"
#include "tests/support/config.h"
#include "tests/takeover/life.h"

using namespace test;

namespace
{

using Lines = std::vector<std::pair<cltStatus, std::string>>;

void noteLine( cltStatus status, const char* message, void* lines )
{
    static_cast<Lines*>( lines )->emplace_back( status, message );
}

class TakeoverFromCuda : public testing::TestWithParam<cltAlgorithm>
{
protected:
    void SetUp() override
    {
        emulation::reset();
    }

    void TearDown() override
    {
        emulation::reset();
    }

    /// Lives once for each of many moments, up to one that no life reaches.
    void failAtManyMoments( void ( *failAfter )( int64_t count ), cltStatus expected )
    {
        int failureCount = 0;
        bool failed = true;
        for ( int64_t moment = 0; failed; moment += 1 + moment / 6 )
        {
            SCOPED_TRACE( moment );
            failed = liveAndFail( failAfter, moment, expected );
            failureCount += failed ? 1 : 0;
            EXPECT_EQ( 0u, emulation::counts().blocksHeld );
            EXPECT_EQ( 0u, emulation::counts().streamsHeld );
            ASSERT_FALSE( HasFailure() );
        }
        EXPECT_GT( failureCount, 10 );
    }

private:
    /// True if there was such a moment.
    static bool liveAndFail( void ( *failAfter )( int64_t count ), int64_t moment, cltStatus expected )
    {
        emulation::reset();
        Lines lines;
        cltBroadphaseDef def = defOf( GetParam() );
        def.device = clt_deviceCuda;
        def.log = noteLine;
        def.userContext = &lines;
        World world( createBroadphase( def ), def );
        failAfter( moment );
        live( world, static_cast<uint64_t>( moment ) );
        const bool failed = emulation::hasFailed();
        EXPECT_EQ( failed ? clt_deviceCpu : clt_deviceCuda, world.stats().device );
        EXPECT_EQ( failed ? 1u : 0u, world.stats().deviceFailureCount );
        EXPECT_EQ( failed ? 1u : 0u, lines.size() );
        for ( const auto& [status, line] : lines )
        {
            EXPECT_EQ( expected, status ) << line;
        }
        return failed;
    }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(, TakeoverFromCuda,
                         testing::Values( clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh ),
                         []( const auto& info ) { return std::string( cltAlgorithmName( info.param ) ); } );

TEST_P( TakeoverFromCuda, WhenAnAllocationFails )
{
    failAtManyMoments( emulation::failAllocationAfter, clt_deviceMemory );
}

TEST_P( TakeoverFromCuda, WhenTheDeviceBreaks )
{
    failAtManyMoments( emulation::failCallAfter, clt_deviceFailed );
}
