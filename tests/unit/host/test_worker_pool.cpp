// SPDX-License-Identifier: Zlib
// Loops on several threads: every element is run once, whether threads were woken early or not, and idle threads sleep.
// All pools share the threads and never wait for them.
#include "gpu/platform/worker_pool.h"
#include "tests/support/random.h"
#include "tests/support/threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

using test::awaitThreadCount;
using test::countThreads;

namespace
{

/// How long to wait before concluding that threads do not take part.
const std::chrono::milliseconds shortPatience( 100 );

/// A worker pool with an allocator of its own. At the end no memory of it may be in use.
class Pool
{
public:
    /// \param threadCount  the caller included; 0: loops run without a pool
    explicit Pool( int threadCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = threadCount;
        cltMemory_Init( &m_memory, &def );
        EXPECT_EQ( clt_ok, threadCount > 0 ? cltCreateWorkerPool( &def, &m_memory, &m_pool ) : clt_ok );
    }

    Pool( const Pool& ) = delete;
    Pool& operator=( const Pool& ) = delete;

    ~Pool()
    {
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    template <typename Work>
    void run( uint32_t count, Work work, uint32_t grain = 1 )
    {
        Task<Work> task = { work, grain };
        cltWorkerPool_Run( m_pool, Task<Work>::runRange, count, grain, &task );
        ASSERT_EQ( 0, task.oddRanges ) << count << " by " << grain;
    }

    void wake()
    {
        cltWorkerPool_Wake( m_pool );
    }

    void rest()
    {
        cltWorkerPool_LetSleep( m_pool );
    }

    void expectEachOnce( uint32_t count, uint32_t grain )
    {
        std::vector<std::atomic<int>> visits( count );
        run(
            count, [&]( uint32_t i ) { ++visits[i]; }, grain );
        ASSERT_EQ( count, std::count( visits.begin(), visits.end(), 1 ) ) << "by " << grain;
    }

    uint64_t sumOfAll( uint32_t count )
    {
        std::atomic<uint64_t> sum{ 0 };
        run( count, [&]( uint32_t i ) { sum += i; } );
        return sum;
    }

    /// Returns the number of threads that take part in a job. The job lasts until there are `awaited` threads, or until
    /// `patience` is over.
    size_t countTakingPart( size_t awaited, std::chrono::milliseconds patience = std::chrono::seconds( 10 ) )
    {
        const auto end = std::chrono::steady_clock::now() + patience;
        std::mutex mutex;
        std::set<std::thread::id> threads;
        const auto note = [&]
        {
            const std::lock_guard<std::mutex> lock( mutex );
            threads.insert( std::this_thread::get_id() );
            return threads.size();
        };
        run( 64,
             [&]( uint32_t )
             {
                 while ( note() < awaited && std::chrono::steady_clock::now() < end )
                 {
                     std::this_thread::sleep_for( std::chrono::milliseconds( 1 ) );
                 }
             } );
        return threads.size();
    }

private:
    template <typename Work>
    struct Task
    {
        Work work;
        uint32_t grain;
        std::atomic<int> oddRanges{}; ///< empty, longer than the grain, or beginning at no multiple of it

        static void runRange( uint32_t first, uint32_t last, void* context )
        {
            Task& task = *static_cast<Task*>( context );
            task.oddRanges += first % task.grain != 0 || last - first > task.grain || last <= first;
            for ( uint32_t i = first; i < last; ++i )
            {
                task.work( i );
            }
        }
    };

    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
};

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

TEST_P( WorkerPool, SleepsAgainIfNoWorkFollows )
{
    Pool pool( GetParam() );
    pool.wake();
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for( std::chrono::milliseconds( 300 ) );
    EXPECT_LT( std::clock() - before, CLOCKS_PER_SEC / 10 );
    pool.expectEachOnce( 1000, 10 );
}

#if defined( __SSE__ )

/// The caller changes its mode after the pool's threads were created.
TEST_P( WorkerPool, ThreadsHaveTheCallersFloatMode )
{
    Pool pool( GetParam() );
    const unsigned mode = _mm_getcsr();
    for ( unsigned round = 0; round < 40; ++round )
    {
        const unsigned denormalsAreZero = round % 2 * 0x8040u;
        std::atomic<int> count{ 0 };
        volatile float denormal = 1e-40f;
        _mm_setcsr( mode | denormalsAreZero );
        pool.run(
            100000, [&]( uint32_t ) { count += denormal > 0; }, 100 );
        _mm_setcsr( mode );
        ASSERT_EQ( denormalsAreZero ? 0 : 100000, count );
    }
}

#endif

TEST( SharedThreads, RunAtMostAsManyAsThePoolAllows )
{
    Pool eight( 8 );
    Pool two( 2 );
    Pool one( 1 );
    EXPECT_EQ( 8u, eight.countTakingPart( 8 ) );
    EXPECT_EQ( 2u, two.countTakingPart( 3, shortPatience ) ) << "though there are seven others";
    EXPECT_EQ( 1u, one.countTakingPart( 2, shortPatience ) );
    EXPECT_EQ( 8u, eight.countTakingPart( 8 ) );
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

TEST( SharedThreads, AreSharedAndEndWithTheLastPool )
{
    std::thread( [] {} ).join(); // a sanitizer may start a thread of its own with the first one
    const size_t before = countThreads();
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
    std::thread( [] {} ).join();
    const size_t before = countThreads();
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
