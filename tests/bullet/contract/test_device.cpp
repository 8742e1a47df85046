// SPDX-License-Identifier: Zlib
// The pairs are the same without a device and in a forked process: CT-53.
#include "contestants.h"

#if defined( __unix__ )
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace test;

TEST_P( Contract, CT53_PairsAreRightWhenCudaIsRequested )
{
    if ( !makeRig( GetParam() ).cullet )
    {
        GTEST_SKIP() << "Bullet's own broadphases have no devices";
    }
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = GetParam().algorithm;
    def.device = clt_deviceCuda;
    CulletBroadphase broadphase( def );
    const cltStatus status = broadphase.getCreationStatus();
    EXPECT_TRUE( status == clt_ok || status == clt_noDevice );
    Bodies bodies( broadphase, 53, 6 );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 10; ++step )
    {
        bodies.runRandomOperations( 30 );
        bodies.update();
        EXPECT_EQ( clt_ok, broadphase.getStatus() );
        EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
    }
}

#if defined( __unix__ ) &&                                                                                             \
    !defined( __SANITIZE_ADDRESS__ ) // its allocator does not survive a fork beside other threads

static bool findsItsPairs( Arena& arena )
{
    bool isRight = true;
    for ( int step = 0; step < 3; ++step )
    {
        arena.bodies.runRandomOperations( 100 );
        arena.bodies.update();
        isRight = isRight && arena.hasExpectedPairs();
    }
    return isRight;
}

/// A forked child has none of its parent's worker threads.
TEST_P( Contract, CT53_ForkedChildAndItsParentFindTheirPairs )
{
    // Cullet starts threads for 5,000 bodies; Bullet's own broadphases have none.
    const int bodyCount = makeRig( GetParam() ).cullet ? 5000 : 500;
    Arena arena( GetParam(), 54, spreadFor( bodyCount ) );
    arena.bodies.createRandom( bodyCount );
    arena.bodies.update();
    const pid_t child = fork();
    ASSERT_GE( child, 0 );
    if ( child == 0 )
    {
        alarm( 60 ); // a child that waits for missing threads fails and does not hang
        _exit( findsItsPairs( arena ) ? 0 : 1 );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    EXPECT_TRUE( WIFEXITED( status ) && WEXITSTATUS( status ) == 0 ) << "the child missed pairs, or hung";
    EXPECT_TRUE( findsItsPairs( arena ) );
}

#endif
