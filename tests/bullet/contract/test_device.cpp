// SPDX-License-Identifier: Zlib
// The pairs are the same without a device and in a forked process: CT-53.
#include "contestants.h"

#if defined( __unix__ )
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace test;

static std::vector<std::vector<IdPair>> recordPairs( btBroadphaseInterface& broadphase )
{
    std::vector<std::vector<IdPair>> sets;
    Bodies bodies( broadphase, 53, 6 );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 10; ++step )
    {
        bodies.runRandomOperations( 30 );
        bodies.update();
        sets.push_back( pairsOf( *broadphase.getOverlappingPairCache() ) );
    }
    bodies.destroyAll();
    return sets;
}

TEST_P( Contract, CT53_PairsAreTheSameWhenCudaIsRequested )
{
    const Rig rig = makeRig( GetParam() );
    if ( !rig.cullet )
    {
        GTEST_SKIP() << "Bullet's own broadphases have no devices";
    }
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = GetParam().algorithm;
    def.device = clt_deviceCuda;
    CulletBroadphase requested( def );
    const cltStatus status = requested.getCreationStatus();
    EXPECT_TRUE( status == clt_ok || status == clt_noDevice );
    EXPECT_EQ( clt_ok, requested.getStatus() );
    EXPECT_EQ( recordPairs( *rig.broadphase ), recordPairs( requested ) );
}

#if defined( __unix__ )
/// Continues with the broadphase. A forked child has not inherited its threads.
/// \return 0, or 1 if pairs are wrong
static int continueSteps( Arena& arena )
{
    for ( int step = 0; step < 3; ++step )
    {
        arena.bodies.runRandomOperations( 100 );
        arena.bodies.update();
        if ( !arena.hasExpectedPairs() )
        {
            return 1;
        }
    }
    return 0;
}

TEST_P( Contract, CT53_ForkedChildAndItsParentFindTheirPairs )
{
#if defined( __SANITIZE_ADDRESS__ )
    // one child in about twenty hangs in free(), on a lock that a thread of the parent held
    GTEST_SKIP() << "AddressSanitizer's allocator does not survive a fork beside other threads";
#endif
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
        _exit( continueSteps( arena ) );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    ASSERT_TRUE( WIFEXITED( status ) ) << "a signal ended the child: " << WTERMSIG( status );
    EXPECT_EQ( 0, WEXITSTATUS( status ) ) << "the child missed pairs";
    EXPECT_EQ( 0, continueSteps( arena ) ) << "the parent missed pairs";
}
#endif
