// SPDX-License-Identifier: Zlib
// From the CPU to the CUDA backend, for every algorithm and precision: on the device that a processor plays, and on a
// real one if it answers.
#include "bridge/create.h"
#include "tests/support/config.h"
#include "tests/support/life.h"

using namespace test;

namespace
{

class PromotionToCuda : public testing::TestWithParam<std::tuple<cltAlgorithm, cltPrecision>>
{
protected:
    /// On the CPU, until a few boxes move in one update.
    static BroadphasePtr createBeforeCuda( const cltBroadphaseDef& def )
    {
        const cltDeviceOffer offer = { cltCreateCudaBackend, 6, 0 };
        cltBroadphase* broadphase = nullptr;
        EXPECT_EQ( clt_ok, cltCreateBroadphaseOn( &def, &offer, &broadphase ) );
        return BroadphasePtr( broadphase );
    }

    static cltBroadphaseDef def()
    {
        const auto [algorithm, precision] = GetParam();
        return defOf( Config{ clt_deviceAuto, algorithm, precision, 2 } );
    }
};

std::string algorithmAndPrecision( const testing::TestParamInfo<PromotionToCuda::ParamType>& info )
{
    return std::string( cltAlgorithmName( std::get<0>( info.param ) ) ) +
           ( std::get<1>( info.param ) == clt_precisionDouble ? "_double" : "_float" );
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, PromotionToCuda,
                         testing::Combine( testing::Values( clt_algorithmAuto, clt_algorithmBruteForce,
                                                            clt_algorithmGrid, clt_algorithmLbvh ),
                                           testing::ValuesIn( allPrecisions ) ),
                         algorithmAndPrecision );

TEST_P( PromotionToCuda, InTheMiddleOfALife )
{
    if ( !isUsable( clt_deviceCuda ) )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    for ( uint64_t seed = 1; seed <= 4; ++seed )
    {
        World world( createBeforeCuda( def() ), def() );
        world.create( span( 0, 1 ) );
        world.updateOnly();
        EXPECT_EQ( clt_deviceCpu, world.stats().device );
        live( world, seed );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
        EXPECT_NE( clt_algorithmWide, world.stats().algorithm );
        EXPECT_LT( 0u, world.stats().deviceBytes );
        EXPECT_EQ( 0u, world.stats().deviceFailureCount );
    }
}
