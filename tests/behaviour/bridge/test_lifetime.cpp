// SPDX-License-Identifier: Zlib
// A destroyed broadphase leaves no threads and no memory behind. Several broadphases do not affect each other.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/threads.h"
#include "tests/support/world.h"

#include <thread>

using namespace test;

namespace
{

void createUpdateAndDestroyWorld( const cltBroadphaseDef& def, uint32_t count, uint64_t seed, double size = 4 )
{
    World world( def );
    Random random( seed );
    const Ids proxies = world.createAll( randomCubes( random, count, size ) );
    world.update();
    world.moveAll( proxies, randomCubes( random, count, size ) );
    world.update();
    world.moveAll( proxies, randomCubes( random, count, size ) );
    world.create( span( 0, 1 ) );
}

} // namespace

TEST( Lifetime, NoThreadsAreLeftBehind )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    const size_t before = countIdleThreads();
    for ( int threadCount : { 1, 2, 8, 0 } )
    {
        createUpdateAndDestroyWorld( defOf( clt_algorithmAuto, clt_precisionFloat, threadCount ), 5000, 1, 14 );
        EXPECT_EQ( before, awaitThreadCount( before ) );
    }
    World alone( defOf( clt_algorithmAuto, clt_precisionFloat, 1 ) );
    Random random( 1 );
    alone.createAll( randomCubes( random, 5000, 14 ) );
    alone.update();
    EXPECT_LE( countThreads(), before ) << "one thread means the caller's";
}

TEST( Lifetime, ReleasesAllMemoryAlsoWithChangesPending )
{
    Hooks hooks;
    for ( int cycle = 0; cycle < 1000; ++cycle )
    {
        cltBroadphaseDef def = defOf( allAlgorithms[cycle % 4], allPrecisions[cycle % 2], 1 + cycle % 3 );
        def.proxyCapacity = uint32_t( cycle % 7 ) * 5; // a hint, also if there are more proxies
        hooks.installMemory( def );
        createUpdateAndDestroyWorld( def, static_cast<uint32_t>( cycle % 20 ), 1 );
        ASSERT_EQ( 0u, hooks.bytesHeld() );
    }
}

/// Broadphases are used on three threads at the same time. Large broadphases share the thread pool.
TEST( Lifetime, BroadphasesLiveOnSeveralThreads )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    if ( testsOnlyOneDevice && testDevice == clt_deviceCuda )
    {
        GTEST_SKIP() << "a processor plays this device for one thread at a time";
    }
    const size_t before = countIdleThreads();
    std::vector<std::thread> threads;
    for ( uint64_t seed = 1; seed <= 3; ++seed )
    {
        threads.emplace_back(
            [seed]
            {
                for ( cltAlgorithm algorithm : allAlgorithms )
                {
                    createUpdateAndDestroyWorld( defOf( algorithm, allPrecisions[seed % 2], 2 ), 300, seed );
                    createUpdateAndDestroyWorld( defOf( clt_algorithmAuto, clt_precisionFloat, 2 + algorithm ), 5000,
                                                 seed, 14 );
                }
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    EXPECT_EQ( before, awaitThreadCount( before ) );
}

TEST( Lifetime, ChangesLiveUntilTheNextUpdate )
{
    World world( defOf( clt_algorithmAuto ) );
    cltProxyId first = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    cltPairChanges changes;
    ASSERT_EQ( clt_ok, cltBroadphase_Update( world.broadphase(), &changes ) );
    const cltPair* pairs;
    size_t count;
    ASSERT_EQ( clt_ok, cltBroadphase_GetPairs( world.broadphase(), &pairs, &count ) );
    world.create( span( 0, 1 ) );
    world.move( first, span( 3, 4 ) );
    ASSERT_EQ( 1u, changes.beganCount );
    EXPECT_EQ( PairSet{ cullet::pairKey( 0, 1 ) }, copyPairs( changes.began, changes.beganCount ) );
    EXPECT_EQ( PairSet{ cullet::pairKey( 0, 1 ) }, copyPairs( pairs, count ) );
}

/// The order in which ids are used again does not depend on how many bodies an algorithm keeps at rest.
TEST( Lifetime, AllAlgorithmsReuseIdsInTheSameOrder )
{
    for ( cltAlgorithm algorithm : { clt_algorithmLbvh, clt_algorithmWide } )
    {
        World world( defOf( algorithm ) );
        Boxes boxes = cubesInARow( 2000, 3, 0.5 );
        const Ids proxies = world.createAll( boxes );
        for ( int step = 0; step < 90; ++step )
        {
            for ( size_t i = 0; i < boxes.size() / 4; ++i )
            {
                boxes[i].upper[1] = 0.5 + double( ( step + int( i ) ) % 3 ) * 1e-4;
                world.move( proxies[i], boxes[i] );
            }
            world.updateOnly();
        }
        world.destroy( proxies[1500] );
        world.destroy( proxies[20] );
        world.updateOnly();
        EXPECT_EQ( proxies[1500], world.create( boxes[20] ) ) << cltAlgorithmName( algorithm );
    }
}
