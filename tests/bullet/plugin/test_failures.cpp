// SPDX-License-Identifier: Zlib
// Invalid defs and lack of memory: nothing throws, no proxy is NULL, and the status says what is wrong.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{
testing::AssertionResult hasExpectedPairs( CulletBroadphase& broadphase, Bodies& bodies )
{
    return samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) );
}

cltBroadphaseDef defaultWith( int threadCount, cltPrecision precision )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = threadCount;
    def.precision = precision;
    return def;
}

/// A def with an allocator that fails on request.
struct Memory : Hooks
{
    void fill()
    {
        failAllocations( 1, UINT32_MAX );
    }

    void empty()
    {
        failAllocations( 1, 0 );
    }

    cltBroadphaseDef def()
    {
        cltBroadphaseDef result = defaultWith( 2, clt_precisionFloat );
        installMemory( result );
        return result;
    }
};
} // namespace

/// Invalid defs are replaced by the default. Bullet determines precision and filter, not the def.
TEST( Failures, InvalidDefsAreReplaced )
{
    const struct
    {
        const char* name;
        cltBroadphaseDef def;
        cltStatus expected;
    } cases[] = {
        { "invalid number of threads", defaultWith( -3, clt_precisionFloat ), clt_invalidArgument },
        { "without defaults", {}, clt_invalidArgument },
        { "float", defaultWith( 0, clt_precisionFloat ), clt_ok },
        { "double", defaultWith( 0, clt_precisionDouble ), clt_ok },
    };
    for ( const auto& oneCase : cases )
    {
        SCOPED_TRACE( oneCase.name );
        CulletBroadphase broadphase( oneCase.def );
        EXPECT_EQ( oneCase.expected, broadphase.getCreationStatus() );
        Bodies bodies( broadphase, 1, 5 );
        bodies.createRandom( 100 );
        bodies.update();
        EXPECT_EQ( clt_ok, broadphase.getStatus() );
        EXPECT_TRUE( hasExpectedPairs( broadphase, bodies ) );
    }
}

TEST( Failures, CT53_ProxiesWithoutMemoryStayPending )
{
    Memory memory;
    CulletBroadphase broadphase( memory.def() );
    Bodies bodies( broadphase, 3, 8 );
    bodies.createRandom( 50 );
    bodies.update();
    const std::vector<IdPair> before = bodies.expectedPairs();

    memory.fill();
    bodies.createRandom( 3000 ); // more than the capacity that the core has left
    EXPECT_GT( memory.failureCount(), 0u );
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    CollectBox hits;
    broadphase.aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
    EXPECT_EQ( 3050u, hits.ids().size() ) << "queries also find pending proxies";
    bodies.update();
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    const std::vector<IdPair> during = pairsOf( *broadphase.getOverlappingPairCache() );
    EXPECT_TRUE( std::includes( during.begin(), during.end(), before.begin(), before.end() ) );

    for ( int i = 0; i < 300; ++i ) // random operations on settled and pending proxies
    {
        bodies.randomOperation();
    }

    memory.empty();
    bodies.update();
    EXPECT_EQ( clt_ok, broadphase.getStatus() );
    EXPECT_TRUE( hasExpectedPairs( broadphase, bodies ) );
    for ( int step = 0; step < 10; ++step )
    {
        for ( int i = 0; i < 200; ++i )
        {
            bodies.randomOperation();
        }
        bodies.update();
        ASSERT_TRUE( hasExpectedPairs( broadphase, bodies ) );
    }
    hits.proxies.clear();
    broadphase.aabbTest( btVector3( -99, -99, -99 ), btVector3( 99, 99, 99 ), hits );
    EXPECT_EQ( bodies.size(), hits.proxies.size() );
    bodies.destroyAll();
    EXPECT_EQ( 0, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() );
}

/// A pending proxy gets a later slot than a proxy that was created after it. Pairs must still be in uid order.
TEST( Failures, CT53_PendingProxiesKeepUidOrder )
{
    Memory memory;
    CulletBroadphase broadphase( memory.def() );
    broadphase.m_deferedcollide = true; // else some pairs begin earlier
    btOverlappingPairCache& cache = *broadphase.getOverlappingPairCache();
    Bodies bodies( broadphase, 6, 2 );
    memory.fill();
    while ( broadphase.getStatus() == clt_ok && bodies.size() < 100000 )
    {
        bodies.create( cube( btScalar( 2 * bodies.size() ), 0, 0, 1 ) );
    }
    ASSERT_EQ( clt_hostMemory, broadphase.getStatus() );
    memory.empty();
    const size_t pending = bodies.size() - 1;
    for ( int i = 0; i < 5; ++i )
    {
        bodies.create( bodies.at( pending ).box );
    }
    bodies.update();
    ASSERT_EQ( clt_ok, broadphase.getStatus() );
    std::vector<IdPair> expected = bodies.expectedPairs();
    ASSERT_EQ( 15u, expected.size() );
    EXPECT_EQ( expected, arrayOf( cache ) ) << "in this order";
    for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
    {
        const btBroadphasePair& pair = cache.getOverlappingPairArrayPtr()[i];
        EXPECT_LT( pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
        EXPECT_EQ( &pair, cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) );
    }
}

/// The previous pairs stay. Pending pairs are found by the failed update, so that several threads may read the cache.
TEST( Failures, CT53_AnUpdateWithoutMemoryKeepsThePairs )
{
    for ( bool isDeferred : { true, false } )
    {
        SCOPED_TRACE( isDeferred ? "pairs in updates only" : "pairs at once" );
        Memory memory;
        CulletBroadphase broadphase( memory.def() );
        broadphase.m_deferedcollide = isDeferred;
        const btHashedOverlappingPairCache& cache =
            static_cast<btHashedOverlappingPairCache&>( *broadphase.getOverlappingPairCache() );
        Bodies bodies( broadphase, 5, 30 );
        bodies.createRandom( 500 );
        bodies.update();
        const std::vector<IdPair> before = pairsOf( cache );
        for ( size_t i = 0; i < 500; ++i ) // all boxes in one place: far more pairs than the capacity
        {
            bodies.move( bodies.at( i ), cube( 0, 0, 0, 1 ) );
        }
        memory.fill();
        EXPECT_LT( cache.GetCount(), 499 );
        bodies.update();
        EXPECT_GT( memory.failureCount(), 0u );
        EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
        if ( isDeferred )
        {
            EXPECT_TRUE( samePairs( before, pairsOf( cache ) ) );
        }
        else
        {
            EXPECT_GE( cache.GetCount(), 499 )
                << "the first box that moved overlaps all others, and nothing is pending";
        }

        memory.empty();
        bodies.update();
        EXPECT_EQ( clt_ok, broadphase.getStatus() );
        EXPECT_TRUE( hasExpectedPairs( broadphase, bodies ) );
    }
}

TEST( Failures, CT53_ABroadphaseWithoutMemoryRecovers )
{
    Memory memory;
    memory.fill();
    {
        CulletBroadphase broadphase( memory.def() );
        EXPECT_EQ( clt_hostMemory, broadphase.getCreationStatus() );
        EXPECT_EQ( nullptr, broadphase.getCore() );
        Bodies bodies( broadphase, 5, 4 );
        bodies.createRandom( 100 );
        bodies.update();
        EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
        bodies.destroy( 7 );

        memory.empty();
        bodies.update();
        EXPECT_EQ( clt_ok, broadphase.getStatus() );
        EXPECT_TRUE( hasExpectedPairs( broadphase, bodies ) );
    }
    EXPECT_EQ( 0u, memory.bytesHeld() );
}
