// SPDX-License-Identifier: Zlib
// Loops on several threads: every element is run once, whether threads were woken early or not, and idle threads sleep.
// All pools share the threads and never wait for them.
#include "tests/support/float_mode.h"
#include "tests/support/random.h"
#include "tests/support/threads.h"
#include "tests/unit/host/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

using test::awaitThreadCount;
using test::countIdleThreads;
using test::countThreads;
using test::Pool;
using test::shortPatience;

namespace
{

class WorkerPool : public testing::TestWithParam<int>
{
};

INSTANTIATE_TEST_SUITE_P(, WorkerPool, testing::Values( 0, 1, 2, 3, 8 ),
                         []( const auto& info ) { return std::to_string( info.param ) + "threads"; } );

} // namespace

TEST_P( WorkerPool, RunsEachElementOnceWhetherAwakeOrNot )
{
    Pool pool( GetParam() );
    for ( uint32_t count : { 1u, 2u, 3u, 7u, 8u, 9u, 64u, 1000u } )
    {
        for ( uint32_t grain : { 1u, 2u, 3u, 63u, 64u, 2000u } )
        {
            pool.expectEachOnce( count, grain );
        }
    }
    test::Random random( 101 );
    for ( int round = 0; round < 400; ++round )
    {
        switch ( random.below( 6 ) )
        {
        case 0:
            pool.wake();
            break;
        case 1:
            pool.rest();
            break;
        case 2:
            std::this_thread::sleep_for( std::chrono::milliseconds( 1 ) ); // long enough to fall asleep
            break;
        default:
            pool.expectEachOnce( 100, 1 );
        }
    }
    pool.wake(); // the pool is destroyed while its threads look for work
}

/// The caller changes its mode after the pool's threads were created.
TEST_P( WorkerPool, ThreadsHaveTheCallersFloatMode )
{
    Pool pool( GetParam() );
    const unsigned mode = test::getFloatMode();
    for ( unsigned round = 0; round < 40; ++round )
    {
        const unsigned flushing = round % 2 * ( test::flushResults | test::flushOperands );
        std::atomic<int> count{ 0 };
        volatile float denormal = 1e-40f;
        test::setFloatMode( mode | flushing );
        pool.run(
            100000, [&]( uint32_t ) { count += denormal > 0; }, 100 );
        test::setFloatMode( mode );
        ASSERT_EQ( flushing != 0 ? 0 : 100000, count );
    }
}

TEST( SharedThreads, RunAtMostAsManyAsThePoolAllows )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    Pool eight( 8 );
    Pool two( 2 );
    Pool one( 1 );
    EXPECT_EQ( 8u, eight.countTakingPart( 8 ) );
    EXPECT_EQ( 2u, two.countTakingPart( 3, shortPatience ) ) << "though there are seven others";
    EXPECT_EQ( 1u, one.countTakingPart( 2, shortPatience ) );
    EXPECT_EQ( 8u, eight.countTakingPart( 8 ) );
}

TEST( SharedThreads, AreSharedAndEndWithTheLastPool )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    const size_t before = countIdleThreads();
    if ( before == 0 )
    {
        GTEST_SKIP() << "this system does not count threads";
    }
    {
        std::vector<std::unique_ptr<Pool>> pools;
        for ( int i = 0; i < 50; ++i )
        {
            pools.push_back( std::make_unique<Pool>( 3 ) );
        }
        EXPECT_EQ( before, countThreads() ) << "nothing to do yet";
        for ( const auto& pool : pools )
        {
            EXPECT_EQ( 1000u * 999u / 2u, pool->sumOfAll( 1000 ) );
        }
        EXPECT_EQ( before + 2, countThreads() );
        while ( pools.size() > 1 )
        {
            pools.erase( pools.begin() );
        }
        EXPECT_EQ( before + 2, countThreads() ) << "one pool is left";
    }
    EXPECT_EQ( before, awaitThreadCount( before ) );
    Pool again( 2 );
    again.sumOfAll( 1000 );
    EXPECT_EQ( before + 1, countThreads() ) << "as many as are wanted now";
}

/// The job of one pool ends only after the job of another pool. Neither pool waits for the threads of the other.
TEST( SharedThreads, AreNotAwaitedIfInUse )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    Pool busy( 4 );
    Pool other( 4 );
    std::atomic<bool> isOtherDone{ false };
    std::thread second;
    busy.run( 100,
              [&]( uint32_t i )
              {
                  if ( i == 0 )
                  {
                      second = std::thread(
                          [&]
                          {
                              other.wake();
                              EXPECT_EQ( 1u, other.countTakingPart( 2, shortPatience ) );
                              isOtherDone = true;
                          } );
                      while ( !isOtherDone )
                      {
                          std::this_thread::yield();
                      }
                  }
              } );
    second.join();
    EXPECT_TRUE( isOtherDone );
    EXPECT_EQ( 4u, other.countTakingPart( 4 ) ) << "they are free again";
}

/// Four threads create pools, use and destroy them at the same time.
TEST( SharedThreads, SurviveConcurrentPools )
{
    if ( !test::hasThreads )
    {
        GTEST_SKIP();
    }
    const size_t before = countIdleThreads();
    std::vector<std::thread> users;
    for ( unsigned user = 0; user < 4; ++user )
    {
        users.emplace_back(
            [user]
            {
                test::Random random( user );
                for ( int life = 0; life < 1000; ++life )
                {
                    Pool pool( 2 + int( random.below( 3 ) ) );
                    for ( uint64_t job = random.below( 4 ); job > 0; --job )
                    {
                        pool.wake();
                        ASSERT_EQ( 300u * 299u / 2u, pool.sumOfAll( 300 ) );
                    }
                }
            } );
    }
    for ( std::thread& user : users )
    {
        user.join();
    }
    EXPECT_EQ( before, awaitThreadCount( before ) );
}
