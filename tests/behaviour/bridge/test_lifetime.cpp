// SPDX-License-Identifier: Zlib
// A destroyed broadphase leaves no threads and no memory behind. Several broadphases do not affect each other.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/support/threads.h"
#include "tests/support/world.h"

#include <chrono>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace test;

namespace
{

/// A joined thread may stay listed for a moment.
bool threadsReturnTo( size_t count )
{
    for ( int wait = 0; wait < 200 && countThreads() > count; ++wait )
    {
        std::this_thread::sleep_for( std::chrono::milliseconds( 10 ) );
    }
    return countThreads() == count;
}

void liveShortly( const cltBroadphaseDef& def, uint32_t count, uint64_t seed, double size = 4 )
{
    World world( def );
    Random random( seed );
    const Ids proxies = world.createAll( randomCubes( random, count, size ) );
    world.update();
    world.moveAll( proxies, randomCubes( random, count, size ) );
    world.update();
}

} // namespace

TEST( Lifetime, NoThreadsAreLeftBehind )
{
    if ( !std::filesystem::exists( "/proc/self/task" ) )
    {
        GTEST_SKIP() << "threads are counted through /proc";
    }
    std::thread( [] {} ).join(); // a sanitizer may start a thread of its own with the first one
    size_t before = countThreads();
    for ( int threadCount : { 1, 2, 8, 0 } )
    {
        liveShortly( defOf( clt_algorithmAuto, clt_precisionFloat, threadCount ), 5000, 1, 14 );
        EXPECT_TRUE( threadsReturnTo( before ) ) << countThreads() << " instead of " << before;
    }
    World alone( defOf( clt_algorithmAuto, clt_precisionFloat, 1 ) );
    Random random( 1 );
    alone.createAll( randomCubes( random, 5000, 14 ) );
    alone.update();
    EXPECT_LE( countThreads(), before ) << "one thread means the caller's";
}

TEST( Lifetime, AThousandTimes )
{
    Hooks hooks;
    for ( int cycle = 0; cycle < 1000; ++cycle )
    {
        cltBroadphaseDef def = defOf( allAlgorithms[cycle % 4], allPrecisions[cycle % 2], 1 + cycle % 3 );
        hooks.installMemory( def );
        liveShortly( def, static_cast<uint32_t>( cycle % 20 ), 1 );
        ASSERT_EQ( 0u, hooks.bytesHeld() );
    }
}

TEST( Lifetime, DestroyedWithChangesPending )
{
    Hooks hooks;
    cltBroadphaseDef def = defOf( clt_algorithmAuto, clt_precisionFloat, 2 );
    hooks.installMemory( def );
    {
        World world( def );
        const Ids proxies = world.createAll( Boxes( 100, span( 0, 1 ) ) );
        world.update();
        world.move( proxies[0], span( 4, 5 ) );
        world.destroy( proxies[1] );
        world.create( span( 0, 1 ) );
    }
    EXPECT_EQ( 0u, hooks.bytesHeld() );
}

TEST( Lifetime, TwoOnTwoThreadsShareNothing )
{
    if ( testsOnlyOneDevice && testDevice == clt_deviceCuda )
    {
        GTEST_SKIP() << "a processor plays this device for one thread at a time";
    }
    std::vector<std::thread> threads;
    for ( uint64_t seed = 1; seed <= 2; ++seed )
    {
        threads.emplace_back(
            [seed]
            {
                for ( cltAlgorithm algorithm : allAlgorithms )
                {
                    for ( int repeat = 0; repeat < 5; ++repeat )
                    {
                        liveShortly( defOf( algorithm, allPrecisions[repeat % 2], 2 ), 300, seed );
                    }
                }
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
}

/// Large enough for threads, of which all have the same: created, updated and destroyed while others are.
TEST( Lifetime, SeveralAtOnceWithTheSameThreads )
{
    if ( testsOnlyOneDevice && testDevice == clt_deviceCuda )
    {
        GTEST_SKIP() << "a processor plays this device for one thread at a time";
    }
    std::thread( [] {} ).join();
    const size_t before = countThreads();
    std::vector<std::thread> threads;
    for ( uint64_t seed = 1; seed <= 3; ++seed )
    {
        threads.emplace_back(
            [seed]
            {
                for ( int repeat = 0; repeat < 4; ++repeat )
                {
                    liveShortly( defOf( clt_algorithmAuto, clt_precisionFloat, 2 + repeat ), 5000, seed, 14 );
                }
            } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    EXPECT_TRUE( threadsReturnTo( before ) ) << countThreads() << " instead of " << before;
}

TEST( Lifetime, HandedFromThreadToThread )
{
    World world( defOf( clt_algorithmAuto, clt_precisionFloat, 3 ) );
    Random random( 1 );
    for ( int round = 0; round < 5; ++round )
    {
        std::thread(
            [&]
            {
                world.createAll( randomCubes( random, 500, 6 ) );
                world.update();
            } )
            .join();
    }
}

#if !defined( __SANITIZE_THREAD__ ) // ThreadSanitizer does not follow children of a program with threads

TEST( Lifetime, AForkedChildGoesOnWithoutTheThreads )
{
    const cltBroadphaseDef def = defOf( clt_algorithmLbvh, clt_precisionFloat, 4 );
    auto world =
        std::make_unique<World>( createBroadphase( def ), def ); // in the child without the device, if there is one
    Random random( 1 );
    const Ids proxies = world->createAll( randomCubes( random, 5000, 14 ) );
    world->update(); // threads have started
    pid_t child = fork();
    ASSERT_GE( child, 0 );
    world->moveAll( proxies, randomCubes( random, 5000, 14 ) );
    world->update();
    world.reset();
    if ( child == 0 )
    {
        _exit( HasFailure() ? 1 : 0 );
    }
    int state = -1;
    ASSERT_EQ( child, waitpid( child, &state, 0 ) );
    EXPECT_TRUE( WIFEXITED( state ) && WEXITSTATUS( state ) == 0 );
}

#endif

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

/// However many bodies an algorithm holds where they tremble.
TEST( Lifetime, IdsAreUsedAgainInOneOrderByAllAlgorithms )
{
    for ( cltAlgorithm algorithm : { clt_algorithmLbvh, clt_algorithmWide } )
    {
        World world( defOf( algorithm ) );
        Boxes boxes;
        for ( int i = 0; i < 2000; ++i )
        {
            boxes.push_back( cube( 3 * i, 0, 0, 0.5 ) );
        }
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
