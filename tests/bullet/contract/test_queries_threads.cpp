// SPDX-License-Identifier: Zlib
// Many threads run queries right after all bodies moved, when the first query may have to build a tree: CT-35. Runs
// under ThreadSanitizer, too.
#include "queries.h"

#include <thread>

using namespace test;

static const size_t threadCount = 16;
static const int bodyCount = 1000;

/// The results of a thread, independent of the order in which its queries report them.
struct Tally
{
    uint64_t hits = 0;
    uint64_t mix = 0;

    bool operator==( const Tally& other ) const
    {
        return hits == other.hits && mix == other.mix;
    }

    void count( uint64_t query, const std::vector<const btBroadphaseProxy*>& proxies )
    {
        for ( const btBroadphaseProxy* proxy : proxies )
        {
            const int id = static_cast<const Body*>( proxy->m_clientObject )->id;
            mix += Random( query << 32 | uint64_t( id ) ).bits();
            ++hits;
        }
    }
};

#if defined( __SANITIZE_THREAD__ ) // slower, but needs fewer queries to find a race
static const size_t queryCount = 300;
#else
static const size_t queryCount = 1500;
#endif

/// Runs all ray and box queries. All threads run the same queries, but each begins with another one.
static Tally runAll( btBroadphaseInterface& broadphase, double reach, size_t begin )
{
    Tally tally;
    for ( size_t i = 0; i < queryCount; ++i )
    {
        const uint64_t query = ( begin + i ) % queryCount;
        Random random( query );
        const Ray ray = randomRay( random, reach );
        CollectRay rayHits;
        aim( rayHits, ray.from, ray.to );
        broadphase.rayTest( ray.from, ray.to, rayHits, ray.sweep.lower, ray.sweep.upper );
        tally.count( query, rayHits.proxies );
        CollectBox boxHits;
        broadphase.aabbTest( ray.from, ray.from + btVector3( 1, 2, 1 ), boxHits );
        tally.count( query, boxHits.proxies );
    }
    return tally;
}

static void expectAllAgree( btBroadphaseInterface& broadphase, double reach )
{
    std::vector<Tally> tallies( threadCount );
    std::vector<std::thread> threads;
    for ( size_t i = 0; i < threadCount; ++i )
    {
        threads.emplace_back( [&broadphase, &tallies, reach, i] { tallies[i] = runAll( broadphase, reach, i * 17 ); } );
    }
    for ( std::thread& thread : threads )
    {
        thread.join();
    }
    const Tally alone = runAll( broadphase, reach, 0 );
    EXPECT_GT( alone.hits, 100u );
    for ( size_t i = 0; i < threadCount; ++i )
    {
        EXPECT_TRUE( alone == tallies[i] ) << "thread " << i << " found " << tallies[i].hits << ", not " << alone.hits;
    }
}

TEST_P( Contract, CT35_SixteenThreadsAgreeAfterEveryKindOfChange )
{
    const double reach = spreadFor( bodyCount );
    Arena arena( GetParam(), 35, reach );
    arena.bodies.createRandom( bodyCount );
    expectAllAgree( arena.broadphase, reach );
    arena.bodies.update();
    arena.bodies.randomizeBoxes();
    expectAllAgree( arena.broadphase, reach );
    for ( int i = 0; i < bodyCount / 2; ++i )
    {
        arena.bodies.destroyRandom();
    }
    expectAllAgree( arena.broadphase, reach );
    arena.bodies.randomizeBoxes();
    arena.bodies.update();
    expectAllAgree( arena.broadphase, reach );
}
