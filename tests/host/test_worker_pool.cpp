// SPDX-License-Identifier: Zlib
// Loops over several threads: every element once, woken early or not, and nobody keeps a processor busy for nothing.
#include "gpu/platform/worker_pool.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#if defined( __SSE__ )
#include <xmmintrin.h>
#endif

namespace
{

struct Visits
{
    std::vector<std::atomic<int>> m_counts;
    uint32_t m_grain;
    std::atomic<int> m_oddRanges{}; ///< that do not begin at a multiple of the grain, or are longer
};

void visit( uint32_t first, uint32_t last, void* context )
{
    Visits& visits = *static_cast<Visits*>( context );
    visits.m_oddRanges += first % visits.m_grain != 0 || last - first > visits.m_grain || last <= first;
    for ( uint32_t i = first; i < last; ++i )
    {
        ++visits.m_counts[i];
    }
}

/// By so many threads, the caller included; 0: without a pool.
class WorkerPool : public testing::TestWithParam<int>
{
protected:
    WorkerPool()
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = GetParam();
        cltMemory_Init( &m_memory, &def );
        EXPECT_EQ( clt_ok, GetParam() > 0 ? cltCreateWorkerPool( &def, &m_memory, &m_pool ) : clt_ok );
    }

    ~WorkerPool() override
    {
        cltDestroyWorkerPool( m_pool, &m_memory );
        EXPECT_EQ( 0u, m_memory.bytes );
    }

    void expectEachOnce( uint32_t count, uint32_t grain )
    {
        Visits visits{ std::vector<std::atomic<int>>( count ), grain };
        cltWorkerPool_Run( m_pool, visit, count, grain, &visits );
        ASSERT_EQ( count, std::count( visits.m_counts.begin(), visits.m_counts.end(), 1 ) ) << "by " << grain;
        ASSERT_EQ( 0, visits.m_oddRanges ) << count << " by " << grain;
    }

    cltMemory m_memory;
    cltWorkerPool* m_pool = nullptr;
};

#if defined( __SSE__ )

void countDenormals( uint32_t first, uint32_t last, void* context )
{
    volatile float denormal = 1e-40f;
    for ( uint32_t i = first; i < last; ++i )
    {
        *static_cast<std::atomic<int>*>( context ) += denormal > 0;
    }
}

/// The mode changes after the threads were created.
TEST_P( WorkerPool, ThreadsTakeDenormalsForWhatTheCallerDoes )
{
    const unsigned mode = _mm_getcsr();
    for ( unsigned round = 0; round < 40; ++round )
    {
        const unsigned denormalsAreZero = round % 2 * 0x8040u;
        std::atomic<int> count{ 0 };
        _mm_setcsr( mode | denormalsAreZero );
        cltWorkerPool_Run( m_pool, countDenormals, 100000, 100, &count );
        _mm_setcsr( mode );
        ASSERT_EQ( denormalsAreZero ? 0 : 100000, count );
    }
}

#endif

INSTANTIATE_TEST_SUITE_P(, WorkerPool, testing::Values( 0, 1, 2, 3, 8 ),
                         []( const auto& info ) { return std::to_string( info.param ) + "threads"; } );

} // namespace

TEST_P( WorkerPool, EachElementOnce )
{
    for ( uint32_t count : { 1u, 2u, 3u, 7u, 8u, 9u, 64u, 1000u } )
    {
        for ( uint32_t grain : { 1u, 2u, 3u, 63u, 64u, 2000u } )
        {
            expectEachOnce( count, grain );
        }
    }
}

TEST_P( WorkerPool, WokenAndAtRestInAnyOrder )
{
    test::Random random( 101 );
    for ( int round = 0; round < 400; ++round )
    {
        switch ( random.below( 6 ) )
        {
        case 0:
            cltWorkerPool_Wake( m_pool );
            break;
        case 1:
            cltWorkerPool_Rest( m_pool );
            break;
        case 2:
            std::this_thread::sleep_for( std::chrono::milliseconds( 1 ) ); // long enough to fall asleep
            break;
        default:
            expectEachOnce( 100, 1 );
        }
    }
    cltWorkerPool_Wake( m_pool ); // and destroyed while they look for work
}

TEST_P( WorkerPool, WokenForNothingTheyFallAsleep )
{
    cltWorkerPool_Wake( m_pool );
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for( std::chrono::milliseconds( 300 ) );
    EXPECT_LT( std::clock() - before, CLOCKS_PER_SEC / 10 );
    expectEachOnce( 1000, 10 );
}
