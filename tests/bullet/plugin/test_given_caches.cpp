// SPDX-License-Identifier: Zlib
// Edits of pairs, filters and boxes that are invisible to the broadphase of a given cache until it compares all pairs,
// and caches that cannot find or remove single pairs.
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{

/// Two bodies that overlap and one far away; and, on request, more bodies than an update checks for edited masks.
struct GivenWorld : Arena
{
    GivenWorld( btOverlappingPairCache* given, int others, btDispatcher* dispatcher = nullptr )
        : Arena( culletAuto, 1, 1, dispatcher, given )
    {
        for ( const int x : { 0, 0, 50 } )
        {
            bodies.create( cube( btScalar( x ), 0, 0, 1 ) );
        }
        for ( int i = 0; i < others; ++i )
        {
            bodies.create( cube( btScalar( 100 + 2 * i ), 0, 0, 1 ) );
        }
        bodies.update();
    }

    void move( size_t at, btScalar x )
    {
        bodies.move( bodies.at( at ), cube( x, 0, 0, 1 ) );
    }

    /// Edits the mask in place.
    void edit( size_t at, int mask )
    {
        bodies.at( at ).mask = proxy( at )->m_collisionFilterMask = mask;
    }

    /// Sets the box to its current value, so that the mask is read, then updates.
    void readAndUpdate( size_t at )
    {
        bodies.move( bodies.at( at ), bodies.at( at ).box );
        bodies.update();
    }
};

struct SortedWorld : GivenWorld
{
    explicit SortedWorld( int others = 0, btDispatcher* dispatcher = nullptr )
        : GivenWorld( new btSortedOverlappingPairCache, others, dispatcher )
    {
    }
};

/// A mask rejects the pair while it is present.
TEST( SortedCache, KeepsAPairOnceUntilItsBoxesSeparate )
{
    for ( const bool isReverted : { false, true } )
    {
        SortedWorld world;
        world.edit( 0, 0 );
        world.readAndUpdate( 0 );
        EXPECT_EQ( 1, world.pairCount() );
        if ( isReverted )
        {
            world.edit( 0, -1 );
            world.readAndUpdate( 0 );
            EXPECT_EQ( 1, world.pairCount() );
        }
        world.move( 1, 20 );
        world.bodies.update();
        EXPECT_EQ( 0, world.pairCount() );
    }
}

TEST( SortedCache, HasEachPairOnceAfterACallbackWasGoneForAStep )
{
    Filter acceptsAll( []( const auto&, const auto& ) { return true; } );
    SortedWorld world;
    world.edit( 0, 0 ); // groups and masks reject the pair, which the callback accepts
    world.cache.setOverlapFilterCallback( &acceptsAll );
    world.readAndUpdate( 0 );
    for ( btOverlapFilterCallback* callback :
          { static_cast<btOverlapFilterCallback*>( nullptr ), static_cast<btOverlapFilterCallback*>( &acceptsAll ) } )
    {
        world.cache.setOverlapFilterCallback( callback );
        world.bodies.update();
        EXPECT_EQ( 1, world.pairCount() );
    }
    world.cache.setOverlapFilterCallback( nullptr );
}

/// The core has not read the edited mask when the pair begins. The edit is reverted before it is read.
TEST( SortedCache, RejectsByAMaskThatTheCoreHasNotRead )
{
    SortedWorld world( 16 * CulletBroadphase::LOOKS );
    world.move( 1, 20 );
    world.bodies.update();
    world.move( 1, 0 );
    world.edit( 0, 0 );
    world.bodies.update();
    ASSERT_EQ( 0, world.pairCount() ) << "the cache compares the masks themselves";
    world.edit( 0, -1 );
    world.readAndUpdate( 0 );
    EXPECT_EQ( 1, world.pairCount() );
}

TEST( SortedCache, OffersRejectedPairsAgain )
{
    bool isAccepted = false;
    Filter filter( [&]( const auto&, const auto& ) { return isAccepted; } );
    SortedWorld world;
    world.move( 1, 20 );
    world.bodies.update();
    world.cache.setOverlapFilterCallback( &filter );
    world.move( 1, 0 );
    world.bodies.update();
    EXPECT_EQ( 0, world.pairCount() );
    isAccepted = true;
    world.move( 1, btScalar( 0.5 ) );
    world.bodies.update();
    EXPECT_EQ( 1, world.pairCount() );
    world.cache.setOverlapFilterCallback( nullptr );
}

/// The pair is away only while separated pairs are removed.
TEST( SortedCache, GetsAPairBackThatDeferredRemovalRemoved )
{
    SortedWorld world;
    world.move( 1, 20 );
    world.rig.cullet->performDeferredRemoval( nullptr );
    EXPECT_EQ( 0, world.pairCount() );
    world.move( 1, 0 );
    world.bodies.update();
    EXPECT_EQ( 1, world.pairCount() );
}

/// An algorithm's destructor destroys a body of another pair that ends in the same step. That pair's algorithm is
/// destroyed before its body is.
TEST( SortedCache, DestroysAlgorithmsBeforeTheirBodies )
{
    EditingDispatcher dispatcher;
    SortedWorld world( 0, &dispatcher );
    dispatcher.edit = [&]
    {
        world.bodies.destroy( 2 );
        EXPECT_EQ( 2, dispatcher.freed );
    };
    world.bodies.create( cube( 50, 0, 0, 1 ) );
    world.bodies.update();
    ASSERT_EQ( 2, world.pairCount() );
    for ( int i = 0; i < 2; ++i )
    {
        dispatcher.giveAlgorithm( world.pair( i ) );
    }
    world.move( 1, 20 );
    world.move( 3, 80 );
    world.bodies.update();
    EXPECT_EQ( 2, dispatcher.destroyed );
    EXPECT_EQ( 0, world.pairCount() );
}

/// Runs the test with both of Bullet's caches.
class EditedGivenCache : public testing::TestWithParam<bool>
{
protected:
    static btOverlappingPairCache* cache()
    {
        return GetParam() ? static_cast<btOverlappingPairCache*>( new btSortedOverlappingPairCache )
                          : static_cast<btOverlappingPairCache*>( new btHashedOverlappingPairCache );
    }
};

INSTANTIATE_TEST_SUITE_P(, EditedGivenCache, testing::Bool(),
                         []( const auto& info ) { return info.param ? "sorted" : "hashed"; } );

/// The program adds one pair before it begins, and one of separate boxes.
TEST_P( EditedGivenCache, IsCorrectedWherePairsWereAdded )
{
    GivenWorld world( cache(), 0 );
    world.move( 1, 20 );
    world.bodies.update();
    world.move( 1, 0 );
    for ( const size_t other : { 1u, 2u } )
    {
        if ( !world.cache.findPair( world.proxy( 0 ), world.proxy( other ) ) )
        {
            world.cache.addOverlappingPair( world.proxy( 0 ), world.proxy( other ) );
        }
    }
    world.bodies.update();
    EXPECT_TRUE( world.hasExactPairs() );
}

/// The program adds a pair of boxes that overlap, at a time when its masks accept it. When they reject it again, the
/// core does not report its end.
TEST_P( EditedGivenCache, LosesAPairThatMasksRejectWhenItsBoxesSeparate )
{
    GivenWorld world( cache(), 0 );
    world.move( 1, 20 );
    world.edit( 0, 0 );
    world.readAndUpdate( 0 );
    world.move( 1, 0 );
    world.bodies.update();
    ASSERT_EQ( 0, world.pairCount() );
    world.edit( 0, -1 );
    world.cache.addOverlappingPair( world.proxy( 0 ), world.proxy( 1 ) );
    world.edit( 0, 0 );
    for ( int step = 0; step < 3; ++step )
    {
        world.bodies.update();
        EXPECT_EQ( 1, world.pairCount() );
    }
    world.move( 1, 20 );
    world.bodies.update();
    EXPECT_EQ( 0, world.pairCount() );
}

} // namespace
