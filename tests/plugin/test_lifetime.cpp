// SPDX-License-Identifier: Zlib
// What happens when proxies, caches, dispatchers and worlds come and go: CT-14 to CT-16, CT-20 and CT-21.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <cstdlib>

using namespace test;

class Lifetime : public RigTest
{
};

INSTANTIATE_TEST_SUITE_P(, Lifetime, testing::ValuesIn( exactRigs() ), rigName );

TEST_P( Lifetime, CT14_DestroyedProxyIsGoneAtOnce )
{
    const Rig rig = makeRig( GetParam() );
    GhostWitness ghost;
    rig.cache().setInternalGhostPairCallback( &ghost );
    Bodies bodies( *rig.broadphase, 14, 3 );
    bodies.createRandom( 200 );
    bodies.update();
    while ( bodies.size() > 0 )
    {
        // The client object is deleted as soon as destroyProxy returns: any later touch is an error under ASan.
        bodies.destroy( bodies.random().below( uint32_t( bodies.size() ) ) );
        const std::vector<IdPair> left = pairsOf( rig.cache() );
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), left ) );
        ASSERT_EQ( ghost.pairs, std::set<IdPair>( left.begin(), left.end() ) );
        CollectBox hits;
        rig.broadphase->aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
        ASSERT_EQ( bodies.size(), hits.ids().size() );
        if ( bodies.size() % 16 == 0 )
        {
            bodies.update();
        }
    }
    rig.cache().setInternalGhostPairCallback( nullptr );
}

TEST( LifetimeInWorld, CT14_GhostListForgetsARemovedBody )
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    CulletBroadphase broadphase;
    btGhostPairCallback ghostCallback;
    broadphase.getOverlappingPairCache()->setInternalGhostPairCallback( &ghostCallback );
    {
        btCollisionWorld world( &dispatcher, &broadphase, &configuration );
        btSphereShape* shape = new btSphereShape( 1 );
        btPairCachingGhostObject ghost;
        ghost.setCollisionShape( shape );
        btCollisionObject* object = new btCollisionObject;
        object->setCollisionShape( shape );
        world.addCollisionObject( &ghost );
        world.addCollisionObject( object );
        world.performDiscreteCollisionDetection();
        EXPECT_EQ( 1, ghost.getNumOverlappingObjects() );
        EXPECT_EQ( 1, ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
        EXPECT_EQ( 1, dispatcher.getNumManifolds() );

        world.removeCollisionObject( object );
        delete object;
        EXPECT_EQ( 0, ghost.getNumOverlappingObjects() );
        EXPECT_EQ( 0, ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
        EXPECT_EQ( 0, dispatcher.getNumManifolds() );
        world.performDiscreteCollisionDetection();
        world.removeCollisionObject( &ghost );
        delete shape;
    }
}

TEST_P( Lifetime, CT15_ReusedSlotIsANewPair )
{
    DispatcherWitness dispatcher;
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 15, 1, &dispatcher );
    GhostWitness ghost;
    rig.cache().setInternalGhostPairCallback( &ghost );
    bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
    bodies.update();
    for ( int round = 0; round < 5; ++round )
    {
        ASSERT_EQ( 1, rig.cache().getNumOverlappingPairs() );
        dispatcher.giveAlgorithm( rig.cache().getOverlappingPairArrayPtr()[0] );
        bodies.destroy( 1 );
        EXPECT_EQ( round + 1, ghost.removeCount );
        EXPECT_EQ( round + 1, dispatcher.freed );
        bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( rig.cache() ) ) );
        EXPECT_EQ( nullptr, rig.cache().getOverlappingPairArrayPtr()[0].m_algorithm );
        EXPECT_EQ( round + 2, ghost.addCount );
    }
    rig.cache().setInternalGhostPairCallback( nullptr );
}

TEST_P( Lifetime, CT16_CreateAndDestroyBetweenUpdatesLeavesNothing )
{
    const Rig rig = makeRig( GetParam() );
    Bodies bodies( *rig.broadphase, 16, 3 );
    bodies.createRandom( 100 );
    bodies.update();
    GhostWitness ghost;
    const std::vector<IdPair> before = pairsOf( rig.cache() );
    ghost.pairs.insert( before.begin(), before.end() );
    rig.cache().setInternalGhostPairCallback( &ghost );
    const std::vector<char> bytes = bytesOf( rig.cache() );
    for ( int i = 0; i < 50; ++i )
    {
        bodies.create( { btVector3( -3, -3, -3 ), btVector3( 3, 3, 3 ) } );
        bodies.destroy( bodies.size() - 1 );
    }
    EXPECT_EQ( bytes, bytesOf( rig.cache() ) );
    bodies.update();
    EXPECT_EQ( bytes, bytesOf( rig.cache() ) );
    EXPECT_EQ( ghost.addCount, ghost.removeCount );
    rig.cache().setInternalGhostPairCallback( nullptr );
}

TEST( LifetimeOfCullet, CT20_DestructorNeedsNobody )
{
    std::unique_ptr<btHashedOverlappingPairCache> cache( new btHashedOverlappingPairCache );
    std::unique_ptr<DispatcherWitness> dispatcher( new DispatcherWitness );
    std::unique_ptr<CulletBroadphase> broadphase( new CulletBroadphase( cache.get() ) );
    {
        Bodies bodies( *broadphase, 20, 3, dispatcher.get() );
        bodies.createRandom( 100 );
        bodies.update();
    } // the client objects are deleted, their proxies live on
    static_cast<btOverlappingPairCache*>( cache.get() )->setInternalGhostPairCallback( nullptr );
    cache->setOverlapFilterCallback( nullptr );
    dispatcher.reset();
    const int pairCount = cache->getNumOverlappingPairs();
    broadphase.reset();
    EXPECT_EQ( pairCount, cache->getNumOverlappingPairs() );
}

namespace
{
int liveBlocks = 0; // of Bullet's allocator

void* countedAlloc( size_t size, int alignment )
{
    ++liveBlocks;
    const size_t step = size_t( alignment );
    return std::aligned_alloc( step, ( size + step - 1 ) / step * step );
}

void countedFree( void* memory )
{
    liveBlocks -= memory != nullptr;
    std::free( memory );
}

class DeletionWitness : public btHashedOverlappingPairCache
{
public:
    explicit DeletionWitness( int& deleted ) : m_deleted( deleted )
    {
    }

    ~DeletionWitness() override
    {
        ++m_deleted;
    }

private:
    int& m_deleted;
};
} // namespace

TEST( LifetimeOfCullet, CT21_OwnsItsOwnCacheOnly )
{
    btAlignedAllocSetCustomAligned( countedAlloc, countedFree );
    int deleted = 0;
    {
        DeletionWitness given( deleted );
        CulletBroadphase broadphase( &given );
        EXPECT_EQ( &given, broadphase.getOverlappingPairCache() );
    }
    EXPECT_EQ( 1, deleted ) << "deleted by its owner, once";

    const int before = liveBlocks;
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = 1; // a thousand worlds, but not thousands of threads
    for ( int cycle = 0; cycle < 1000; ++cycle )
    {
        btDefaultCollisionConstructionInfo info;
        info.m_defaultMaxPersistentManifoldPoolSize = 8;
        info.m_defaultMaxCollisionAlgorithmPoolSize = 8;
        btDefaultCollisionConfiguration configuration( info );
        btCollisionDispatcher dispatcher( &configuration );
        CulletBroadphase broadphase( def );
        btSphereShape shape( 1 );
        btCollisionObject objects[3];
        btCollisionWorld world( &dispatcher, &broadphase, &configuration );
        for ( btCollisionObject& object : objects )
        {
            object.setCollisionShape( &shape );
            world.addCollisionObject( &object );
        }
        world.performDiscreteCollisionDetection();
        ASSERT_EQ( 3, dispatcher.getNumManifolds() );
    }
    EXPECT_EQ( before, liveBlocks );
    btAlignedAllocSetCustomAligned( nullptr, nullptr );
}

TEST( LifetimeOfCullet, CT48_AddressesNeverChange )
{
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 48, 20 );
    bodies.createRandom( 3000 );
    std::vector<btBroadphaseProxy*> addresses;
    for ( size_t i = 0; i < 3000; ++i )
    {
        addresses.push_back( bodies.at( i ).proxies[0] );
        ASSERT_EQ( 0u, reinterpret_cast<uintptr_t>( addresses.back() ) % alignof( btBroadphaseProxy ) );
    }
    bodies.createRandom( 3000 );
    bodies.update();
    for ( size_t i = 0; i < 3000; ++i )
    {
        ASSERT_EQ( static_cast<int>( i ) + 1, addresses[i]->m_uniqueId );
        ASSERT_EQ( &bodies.at( i ), addresses[i]->m_clientObject );
    }
}
