// SPDX-License-Identifier: Zlib
// From the CPU to the CUDA backend, on the device that a processor plays: for every algorithm and precision, and when the
// device fails at any moment of moving there or later.
#include "bridge/create.h"
#include "tests/cuda/emulation/emulation.h"
#include "tests/support/config.h"
#include "tests/takeover/life.h"

using namespace test;

namespace
{

constexpr uint32_t few = 6;

class MoveUpToCuda : public testing::TestWithParam<std::tuple<cltAlgorithm, cltPrecision>>
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

    static World createWorld()
    {
        const auto [algorithm, precision] = GetParam();
        const cltBroadphaseDef def = defOf( Config{ clt_deviceAuto, algorithm, precision, 2 } );
        const cltDeviceOffer offer = { cltCreateCudaBackend, few };
        cltBroadphase* broadphase = nullptr;
        EXPECT_EQ( clt_ok, cltCreateBroadphaseOn( &def, &offer, &broadphase ) );
        return World( BroadphasePtr( broadphase ), def );
    }
};

std::string algorithmAndPrecision( const testing::TestParamInfo<MoveUpToCuda::ParamType>& info )
{
    return std::string( cltAlgorithmName( std::get<0>( info.param ) ) ) +
           ( std::get<1>( info.param ) == clt_precisionDouble ? "_double" : "_float" );
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, MoveUpToCuda,
                         testing::Combine( testing::Values( clt_algorithmAuto, clt_algorithmBruteForce,
                                                            clt_algorithmGrid, clt_algorithmLbvh ),
                                           testing::ValuesIn( allPrecisions ) ),
                         algorithmAndPrecision );

TEST_P( MoveUpToCuda, InTheMiddleOfALife )
{
    for ( uint64_t seed = 1; seed <= 4; ++seed )
    {
        World world = createWorld();
        const emulation::Counts before = emulation::counts();
        world.create( span( 0, 1 ) );
        world.updateOnly();
        EXPECT_EQ( before.calls, emulation::counts().calls ) << "a small world does not touch the device";
        live( world, seed );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
        EXPECT_NE( clt_algorithmWide, world.stats().algorithm );
        EXPECT_LT( 0u, world.stats().deviceBytes );
        EXPECT_EQ( 0u, world.stats().deviceFailureCount );
    }
}

TEST_P( MoveUpToCuda, AndTheDeviceFails )
{
    bool failed = true;
    for ( int64_t moment = 0; failed; moment += 1 + moment / 4 )
    {
        SCOPED_TRACE( moment );
        emulation::reset();
        World world = createWorld();
        emulation::failCallAfter( moment );
        live( world, static_cast<uint64_t>( moment ) );
        failed = emulation::hasFailed();
        EXPECT_EQ( failed ? clt_deviceCpu : clt_deviceCuda, world.stats().device );
        EXPECT_EQ( failed ? 1u : 0u, world.stats().deviceFailureCount );
        ASSERT_FALSE( HasFailure() );
    }
    EXPECT_EQ( 0u, emulation::counts().streamsHeld );
}

TEST_P( MoveUpToCuda, AndTheDeviceHasNoMemory )
{
    bool failed = true;
    for ( int64_t moment = 0; failed; moment += 1 + moment / 4 )
    {
        SCOPED_TRACE( moment );
        emulation::reset();
        World world = createWorld();
        emulation::failAllocationAfter( moment );
        live( world, static_cast<uint64_t>( moment ) );
        failed = emulation::hasFailed();
        EXPECT_EQ( failed ? clt_deviceCpu : clt_deviceCuda, world.stats().device );
        ASSERT_FALSE( HasFailure() );
    }
    EXPECT_EQ( 0u, emulation::counts().blocksHeld );
}
