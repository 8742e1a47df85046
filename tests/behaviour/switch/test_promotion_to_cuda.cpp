// SPDX-License-Identifier: Zlib
// Promotion to the CUDA backend for every algorithm and precision, on the emulated device and on a real device if there
// is one.
#include "bridge/create.h"
#include "tests/support/config.h"
#include "tests/support/random_operations.h"

using namespace test;

/// A world that is on the CPU until a few boxes move in one update.
static World worldBeforeCuda( const cltBroadphaseDef& def )
{
    const cltDeviceOffer offer = { cltCreateCudaBackend, 0 };
    cltBroadphaseDef promoted = def;
    promoted.promoteFrom = 6;
    cltBroadphase* broadphase = nullptr;
    EXPECT_EQ( clt_ok, cltCreateBroadphaseOn( &promoted, &offer, &broadphase ) );
    return World( BroadphasePtr( broadphase ), def );
}

TEST( PromotionToCuda, KeepsChangesPairsAndQueries )
{
    if ( !isUsable( clt_deviceCuda ) )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    for ( cltAlgorithm algorithm :
          { clt_algorithmAuto, clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh, clt_algorithmWide } )
    {
        for ( uint64_t seed = 1; seed <= 8; ++seed )
        {
            const Config config = { clt_deviceAuto, algorithm, allPrecisions[seed % 2], 2 };
            SCOPED_TRACE( nameOf( config ) );
            World world = worldBeforeCuda( defOf( config ) );
            world.create( span( 0, 1 ) );
            world.updateOnly();
            EXPECT_EQ( clt_deviceCpu, world.stats().device );
            runRandomOperations( world, seed );
            EXPECT_EQ( clt_deviceCuda, world.stats().device );
            EXPECT_LT( 0u, world.stats().deviceBytes );
            EXPECT_EQ( 0u, world.stats().deviceFailureCount );
        }
    }
}
