// SPDX-License-Identifier: Zlib
// Applications edit the pair cache without the broadphase: CT-28 and CT-29.
#include "contestants.h"

using namespace test;

namespace
{
/// Bodies with pairs that have existed for two updates.
class Edits : public Arena
{
public:
    explicit Edits( const RigKind& kind, btDispatcher* dispatcher = nullptr )
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

    /// The next update restores the pairs, though no box was set. One more update keeps them.
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
    Edits edits( GetParam() );
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
}

/// Bodies of removed pairs move or are destroyed before the next update.
TEST_P( Contract, CT28_RemovedPairsAreRestoredAfterTheirBodiesMoveOrGo )
{
    Edits edits( GetParam() );
    for ( int i = 0; i < 20; ++i )
    {
        edits.removeAnyPair();
        if ( i % 2 == 0 )
        {
            edits.bodies.move( edits.bodies.at( size_t( i ) ), edits.bodies.randomBox() );
        }
    }
    for ( int i = 0; i < 5; ++i )
    {
        edits.bodies.destroy( size_t( i ) );
    }
    edits.expectRestored( "bodies moved and destroyed" );
}

TEST_P( Contract, CT28_AddedPairThatDoesNotOverlapIsRemoved )
{
    Edits edits( GetParam() );
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
    Edits edits( GetParam(), &dispatcher );
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

/// Applications do both: they pass the NULL proxy of a removed object, or no dispatcher.
TEST_P( Contract, CT29_CleanWithNullArgumentsChangesNothing )
{
    CountingDispatcher dispatcher;
    Edits edits( GetParam(), &dispatcher );
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
