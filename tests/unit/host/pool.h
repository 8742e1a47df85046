// SPDX-License-Identifier: Zlib
/// \file pool.h
/// A worker pool, and loops that show which of its threads take part.
#ifndef CLT_TESTS_UNIT_HOST_POOL_H
#define CLT_TESTS_UNIT_HOST_POOL_H

#include "gpu/platform/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace test
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

} // namespace test

#endif
