// SPDX-License-Identifier: Zlib
// What only POSIX systems have: processor time, signals, which the threads block, and forks, after which a child has no
// threads.
#include "tests/support/threads.h"
#include "tests/unit/host/pool.h"

#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>

using test::awaitThreadCount;
using test::countThreads;
using test::Pool;
using test::shortPatience;

TEST( SharedThreads, SleepAgainIfNoWorkFollows )
{
    for ( const int threadCount : { 1, 2, 3, 8 } )
    {
        Pool pool( threadCount );
        pool.wake();
        const std::clock_t before = std::clock();
        std::this_thread::sleep_for( std::chrono::milliseconds( 300 ) );
        EXPECT_LT( std::clock() - before, CLOCKS_PER_SEC / 10 );
        pool.expectEachOnce( 1000, 10 );
    }
}

/// The application's signal handlers run on its own threads.
TEST( SharedThreads, BlockAllSignals )
{
    Pool pool( 2 );
    const std::thread::id caller = std::this_thread::get_id();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds( 10 );
    std::atomic<int> checkedCount{ 0 }, openCount{ 0 };
    const auto check = [&]( uint32_t )
    {
        while ( std::this_thread::get_id() == caller && checkedCount == 0 && std::chrono::steady_clock::now() < end )
        {
            std::this_thread::yield();
        }
        sigset_t blocked;
        pthread_sigmask( SIG_SETMASK, nullptr, &blocked );
        for ( const int signal : { SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGPROF, SIGCHLD } )
        {
            openCount += std::this_thread::get_id() != caller && sigismember( &blocked, signal ) == 0;
        }
        checkedCount += std::this_thread::get_id() != caller;
    };
    pool.run( 2, check );
    EXPECT_GT( checkedCount, 0 );
    EXPECT_EQ( 0, openCount );
}

#if !defined( __SANITIZE_THREAD__ ) // ThreadSanitizer does not follow children of a program with threads

/// Forks in the middle of a job, when the threads are in use and locks may be held.
TEST( SharedThreads, AreNotSharedWithAForkedChild )
{
    const auto useInheritedPool = []( Pool& inherited )
    {
        const bool worksAlone = inherited.countTakingPart( 2, shortPatience ) == 1 && inherited.sumOfAll( 100 ) == 4950;
        const size_t before = countThreads();
        {
            Pool own( 3 );
            if ( !worksAlone || own.countTakingPart( 3 ) != 3 )
            {
                return 2;
            }
        }
        return awaitThreadCount( before ) == before ? 0 : 3;
    };
    Pool pool( 3 );
    pool.countTakingPart( 3 );
    pid_t child = -1;
    pool.run( 100,
              [&]( uint32_t i )
              {
                  if ( i == 50 )
                  {
                      child = fork();
                      if ( child == 0 )
                      {
                          _exit( useInheritedPool( pool ) );
                      }
                  }
              } );
    int state = -1;
    ASSERT_EQ( child, waitpid( child, &state, 0 ) );
    EXPECT_TRUE( WIFEXITED( state ) );
    EXPECT_EQ( 0, WEXITSTATUS( state ) );
    EXPECT_EQ( 3u, pool.countTakingPart( 3 ) );
}

#endif
