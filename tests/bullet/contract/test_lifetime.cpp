// SPDX-License-Identifier: Zlib
// The order in which objects may be deleted, and their owners: CT-20 and CT-21.
#include "contestants.h"
#include "tests/bullet/support/block_count.h"

using namespace test;

/// Some programs delete the dispatcher and their callbacks first, and leave the proxies to the broadphase.
TEST_P( Contract, CT20_DestructorNeedsNoDispatcherOrCallbacks )
{
    const CountingDispatcher first; // blocks that all dispatchers share are not counted
    const BlockCount blocks;
    std::unique_ptr<btHashedOverlappingPairCache> cache( new btHashedOverlappingPairCache );
    GhostPairTracker ghost;
    std::unique_ptr<CountingDispatcher> dispatcher( new CountingDispatcher );
    Rig rig = makeRig( GetParam(), cache.get() );
    rig.givenCache.release(); // the test deletes it
    rig.cache().setInternalGhostPairCallback( &ghost );
    {
        Bodies bodies( *rig.broadphase, 20, 3, dispatcher.get() );
        bodies.createRandom( 100 );
        bodies.update();
    } // deletes the client objects, but not their proxies
    rig.cache().setInternalGhostPairCallback( nullptr );
    rig.cache().setOverlapFilterCallback( nullptr );
    dispatcher.reset();
    const int pairCount = cache->getNumOverlappingPairs();
    ASSERT_GT( pairCount, 0 );
    const int removeCount = ghost.removeCount;
    rig.broadphase.reset();
    EXPECT_EQ( pairCount, cache->getNumOverlappingPairs() ) << "the given cache must not change";
    EXPECT_EQ( removeCount, ghost.removeCount );
    cache.reset();
    EXPECT_EQ( 0, blocks.alive() ) << "the broadphase must free its live proxies";
}

TEST_P( Contract, CT20_DestructorFreesLiveProxiesAndItsOwnCache )
{
    const BlockCount blocks;
    {
        Rig rig = makeRig( GetParam() );
        Bodies bodies( *rig.broadphase, 20, 3 );
        bodies.createRandom( 100 );
        bodies.update();
        ASSERT_GT( rig.cache().getNumOverlappingPairs(), 0 );
        rig.broadphase.reset();
    }
    EXPECT_EQ( 0, blocks.alive() );
}

static void runSmallWorld( const RigKind& kind )
{
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = 8;
    info.m_defaultMaxCollisionAlgorithmPoolSize = 8;
    btDefaultCollisionConfiguration configuration( info );
    btCollisionDispatcher dispatcher( &configuration );
    const Rig rig = makeRig( kind );
    btSphereShape shape( 1 );
    btCollisionObject objects[3];
    btCollisionWorld world( &dispatcher, rig.broadphase.get(), &configuration );
    for ( btCollisionObject& object : objects )
    {
        object.setCollisionShape( &shape );
        world.addCollisionObject( &object );
    }
    world.performDiscreteCollisionDetection();
    ASSERT_EQ( 3, dispatcher.getNumManifolds() );
}

TEST_P( Contract, CT21_ThousandWorldsLeakNoMemory )
{
    const BlockCount blocks;
    RigKind kind = GetParam();
    kind.threadCount = 1; // or it would start thousands of threads
    for ( int cycle = 0; cycle < 1000; ++cycle )
    {
        runSmallWorld( kind );
    }
    EXPECT_EQ( 0, blocks.alive() );
}
