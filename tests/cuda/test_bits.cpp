// SPDX-License-Identifier: Zlib
// The output as bits: the same bytes as keys, whatever the root, and no more waits or allocations.
#include "tests/cuda/emulation/emulation.h"
#include "tests/cuda/table.h"
#include "tests/cuda/warm_updates.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <gtest/gtest.h>
#include <tuple>

using namespace test;

class Bits : public testing::TestWithParam<std::tuple<cltAlgorithm, cltPrecision>>
{
protected:
    cltAlgorithm algorithm() const
    {
        return std::get<0>( GetParam() );
    }

    cltPrecision precision() const
    {
        return std::get<1>( GetParam() );
    }
};

INSTANTIATE_TEST_SUITE_P(, Bits,
                         testing::Combine( testing::Values( clt_algorithmBruteForce, clt_algorithmGrid ),
                                           testing::Values( clt_precisionFloat, clt_precisionDouble ) ),
                         []( const auto& info )
                         {
                             return std::string( cltAlgorithmName( std::get<0>( info.param ) ) ) +
                                    ( std::get<1>( info.param ) == clt_precisionDouble ? "_double" : "_float" );
                         } );

TEST_P( Bits, SameBytesAsKeys )
{
    Backend keys( clt_deviceCuda, algorithm(), precision(), clt_outputKeys );
    Backend bits( clt_deviceCuda, algorithm(), precision(), clt_outputBits );
    Table table( precision() );
    Random random( 17 );
    for ( int step = 0; step < 6; ++step )
    {
        stir( table, random, step );
        for ( int i = 0; step == 0 && i < 500; ++i )
        {
            table.create( randomCube( random, 8 ) );
        }
        Keys expected;
        Keys found;
        ASSERT_EQ( clt_ok, keys.update( table, &expected ) );
        ASSERT_EQ( clt_ok, bits.update( table, &found ) );
        EXPECT_EQ( expected, found ) << "in changes, step " << step;
        EXPECT_EQ( keys.stats().candidateCount, bits.stats().candidateCount );
        table.commit();
        ASSERT_EQ( clt_ok, keys.readPairs( table, &expected ) );
        ASSERT_EQ( clt_ok, bits.readPairs( table, &found ) );
        EXPECT_EQ( expected, found ) << "in pairs, step " << step;
    }
}

TEST_P( Bits, EveryRoot )
{
    for ( cltRoot root : { clt_rootHardware, clt_rootCarmack, clt_rootLomont, clt_rootNone } )
    {
        cltBroadphaseDef def = defOf( algorithm(), precision() );
        def.root = root;
        def.output = clt_outputBits;
        for ( uint32_t count : { 1u, 2u, 3u, 9u, 64u, 643u } )
        {
            World world( def );
            Random random( count );
            for ( uint32_t i = 0; i < count; ++i )
            {
                world.create( cube( random.unit(), random.unit(), random.unit(), 0.05 ) );
            }
            world.update();
        }
    }
}

TEST_P( Bits, TwoWaitsAndNoAllocationOnceWarm )
{
    Backend backend( clt_deviceCuda, algorithm(), precision(), clt_outputBits );
    Table table( precision() );
    Random random( 3 );
    const auto move = [&]
    {
        for ( uint32_t slot = 0; slot < 600; ++slot )
        {
            table.move( slot, cube( slot * 0.5, 0, random.between( 0, 0.1 ), 0.4 ) );
        }
    };
    expectTwoWaitsAndNoAllocation( backend, table, move );
}
