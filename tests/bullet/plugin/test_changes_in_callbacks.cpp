// SPDX-License-Identifier: Zlib
// Callbacks that move, edit and destroy bodies while an update or a destruction hands pairs over. What they change is
// reverted before the next update, so the core has nothing to report.
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

using namespace test;

namespace
{

/// Two bodies that separate in the update, so that their pair calls the ghost callback, and a pair that the ghost
/// callback's function changes meanwhile.
struct Bystanders : Arena
{
    using Meanwhile = std::function<void( Bystanders& world )>;

    Bystanders( btOverlappingPairCache* given, Meanwhile meanwhile )
        : Arena( culletAuto, 1, 1, nullptr, given ), m_meanwhile( std::move( meanwhile ) )
    {
        for ( int x : { 10, 10, 30, 0, 0 } )
        {
            bodies.create( cube( btScalar( x ), 0, 0, 1 ) );
        }
        bodies.update();
        m_proxies[0] = proxy( 3 );
        m_proxies[1] = proxy( 4 );
        cache.setInternalGhostPairCallback( &m_ghost );
    }

    ~Bystanders()
    {
        cache.setInternalGhostPairCallback( nullptr );
        cache.setOverlapFilterCallback( nullptr );
    }

    void move( size_t at, btScalar x )
    {
        bodies.move( bodies.at( at ), cube( x, 0, 0, 1 ) );
    }

    void edit( size_t at, int mask )
    {
        bodies.at( at ).proxies[0]->m_collisionFilterMask = mask;
        bodies.move( bodies.at( at ), bodies.at( at ).box );
    }

    /// Separates the pair and moves it together again, so that the next update reports it.
    void letThePairBegin()
    {
        move( 4, 90 );
        bodies.update();
        useUpEagerMoves();
        move( 4, 0 );
    }

    void useUpEagerMoves()
    {
        for ( int i = 0; i < CulletBroadphase::EAGER_MOVES; ++i )
        {
            move( 2, btScalar( 31 + i ) );
        }
    }

    /// Updates; the pair of the first two bodies ends, and the function is called once.
    void updateMeanwhile()
    {
        useUpEagerMoves();
        move( 1, 50 );
        m_isCalled = true;
        bodies.update();
        EXPECT_FALSE( m_isCalled );
    }

    /// Destroys the first body, while the function is called once.
    void destroyMeanwhile()
    {
        useUpEagerMoves();
        m_isCalled = true;
        bodies.destroy( 0 );
        EXPECT_FALSE( m_isCalled );
    }

    bool hasPair()
    {
        return cache.findPair( m_proxies[0], m_proxies[1] ) != nullptr;
    }

    btBroadphaseProxy* const* watched() const
    {
        return m_proxies;
    }

private:
    void callOnce()
    {
        if ( m_isCalled )
        {
            m_isCalled = false;
            m_meanwhile( *this );
        }
    }

    btBroadphaseProxy* m_proxies[2]; ///< of the pair
    Meanwhile m_meanwhile;
    bool m_isCalled = false;
    GhostFunctions m_ghost{ []( const auto&, const auto& ) {}, [this]( const auto&, const auto& ) { callOnce(); } };
};

class ChangesInCallbacks : public OwnAndGivenCache
{
};

INSTANTIATE_TEST_SUITE_P(, ChangesInCallbacks, testing::Bool(), cacheName );

/// While the rejected pair is to be offered again, a ghost callback moves it apart. It is moved back before the next
/// update, for which nothing has changed.
TEST_P( ChangesInCallbacks, MayMoveARejectedPairApart )
{
    bool isAccepted = false;
    Filter filter( [&]( const auto& a, const auto& ) { return isAccepted || a.m_uniqueId != 4; } );
    Bystanders world( cache(), [&]( Bystanders& meanwhile ) { meanwhile.move( 3, 70 ); } );
    world.move( 3, 90 );
    world.bodies.update();
    world.cache.setOverlapFilterCallback( &filter );
    world.move( 3, 0 );
    world.bodies.update();
    EXPECT_FALSE( world.hasPair() );
    world.edit( 4, 7 ); // so that the pair is to be offered
    world.updateMeanwhile();
    world.move( 3, 0 );
    isAccepted = true;
    world.bodies.update();
    EXPECT_TRUE( world.hasPair() );
}

/// Two pairs begin. The filter rejects the first one, then the ghost callback of the second one moves a body of the
/// first one a little, so that its filter is to be asked again.
TEST_P( ChangesInCallbacks, MayMoveAPairThatWasJustRejected )
{
    bool isAccepted = false;
    Filter filter( [&]( const auto& a, const auto& ) { return isAccepted || a.m_uniqueId != 1; } );
    Arena world( culletAuto, 1, 1, nullptr, cache() );
    GhostFunctions ghost( [&]( const auto&, const auto& )
                          { world.bodies.move( world.bodies.at( 0 ), cube( btScalar( 0.1 ), 0, 0, 1 ) ); },
                          []( const auto&, const auto& ) {} );
    world.cache.setOverlapFilterCallback( &filter );
    world.cache.setInternalGhostPairCallback( &ghost );
    world.rig.cullet->m_deferedcollide = true; // so that one update offers both pairs
    for ( const int x : { 0, 0, 10, 10 } )
    {
        world.bodies.create( cube( btScalar( x ), 0, 0, 1 ) );
    }
    world.bodies.update();
    EXPECT_EQ( 1, world.pairCount() );
    isAccepted = true;
    world.bodies.update();
    EXPECT_EQ( 2, world.pairCount() );
    world.cache.setInternalGhostPairCallback( nullptr );
    world.cache.setOverlapFilterCallback( nullptr );
}

/// A ghost callback edits a mask before the update offers a pair that began, or that the application has removed. The
/// edit is reverted before the next update.
TEST_P( ChangesInCallbacks, MayEditAMaskOfAPair )
{
    for ( const bool isRemoved : { false, true } )
    {
        Bystanders world( cache(), [&]( Bystanders& meanwhile ) { meanwhile.edit( 3, 0 ); } );
        if ( isRemoved )
        {
            world.cache.removeOverlappingPair( world.watched()[0], world.watched()[1], nullptr );
        }
        else
        {
            world.letThePairBegin();
        }
        world.updateMeanwhile();
        EXPECT_FALSE( world.hasPair() );
        world.edit( 3, -1 );
        world.bodies.update();
        EXPECT_TRUE( world.hasPair() ) << isRemoved;
    }
}

/// A ghost callback installs a filter that rejects a pair that began. It is removed before the next update.
TEST_P( ChangesInCallbacks, MayInstallAFilterForOneUpdate )
{
    Filter rejectsAll( []( const auto&, const auto& ) { return false; } );
    Bystanders world( cache(),
                      [&]( Bystanders& meanwhile ) { meanwhile.cache.setOverlapFilterCallback( &rejectsAll ); } );
    world.letThePairBegin();
    world.updateMeanwhile();
    EXPECT_FALSE( world.hasPair() );
    world.cache.setOverlapFilterCallback( nullptr );
    world.bodies.update();
    EXPECT_TRUE( world.hasPair() );
}

/// The program adds a pair that is there already, or one of separate boxes. A ghost callback moves a body before the
/// update looks at the pair, and the body is moved back before the next update.
TEST( ChangesInCallbacksOfTheOwnCache, MayMoveAPairThatTheProgramAdded )
{
    for ( const bool isSeparate : { false, true } )
    {
        Bystanders world( nullptr, [&]( Bystanders& meanwhile ) { meanwhile.move( 3, isSeparate ? 0 : 90 ); } );
        if ( isSeparate )
        {
            world.move( 3, 90 );
            world.bodies.update();
        }
        btBroadphaseProxy* const* pair = world.watched();
        world.cache.removeOverlappingPair( pair[0], pair[1], nullptr );
        world.cache.addOverlappingPair( pair[0], pair[1] );
        world.updateMeanwhile();
        world.move( 3, isSeparate ? 90 : 0 );
        world.bodies.update();
        EXPECT_EQ( !isSeparate, world.hasPair() );
    }
}

/// The algorithm of a pair destroys three bodies while its own body is destroyed.
TEST( ChangesInCallbacksOfAGivenCache, MayDestroyBodiesWhileOneIsDestroyed )
{
    EditingDispatcher dispatcher;
    btHashedOverlappingPairCache cache;
    CulletBroadphase broadphase( &cache );
    std::vector<btBroadphaseProxy*> proxies;
    for ( int i = 0; i < 6; ++i )
    {
        proxies.push_back( broadphase.createProxy( { 0, 0, 0 }, { 1, 1, 1 }, 0, nullptr, 1, -1, &dispatcher ) );
    }
    broadphase.calculateOverlappingPairs( &dispatcher );
    dispatcher.edit = [&]
    {
        for ( const int i : { 1, 2, 4 } )
        {
            broadphase.destroyProxy( proxies[size_t( i )], &dispatcher );
        }
    };
    dispatcher.giveAlgorithm( *cache.findPair( proxies[0], proxies[3] ) );
    broadphase.destroyProxy( proxies[0], &dispatcher );
    EXPECT_EQ( 1, dispatcher.destroyed );
    EXPECT_EQ( 1, cache.getNumOverlappingPairs() );
    EXPECT_NE( nullptr, cache.findPair( proxies[3], proxies[5] ) );
    broadphase.destroyProxy( proxies[3], &dispatcher );
    broadphase.destroyProxy( proxies[5], &dispatcher );
}

/// After as many moves as are searched at once, a callback moves a body onto another one.
TEST_P( ChangesInCallbacks, MakePairsPresentAtOnce )
{
    Bystanders world( cache(), [&]( Bystanders& meanwhile ) { meanwhile.move( 3, 0 ); } );
    world.move( 3, 90 );
    world.bodies.update();
    EXPECT_FALSE( world.hasPair() );
    world.destroyMeanwhile();
    EXPECT_TRUE( world.hasPair() );
}

/// When a pair begins, its ghost callback removes it. That is an edit of the program, not a filter that rejects it.
TEST( ChangesInCallbacksOfTheOwnCache, MayRemoveAPairThatBegins )
{
    Arena world( culletAuto );
    bool doesRemove = true;
    GhostFunctions ghost(
        [&]( const auto&, const auto& )
        {
            if ( doesRemove )
            {
                world.cache.removeOverlappingPair( world.proxy( 0 ), world.proxy( 1 ), nullptr );
            }
        },
        []( const auto&, const auto& ) {} );
    world.bodies.create( cube( 0, 0, 0, 1 ) );
    world.bodies.create( cube( 5, 0, 0, 1 ) );
    world.cache.setInternalGhostPairCallback( &ghost );
    world.bodies.move( world.bodies.at( 1 ), cube( 0, 0, 0, 1 ) );
    world.bodies.update();
    EXPECT_EQ( 0, world.pairCount() );
    doesRemove = false;
    world.bodies.update();
    EXPECT_EQ( 1, world.pairCount() );
    world.cache.setInternalGhostPairCallback( nullptr );
}

} // namespace
