// SPDX-License-Identifier: Zlib
// Applications edit the pair cache without the broadphase: CT-28 and CT-29. Applications give the broadphase caches of
// other classes, Bullet's or their own: CT-30.
#include "queries.h"
#include "tests/bullet/support/block_count.h"

using namespace test;

namespace
{
/// Bodies with pairs that have existed for two updates.
class LongLivedPairs : public Arena
{
public:
    explicit LongLivedPairs( const RigKind& kind, btDispatcher* dispatcher = nullptr )
        : Arena( kind, 28, spreadFor( 60 ), dispatcher )
    {
        bodies.createBoxes( 60 );
        bodies.update();
        bodies.update();
    }

    btBroadphasePair& anyPair()
    {
        return pair( pairCount() / 2 );
    }

    void removeAnyPair()
    {
        const btBroadphasePair any = anyPair();
        cache.removeOverlappingPair( any.m_pProxy0, any.m_pProxy1, nullptr );
    }

    /// Expects the next update to restore the pairs, though no box was set, and a second update to keep them.
    void expectRestored( const char* afterWhat )
    {
        SCOPED_TRACE( afterWhat );
        bodies.update();
        EXPECT_TRUE( hasExpectedPairs() );
        bodies.update();
        EXPECT_TRUE( hasExpectedPairs() );
    }
};
} // namespace

TEST_P( Contract, CT28_RemovedPairsComeBack )
{
    LongLivedPairs edits( GetParam() );
    for ( int i = 0; i < 10; ++i )
    {
        edits.removeAnyPair();
    }
    ASSERT_FALSE( edits.hasExpectedPairs() );
    edits.expectRestored( "one by one" );
    edits.cache.removeOverlappingPairsContainingProxy( edits.anyPair().m_pProxy0, nullptr );
    ASSERT_FALSE( edits.hasExpectedPairs() );
    edits.expectRestored( "all of a proxy" );
    walkPairs( edits.cache, [n = 0]( btBroadphasePair& ) mutable { return ++n % 3 == 0; } );
    ASSERT_FALSE( edits.hasExpectedPairs() );
    edits.expectRestored( "by a callback" );
    edits.cache.sortOverlappingPairs( nullptr );
    edits.expectRestored( "sorted" );
    for ( int i = 0; i < 20; ++i )
    {
        edits.removeAnyPair();
        edits.bodies.move( edits.bodies.at( size_t( 2 * i ) ), edits.bodies.randomBox() );
    }
    for ( int i = 0; i < 5; ++i )
    {
        edits.bodies.destroy( size_t( i ) );
    }
    edits.expectRestored( "bodies of removed pairs moved and destroyed" );
}

TEST_P( Contract, CT28_AddedPairThatDoesNotOverlapIsRemoved )
{
    LongLivedPairs edits( GetParam() );
    btBroadphaseProxy* const first = edits.bodies.at( 0 ).proxies[0];
    btBroadphaseProxy* const far = edits.bodies.create( cube( 100, 0, 0, 1 ) ).proxies[0];
    edits.bodies.update();
    ASSERT_NE( nullptr, edits.cache.addOverlappingPair( first, far ) );
    edits.bodies.update();
    EXPECT_EQ( nullptr, edits.cache.findPair( first, far ) );
    EXPECT_TRUE( edits.hasExpectedPairs() );
}

TEST_P( Contract, CT29_CleanProxyKeepsThePairs )
{
    CountingDispatcher dispatcher;
    LongLivedPairs edits( GetParam(), &dispatcher );
    const int pairCount = edits.pairCount();
    for ( int i = 0; i < pairCount; ++i )
    {
        dispatcher.giveAlgorithm( edits.pair( i ) );
    }
    btBroadphaseProxy* const proxy = edits.anyPair().m_pProxy0;
    edits.cache.cleanProxyFromPairs( proxy, &dispatcher );
    EXPECT_EQ( pairCount, edits.pairCount() );
    int cleaned = 0;
    for ( int i = 0; i < pairCount; ++i )
    {
        const btBroadphasePair& pair = edits.pair( i );
        const bool isOfProxy = pair.m_pProxy0 == proxy || pair.m_pProxy1 == proxy;
        EXPECT_EQ( isOfProxy, pair.m_algorithm == nullptr );
        cleaned += isOfProxy;
    }
    EXPECT_GT( cleaned, 0 );
    EXPECT_EQ( cleaned, dispatcher.freed );
    edits.bodies.destroyAll();
    EXPECT_EQ( pairCount, dispatcher.freed );
}

/// Applications pass the NULL proxy of a removed object, and NULL for the dispatcher.
TEST_P( Contract, CT29_CleanWithNullArgumentsChangesNothing )
{
    CountingDispatcher dispatcher;
    LongLivedPairs edits( GetParam(), &dispatcher );
    btBroadphasePair& pair = edits.anyPair();
    btCollisionAlgorithm* const algorithm = dispatcher.giveAlgorithm( pair );
    const std::vector<char> previous = bytesOf( edits.cache );
    edits.cache.cleanProxyFromPairs( nullptr, &dispatcher );
    edits.cache.cleanProxyFromPairs( nullptr, nullptr );
    edits.cache.cleanProxyFromPairs( pair.m_pProxy0, nullptr );
    edits.cache.cleanOverlappingPair( pair, nullptr );
    EXPECT_EQ( previous, bytesOf( edits.cache ) );
    EXPECT_EQ( algorithm, pair.m_algorithm ) << "without a dispatcher it cannot be freed";
    EXPECT_EQ( 0, dispatcher.freed );
}

/// Runs random operations in a broadphase with a given cache, then destroys both and expects no leaked memory.
static void expectPairsAtEachStepAndNoLeak( const RigKind& kind, btOverlappingPairCache* ( *makeCache )() )
{
    const BlockCount blocks;
    {
        Arena arena( kind, 30, spreadFor( 300 ), nullptr, makeCache() );
        const bool isNull = dynamic_cast<btNullPairCache*>( &arena.cache ) != nullptr;
        arena.bodies.createRandom( 300 );
        for ( int step = 0; step < 40; ++step )
        {
            arena.bodies.update();
            ASSERT_TRUE( isNull ? arena.pairCount() == 0 : bool( arena.hasExpectedPairs() ) ) << "step " << step;
            arena.bodies.runRandomOperations( 30 );
        }
        EXPECT_EQ( arena.bodies.size(), boxHits( arena.broadphase, everywhere ).size() );
    }
    EXPECT_EQ( 0, blocks.alive() );
}

TEST_P( Contract, CT30_SubclassHoldsTheExpectedPairs )
{
    expectPairsAtEachStepAndNoLeak( GetParam(), []() -> btOverlappingPairCache* { return new CountingCache; } );
}

TEST_P( Contract, CT30_SortedCacheHoldsTheExpectedPairs )
{
    expectPairsAtEachStepAndNoLeak( GetParam(),
                                    []() -> btOverlappingPairCache* { return new btSortedOverlappingPairCache; } );
}

TEST_P( Contract, CT30_NullCacheStaysEmpty )
{
    expectPairsAtEachStepAndNoLeak( GetParam(), []() -> btOverlappingPairCache* { return new btNullPairCache; } );
}

TEST_P( Contract, CT30_SubclassGetsNoCallsWhileNothingChanges )
{
    CountingCache* cache = new CountingCache;
    Arena arena( GetParam(), 31, spreadFor( 200 ), nullptr, cache );
    arena.bodies.createBoxes( 200 );
    arena.bodies.update();
    const int addCalls = cache->addCalls, removeCalls = cache->removeCalls;
    const int pairCount = int( arena.bodies.expectedPairs().size() );
    EXPECT_GE( addCalls, pairCount );
    if ( arena.rig.cullet )
    {
        EXPECT_EQ( pairCount, addCalls );
        EXPECT_EQ( 0, removeCalls );
    }
    for ( int step = 0; step < 5; ++step )
    {
        arena.bodies.moveAll( []( const Body& body ) { return body.box; } );
        arena.bodies.update();
    }
    EXPECT_EQ( addCalls, cache->addCalls );
    EXPECT_EQ( removeCalls, cache->removeCalls );
}

/// Masks or the filter reject some overlapping pairs. If their boxes separate, the cache must get no call about them.
TEST_P( Contract, CT30_SubclassIsNotAskedToRemovePairsItDoesNotHold )
{
    for ( const bool hasCallback : { false, true } )
    {
        Filter filter( []( btBroadphaseProxy& a, btBroadphaseProxy& b ) { return ( idsOf( a, b ).first & 1 ) != 0; } );
        CountingCache* cache = new CountingCache;
        Arena arena( GetParam(), 37, spreadFor( 300 ), nullptr, cache );
        cache->setOverlapFilterCallback( hasCallback ? &filter : nullptr );
        arena.bodies.createRandom( 300 );
        for ( int step = 0; step < 20; ++step )
        {
            arena.bodies.update();
            arena.bodies.runRandomOperations( 100 );
        }
        EXPECT_GT( cache->removeCalls, 0 );
        EXPECT_EQ( 0, cache->idleRemoveCalls );
    }
}

TEST_P( Contract, CT30_SortedCacheKeepsPairsThatStillTouch )
{
    Arena arena( GetParam(), 33, 1, nullptr, new btSortedOverlappingPairCache );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    for ( int axis = 0; axis < 3; ++axis ) // a box on each side of the first one
    {
        for ( int side : { -1, 1 } )
        {
            btVector3 lower( 0, 0, 0 );
            lower[axis] = btScalar( side );
            arena.bodies.create( cube( lower.x(), lower.y(), lower.z(), 1 ) );
        }
    }
    Body& mover = arena.bodies.create( cube( 0, 0, 0, 1 ) );
    arena.bodies.update();
    arena.bodies.move( mover, cube( 9, 0, 0, 1 ) );
    arena.bodies.update();
    ASSERT_GE( arena.bodies.expectedPairs().size(), 6u );
    EXPECT_TRUE( arena.hasExpectedPairs() );
}

TEST_P( Contract, CT30_SortedCacheFreesAlgorithms )
{
    CountingDispatcher dispatcher;
    Arena arena( GetParam(), 34, 1, &dispatcher, new btSortedOverlappingPairCache );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = arena.bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
    arena.bodies.create( cube( 0, btScalar( 0.5 ), 0, 1 ) );
    arena.bodies.update();
    ASSERT_EQ( 3, arena.pairCount() );
    for ( int i = 0; i < 3; ++i )
    {
        dispatcher.giveAlgorithm( arena.pair( i ) );
    }
    arena.bodies.move( mover, cube( 9, 0, 0, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 1, arena.pairCount() );
    EXPECT_EQ( 2, dispatcher.freed );
    arena.bodies.destroy( 0 );
    EXPECT_EQ( 0, arena.pairCount() ) << "destroyProxy removes pairs from this cache at once, too";
    EXPECT_EQ( 3, dispatcher.freed );
}
