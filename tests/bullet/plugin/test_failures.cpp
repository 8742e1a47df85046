// SPDX-License-Identifier: Zlib
// Invalid defs and lack of memory: nothing throws, no proxy is NULL, and the status says what is wrong.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{

cltBroadphaseDef defaultWith( int threadCount, cltPrecision precision )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = threadCount;
    def.precision = precision;
    return def;
}

/// A broadphase with an allocator that fails on request.
struct Failing
{
    explicit Failing( double spread, bool isEmpty = true )
    {
        cltBroadphaseDef def = defaultWith( 2, clt_precisionFloat );
        memory.installMemory( def );
        isEmpty ? empty() : fill();
        broadphase.reset( new CulletBroadphase( def ) );
        bodies.reset( new Bodies( *broadphase, 5, spread ) );
    }

    void fill()
    {
        memory.failAllocations( 1, UINT32_MAX );
    }

    void empty()
    {
        memory.failAllocations( 1, 0 );
    }

    /// The cache as its base class: GetCount, which is not virtual, makes no pending searches.
    const btHashedOverlappingPairCache& cache() const
    {
        return static_cast<btHashedOverlappingPairCache&>( *broadphase->getOverlappingPairCache() );
    }

    void expectFailedUpdate()
    {
        bodies->update();
        EXPECT_GT( memory.failureCount(), 0u );
        EXPECT_EQ( clt_hostMemory, broadphase->getStatus() );
    }

    void expectGoodUpdate()
    {
        bodies->update();
        EXPECT_EQ( clt_ok, broadphase->getStatus() );
        EXPECT_TRUE( samePairs( bodies->expectedPairs(), pairsOf( cache() ) ) );
    }

    size_t countHits()
    {
        CollectBox hits;
        broadphase->aabbTest( btVector3( -99, -99, -99 ), btVector3( 99, 99, 99 ), hits );
        return hits.proxies.size();
    }

    Hooks memory;
    std::unique_ptr<CulletBroadphase> broadphase;
    std::unique_ptr<Bodies> bodies;
};

} // namespace

/// Invalid defs are replaced by the default. Bullet determines precision and filter, not the def.
TEST( Failures, InvalidDefsAreReplaced )
{
    const std::pair<cltBroadphaseDef, cltStatus> cases[] = {
        { defaultWith( -3, clt_precisionFloat ), clt_invalidArgument },
        { {}, clt_invalidArgument },
        { defaultWith( 0, clt_precisionFloat ), clt_ok },
        { defaultWith( 0, clt_precisionDouble ), clt_ok },
    };
    for ( const auto& [def, expected] : cases )
    {
        SCOPED_TRACE( testing::Message() << def.threadCount << " threads, precision " << def.precision );
        CulletBroadphase broadphase( def );
        EXPECT_EQ( expected, broadphase.getCreationStatus() );
        Bodies bodies( broadphase, 1, 5 );
        bodies.createRandom( 100 );
        bodies.update();
        EXPECT_EQ( clt_ok, broadphase.getStatus() );
        EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( *broadphase.getOverlappingPairCache() ) ) );
    }
}

/// A proxy is pending while the core has no memory for it. Queries find pending proxies, too.
TEST( Failures, CT53_ProxiesWithoutMemoryStayPending )
{
    Failing world( 8 );
    Bodies& bodies = *world.bodies;
    bodies.createRandom( 50 );
    bodies.update();
    const std::vector<IdPair> previous = bodies.expectedPairs();
    world.fill();
    bodies.createRandom( 3000 ); // more than the remaining capacity of the core
    EXPECT_EQ( clt_hostMemory, world.broadphase->getStatus() );
    EXPECT_EQ( 3050u, world.countHits() );
    CollectBox hits;
    world.broadphase->aabbTest( btVector3( -99, std::numeric_limits<btScalar>::quiet_NaN(), -99 ),
                                btVector3( 99, 99, 99 ), hits );
    EXPECT_TRUE( hits.proxies.empty() ) << "of a query with a NaN";
    world.expectFailedUpdate();
    const std::vector<IdPair> during = pairsOf( world.cache() );
    EXPECT_TRUE( std::includes( during.begin(), during.end(), previous.begin(), previous.end() ) );
    bodies.runRandomOperations( 300 ); // on settled and pending proxies
    world.empty();
    for ( int step = 0; step < 10; ++step )
    {
        world.expectGoodUpdate();
        bodies.runRandomOperations( 200 );
    }
    EXPECT_EQ( bodies.size(), world.countHits() );
    bodies.destroyAll();
    EXPECT_EQ( 0, world.cache().getNumOverlappingPairs() );
}

/// All proxies, pending ones included, are tested against the ray as it was at the start of the query.
TEST( Failures, CT53_ACallbackDoesNotLengthenItsRay )
{
    Failing world( 8 );
    world.bodies->create( cube( -9, -9, -9, 18 ) );
    world.fill();
    world.bodies->createRandom( 3000 );
    ASSERT_EQ( clt_hostMemory, world.broadphase->getStatus() );
    const auto countHits = [&]( btScalar lengthAtFirst, btScalar lengthAfterAHit )
    {
        CollectRay ray;
        aim( ray, btVector3( -9, 0, 0 ), btVector3( 0, 0, 0 ) );
        ray.m_lambda_max = lengthAtFirst;
        ray.onHit = [&]( const btBroadphaseProxy& ) { ray.m_lambda_max = lengthAfterAHit; };
        world.broadphase->rayTest( btVector3( -9, 0, 0 ), btVector3( 0, 0, 0 ), ray );
        return ray.proxies.size();
    };
    EXPECT_EQ( countHits( 9, 9 ), countHits( 9, 18 ) );
    EXPECT_LT( countHits( 9, 9 ), countHits( 18, 18 ) );
}

/// A pending proxy gets a later slot than a proxy that was created after it. Pairs must still be in uid order.
TEST( Failures, CT53_PendingProxiesKeepUidOrder )
{
    Failing world( 2 );
    Bodies& bodies = *world.bodies;
    world.broadphase->m_deferedcollide = true; // else some pairs begin earlier
    world.fill();
    while ( world.broadphase->getStatus() == clt_ok && bodies.size() < 100000 )
    {
        bodies.create( cube( btScalar( 2 * bodies.size() ), 0, 0, 1 ) );
    }
    ASSERT_EQ( clt_hostMemory, world.broadphase->getStatus() );
    world.empty();
    const size_t pending = bodies.size() - 1;
    bodies.createAt( bodies.at( pending ).box, 5 );
    world.expectGoodUpdate();
    ASSERT_EQ( 15, world.cache().getNumOverlappingPairs() );
    EXPECT_EQ( bodies.expectedPairs(), arrayOf( world.cache() ) ) << "in this order";
    for ( int i = 0; i < 15; ++i )
    {
        const btBroadphasePair& pair = world.cache().getOverlappingPairArrayPtr()[i];
        EXPECT_LT( pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
    }
}

/// The program removes a pair that a pending proxy does not have. It would stay: the core does not report its end.
TEST( Failures, CT53_PendingProxiesHaveNoPairs )
{
    Failing world( 2 );
    Bodies& bodies = *world.bodies;
    const Body& first = bodies.create( cube( 0, 0, 0, 1 ) );
    size_t last;
    do // until the core is full
    {
        last = bodies.size();
        world.empty();
        bodies.create( cube( btScalar( 2 * last ), 0, 0, 1 ) );
        bodies.update();
        world.fill();
        bodies.create( cube( btScalar( 2 * ++last ), 0, 0, 1 ) );
    } while ( world.broadphase->getStatus() == clt_ok && last < 1000 );
    bodies.move( bodies.at( last ), first.box );
    world.broadphase->getOverlappingPairCache()->removeOverlappingPair( first.proxies[0], bodies.at( last ).proxies[0],
                                                                        nullptr );
    bodies.update();
    ASSERT_EQ( clt_hostMemory, world.broadphase->getStatus() );
    EXPECT_EQ( 0, world.cache().getNumOverlappingPairs() );
    world.empty();
    world.expectGoodUpdate();
    EXPECT_EQ( 1, world.cache().getNumOverlappingPairs() );
}

/// The previous pairs stay. Even a failed update makes the pending searches, so that threads may then read the cache.
TEST( Failures, CT53_AnUpdateWithoutMemoryKeepsThePairs )
{
    for ( bool isDeferred : { true, false } )
    {
        SCOPED_TRACE( isDeferred ? "pairs in updates only" : "pairs at once" );
        Failing world( 30 );
        world.broadphase->m_deferedcollide = isDeferred;
        const btHashedOverlappingPairCache& cache = world.cache();
        world.bodies->createRandom( 500 );
        world.bodies->update();
        const std::vector<IdPair> previous = pairsOf( cache );
        world.bodies->moveAll( []( const Body& ) { return cube( 0, 0, 0, 1 ); } ); // far more pairs than the capacity
        world.fill();
        EXPECT_LT( cache.GetCount(), 499 );
        world.expectFailedUpdate();
        if ( isDeferred )
        {
            EXPECT_TRUE( samePairs( previous, pairsOf( cache ) ) );
        }
        else
        {
            EXPECT_GE( cache.GetCount(), 499 ) << "the first box overlaps all others, and nothing is pending";
        }
        world.empty();
        world.expectGoodUpdate();
    }
}

TEST( Failures, CT53_ABroadphaseWithoutMemoryRecovers )
{
    Failing world( 4, false );
    EXPECT_EQ( clt_hostMemory, world.broadphase->getCreationStatus() );
    EXPECT_EQ( nullptr, world.broadphase->getCore() );
    world.bodies->createRandom( 100 );
    world.expectFailedUpdate();
    world.bodies->destroy( 7 );
    world.empty();
    world.expectGoodUpdate();
    world.broadphase.reset();
    EXPECT_EQ( 0u, world.memory.bytesHeld() );
}

/// The application adds a rejected pair itself, to a cache that does not look whether it has the pair. The update that
/// offers the pair again has no memory to compare all pairs.
TEST( Failures, CT53_AGivenCacheHasNoPairTwiceIfItCannotBeCompared )
{
    Hooks memory;
    cltBroadphaseDef def = defaultWith( 1, clt_precisionFloat );
    memory.installMemory( def );
    btSortedOverlappingPairCache cache;
    Filter filter( []( const auto& a, const auto& b ) { return a.m_collisionFilterMask != b.m_collisionFilterMask; } );
    cache.setOverlapFilterCallback( &filter );
    CulletBroadphase broadphase( def, &cache );
    Bodies bodies( broadphase, 1, 1 );
    bodies.createAt( cube( 0, 0, 0, 1 ), 2 );
    bodies.update();

    btBroadphaseProxy* proxy = bodies.at( 0 ).proxies[0];
    proxy->m_collisionFilterMask = 1;
    bodies.move( bodies.at( 0 ), bodies.at( 0 ).box ); // so that the pair is offered again
    cache.addOverlappingPair( proxy, bodies.at( 1 ).proxies[0] );
    memory.failAllocations( 1, UINT32_MAX );
    bodies.update();
    EXPECT_EQ( clt_hostMemory, broadphase.getStatus() );
    EXPECT_EQ( 1, cache.getNumOverlappingPairs() );
    memory.failAllocations( 1, 0 );
    bodies.update();
    EXPECT_EQ( 1, cache.getNumOverlappingPairs() );
    bodies.destroyAll();
}
