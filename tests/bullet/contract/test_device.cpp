// SPDX-License-Identifier: Zlib
// A device that is not there, and a process that was forked: CT-53. The pairs are the same.
#include "contestants.h"

#if defined( __unix__ )
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace test;

static std::vector<std::vector<IdPair>> live( btBroadphaseInterface& broadphase )
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
        GTEST_SKIP() << "has no devices";
    }
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.algorithm = GetParam().algorithm;
    def.device = clt_deviceCuda;
    CulletBroadphase asked( def );
    const cltStatus status = asked.getCreationStatus();
    EXPECT_TRUE( status == clt_ok || status == clt_noDevice );
    EXPECT_EQ( clt_ok, asked.getStatus() );
    EXPECT_EQ( live( *rig.broadphase ), live( asked ) );
}

#if defined( __unix__ )
/// Goes on with a broadphase that its parent made, whose threads it did not inherit.
static int playChild( Arena& arena )
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
    // one child in some twenty waits for ever in free(), for a lock in that allocator which no thread of its own holds
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
        alarm( 60 ); // a child that waits for threads that are not there is a failure, not a hang
        _exit( playChild( arena ) );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    ASSERT_TRUE( WIFEXITED( status ) ) << "the child was ended by signal " << WTERMSIG( status );
    EXPECT_EQ( 0, WEXITSTATUS( status ) ) << "the child missed pairs";
    EXPECT_EQ( 0, playChild( arena ) ) << "and the parent goes on";
}
#endif
