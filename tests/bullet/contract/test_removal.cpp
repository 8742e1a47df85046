// SPDX-License-Identifier: Zlib
// Removal is complete when destroyProxy returns, and later proxies do not see the removed one: CT-14 to CT-16. Removal
// from a world, with callbacks and dispatchers: CT-17 and CT-18.
#include "queries.h"
#include "tests/bullet/support/bullet_world.h"

#include <algorithm>

using namespace test;

/// The client object is deleted right after destroyProxy. A later access is an error under AddressSanitizer.
TEST_P( Contract, CT14_DestroyedProxyIsGoneAtOnce )
{
    GhostPairTracker ghost;
    Arena arena( GetParam(), 14, 3 );
    arena.cache.setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    arena.bodies.update();
    while ( arena.bodies.size() > 0 )
    {
        arena.bodies.destroyRandom();
        std::vector<int> alive;
        for ( const auto& body : arena.bodies.all() )
        {
            alive.push_back( body->id );
        }
        ASSERT_TRUE( arena.hasExpectedPairs() );
        const std::vector<IdPair> pairs = arena.pairs();
        ASSERT_EQ( std::set<IdPair>( pairs.begin(), pairs.end() ), ghost.pairs );
        for ( const IdPair& pair : pairs )
        {
            ASSERT_TRUE( std::binary_search( alive.begin(), alive.end(), pair.first ) );
            ASSERT_TRUE( std::binary_search( alive.begin(), alive.end(), pair.second ) );
        }
        ASSERT_EQ( alive, boxHits( arena.broadphase, everywhere ) );
        const std::vector<int> hits = rayHits( arena.broadphase, { btVector3( -9, 0, 0 ), btVector3( 9, 0, 0 ) } );
        ASSERT_TRUE( std::includes( alive.begin(), alive.end(), hits.begin(), hits.end() ) );
        if ( arena.bodies.size() % 16 == 0 )
        {
            arena.bodies.update();
        }
    }
}

TEST_P( Contract, CT15_ReusedSlotFormsANewPair )
{
    CountingDispatcher dispatcher;
    GhostPairTracker ghost;
    Arena arena( GetParam(), 15, 1, &dispatcher );
    arena.cache.setInternalGhostPairCallback( &ghost );
    const Box there = cube( btScalar( 0.5 ), 0, 0, 1 );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    arena.bodies.create( there );
    arena.bodies.update();
    for ( int round = 0; round < 5; ++round )
    {
        ASSERT_EQ( 1, arena.pairCount() );
        dispatcher.giveAlgorithm( arena.pair( 0 ) );
        const int added = ghost.addCount, removed = ghost.removeCount;
        arena.bodies.destroy( 1 );
        EXPECT_EQ( removed + 1, ghost.removeCount );
        EXPECT_EQ( round + 1, dispatcher.freed );
        arena.bodies.create( there );
        arena.bodies.update();
        EXPECT_EQ( added + 1, ghost.addCount );
        ASSERT_TRUE( arena.hasExpectedPairs() );
        EXPECT_EQ( nullptr, arena.pair( 0 ).m_algorithm );
    }
}

TEST_P( Contract, CT16_CreateAndDestroyBetweenUpdatesChangesNothing )
{
    GhostPairTracker ghost;
    Arena arena( GetParam(), 16, 3 );
    arena.cache.setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 100 );
    arena.bodies.update();
    const int alive = ghost.addCount - ghost.removeCount;
    const std::vector<char> bytes = bytesOf( arena.cache );
    ASSERT_FALSE( bytes.empty() );
    for ( int i = 0; i < 50; ++i )
    {
        arena.bodies.create( { btVector3( -3, -3, -3 ), btVector3( 3, 3, 3 ) } );
        arena.bodies.destroy( arena.bodies.size() - 1 );
    }
    EXPECT_EQ( bytes, bytesOf( arena.cache ) );
    arena.bodies.update();
    EXPECT_EQ( bytes, bytesOf( arena.cache ) );
    EXPECT_EQ( alive, ghost.addCount - ghost.removeCount );
}

namespace
{
/// Overlapping spheres on the x axis.
struct SphereRow : public BulletWorld
{
    explicit SphereRow( const RigKind& kind ) : BulletWorld( makeRig( kind ) )
    {
    }

    btCollisionObject& addAt( btScalar x, int group = 1, int mask = -1 )
    {
        return addObject( sphere, btVector3( x, 0, 0 ), group, mask );
    }

    /// Whether the object of a proxy still exists and refers to the proxy.
    bool isIntact( const btBroadphaseProxy& proxy ) const
    {
        return std::any_of( objects().begin(), objects().end(),
                            [&proxy]( const std::unique_ptr<btCollisionObject>& object ) {
                                return object.get() == proxy.m_clientObject &&
                                       object->getBroadphaseHandle() == &proxy && proxy.m_uniqueId > 0;
                            } );
    }

    btCollisionShape& sphere = shape<btSphereShape>( btScalar( 1 ) );
};
} // namespace

TEST_P( Contract, CT17_RemoveCallbackSeesBothObjects )
{
    int removeCount = 0;
    SphereRow row( GetParam() );
    const auto onRemove = [&]( const btBroadphaseProxy& proxy0, const btBroadphaseProxy& proxy1 )
    {
        ++removeCount;
        EXPECT_TRUE( row.isIntact( proxy0 ) && row.isIntact( proxy1 ) );
    };
    const auto onAdd = []( const btBroadphaseProxy&, const btBroadphaseProxy& ) {};
    row.cache().setInternalGhostPairCallback( &row.keep( new GhostFunctions( onAdd, onRemove ) ) );
    for ( int i = 0; i < 20; ++i )
    {
        row.addAt( btScalar( i ) * btScalar( 0.1 ) );
    }
    row.world().performDiscreteCollisionDetection();
    ASSERT_EQ( 190, row.cache().getNumOverlappingPairs() );
    const int previousCount = removeCount;
    for ( int i = 0; i < 10; ++i )
    {
        row.remove( *row.objects().back() );
    }
    EXPECT_EQ( previousCount + 145, removeCount ) << "all but the 45 pairs among the other ten";
    row.deleteWorld();
    EXPECT_EQ( previousCount + 190, removeCount ) << "the destructor of the world removes the rest";
}

TEST_P( Contract, CT18_RefreshedProxyFormsItsPairsAgain )
{
    SphereRow row( GetParam() );
    btCollisionObject& object = row.addAt( 0, 2, ~4 );
    btCollisionObject* const others[] = { &row.addAt( 1 ), &row.addAt( -1 ) };
    row.world().performDiscreteCollisionDetection();
    ASSERT_EQ( 3, row.dispatcher().getNumManifolds() );

    row.world().refreshBroadphaseProxy( &object );
    EXPECT_EQ( 1, row.dispatcher().getNumManifolds() )
        << "its two manifolds are freed, without a call to cleanProxyFromPairs";
    btBroadphaseProxy& proxy = *object.getBroadphaseHandle();
    EXPECT_EQ( &object, proxy.m_clientObject );
    EXPECT_EQ( 2, proxy.m_collisionFilterGroup );
    EXPECT_EQ( ~4, proxy.m_collisionFilterMask );

    row.world().computeOverlappingPairs();
    EXPECT_EQ( 3, row.cache().getNumOverlappingPairs() );
    for ( btCollisionObject* other : others )
    {
        const btBroadphasePair* pair = row.cache().findPair( &proxy, other->getBroadphaseHandle() );
        ASSERT_NE( nullptr, pair );
        EXPECT_EQ( nullptr, pair->m_algorithm );
    }
    row.world().performDiscreteCollisionDetection();
    EXPECT_EQ( 3, row.dispatcher().getNumManifolds() );
}

TEST_P( Contract, CT18_RefreshGivesANewUid )
{
    SphereRow row( GetParam() );
    std::set<int> seen;
    for ( int i = 0; i < 3; ++i )
    {
        seen.insert( row.addAt( btScalar( i ) ).getBroadphaseHandle()->m_uniqueId );
    }
    for ( int i = 0; i < 9; ++i )
    {
        btCollisionObject& object = *row.objects()[size_t( i % 3 )];
        row.world().refreshBroadphaseProxy( &object );
        EXPECT_TRUE( seen.insert( object.getBroadphaseHandle()->m_uniqueId ).second );
    }
}
