// SPDX-License-Identifier: Zlib
// In which order things may be deleted, and who deletes what: CT-20 and CT-21.
#include "contestants.h"
#include "tests/bullet/support/block_count.h"

using namespace test;

/// The order of programs that delete the dispatcher and their callbacks first. Their proxies are still alive.
TEST_P( Contract, CT20_DestructorNeedsNoDispatcherOrCallbacks )
{
    const CountingDispatcher first; // the blocks that all of them share are not counted
    const BlockCount blocks;
    std::unique_ptr<btHashedOverlappingPairCache> cache( new btHashedOverlappingPairCache );
    GhostPairTracker ghost;
    std::unique_ptr<CountingDispatcher> dispatcher( new CountingDispatcher );
    Rig rig = makeRig( GetParam(), cache.get() );
    rig.givenCache.release(); // here the test deletes it
    rig.cache().setInternalGhostPairCallback( &ghost );
    {
        Bodies bodies( *rig.broadphase, 20, 3, dispatcher.get() );
        bodies.createRandom( 100 );
        bodies.update();
    } // the client objects are deleted, their proxies live on
    rig.cache().setInternalGhostPairCallback( nullptr );
    rig.cache().setOverlapFilterCallback( nullptr );
    dispatcher.reset();
    const int pairCount = cache->getNumOverlappingPairs();
    ASSERT_GT( pairCount, 0 );
    const int removeCount = ghost.removeCount;
    rig.broadphase.reset();
    EXPECT_EQ( pairCount, cache->getNumOverlappingPairs() ) << "the given cache is left as it is";
    EXPECT_EQ( removeCount, ghost.removeCount );
    cache.reset();
    EXPECT_EQ( 0, blocks.alive() ) << "proxies that outlive the broadphase are given back with it";
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

TEST_P( Contract, CT21_GivenCacheIsNotDeleted )
{
    struct DeletionWitness : public btHashedOverlappingPairCache
    {
        ~DeletionWitness() override
        {
            ++*deleted;
        }

        int* deleted;
    };
    int deleted = 0;
    DeletionWitness* cache = new DeletionWitness;
    cache->deleted = &deleted;
    {
        Rig rig = makeRig( GetParam(), cache );
        EXPECT_EQ( cache, rig.broadphase->getOverlappingPairCache() );
        rig.broadphase.reset();
        EXPECT_EQ( 0, deleted );
    }
    EXPECT_EQ( 1, deleted );
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
    kind.threadCount = 1; // a thousand worlds, but not thousands of threads
    for ( int cycle = 0; cycle < 1000; ++cycle )
    {
        runSmallWorld( kind );
    }
    EXPECT_EQ( 0, blocks.alive() );
}
